"""Conditions in a meaning: filters, terms, related rows, comparisons with an average, and the standing rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from assistant.embedded.assembly.demands import Demands
from assistant.embedded.assembly.routing import Router
from assistant.embedded.assembly.timing import Timing
from assistant.embedded.clauses.comparing import whole
from assistant.embedded.clauses.draft import Draft, FilterWanted, Misfit, RelatedWanted
from assistant.embedded.dates import Period
from assistant.embedded.linking.knowledge import BindingRule
from assistant.embedded.linking.links import ToTable
from assistant.embedded.linking.states import is_state, meant_by
from assistant.embedded.meaning import (
    PERCENT,
    AgainstAll,
    ColumnRef,
    Condition,
    Filter,
    JoinStep,
    Literal_,
    Meaning,
    Measure,
    Operator,
    Related,
    TimeRange,
    needs_several,
)
from assistant.embedded.source.joins import Way
from assistant.embedded.source.schema import Attribute, Entity, column_label

_SAYS_NOTHING = 0.04
"""What it costs to take a name for one that says nothing more: "products and the suppliers they have"."""


@dataclass
class Restrictions:
    """Makes the conditions of one draft."""

    router: Router
    timing: Timing
    rules: Sequence[BindingRule] = ()

    def filters(self) -> tuple[Filter, ...]:
        """Every condition on a column; values of one column are alternatives."""
        Demands(self.router).settle()
        return tuple(self.merged(self.router.draft.filters))

    def merged(self, wanted: Sequence[FilterWanted]) -> list[Filter]:
        """The conditions, with several values of one column taken together."""
        found: list[Filter] = []
        for condition in wanted:
            found = self._merge(found, condition)
        return found

    def _merge(self, filters: list[Filter], wanted: FilterWanted) -> list[Filter]:
        """Two values of one column are alternatives: nothing can be both."""
        made = self.filter(wanted)
        for i, present in enumerate(filters):
            if present.column != made.column or present.other or made.other or present.side != made.side:
                continue
            if present.operator in ("=", "in") and made.operator in ("=", "in"):
                both = present.model_copy(update={"operator": "in", "values": (*present.values, *made.values)})
                return [*filters[:i], both, *filters[i + 1 :]] if made.values[0] not in present.values else filters
            if present.operator in ("!=", "not in") and made.operator in ("!=", "not in"):
                both = present.model_copy(update={"operator": "not in", "values": (*present.values, *made.values)})
                return [*filters[:i], both, *filters[i + 1 :]]
        return [*filters, made]

    def only(self, measure: Measure, wanted: Sequence[FilterWanted]) -> Measure:
        """The figure made of the rows that fulfil conditions of its own."""
        if not wanted:
            return measure
        filters = tuple(self.merged(wanted))
        if measure.expression or any(f.column.multiplies for f in filters):
            raise Misfit(f"I cannot compute {measure.label} under a condition of its own.", weight=4)
        words = " and ".join(_in_words(item) for item in filters)
        counts = measure.aggregate in ("count", "distinct")
        if measure.per is not None and measure.unit == PERCENT:
            label = f"share of {words} {measure.per.label}"
            return measure.model_copy(update={"only": filters, "label": label})
        label = f"{words} {measure.label}" if counts else f"{measure.label} ({words})"
        return measure.model_copy(update={"only": filters, "label": label})

    def filter(self, wanted: FilterWanted) -> Filter:
        """One condition on a column."""
        attribute = wanted.attribute
        if wanted.other is not None:
            return self._beside(wanted, wanted.other)
        if wanted.operator in ("missing", "present") and (none := _none_of(attribute)) is not None:
            operator: Operator = "=" if wanted.operator == "missing" else "!="
            return self.filter(replace(wanted, operator=operator, values=(none,)))
        if wanted.operator == "missing" and attribute.always_known:
            raise Misfit(f"I could not place “no {attribute.words}” in the question.", weight=4)
        if not wanted.known:
            self.router.draft.assumptions.append(
                f"“{wanted.values[0]}” is not among the values I know of {attribute.words}"
            )
        operator, values = self._spelled(wanted)
        return Filter(
            column=self.router.ref(attribute),
            operator=operator,
            values=tuple(_number(value) for value in values) if attribute.as_text else values,
            label=self._filter_label(attribute),
            fold_case=not wanted.known,
            flag=attribute.role == "flag",
            side=wanted.side,
            whole=wanted.whole,
        )

    def on_weekdays(self, date: Attribute) -> Filter:
        """The days of the week that count, by a date."""
        if date.role != "date":
            raise Misfit(f"“{date.words}” does not know the weekday.", weight=5)
        days = self.router.draft.weekdays
        return Filter(column=self.router.ref(date), operator="in", values=days, label="weekday", part="weekday")

    def _spelled(self, wanted: FilterWanted) -> tuple[Operator, tuple[Literal_, ...]]:
        """The values in all their spellings: who asks for the North means "north" and "NORTH " as well."""
        attribute, known = wanted.attribute, self.router.schema.spellings
        several = {"=": "in", "in": "in", "!=": "not in", "not in": "not in"}.get(wanted.operator)
        every = [known.get((attribute.table, attribute.name, str(v)), (v,)) for v in wanted.values]
        if several is None or all(len(spelled) == 1 for spelled in every):
            return wanted.operator, wanted.values
        for spelled in (s for s in every if len(s) > 1):
            others = " and ".join(f"“{value}”" for value in spelled[1:])
            self.router.draft.assumptions.append(f"“{spelled[0]}” is also written {others}; they are taken together")
        return cast(Operator, several), tuple(dict.fromkeys(value for spelled in every for value in spelled))

    def _beside(self, wanted: FilterWanted, other: Attribute) -> Filter:
        """Two columns of one row, compared."""
        refs = (self.router.ref(wanted.attribute), self.router.ref(other))
        if refs[1].multiplies or (refs[0].multiplies and wanted.days is None):
            raise Misfit(f"I cannot compare {wanted.attribute.words} with {other.words} from here.", weight=4)
        return Filter(
            column=refs[0],
            operator=wanted.operator,
            other=refs[1],
            label=self._filter_label(wanted.attribute),
            other_label=self._filter_label(other),
            side=wanted.side,
            days=wanted.days,
        )

    def _filter_label(self, attribute: Attribute) -> str:
        """A table's own name column is called like the table: "category is Furniture"."""
        entity = self.router.schema.entities[attribute.table]
        named = entity.label == (attribute.name,) and attribute.table != self.router.base
        return entity.one if named else column_label(self.router.schema, attribute)

    def conditions(self) -> tuple[Condition, ...]:
        """The conditions of the glossary terms."""
        found: list[Condition] = []
        for term, negated in self.router.draft.terms:
            entity = self.router.schema.find_entity(term.table or "")
            if entity is None or term.sql is None:  # terms are checked when they are linked
                continue
            if is_state(term):
                self.router.draft.assumptions.append(meant_by(term))
            else:
                self.router.draft.cited.append(term.id)
            found.append(
                Condition(
                    table=entity.name,
                    sql=term.sql,
                    steps=self.router.way(entity.name),
                    label=term.name,
                    document=term.id,
                    negated=negated,
                )
            )
        return tuple(found)

    def all_related(self) -> tuple[Related, ...]:
        """Every condition on related rows. That a row has something which it must have anyway says nothing."""
        draft = self.router.draft
        found: list[Related] = []
        for wanted in draft.related:
            if self.owner(wanted) is not None:
                continue
            only_there = (wanted.operator, wanted.count) == (">=", 1) and not (wanted.filters or wanted.period)
            if only_there and wanted.shared is None and not wanted.several and self._lies_on_way(wanted):
                draft.passed.append(wanted.entity)  # "the names of guides and of the tours they led"
            elif only_there and wanted.shared is None and self._always_there(wanted.entity):
                draft.passed.append(wanted.entity)
                self.router.penalty += _SAYS_NOTHING
            else:
                found.append(self.related(wanted))
        return tuple(found)

    def owner(self, wanted: RelatedWanted) -> Entity | None:
        """Whose rows they are, where the base cannot have several itself: "revenue from customers with 5 orders"."""
        router = self.router
        if wanted.owner is not None:
            return wanted.owner if wanted.owner.name != router.base else None
        named = [p.option.entity for p in router.draft.pieces[: wanted.at + 1] if isinstance(p.option, ToTable)]
        ways = router.joins.best(router.base, wanted.entity.name, router.draft.mentioned)
        if not needs_several(wanted.operator, wanted.count) or not ways or ways[0].multiplies:
            return None
        for entity in reversed(named):
            if entity.name in (router.base, wanted.entity.name) or not router.reaches(router.base, entity.name):
                continue
            below = router.joins.best(entity.name, wanted.entity.name, router.draft.mentioned)
            return entity if below and below[0].multiplies else None
        return None

    def _lies_on_way(self, wanted: RelatedWanted) -> bool:
        """Whether the rows exist anyway: what is listed beside the base's, or must be there, lies beyond them."""
        router, draft = self.router, self.router.draft
        beside = {a.table for a in draft.shown} & set(router.taken)
        ways = [router.taken[table] for table in beside]
        for other in draft.related:
            if other is not wanted and other.count > 0 and other.operator in (">=", ">", "=") and other.shared is None:
                further = router.joins.best(router.base, other.entity.name, draft.mentioned)[:1]
                ways += [way for way in further if way.steps and way.steps[-1].right != wanted.entity.name]
        return any(step.right == wanted.entity.name for way in ways for step in way.steps)

    def _always_there(self, entity: Entity) -> bool:
        if entity.name == self.router.base:
            return True
        ways = self.router.joins.best(self.router.base, entity.name, self.router.draft.mentioned)
        return bool(ways) and not any(step.many or step.optional for step in ways[0].steps)

    def related(self, wanted: RelatedWanted) -> Related:
        """A condition on related rows."""
        if wanted.shared is not None and wanted.shared.table != self.router.base:
            raise Misfit(f"I could not tell what shares “{wanted.shared.words}”.", weight=4)
        way = self._related_way(wanted)
        chosen = wanted.filters or wanted.period or wanted.other or needs_several(wanted.operator, wanted.count)
        if wanted.shared is not None and not way.steps[1:] and not chosen:
            raise Misfit(f"I could not place “{wanted.entity.many}” in the question.", weight=4)
        if wanted.several and not any(step.many for step in way.steps):
            raise Misfit("Rows that have both of two values at once are more than I can read.", weight=5)
        way = self._to_several(way, wanted)
        inside = Router(
            joins=self.router.joins, draft=Draft(schema=self.router.schema, pieces=[]), base=wanted.entity.name
        )
        inside.taken |= {step.right: _already(way, n) for n, step in enumerate(way.steps[:-1], start=1)}
        inner = Restrictions(inside, Timing(inside))
        filters = tuple(_from_base(made, way) for made in inner.merged(wanted.filters))
        time = None
        if wanted.period:
            time = self._related_time(wanted, wanted.period, way, inner)
        return Related(
            steps=way.steps,
            operator=wanted.operator,
            count=wanted.count,
            label=_label(wanted),
            filters=filters,
            time=time,
        )

    def _to_several(self, way: Way, wanted: RelatedWanted) -> Way:
        """Of what a row has one at most it cannot have several: another way leads to them, or none."""
        least = wanted.count + (wanted.operator == ">")
        entities = self.router.schema.entities
        upwards = any(step.left_columns != entities[step.left].key for step in way.steps)
        if wanted.operator not in (">", ">=", "=") or least <= 1 or way.multiplies or not upwards:
            return way
        ways = self.router.joins.ways(self.router.base, wanted.entity.name, self.router.draft.mentioned)
        several = next((other for other in ways if other.multiplies), None)
        if several is None:
            base = entities[self.router.base]
            raise Misfit(f"Each of the {base.many} has one of the {wanted.entity.many} at most.", weight=4)
        return several

    def _related_way(self, wanted: RelatedWanted) -> Way:
        """The way to related rows; where rows share a value, over those that do."""
        if wanted.shared is None:
            return self.router.related_way(wanted.entity.name, wanted.entity.many)
        first = _through(wanted.shared, wanted.other or wanted.shared)
        if wanted.other is not None or wanted.entity.name == wanted.shared.table:
            return first
        beyond = self.router.related_way(wanted.entity.name, wanted.entity.many)
        return Way(steps=(*first.steps, *beyond.steps), cost=first.cost + beyond.cost)

    def _related_time(self, wanted: RelatedWanted, period: Period, way: Way, inner: Restrictions) -> TimeRange:
        """The period of related rows; their date may stand in a table on the way: "took a course in 2024"."""
        for place in [wanted.entity.name, *(step.right for step in reversed(way.steps[:-1]))]:
            date = inner.timing.best_date(self.router.schema.entities[place])
            if date is not None:
                time = inner.timing.range_of(date, period)
                return time.model_copy(update={"column": _along(time.column, way)})
        raise Misfit(f"I found no date for “{period.label}” of {wanted.entity.many}.", weight=6)

    def compared(self) -> tuple[AgainstAll, ...]:
        """Columns compared with a figure of their own over the whole table."""
        found: list[AgainstAll] = []
        for wanted in self.router.draft.compared:
            if wanted.of is not None:
                continue  # read with the tables of its own
            words, ref = wanted.attribute.words, self.router.ref(wanted.attribute)
            if ref.multiplies and wanted.aggregate == "average":
                raise Misfit(f"I cannot compare {words} with its average from here.", weight=4)
            found.append(AgainstAll(column=ref, operator=wanted.operator, label=words, aggregate=wanted.aggregate))
        return tuple(found)

    def ruled(self, meaning: Meaning) -> Meaning:
        """The standing rules that bind what is read, unless the question speaks of their column itself."""
        added: list[Condition] = []
        related = list(meaning.related)
        for rule in self.rules:
            bound = {name.lower() for name in rule.applies_to}
            entity = self.router.schema.find_entity(rule.tables[0])
            if entity is None or self._speaks_of(meaning, rule, entity):
                continue
            metrics = [m for m in meaning.measures if m.metric]
            if not metrics and (not bound or meaning.base.rpartition(".")[2].lower() in bound):
                way = self.router.way(entity.name)
                if not any(step.many for step in way):
                    added.append(_rule_condition(rule, entity, way))
                    self._say(rule)
            for n, item in enumerate(related):
                if item.steps[-1].right == entity.name and (not bound or entity.name.lower() in bound):
                    condition = _rule_condition(rule, entity, ())
                    related[n] = item.model_copy(update={"conditions": (*item.conditions, condition)})
                    self._say(rule)
        related = [r for r in related if not _said_anyway(r, meaning)]
        return meaning.model_copy(update={"conditions": (*meaning.conditions, *added), "related": tuple(related)})

    def _say(self, rule: BindingRule) -> None:
        note = f"{rule.name[:1].lower() + rule.name[1:]} ({rule.origin})"
        if note not in self.router.draft.assumptions:
            self.router.draft.assumptions.append(note)
            self.router.draft.cited.append(rule.id)

    def _speaks_of(self, meaning: Meaning, rule: BindingRule, entity: Entity) -> bool:
        refs = [f.column for f in meaning.filters]
        refs += [d.column for d in (*meaning.dimensions, *meaning.columns)]
        refs += [f.column for r in meaning.related for f in r.filters]
        named = any(ref.table == entity.name and ref.column.lower() in rule.columns for ref in refs)
        return named or any(column in c.sql.lower() for c in meaning.conditions for column in rule.columns)


