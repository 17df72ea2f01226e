"""How long something takes or lasts, by a noun: "the average delivery time", "contract duration", "length of stay"."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.naming.moments import start_and_end
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.linking.options import ToValue
from assistant.embedded.meaning import Aggregate

_LASTING = frozenset(("time", "times", "duration", "durations", "length", "lengths"))
_SMALL = frozenset(("the", "a", "an", "their", "its", "each", "all"))
_SIDES: dict[str, Aggregate] = {"minimum": "minimum", "maximum": "maximum", "desc": "maximum", "asc": "minimum"}


def lasting(draft: Draft) -> None:
    """The days from the start to the end that the noun speaks of."""
    for i, piece in enumerate(draft.pieces):
        if piece.used or piece.option is not None or piece.span.text.lower() not in _LASTING:
            continue
        noun = _noun(draft, i)
        if isinstance(draft.open(noun), ToValue):
            continue  # "the length of approved leaves": the value says which rows are meant
        dates = start_and_end(draft, noun) if noun is not None else None
        cue = draft.before(min(noun or i, i), plain_max=1)
        said = draft.cue_at(cue, "average", "minimum", "maximum", "best")
        if noun is None or dates is None or cue is None or said is None:
            continue
        aggregate = _SIDES.get(said.kind) or _SIDES.get(said.argument, "average")
        draft.use(cue, noun, i, *_nights(draft, max(noun, i)))
        start, end = dates
        draft.mention(end.table)
        draft.wanted.append(Wanted(aggregate=aggregate, attribute=start, until=end))
        return


def _noun(draft: Draft, at: int) -> int | None:
    """The place of what lasts: right before the word, or behind its "of"."""
    words = [piece.span.text.lower() for piece in draft.pieces]
    if at + 2 < len(words) and words[at + 1] == "of":
        place = at + 2
        while place + 1 < len(words) and words[place] in _SMALL:
            place += 1
        return place
    if at and not draft.pieces[at - 1].used and words[at - 1] not in _SMALL and not draft.cue_at(at - 1, "average"):
        return at - 1
    return None


def _nights(draft: Draft, at: int) -> list[int]:
    """ "in nights", which are days."""
    words = [piece.span.text.lower() for piece in draft.pieces[at + 1 : at + 3]]
    return [at + 2] if words == ["in", "nights"] else []
