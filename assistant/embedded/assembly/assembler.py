"""From a filled draft to a meaning: the base table, the figures and their order, and what must be refused.

Here it is decided that nothing is counted twice: a figure that adds up or averages a column stands on that column's
own table, and what would repeat its rows is refused with a reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from assistant.embedded.assembly.apart import apart
from assistant.embedded.assembly.belonging import against, among
from assistant.embedded.assembly.chosen import of_bound_values
from assistant.embedded.assembly.figures import figures_of
from assistant.embedded.assembly.filters import Filters
from assistant.embedded.assembly.grouping import Grouping
from assistant.embedded.assembly.known import said_again
from assistant.embedded.assembly.measures import Measures, shares
from assistant.embedded.assembly.once import told_once
from assistant.embedded.assembly.ordering import order
from assistant.embedded.assembly.parts import whole_for_part
from assistant.embedded.assembly.related import RelatedRows
from assistant.embedded.assembly.routing import Router
from assistant.embedded.assembly.rows import Rows
from assistant.embedded.assembly.rules import ruled
from assistant.embedded.assembly.timing import Timing
from assistant.embedded.assembly.with_none import with_none
from assistant.embedded.clauses.draft import Draft, Group, Misfit
from assistant.embedded.clauses.wanted import FilterWanted, Wanted
from assistant.embedded.linking.knowledge import BindingRule
from assistant.embedded.meaning import (
    Dimension,
    Filter,
    Having,
    Meaning,
    Measure,
    Order,
    needs_several,
)
from assistant.embedded.source.dating import has_days
from assistant.embedded.source.joins import Joins
from assistant.embedded.source.schema import Entity
from assistant.embedded.sql.measuring import adds_up
from assistant.embedded.words.vocabulary import ORDINALS


@dataclass
class Assembler:
    """Turns one draft into a meaning; `choice` says which of equally good ways to take, per target table."""

    joins: Joins
    draft: Draft
    choice: dict[str, int] = field(default_factory=dict)
    rules: Sequence[BindingRule] = ()

    def __post_init__(self) -> None:
        self.unplaced: list[str] = []
        self.router = Router(joins=self.joins, draft=self.draft, choice=self.choice)
        self.timing = Timing(self.router)
        self.measures = Measures(self.router, self.timing)
        self.grouping = Grouping(self.router)
        self.filters = Filters(self.router)
        self.related = RelatedRows(self.router)

    @property
    def other_choices(self) -> list[dict[str, int]]:
        """What else may be chosen, one at a time, where clauses or ways were equally good."""
        counts = self.draft.forks | {target: len(ways) for target, ways in self.router.forks.items()}
        return [{key: n} for key, count in counts.items() for n in range(1, count)]

    @property
    def penalty(self) -> float:
        """What the ways cost."""
        return self.router.penalty

    def assemble(self) -> Meaning:
        """Make the meaning.

        Raises:
            Misfit: the parts do not fit together; the reason is for the person.
        """
        draft = self.draft
        if (chosen := of_bound_values(draft, self)) is not None:
            return self.aside(chosen)
        figures = figures_of(self)
        base = self._base(figures) if figures else ""
        if base is None:
            return apart(self, figures)
        self.router.base = base
        listed = Rows(self.router, self.timing, self.filters, self.related)
        meaning = ruled(self._figures(figures) if figures else listed.meaning(), self.rules, self.router)
        if belongs := among(self):
            meaning = meaning.model_copy(update={"among": belongs})
        if compared := against(self):
            meaning = meaning.model_copy(update={"compared": (*meaning.compared, *compared)})
        for entity in draft.passed:
            if entity.name not in meaning.tables():
                self.unplaced.append(entity.many)
        if draft.place > 1:
            if not (meaning.keeps_ties or (meaning.within and meaning.ties)):
                raise Misfit(f"It is not clear what the {ORDINALS[draft.place]} place is of.", weight=5)
            meaning = meaning.model_copy(update={"place": draft.place})
        if draft.with_none:
            meaning = with_none(meaning)
        meaning = told_once(meaning, self.router.schema, draft, figures)
        self.router.penalty += said_again(meaning, self.router.schema) + whole_for_part(meaning, figures)
        return meaning

    def base_of(self, wanted: Wanted) -> str:
        """The table on whose rows a figure stands."""
        if wanted.metric:
            entity = self.router.schema.find_entity(wanted.metric.table)
            assert entity is not None, "metrics are checked when they are linked"
            return entity.name
        if wanted.entity:
            return wanted.entity.name
        assert wanted.attribute is not None
        own, until = wanted.attribute.table, wanted.until.table if wanted.until is not None else ""
        finer = until not in ("", own) and not self.router.reaches(own, until) and self.router.reaches(until, own)
        return until if finer else own  # "days between the sale and the payment": of each payment

    def aside(self, draft: Draft) -> Meaning:
        """The meaning of another draft, whose ways cost as well.

        Raises:
            Misfit: its parts do not fit together.
        """
        alone = self.alone(draft)
        meaning = alone.assemble()
        self.router.penalty += alone.penalty
        return meaning

    def alone(self, draft: Draft) -> Assembler:
        """An assembler for some of the figures, which stand on a table of their own."""
        return Assembler(joins=self.joins, draft=draft, choice=self.choice, rules=self.rules)

    def _base(self, figures: Sequence[Wanted]) -> str | None:
        """The table that all figures can be computed on; None where there is none."""
        figures = [*figures, *(w.per for w in figures if w.per and not w.per.grain)]
        tables = list(dict.fromkeys(self.base_of(w) for w in figures))
        fixed = {self.base_of(w) for w in figures if w.metric or w.aggregate in ("sum", "average", None)}
        if len(fixed) > 1:
            return None
        counted = {w.entity.name: w.entity for w in figures if w.entity and not (w.context or w.distinct)}
        dated = bool(self.draft.periods or self.draft.grains or self.draft.parts)
        several = not any(w.per for w in figures) and len({*counted, *fixed}) == _APART
        read = bool(self.draft.pieces)  # what stood side by side before a follow-up stays so
        several = several and not (read and self.draft.order and not (self.draft.having or self.draft.limit))
        if several and counted and (not dated or all(has_days(e) for name, e in counted.items() if name not in fixed)):
            return None  # all customers beside all orders, whether a customer has any or not
        for table in list(fixed) or tables:
            if all(other == table or self.router.reaches(table, other) for other in tables):
                return table
        return None

    def _figures(self, figures: list[Wanted]) -> Meaning:
        draft = self.draft
        draft.groups = [
            g for g in draft.groups if not (g in draft.agents and isinstance(g, Entity) and g.name == self.router.base)
        ]
        self._visit_first()
        measures = tuple(self.filters.only(self.measures.measure(w, len(figures)), w.only) for w in figures)
        times, time_column = self.timing.times()
        dimensions = [self.grouping.period(self.timing.dated(time_column), grain) for grain in draft.grains]
        dimensions += [self.grouping.part(self.timing.dated(time_column), part) for part in draft.parts]
        grouped: dict[Dimension, Group] = {}
        for group in draft.groups:
            grouped.setdefault(self.grouping.dimension(group), group)  # "per airport and airport name" is one group
        draft.groups = list(grouped.values())
        dimensions += grouped
        if not dimensions and all(m.context for m in measures):
            raise Misfit("It is not clear what should be shown beside the order.", weight=3)
        self.grouping.refuse_repeats(measures, dimensions)
        self.grouping.refuse_ones(measures, dimensions)
        filters = self.filters.all()
        if draft.weekdays:
            filters = (*filters, self.filters.on_weekdays(self.timing.dated(time_column)))
        self._count_those_that_share(figures)
        related = (*self.related.all(), *self.related.otherwise_none(times))
        self.grouping.check_shown(dimensions)
        rival = draft.rival
        portion = draft.share and draft.portion is not False and self._is_portion(measures, dimensions, filters)
        if draft.share and not portion:
            beside = shares(measures)
            if draft.parts_alone and measures:
                measures = (measures[0].model_copy(update={"context": True}), *measures[1:])
            measures = (*(m.model_copy(update={"share": False}) for m in measures), *beside)
        if portion:
            measures = (measures[0].model_copy(update={"unit": "%", "label": f"share of {measures[0].label}"}),)
        meaning = Meaning(
            source=self.router.schema.source,
            base=self.router.base,
            base_label=self.router.schema.entities[self.router.base].many,
            measures=measures,
            dimensions=tuple(dimensions),
            filters=filters,
            portion=portion,
            either=draft.either,
            conditions=self.filters.conditions(),
            related=related,
            compared=self.filters.compared(),
            times=times,
            having=tuple(
                Having(
                    measure=figures.index(w),
                    operator=op,
                    value=value or 0.0,
                    overall=value is None,
                    typical=value is None and draft.typical,
                    part=draft.part_of_all,
                    against=self.filters.one(rival) if value is None and isinstance(rival, FilterWanted) else None,
                    than=figures.index(rival) if value is None and isinstance(rival, Wanted) else None,
                )
                for w, op, value in draft.having
            ),
            order=order(draft, figures, dimensions),
            limit=draft.limit,
            offset=draft.offset if draft.limit else 0,
            ties=draft.ties and draft.limit == 1,
            within=self._within() if draft.limit else 0,
            chart=draft.chart,
        )
        if meaning.limit and meaning.limit > 1 and not (dimensions or draft.fragment):
            raise Misfit(f"The first {meaning.limit} of what? Say, for instance, “by customer”.", weight=5)
        if meaning.limit and not any(o.by == "measure" for o in meaning.order):
            meaning = meaning.model_copy(
                update={"order": (Order(by="measure", index=0, descending=draft.descending), *meaning.order)}
            )
        return meaning

    def _count_those_that_share(self, figures: Sequence[Wanted]) -> None:
        """ "how many towns have more than 3 customers", where a town is a column of theirs: rows that share it."""
        counted = [w.attribute for w in figures if w.aggregate == "distinct"]
        if len(counted) != 1 or len(figures) != 1 or counted[0] is None or self.draft.groups:
            return
        table, draft = counted[0].table, self.draft
        if draft.terms or draft.periods or any(f.other or f.attribute.table != table for f in draft.filters):
            return  # these would have to hold for the rows that are counted as well
        for related in draft.related:
            if related.entity.name == table and needs_several(related.operator, related.count) and not related.filters:
                related.shared, related.filters = counted[0], list(draft.filters)

    def _within(self) -> int:
        """How many of the groups are those in which the ranking begins anew."""
        draft = self.draft
        periods = len(draft.grains) + len(draft.parts) if draft.each_period else 0
        return periods + len(draft.within)

    def _is_portion(
        self, measures: Sequence[Measure], dimensions: Sequence[Dimension], filters: Sequence[Filter]
    ) -> bool:
        """Whether the share is that of rows that fulfil the conditions, rather than each group's part of the whole."""
        draft = self.draft
        conditions = bool(filters or draft.related or draft.compared or draft.terms or draft.firsts)
        if not conditions and not dimensions:
            # where the question says by what, it is that word that is not known
            weight = 2 if any(True for _ in draft.cues("group")) else 5
            raise Misfit("A share of what? Say, for instance, “by region” or “that were cancelled”.", weight=weight)
        figure = measures[0]
        if not conditions or (dimensions and (figure.metric or figure.aggregate not in ("count", "distinct"))):
            return False
        summed = figure.aggregate in ("count", "distinct", "sum") or adds_up(figure.expression or "")
        if len(measures) != 1 or not summed:
            raise Misfit("I can only compute the share of rows that fulfil a condition.", weight=5)
        if any(d.column.multiplies for d in dimensions):
            raise Misfit("I cannot compute that share without counting rows twice.", weight=5)
        return True

    def _visit_first(self) -> None:
        """Settle the ways of groups and filters first, so that everything else follows them."""
        for group in self.draft.groups:
            self.router.way(group.name if isinstance(group, Entity) else group.table)
        for condition in self.draft.filters:
            self.router.way(condition.attribute.table)


_APART = 2
"""How many tables can have their figures side by side, each by itself."""
