"""Clauses about the period with the most: "which month had the most orders", "on which weekday is freight highest"."""

from __future__ import annotations

from typing import cast

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.figuring.figures import measure_at
from assistant.embedded.clauses.figuring.totals import held_number
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.linking.options import ToColumn, ToMetric, ToTable, ToValue
from assistant.embedded.meaning import DatePart, Grain
from assistant.embedded.source.schema import Attribute, repeats


def peaks(draft: Draft) -> None:
    """The period is the group, and the first by the figure is kept with all that share it."""
    asked = [i for i, cue in draft.cues("asked_grain", "part") if cue.kind != "part" or cue.argument.endswith("asked")]
    ends = draft.cues("best", "most", "maximum", "minimum")
    if not asked or not ends:
        return
    at, cue = ends[0]
    wanted = _figure(draft, at, after=True) or _figure(draft, at, after=False)
    if wanted is None or cue.hints:
        return
    descending = cue.argument == "desc" or cue.kind == "maximum"
    period = draft.cue_at(asked[0], "asked_grain", "part")
    assert period is not None, "found by its cue"
    draft.use(asked[0], at)
    if period.kind == "part":
        draft.parts.append(cast(DatePart, period.argument.removesuffix(" asked")))
    else:
        draft.grains.append(cast(Grain, period.argument))
    wanted.context = True
    draft.order.append((wanted, descending))
    draft.keep_extreme()


def _figure(draft: Draft, at: int, *, after: bool) -> Wanted | None:
    """What the superlative speaks of: "the highest revenue", "was revenue the highest", "the most orders"."""
    place = draft.after(at, plain_max=1) if after else draft.before(at, plain_max=2)
    if place is None:
        return None
    if not after and (cue := draft.before(place, plain_max=1)) is not None and draft.cue_at(cue, "sum", "average"):
        place = cue
    while after and isinstance(draft.open(place), ToValue) and place is not None:
        place = draft.after(place, plain_max=0)  # "the most cancelled orders": which of them
    option = draft.open(place)
    if place is None:
        return None
    if isinstance(option, ToTable) and after:
        draft.use(place)
        held = held_number(option.entity)
        return Wanted(aggregate="sum", attribute=held) if held else Wanted(aggregate="count", entity=option.entity)
    if isinstance(option, ToColumn) and after and option.attribute.role == "date":
        draft.use(place)  # "on which weekday do most check-ins take place"
        draft.dated = option.attribute
        return Wanted(aggregate="count", entity=draft.entity_of(option.attribute))
    if isinstance(option, ToColumn) and after and (counted := _named(draft, option.attribute)) is not None:
        draft.use(place)
        return counted
    if not isinstance(option, ToColumn | ToMetric) and not draft.cue_at(place, "count", "sum", "average"):
        return None
    found = measure_at(draft, place)
    if len(found) != 1:
        return None
    wanted = found[0]
    if wanted.attribute is not None and wanted.aggregate is None:
        wanted.aggregate = "sum" if wanted.attribute.adds_up else "average"
        kind = "added up" if wanted.aggregate == "sum" else "averaged"
        draft.assumptions.append(f"“{wanted.attribute.words}” is {kind}")
    return wanted


def _named(draft: Draft, attribute: Attribute) -> Wanted | None:
    """ "the most tickets", where each row names its ticket; the most orders, which several lines of a file share."""
    entity = draft.entity_of(attribute)
    if attribute.role in ("text", "key") and repeats(attribute, entity) and not attribute.is_number:
        return Wanted(aggregate="distinct", attribute=attribute)
    return Wanted(aggregate="count", entity=entity) if attribute.name in entity.label else None
