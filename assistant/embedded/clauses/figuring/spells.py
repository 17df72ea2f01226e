"""How long something lasted, where no column says so: from the date that a row begins to the date that it ends.

"the average treatment duration", "the longest length of approved leaves in days", "how long did the projects last".
"""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft, Wanted
from assistant.embedded.linking.options import ToColumn, ToTable
from assistant.embedded.meaning import Aggregate
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.words.lexicon import fold, stem
from assistant.embedded.words.vocabulary import word_set

_LENGTHS = frozenset(("duration", "length", "time span", "timespan", "length of time"))
_STARTS = frozenset(stem(word) for word in word_set("start started begin began from opened admission checkin valid"))
_ENDS = frozenset(stem(word) for word in word_set("end ended finish finished until closed discharge checkout to"))
_SIDES: dict[str, Aggregate] = {"minimum": "minimum", "maximum": "maximum", "sum": "sum", "average": "average"}
_NEAR = 5


def spells(draft: Draft) -> None:
    """A figure of the days from the start to the end of a table's rows."""
    for i, piece in enumerate(draft.pieces):
        words = fold(piece.span.text).removeprefix("the ").removesuffix(" of")
        if piece.used or words not in _LENGTHS or isinstance(piece.option, ToColumn):
            continue
        before = draft.before(i, plain_max=1)
        place = next((n for n in (before, *range(i + 1, i + _NEAR)) if _has_spell(draft, n)), None)
        option = draft.open(place)
        if place is None or not isinstance(option, ToTable):
            continue
        start, end = _spell(option.entity)
        assert start is not None, "only tables that have one"
        assert end is not None, "only tables that have one"
        cue = draft.before(place if place == before else i, plain_max=1)
        said = draft.cue_at(cue, "average", "minimum", "maximum", "sum", "best")
        aggregate = _SIDES.get(said.kind, "maximum" if said.argument == "desc" else "minimum") if said else "average"
        draft.use(i, place, *([cue] if said and cue is not None else []))
        piece.aside = True
        draft.mention(option.entity.name)
        draft.wanted.append(Wanted(aggregate=aggregate, attribute=start, until=end, unit=_unit(draft, i)))
        draft.assumptions.append(f"{words} is from {start.words} to {end.words}")
        return


def _unit(draft: Draft, at: int) -> str:
    """The unit the person asked for, if any."""
    units = [(i, cue.argument) for i, cue in draft.cues("unit") if i > at]
    if not units:
        return ""
    draft.use(units[0][0])
    return units[0][1]


def _has_spell(draft: Draft, at: int | None) -> bool:
    option = draft.open(at) if at is not None and at < len(draft.pieces) else None
    return isinstance(option, ToTable) and None not in _spell(option.entity)


def _spell(entity: Entity) -> tuple[Attribute | None, Attribute | None]:
    """The one date at which rows begin and the one at which they end."""
    dates = [a for a in entity.dates if a.role == "date"]
    starts, ends = ([a for a in dates if words & set(a.stems)] for words in (_STARTS, _ENDS))
    return (starts[0] if len(starts) == 1 else None), (ends[0] if len(ends) == 1 else None)
