"""Conditions in a meaning: filters, terms, related rows, comparisons with an average, and the standing rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assistant.embedded.draft import Draft, FilterWanted, Misfit, RelatedWanted
from assistant.embedded.joins import Way
from assistant.embedded.knowledge import BindingRule
from assistant.embedded.meaning import AboveAverage, Condition, Filter, JoinStep, Meaning, Related
from assistant.embedded.routing import Router
from assistant.embedded.schema import Attribute, Entity, column_label
from assistant.embedded.states import is_state, meant_by
from assistant.embedded.timing import Timing


@dataclass
class Restrictions:
    """Makes the conditions of one draft."""

    router: Router
    timing: Timing
    rules: Sequence[BindingRule] = ()

    def filters(self) -> tuple[Filter, ...]:
        """Every condition on a column; values of one column are alternatives."""
        merged: list[Filter] = []
        for wanted in list(self.router.draft.filters):
            if wanted.operator in ("!=", "not in") and any(
                step.many for step in self.router.way(wanted.attribute.table)
            ):
                self._must_not_meet(wanted)
                continue
            merged = self._merge(merged, wanted)
        return tuple(merged)

    def _must_not_meet(self, wanted: FilterWanted) -> None:
        """ "customers not buying X": no related row has the value, rather than some row has another."""
        positive = FilterWanted(wanted.attribute, "=" if wanted.operator == "!=" else "in", wanted.values, wanted.known)
        entity = self.router.schema.entities[wanted.attribute.table]
        self.router.draft.related.append(RelatedWanted(entity, "=", 0, -9, [positive]))

    def _merge(self, filters: list[Filter], wanted: FilterWanted) -> list[Filter]:
        """Two values of one column are alternatives: nothing can be both."""
        made = self.filter(wanted)
        for i, present in enumerate(filters):
            if present.column != made.column or present.other or made.other:
                continue
            if present.operator in ("=", "in") and made.operator == "=":
                both = present.model_copy(update={"operator": "in", "values": (*present.values, *made.values)})
                return [*filters[:i], both, *filters[i + 1 :]] if made.values[0] not in present.values else filters
            if present.operator in ("!=", "not in") and made.operator == "!=":
                both = present.model_copy(update={"operator": "not in", "values": (*present.values, *made.values)})
                return [*filters[:i], both, *filters[i + 1 :]]
        return [*filters, made]

    def filter(self, wanted: FilterWanted) -> Filter:
        """One condition on a column."""
        attribute = wanted.attribute
        if wanted.other is not None:
            return self._beside(wanted, wanted.other)
        profile = attribute.column.profile
        never = profile is not None and not profile.sampled and profile.nulls == 0
        if wanted.operator == "missing" and (never or self.router.ref(attribute).multiplies):
            raise Misfit(f"I could not place “no {attribute.words}” in the question.", weight=4)
        if not wanted.known:
            self.router.draft.assumptions.append(
                f"“{wanted.values[0]}” is not among the values I know of {attribute.words}"
            )
        return Filter(
            column=self.router.ref(attribute),
            operator=wanted.operator,
            values=wanted.values,
            label=self._filter_label(attribute),
            fold_case=not wanted.known,
            flag=attribute.role == "flag",
        )

    def _beside(self, wanted: FilterWanted, other: Attribute) -> Filter:
        """Two columns of one row, compared."""
        refs = (self.router.ref(wanted.attribute), self.router.ref(other))
        if any(ref.multiplies for ref in refs):
            raise Misfit(f"I cannot compare {wanted.attribute.words} with {other.words} from here.", weight=4)
        return Filter(
            column=refs[0],
            operator=wanted.operator,
            other=refs[1],
            label=self._filter_label(wanted.attribute),
            other_label=self._filter_label(other),
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

    def related(self, wanted: RelatedWanted) -> Related:
        """A condition on related rows."""
        if wanted.shared is not None and wanted.shared.table != self.router.base:
            raise Misfit(f"I could not tell what shares “{wanted.shared.words}”.", weight=4)
        way = (
            _through(wanted.shared)
            if wanted.shared is not None
            else self.router.related_way(wanted.entity.name, wanted.entity.many)
        )
        if wanted.several and not any(step.many for step in way.steps):
            raise Misfit("Rows that have both of two values at once are more than I can read.", weight=5)
        way = self._to_several(way, wanted)
        certain = not any(step.many or step.optional for step in way.steps)
        if wanted.operator == ">=" and wanted.count == 1 and certain and not wanted.filters:
            raise Misfit(f"I could not place “{wanted.entity.many}” in the question.", weight=4)
        inside = Router(
            joins=self.router.joins, draft=Draft(schema=self.router.schema, pieces=[]), base=wanted.entity.name
        )
        inner = Restrictions(inside, Timing(inside))
        filters = tuple(inner.filter(f) for f in wanted.filters)
        time = None
        if wanted.period:
            date = inner.timing.best_date(wanted.entity)
            if date is None:
                raise Misfit(f"I found no date for “{wanted.period.label}” of {wanted.entity.many}.", weight=6)
            time = inner.timing.range_of(date, wanted.period)
        return Related(
            steps=way.steps,
            operator=wanted.operator,
            count=wanted.count,
            label=wanted.entity.many,
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

    def compared(self) -> tuple[AboveAverage, ...]:
        """Columns compared with their own average."""
        for attribute, _ in self.router.draft.compared:
            if any(step.many for step in self.router.way(attribute.table)):
                raise Misfit(f"I cannot compare {attribute.words} with its average from here.", weight=4)
        return tuple(
            AboveAverage(column=self.router.ref(a), operator=operator, label=a.words)
            for a, operator in self.router.draft.compared
        )

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


def _through(shared: Attribute) -> Way:
    """From a row to the rows of its own table with the same value."""
    column = (shared.name,)
    step = JoinStep(left=shared.table, left_columns=column, right=shared.table, right_columns=column, many=True)
    return Way(steps=(step,), cost=0.0)


def _rule_condition(rule: BindingRule, entity: Entity, way: tuple[JoinStep, ...]) -> Condition:
    return Condition(table=entity.name, sql=rule.condition, steps=way, label=rule.name, document=rule.id, rule=True)
