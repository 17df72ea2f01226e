"""Clauses about the sentence at the end that says again what the answer shows: "Return the week and the total"."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.linking.options import ToColumn
from assistant.embedded.words.lexicon import singular
from assistant.embedded.words.vocabulary import ASKING

_REQUESTS = ASKING | {"display", "include", "provide", "output"}
_PERIODS = frozenset(("day", "week", "month", "quarter", "year", "date", "period"))
_REST = frozenset(("amount", "total", "figure", "value", "count", "number", "rate", "ratio", "percentage", "share"))
"""Nouns that a sentence at the end may call any figure by."""


def retold(draft: Draft) -> None:
    """Words behind a request at the end that only name a period or a figure that is shown anyway."""
    start = _request(draft)
    if start is None:
        return
    figures = [*draft.wanted, *(target for target, _ in draft.order if isinstance(target, Wanted))]
    bounds = [wanted for wanted, _, _ in draft.having]
    for i in range(start, len(draft.pieces)):
        piece = draft.pieces[i]
        word = singular(piece.span.text.lower().removeprefix("the "))
        if piece.used:
            continue
        period = word in _PERIODS and (word in draft.grains or (bool(draft.grains) and word in ("date", "period")))
        last = draft.after(i, plain_max=1)
        alone = last is None or draft.cue_at(last, "and") is not None
        if period and not isinstance(piece.option, ToColumn):
            draft.use(i)
        elif alone and (figure := _called(draft, i, word, figures)) is not None:
            draft.use(i)
            figure.context = False
        elif alone and not figures and (figure := _called(draft, i, word, bounds)) is not None:
            draft.use(i)  # "which teams have an average above 5? Show the team and its average"
            draft.wanted.append(figure)


def _called(draft: Draft, at: int, word: str, figures: list[Wanted]) -> Wanted | None:
    """The figure that a bare noun speaks of: the only one, or the one that is such a figure."""
    cue = draft.cue_at(at, "sum", "average", "count", "share")
    if len(figures) == 1 and (cue is not None or word in _REST):
        return figures[0]
    return next((w for w in figures if cue is not None and w.aggregate == cue.kind), None)


def _request(draft: Draft) -> int | None:
    """Where a sentence that asks for columns begins, behind the question itself."""
    for i in range(len(draft.pieces) - 1, 0, -1):
        piece = draft.pieces[i]
        if piece.span.parted and piece.span.text.lower().split()[0] in _REQUESTS:
            return i + 1
    return None
