"""Time in a meaning: which date column a period speaks of, and the period as a range on it.

The metric's own date comes first, then the date of the base table, then that of the nearest table it belongs to.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from assistant.embedded.assembly.routing import Router
from assistant.embedded.clauses.draft import Misfit
from assistant.embedded.dates import Period, describe
from assistant.embedded.linking.options import ToTable
from assistant.embedded.meaning import TimeRange
from assistant.embedded.source.dating import date_rank, day_for, going_by, happens, is_made, likeliest_date
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.words.lexicon import stem

_CALLED_SO = 0.93
"""From which strength on a table is called by its own name, which says nothing of a date."""
_ROOT = 5
_GUESSED = "is taken as"
"""What is said of a month or a quarter whose year was not."""
_AS_SURE = 1.0
"""How much less a date of a table that is named may tell when something happened than another one."""


@dataclass
class Timing:
    """Decides on dates for one draft."""

    router: Router

    def times(self) -> tuple[tuple[TimeRange, ...], Attribute | None]:
        """Every period as a range on its column, and the column that grains go by."""
        draft = self.router.draft
        for wanted in self.router.all_wanted() if draft.periods or draft.grains or draft.parts else ():
            if wanted.metric and not wanted.metric.date_column:
                raise Misfit(f"“{wanted.metric.name}” is defined for today only, so it has no history.", weight=7)
        if not draft.periods and (draft.grains or draft.parts):
            return ((), draft.dated) if draft.dated else self._by_event() or ((), self.date_of_base())
        if not draft.periods:
            return (), None
        ranges: list[TimeRange] = []
        column: Attribute | None = None
        for wanted in draft.periods:
            column = wanted.attribute or draft.dated
            elsewhere = wanted.near is not None and wanted.near.name != self.router.base and not self._metric_date()
            elsewhere = elsewhere and not self._only_theirs(wanted.near)
            if column is None and elsewhere and wanted.near and wanted.near.dates:
                column = self.best_date(wanted.near)
                if column is not None and is_made(column) and (own := self.date_of_base()) is not None:
                    column = own  # "income by building in 2025": it was built once, and has income every year
            event = self._event_date() if column is None else None
            if event is not None and draft.choose("the day it happened", 2) == 0:
                column = event
            column = column or self.date_of_base() or self._year_of_base()
            if column is None:
                raise Misfit(f"I found no date for “{wanted.period.label}”.", weight=6)
            ranges.append(self.range_of(column, wanted.period).model_copy(update={"newcomers": wanted.newcomers}))
        return tuple(ranges), column

    def _only_theirs(self, near: Entity | None) -> bool:
        """ "bills to customers in May": of May are the bills, which have a day, and not the customers."""
        return near is not None and not happens(near) and happens(self.router.schema.entities[self.router.base])

    def _by_event(self) -> tuple[tuple[TimeRange, ...], Attribute] | None:
        """ "customers who ordered in each month of 2025": by the month of what they did; None where that is nothing."""
        draft = self.router.draft
        if happens(self.router.schema.entities[self.router.base]) or self._metric_date():
            return None
        done = next((r for r in draft.related if r.count > 0 and not r.filters and happens(r.entity)), None)
        date = self.best_date(done.entity) if done is not None else None
        if done is None or date is None:
            return None
        draft.related.remove(done)
        return ((self.range_of(date, done.period),) if done.period else ()), date

    def range_of(self, column: Attribute, period: Period) -> TimeRange:
        """The period as a half-open range on a column."""
        period = self._known(column, period)
        whole_years = all(d is None or (d.month, d.day) == (1, 1) for d in (period.start, period.end))
        numbered = column.role != "date"
        if numbered and not whole_years:
            raise Misfit(f"“{column.words}” knows only years, not {period.label}.", weight=6)
        return TimeRange(
            column=self.router.ref(column),
            start=period.start,
            end=period.end,
            label=period.label,
            year_number=numbered,
        )

    def _known(self, column: Attribute, period: Period) -> Period:
        """A month or quarter that was named without its year: the latest that the column knows of."""
        profile, (start, end) = column.column.profile, (period.start, period.end)
        last = str(profile.high or "")[: len("2024-12-31")] if profile is not None and column.role == "date" else ""
        if not last or start is None or end is None or _GUESSED not in period.assumption or last >= str(start):
            return period
        back = start.year - int(last[:4]) + (f"{start:%m-%d}" > last[5:])
        start, end = start.replace(year=start.year - back), end.replace(year=end.year - back)
        label, draft = describe(start, end), self.router.draft
        note = f"{period.assumption.partition(_GUESSED)[0]}{_GUESSED} {label}, the latest that is known"
        draft.assumptions = [note if text == period.assumption else text for text in draft.assumptions]
        return replace(period, start=start, end=end, label=label)

    def _event_date(self) -> Attribute | None:
        """ "customers who bought X in 2025": the date of what they did, on the way to a condition, may be meant."""
        if self._metric_date():
            return None
        draft = self.router.draft
        if self.best_date(self.router.schema.entities[self.router.base]) is None:
            groups = [g.name if isinstance(g, Entity) else g.table for g in draft.groups]
        else:
            groups = []
        for table in (*(condition.attribute.table for condition in draft.filters), *groups):
            beyond = False
            for step in self.router.way(table):
                date = likeliest_date(self.router.schema.entities[step.right])
                beyond = beyond or step.many
                if beyond and date:
                    return date
        return None

    def _metric_date(self) -> Attribute | None:
        for wanted in self.router.all_wanted():
            if wanted.metric and wanted.metric.date_column:
                table, _, column = wanted.metric.date_column.rpartition(".")
                found = self.router.schema.find(table or wanted.metric.table, column)
                if found:
                    return found
        return None

    def dated(self, column: Attribute | None) -> Attribute:
        """The date that groups go by."""
        column = self.router.draft.dated or column or self.date_of_base()
        if column is None:
            raise Misfit("I found no date to break this down by.", weight=5)
        return column

    def date_of_base(self) -> Attribute | None:
        """The metric's date; else the base table's own; else that of the nearest table it belongs to."""
        if found := self._metric_date():
            return found
        own = self.best_date(self.router.schema.entities[self.router.base])
        if own:
            return own
        near: list[tuple[float, float, Entity]] = []
        for name, entity in self.router.schema.entities.items():
            candidate = likeliest_date(entity) if name != self.router.base else None
            ways = self.router.joins.best(self.router.base, name, self.router.draft.mentioned) if candidate else ()
            if ways and candidate and not ways[0].multiplies:
                near.append((round(ways[0].cost, 1), -date_rank(candidate, entity), entity))
        if calendars := [found for found in near if found[2].is_calendar]:
            return likeliest_date(min(calendars, key=lambda found: found[0])[2])
        if near:
            sure = min(rank for _, rank, _ in near) + _AS_SURE  # a shop is opened once, what it sells has days
            named = [f for f in near if f[2].name in self.router.draft.mentioned and f[1] <= sure]
            near = sorted(named or near, key=lambda found: found[:2])
            first, second = near[0], near[1] if len(near) > 1 else None
            if second and second[0] < first[0] + 0.15 and second[1] < first[1] + 0.5:
                raise Misfit(f"Which date is meant, that of {first[2].many} or of {second[2].many}?", weight=6)
            self._say(first[2])
            return likeliest_date(first[2])
        for table in self.router.draft.mentioned:
            entity = self.router.schema.entities[table]
            if likeliest_date(entity) and self.router.joins.best(self.router.base, table):
                return self.best_date(entity)
        return self._date_of_children()

    def _year_of_base(self) -> Attribute | None:
        """The one number of the base table that can only be a year, whatever it is called: "since"."""
        own = self.router.schema.entities[self.router.base].attributes.values()
        held = [attribute for attribute in own if attribute.holds_years]
        return held[0] if len(held) == 1 else None

    def _date_of_children(self) -> Attribute | None:
        """ "students who took a course in 2003": only what belongs to them has a date."""
        found: list[tuple[float, Entity]] = []
        for edge in self.router.schema.edges.get(self.router.base, ()):
            entity = self.router.schema.entities[edge.right]
            if edge.many and day_for(self.router.schema, entity):
                found.append(
                    (self.router.joins.best(self.router.base, entity.name, self.router.draft.mentioned)[0].cost, entity)
                )
        if not found:
            return None
        found.sort(key=lambda one: one[0])
        return self.best_date(found[0][1]) or day_for(self.router.schema, found[0][1])

    def best_date(self, entity: Entity) -> Attribute | None:
        """The date a table's rows are about; None if it has none. Says which, where it has several."""
        if (named := self._date_of_deed(entity)) is not None:
            return named
        if len(entity.dates) > 1:
            self._say(entity)
        return likeliest_date(entity)

    def _date_of_deed(self, entity: Entity) -> Attribute | None:
        """ "deliveries per week", where a shipment has a day of delivery: the noun for the rows names their date."""
        for piece in self.router.draft.pieces:
            option = piece.option
            if not isinstance(option, ToTable) or option.entity != entity or option.strength > _CALLED_SO:
                continue
            root = stem(piece.span.text.lower().split()[-1])[:_ROOT]
            dates = [a for a in entity.dates if a.role == "date" and any(s[:_ROOT] == root for s in a.stems)]
            if len(root) == _ROOT and len(dates) == 1:
                return dates[0]
        return None

    def _say(self, entity: Entity) -> None:
        date = likeliest_date(entity)
        note = going_by(date, entity) if date else ""
        if note and note not in self.router.draft.assumptions:
            self.router.draft.assumptions.append(note)