def _number(value: Literal_) -> Literal_:
    """The value of a number that its source holds as text, as a number: it is compared as one."""
    try:
        return whole(float(value)) if isinstance(value, str) else value
    except ValueError:
        return value


def _in_words(item: Filter) -> str:
    """A condition as it stands before the noun it is of: "cancelled", "not cancelled", "active"."""
    said = item.label.removeprefix("is ").removeprefix("has ") if item.flag else " or ".join(map(str, item.values))
    return f"not {said}" if item.operator in ("!=", "not in") else said


def _label(wanted: RelatedWanted) -> str:
    """The related rows in words, with what they share."""
    if wanted.shared is None:
        return wanted.entity.many
    if wanted.other is None or wanted.other.own == wanted.shared.own:
        return f"{wanted.entity.many} with the same {wanted.shared.words}"
    return f"{wanted.entity.many} as the {wanted.shared.words}"


def _said_anyway(related: Related, meaning: Meaning) -> bool:
    """Whether rows are demanded that a column or a condition on the same way demands already."""
    plain = (related.operator, related.count) == (">=", 1) and not (related.filters or related.time)
    if not plain or related.conditions or meaning.either:
        return False
    ways = [ref.steps for ref in meaning.references()]
    return any(way[: len(related.steps)] == related.steps for way in ways)


