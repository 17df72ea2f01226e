"""Clauses about figures by periods: "per month", "by weekday", "by month of delivery", "by signup year"."""

from __future__ import annotations

from typing import cast

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.grouping.breakdown import add_group, groupable
from assistant.embedded.clauses.naming.moments import moment_of
from assistant.embedded.linking.options import ToColumn, ToTable, ToTerm, ToValue
from assistant.embedded.meaning import DatePart, Grain
from assistant.embedded.source.dating import going_by, likeliest_date
from assistant.embedded.words.lexicon import singular

_GRAINS: dict[str, Grain] = {"day": "day", "week": "week", "month": "month", "quarter": "quarter", "year": "year"}


def grains(draft: Draft) -> None:
    """ "per month", "monthly", "by year and quarter", "over time"."""
    for i, cue in draft.cues("grain"):
        draft.use(i)
        _done_by_period(draft, i)
        _of_moment(draft, i)
        grain = _GRAINS[cue.argument]
        if grain not in draft.grains:
            draft.grains.append(grain)
        link = draft.after(i, plain_max=0)
        place = draft.after(link, plain_max=1) if link is not None and draft.cue_at(link, "and") else None
        group = groupable(draft, place, each=False) if place is not None else None
        if group is not None and link is not None and place is not None and place == link + 1:
            draft.use(link, place)  # "by month and region"
            add_group(draft, group)
        text = draft.pieces[i].span.text.lower()
        if "time" in text or "trend" in text:
            draft.assumptions.append(f"“{text}” is shown by month")


def _done_by_period(draft: Draft, at: int) -> None:
    """ "bills issued per week", "were created in each month": the verb names the date that the periods go by."""
    verb = draft.before(at, plain_max=0)
    if verb is None or draft.dated or not isinstance(draft.open(verb), ToColumn | ToTerm | ToValue):
        return  # a value may be a state: "closed per month" is not "closed by now"
    span = draft.pieces[verb].span
    rows = {p.option.entity.name for p in draft.pieces[:verb] if isinstance(p.option, ToTable)}
    dates = [o.attribute for o in span.options if isinstance(o, ToColumn) and o.attribute.role == "date"]
    dates = [a for a in dates if a.table in rows]
    if dates and span.text.lower().endswith(("ed", "paid", "sent", "sold", "due", "begun", "won", "lost")):
        draft.use(verb)
        draft.dated = dates[0]
        entity = draft.schema.entities[dates[0].table]
        if likeliest_date(entity) != dates[0]:
            draft.assumptions.append(going_by(dates[0], entity))


def _of_moment(draft: Draft, at: int) -> None:
    """ "by month of delivery", "per year of birth": what stands behind names the date that the periods go by."""
    if draft.word(at + 1) != "of" or draft.dated:
        return
    place = draft.after(at, plain_max=2)
    date = moment_of(draft, place)
    if place is not None and date is not None:
        draft.use(place)
        draft.dated = date
        draft.mention(date.table)


def parts(draft: Draft) -> None:
    """ "by weekday", "per hour of the day"."""
    for i, cue in draft.cues("part"):
        _of_moment(draft, i)
        if not cue.argument.endswith("asked"):
            draft.use(i)
            _done_by_period(draft, i)
            draft.parts.append(cast(DatePart, cue.argument))


def named_periods(draft: Draft) -> None:
    """ "by signup month", "per order year": the periods of the date that is named, or of the rows that are."""
    for i, _ in draft.cues("group"):
        at = draft.after(i)
        if at is not None:
            _by_period_of(draft, i, at)


def _by_period_of(draft: Draft, by: int, at: int) -> None:
    option = draft.open(at)
    word = singular(draft.pieces[at + 1].span.text.lower()) if at + 1 < len(draft.pieces) else ""
    if word not in _GRAINS or not isinstance(option, ToColumn | ToTable):
        return
    date = option.attribute if isinstance(option, ToColumn) else likeliest_date(option.entity)
    if date is None or date.role != "date":
        return
    draft.use(by, at, at + 1)
    draft.pieces[at + 1].option = None
    draft.grains.append(_GRAINS[word])
    draft.dated = date
    draft.mention(date.table)
