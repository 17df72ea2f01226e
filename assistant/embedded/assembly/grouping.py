"""Groups in a meaning: what names them, what tells them apart, and whether they would count a row twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assistant.embedded.assembly.routing import Router
from assistant.embedded.clauses.draft import Group, Misfit
from assistant.embedded.clauses.grouping.ranges import edges
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.linking.options import ToColumn
from assistant.embedded.meaning import ColumnRef, DatePart, Dimension, Grain, Measure
from assistant.embedded.source.schema import Attribute, Entity, called_above, column_label
from assistant.embedded.words.lexicon import plural

_NAMING = frozenset(("name", "titl", "title"))
_OF_MANY = frozenset(("average", "minimum", "maximum", "count"))


@dataclass
class Grouping:
    """Makes the groups of one draft."""

    router: Router

    def dimension(self, group: Group) -> Dimension:
        """The group by a table or a column."""
        if isinstance(group, Entity):
            return self._entity_dimension(group)
        if group in self.router.draft.ranged:
            label = f"{column_label(self.router.schema, group)} range"
            return Dimension(column=self.router.ref(group), label=label, edges=edges(group))
        above = self.router.above(group)
        if above:
            first, *more = above
            key = () if more else (self.router.ref(group),)
            return Dimension(column=first, label=called_above(group), more=tuple(more), key=key)
        if group.role == "date":
            raise Misfit(f"By day, month or year of “{group.words}”? Please say which.", weight=5)
        if (referred := self.router.labelled_reference(group)) is not None:
            return self._entity_dimension(referred)
        names_rows = group.own[-1] in _NAMING and (group.name,) == self.router.schema.entities[group.table].label
        if group.role in ("key", "reference") or not names_rows or self._names_others(group):
            more = tuple(self.router.ref(a) for a in self._told_beside(group))
            return Dimension(column=self.router.ref(group), label=column_label(self.router.schema, group), more=more)
        return self._entity_dimension(self.router.schema.entities[group.table])

    def _told_beside(self, group: Attribute) -> list[Attribute]:
        """ "for each start station id, its name": what is asked for of the one row that a key names."""
        draft, referred = self.router.draft, self.router.schema.referred(group)
        own = self.router.schema.entities[group.table].key == (group.name,)
        table = group.table if own else referred.name if referred is not None else ""
        said = [p.option.attribute for p in draft.pieces if isinstance(p.option, ToColumn)]
        told = [a for a in draft.shown if a.table == table and a != group]
        told.sort(key=lambda a: said.index(a) if a in said else len(said))
        if told and not own:
            draft.via.append(group)
        return told

    def _names_others(self, group: Attribute) -> bool:
        """ "by vendor name", of payments that many have of one vendor: what names others is a group by itself."""
        entity, profile = self.router.schema.entities[group.table], group.column.profile
        foreign = len(group.stems) > 1 and entity.stems[-1] not in group.stems
        repeated = profile is not None and bool(entity.table.rows) and 2 * profile.distinct <= (entity.table.rows or 0)
        return entity.name == self.router.base and foreign and repeated

    def _entity_dimension(self, entity: Entity) -> Dimension:
        label = [self.router.schema.attribute(entity.name, name) for name in entity.label]
        shown = [a for a in self.router.draft.shown if a.table == entity.name]
        together = self._several_rows(entity, shown)
        label = shown or label
        first = self.router.ref(label[0])
        more = tuple(self.router.ref(a) for a in label[1:])
        named = column_label(self.router.schema, label[0]) if shown and together else entity.one
        key = () if together else self._key_beyond(entity, label)
        return Dimension(column=first, label=named, more=more, key=key)

    def _several_rows(self, entity: Entity, shown: Sequence[Attribute]) -> bool:
        """ "the average price for each product name", where products are the rows: a figure of one row is none.

        Names that rows share are then taken together; a sum is kept apart, unless it is shown by something else.
        """
        if entity.name != self.router.base:
            return False
        aggregates = {wanted.aggregate for wanted in [*self.router.all_wanted(), *self._compared()]}
        other = bool(shown) and not {a.name for a in shown} & {*entity.label, *entity.key}
        return bool(aggregates) and aggregates <= ({*_OF_MANY, "sum"} if other else _OF_MANY)

    def _compared(self) -> list[Wanted]:
        return [wanted for wanted, _, _ in self.router.draft.having]

    def _key_beyond(self, entity: Entity, label: Sequence[Attribute]) -> tuple[ColumnRef, ...]:
        """The key, where two rows may be called the same."""
        if {a.name for a in label} >= set(entity.key):
            return ()
        profile = label[0].column.profile
        counted = len(label) == 1 and profile and entity.table.rows is not None and not profile.sampled
        if counted and profile and profile.distinct == entity.table.rows:
            return ()
        return tuple(self.router.ref(self.router.schema.attribute(entity.name, name)) for name in entity.key)

    def period(self, attribute: Attribute, grain: Grain) -> Dimension:
        """The group by a period of a date."""
        if attribute.role == "year":
            if grain != "year":
                raise Misfit(f"“{attribute.words}” knows only years.", weight=5)
            return Dimension(column=self.router.ref(attribute), label="year")
        return Dimension(column=self.router.ref(attribute), label=grain, grain=grain)

    def part(self, attribute: Attribute, part: DatePart) -> Dimension:
        """The group by the weekday, the hour or the month within the year."""
        if attribute.role == "year" or (part == "hour" and attribute.column.kind == "date"):
            raise Misfit(f"“{attribute.words}” does not know the {part}.", weight=6)
        return Dimension(column=self.router.ref(attribute), label=part, part=part)

    def check_shown(self, dimensions: Sequence[Dimension]) -> None:
        """Columns asked for beside a figure must be shown by some group."""
        placed = {(ref.table, ref.column) for d in dimensions for ref in (d.column, *d.more)}
        for attribute in self.router.draft.shown:
            if (attribute.table, attribute.name) not in placed:
                raise Misfit(f"I could not place “{attribute.words}” in the question.", weight=4)

    def refuse_ones(self, measures: Sequence[Measure], dimensions: Sequence[Dimension]) -> None:
        """Rows that are counted by what tells them apart: each count would be one."""
        entity = self.router.schema.entities[self.router.base]
        if not dimensions or any(m.aggregate != "count" or m.column or m.per for m in measures):
            return
        apart = {ref.column for d in dimensions for ref in (d.column, *d.more, *d.key) if not ref.steps and not d.grain}
        named = [entity.attributes[name] for name in entity.label]
        one_name = bool(entity.key) and set(entity.label) <= apart and not self._key_beyond(entity, named)
        if one_name or (entity.key and set(entity.key) <= apart):
            raise Misfit(f"Counted one by one, there is one of each of the {entity.many}.", weight=4)

    def refuse_repeats(self, measures: Sequence[Measure], dimensions: Sequence[Dimension]) -> None:
        """Groups that repeat rows of the base: a count can tell rows apart, a sum or an average cannot.

        Where a bridge table alone stands between, a row meets each group at most once, so every group's figure is
        right by itself; that a row may count in several groups is said.
        """
        repeating = [d for d in dimensions if d.column.multiplies]
        if not repeating:
            return
        entity = self.router.schema.entities[self.router.base]
        if len(repeating) == 1 and self._bridged(repeating[0]):
            self.router.draft.assumptions.append(
                f"one of the {entity.many} that has several {plural(repeating[0].label)} counts in each"
            )
            return
        for measure in measures:
            harmless = measure.aggregate in ("minimum", "maximum", "distinct")
            counted = measure.aggregate == "count" and len(entity.key) == 1
            if not harmless and not counted:
                raise Misfit(
                    f"By {repeating[0].label}, each of the {entity.many} would be counted several times"
                    f" ({measure.label} belongs to {entity.many}). Ask for a figure of a finer table.",
                    weight=7,
                )

    def _bridged(self, dimension: Dimension) -> bool:
        steps = dimension.column.steps
        entity = self.router.schema.entities[dimension.column.table]
        by_key = (
            bool(dimension.key)
            or set(entity.key) == {dimension.column.column}
            or dimension.column.column in entity.label
        )
        return (
            sum(step.many for step in steps) == 1
            and len(steps) > 1
            and steps[-2].many
            and self.router.schema.entities[steps[-2].right].bridge
            and len(self.router.schema.entities[steps[-2].right].key)
            == len(steps[-2].right_columns) + len(steps[-1].left_columns)
            and by_key
        )