def _already(way: Way, steps: int) -> Way:
    """A table on the way to related rows, as seen from them: it is there already, and its steps are kept whole."""
    return Way(steps=way.steps[:steps], cost=0.0)


def _from_base(made: Filter, way: Way) -> Filter:
    other = _along(made.other, way) if made.other else None
    return made.model_copy(update={"column": _along(made.column, way), "other": other})


def _along(column: ColumnRef, way: Way) -> ColumnRef:
    """A column beside related rows with its way from the base; one of their own has no steps."""
    if not column.steps or column.steps == way.steps[: len(column.steps)]:
        return column
    return column.model_copy(update={"steps": (*way.steps, *column.steps)})


def _through(shared: Attribute, other: Attribute) -> Way:
    """From a row to the rows with the same value, of its own table or of another."""
    step = JoinStep(
        left=shared.table, left_columns=(shared.name,), right=other.table, right_columns=(other.name,), many=True
    )
    return Way(steps=(step,), cost=0.0)


def _rule_condition(rule: BindingRule, entity: Entity, way: tuple[JoinStep, ...]) -> Condition:
    return Condition(table=entity.name, sql=rule.condition, steps=way, label=rule.name, document=rule.id, rule=True)


_NONE = frozenset(("no", "none", "n/a", "nil", "not available"))


def _none_of(attribute: Attribute) -> str | None:
    """The text by which a column says that there is none of what it is about: "No", beside the kinds there are."""
    profile = attribute.column.profile
    if profile is None or attribute.role != "text":
        return None
    known = (*(profile.values or ()), *(value for value, _ in profile.top or ()))
    return next((str(value) for value in known if str(value).lower() in _NONE), None)
