"""How long something lasted, where no column says so: from the date that a row begins to the date that it ends.

"the average treatment duration", "the longest length of approved leaves in days", "total outage hours by cause". What
is called a time itself ("downtime") is measured, not counted, unless its number is asked for.
"""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.linking.options import EXACT, ToColumn, ToTable, ToValue
from assistant.embedded.meaning import Aggregate
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.words.lexicon import fold, stem
from assistant.embedded.words.vocabulary import word_set

_LENGTHS = frozenset(("duration", "length", "time span", "timespan", "length of time", "time"))
_UNITS = frozenset(("days", "hours", "minutes", "weeks"))
_STARTS = frozenset(
    stem(word) for word in word_set("start started begin began from opened admission checkin valid raised reported")
)
_ENDS = frozenset(
    stem(word)
    for word in word_set("end ended finish finished until closed discharge checkout to cleared resolved solved fixed")
)
_SIDES: dict[str, Aggregate] = {"minimum": "minimum", "maximum": "maximum", "sum": "sum", "average": "average"}
_NEAR = 5


def spells(draft: Draft) -> None:
    """A figure of the days from the start to the end of a table's rows."""
    for i, piece in enumerate(draft.pieces):
        words = fold(piece.span.text).removeprefix("the ").removesuffix(" of")
        itself = _is_time_itself(draft, i)
        if piece.used or not (itself or words in _LENGTHS | _UNITS) or (not itself and _is_named(draft, i)):
            continue
        following = draft.word(i + 1) in _UNITS and draft.touches(i, i + 1)
        place = i if itself else _said_before(draft, i) if words != "length" else None
        if place is None and words in _LENGTHS:
            place = next((n for n in (draft.before(i, plain_max=1), *range(i + 1, i + _NEAR)) if _has(draft, n)), None)
        entity = _entity(draft, place)
        if place is None or entity is None:
            continue
        start, end = _spell(entity)
        assert start is not None, "only tables that have one"
        assert end is not None, "only tables that have one"
        first = min(i, place)
        while isinstance(draft.open(before := first - 1), ToValue) and draft.touches(before, first):
            first = before
        cue = draft.before(first, plain_max=1)
        said = draft.cue_at(cue, "average", "minimum", "maximum", "sum", "best", "how_much")
        added = "sum" if itself or words in _UNITS else "average"
        if said is None and words in _UNITS:
            said = draft.cue_at(cue, "count")
        if (part := draft.cue_at(cue, "share")) is not None and cue is not None:
            draft.use(cue)
            draft.share, draft.parts_alone = True, not part.argument
        aggregate = _SIDES.get(said.kind) or _EXTREME.get(said.argument, added) if said else added
        named = [place] if isinstance(draft.open(place), ToTable) else []
        draft.use(i, *named, *([cue] if said and cue is not None else []), *([i + 1] if itself and following else []))
        piece.aside = True
        draft.mention(entity.name)
        unit = words if words in _UNITS else draft.word(i + 1) if itself and following else _unit(draft, i)
        draft.wanted.append(Wanted(aggregate=aggregate, attribute=start, until=end, unit=unit))
        draft.assumptions.append(f"{words} is from {start.words} to {end.words}")
        return


_EXTREME: dict[str, Aggregate] = {"desc": "maximum", "asc": "minimum"}


def _is_named(draft: Draft, at: int) -> bool:
    """Whether a column is called by the word itself, rather than being like it."""
    option = draft.pieces[at].option
    return isinstance(option, ToColumn) and (option.strength >= EXACT or option.attribute.is_number)


def _is_time_itself(draft: Draft, at: int) -> bool:
    """Whether a table's rows are called a time, "downtime", and nothing asks how many they are."""
    option, words = draft.open(at), draft.word(at)
    counted = draft.cue_at(at - 1, "count") or draft.cue_at(at - 1, "group")
    return isinstance(option, ToTable) and words.endswith("time") and not counted and _has(draft, at)


def _said_before(draft: Draft, at: int) -> int | None:
    """The place of the rows that a word touches: "outage hours", "breakdown duration"."""
    return at - 1 if at and draft.touches(at - 1, at) and _has(draft, at - 1) else None


def _unit(draft: Draft, at: int) -> str:
    """The unit the person asked for, if any."""
    units = [(i, cue.argument) for i, cue in draft.cues("unit") if i > at]
    if not units:
        return ""
    draft.use(units[0][0])
    return units[0][1]


def _entity(draft: Draft, at: int | None) -> Entity | None:
    """The rows that a word names, or whose kind it is."""
    option = draft.open(at)
    if isinstance(option, ToTable):
        return option.entity
    return draft.entity_of(option.attribute) if isinstance(option, ToValue) else None


def _has(draft: Draft, at: int | None) -> bool:
    entity = _entity(draft, at) if at is not None and at < len(draft.pieces) else None
    return entity is not None and None not in _spell(entity)


def _spell(entity: Entity) -> tuple[Attribute | None, Attribute | None]:
    """The one date at which rows begin and the one at which they end."""
    dates = [a for a in entity.dates if a.role == "date"]
    starts, ends = ([a for a in dates if words & set(a.stems)] for words in (_STARTS, _ENDS))
    return (starts[0] if len(starts) == 1 else None), (ends[0] if len(ends) == 1 else None)
