"""Conditions on related rows: that there are some, so many, none, or some that share a value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assistant.embedded.assembly.filters import Filters
from assistant.embedded.assembly.routing import Router
from assistant.embedded.assembly.timing import Timing
from assistant.embedded.clauses.draft import Draft, Misfit
from assistant.embedded.clauses.wanted import RelatedWanted
from assistant.embedded.dates import Period
from assistant.embedded.linking.options import ToTable
from assistant.embedded.meaning import OPPOSITE, ColumnRef, Filter, JoinStep, Related, TimeRange, needs_several
from assistant.embedded.source.dating import day_for, happens
from assistant.embedded.source.joins import Way
from assistant.embedded.source.numbered import numbering
from assistant.embedded.source.schema import Attribute, Entity

_SAYS_NOTHING = 0.04
"""What it costs to take a name for one that says nothing more: "products and the suppliers they have"."""


@dataclass
class RelatedRows:
    """Makes the conditions on related rows of one draft."""

    router: Router

    def all(self) -> tuple[Related, ...]:
        """Every condition on related rows. That a row has something which it must have anyway says nothing."""
        draft = self.router.draft
        found: list[Related] = []
        for wanted in draft.related:
            if self.owner(wanted) is not None:
                if wanted.alternative:
                    raise Misfit("Alternatives of other rows than those asked for are more than I can read.", weight=5)
                continue
            only_there = (wanted.operator, wanted.count) == (">=", 1) and not (wanted.filters or wanted.period)
            only_there = only_there and not (wanted.alternative or draft.share) and wanted.along is None
            if only_there and wanted.shared is None and not wanted.several and self._lies_on_way(wanted):
                draft.passed.append(wanted.entity)  # "the names of guides and of the tours they led"
            elif only_there and wanted.shared is None and self._always_there(wanted.entity):
                draft.passed.append(wanted.entity)
                self.router.penalty += _SAYS_NOTHING
            else:
                made = self._related(wanted)
                found.append(made)
                if wanted.every:
                    found += self._others(made.steps, made.filters, made.time)
        return tuple(found)

    def otherwise_none(self, times: Sequence[TimeRange]) -> tuple[Related, ...]:
        """That there are no rows in another period, where one was said to be that of all of them."""
        said = [wanted.period.label for wanted in self.router.draft.periods if wanted.every]
        many = (time for time in times if time.label in said and time.column.multiplies)
        return tuple(related for time in many for related in self._others(time.column.steps, (), time))

    def _others(
        self, steps: tuple[JoinStep, ...], filters: Sequence[Filter], time: TimeRange | None
    ) -> Iterator[Related]:
        """That there are no rows at the end of the way for which the conditions do not hold."""
        entity = self.router.schema.entities[steps[-1].right]
        none = Related(steps=steps, operator="=", count=0, label=f"other {entity.many}")
        for item in filters:
            if item.operator in OPPOSITE:
                otherwise = {"column": _beyond(item.column, steps), "operator": OPPOSITE[item.operator]}
                yield none.model_copy(update={"filters": (item.model_copy(update=otherwise),)})
        for side in ((None, time.start), (time.end, None)) if time is not None else ():
            if time is not None and any(side):
                period = {"column": _beyond(time.column, steps), "start": side[0], "end": side[1]}
                yield none.model_copy(update={"time": time.model_copy(update=period)})

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
        groups = [*draft.groups, *([draft.ranked] if draft.ranked is not None else [])]
        beside = {a.table for a in draft.shown} | {g.name if isinstance(g, Entity) else g.table for g in groups}
        beside &= set(router.taken)
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

    def _related(self, wanted: RelatedWanted) -> Related:
        """A condition on related rows."""
        if wanted.shared is not None and wanted.count == 0 and wanted.shared.role == "date":
            raise Misfit(f"No row tells of days without {wanted.entity.many}; ask for their number by day.", weight=6)
        if wanted.shared is not None and wanted.shared.table != self.router.base:
            raise Misfit(f"I could not tell what shares “{wanted.shared.words}”.", weight=4)
        way = self._related_way(wanted)
        chosen = wanted.filters or wanted.period or wanted.other or needs_several(wanted.operator, wanted.count)
        chosen = chosen or wanted.values is not None or (wanted.operator, wanted.count) not in ((">=", 1), ("=", 0))
        if wanted.shared is not None and not way.steps[1:] and not chosen:
            if wanted.count == 0 and self.router.schema.is_one_table:
                has = f"Each {wanted.shared.words} in this file has some: those without any are not in it."
                raise Misfit(f"{has} Say, for instance, “this year” or “since June”.", weight=6)
            raise Misfit(f"I could not place “{wanted.entity.many}” in the question.", weight=4)
        if wanted.several and not any(step.many for step in way.steps):
            raise Misfit("Rows that have both of two values at once are more than I can read.", weight=5)
        way = self._to_several(way, wanted)
        inside = Router(
            joins=self.router.joins,
            draft=Draft(schema=self.router.schema, pieces=[], via=_inside(self.router.draft, wanted)),
            base=wanted.entity.name,
        )
        inside.taken |= {step.right: _already(way, n) for n, step in enumerate(way.steps[:-1], start=1)}
        filters = tuple(_from_base(made, way) for made in Filters(inside).merged(wanted.filters))
        time = None
        if wanted.period:
            time = self._related_time(wanted, wanted.period, way, Timing(inside))
        return Related(
            steps=way.steps,
            operator=wanted.operator,
            count=wanted.count,
            label=_label(wanted, alone=self.router.schema.is_one_table),
            filters=filters,
            time=time,
            alternative=wanted.alternative,
            values=wanted.values.name if wanted.values else "",
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
        if wanted.along is not None:
            return self._tied(wanted.entity, wanted.along[0])
        if wanted.shared is None:
            return self.router.related_way(wanted.entity.name, wanted.entity.many)
        first = _through(wanted.shared, wanted.other or wanted.shared)
        if wanted.other is not None or wanted.entity.name == wanted.shared.table:
            return first
        beyond = self.router.related_way(wanted.entity.name, wanted.entity.many)
        return Way(steps=(*first.steps, *beyond.steps), cost=first.cost + beyond.cost)

    def _tied(self, entity: Entity, key: Attribute) -> Way:
        """The way to the rows that tie two of one table, by the key that names the one that is spoken of."""
        router = self.router
        ways = router.joins.ways(router.base, entity.name)
        found = next((w for w in ways if w.steps and w.steps[-1].right_columns == (key.name,)), None)
        if found is None:
            raise Misfit(f"I found no key that leads to {entity.many}.", weight=5)
        return found

    def _related_time(self, wanted: RelatedWanted, period: Period, way: Way, timing: Timing) -> TimeRange:
        """The period of related rows; their date may stand in a table on the way: "took a course in 2024"."""
        entities = self.router.schema.entities
        places = [wanted.entity.name, *(step.right for step in reversed(way.steps[:-1]))]
        places.sort(key=lambda place: not happens(entities[place]))  # "used several shops in 2024": not founded then
        for place in (*places, ""):
            date = wanted.dated or (timing.best_date(entities[place]) if place else None)
            if not place:  # "bought nothing in 2026", where a calendar says when something was sold
                date = day_for(self.router.schema, wanted.entity)
            if date is not None:
                time = timing.range_of(date, period)
                return time.model_copy(update={"column": _along(time.column, way)})
        raise Misfit(f"I found no date for “{period.label}” of {wanted.entity.many}.", weight=6)


def _inside(draft: Draft, wanted: RelatedWanted) -> list[Attribute]:
    """The keys along which the conditions on related rows are reached."""
    return [wanted.along[1]] if wanted.along is not None else draft.via


def _label(wanted: RelatedWanted, *, alone: bool) -> str:
    """The related rows in words, with what they share; of a file, which stands `alone`, what its rows belong to."""
    if wanted.values is not None:
        return f"different {wanted.values.things}"
    if wanted.shared is None:
        return wanted.entity.many
    if wanted.other is None or wanted.other.own == wanted.shared.own:
        number = numbering(wanted.entity) if alone and wanted.count == 0 else None  # no line, so no order
        rows = number.things if number is not None else wanted.entity.many
        return f"{rows} with the same {wanted.shared.words}"
    return f"{wanted.entity.many} as the {wanted.shared.words}"


def _beyond(column: ColumnRef, steps: tuple[JoinStep, ...]) -> ColumnRef:
    """A column as the rows at the end of a way have it: their own has no steps."""
    return column.model_copy(update={"steps": ()}) if column.steps == steps else column


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
