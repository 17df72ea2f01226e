"""Clauses about who is new: "new customers per year", "revenue from new customers in 2026"."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft, Misfit
from assistant.embedded.clauses.wanted import PeriodWanted
from assistant.embedded.dates import Period
from assistant.embedded.linking.options import ToColumn, ToMetric, ToPeriod, ToTable
from assistant.embedded.source.dating import likeliest_date
from assistant.embedded.source.schema import Attribute


def newcomers(draft: Draft) -> None:
    """Those that came in a period, by the date that says when they came; a figure of theirs is of that period too.

    Raises:
        Misfit: a figure is theirs, and nothing says when they were new.
    """
    for i, piece in enumerate(draft.pieces):
        came = _came(draft, i)
        if piece.used or came is None:
            continue
        if not _is_of_them(draft, i):
            if isinstance(piece.option, ToMetric) or not (draft.cues("grain") or _period(draft)):
                continue
            draft.use(i)
        elif (period := _period(draft)) is not None:
            draft.use(i, *([] if isinstance(piece.option, ToMetric) else [i + 1]))
            draft.periods.append(
                PeriodWanted(period, attribute=came, at=i, newcomers=f"new {draft.entity_of(came).many}")
            )
            draft.mention(came.table)
            draft.assumptions.append(f"new are those whose {came.words} lies in {period.label}")
        elif draft.word(i - 1) == "from":
            raise Misfit("New when? Name the time in which they came, as in “from new customers in 2026”.", weight=6)


def _came(draft: Draft, at: int) -> Attribute | None:
    """The date on which those came that are called new at a place: by a metric that counts them, or by their table."""
    piece = draft.pieces[at]
    if piece.span.text.lower().split()[0] != "new":
        return None
    if isinstance(piece.option, ToMetric):
        table, _, column = (piece.option.metric.date_column or "").rpartition(".")
        counts = piece.option.metric.expression.upper().startswith("COUNT")
        return draft.schema.find(table or piece.option.metric.table, column) if counts and column else None
    rows = draft.pieces[at + 1].option if at + 1 < len(draft.pieces) else None
    return likeliest_date(rows.entity) if piece.option is None and isinstance(rows, ToTable) else None


def _is_of_them(draft: Draft, at: int) -> bool:
    """ "revenue from new customers", "orders by new customers": something else is asked for, and it is theirs."""
    before = draft.pieces[at - 1] if at else None
    if before is None or before.span.text.lower() not in _THEIRS:
        return False
    kinds = (p.option for p in draft.pieces[: at - 1])
    return any(isinstance(o, ToMetric | ToTable) or (isinstance(o, ToColumn) and o.attribute.is_number) for o in kinds)


_THEIRS = frozenset(("from", "of", "by", "to", "with", "for"))


def _period(draft: Draft) -> Period | None:
    found = [piece.option.period for piece in draft.pieces if isinstance(piece.option, ToPeriod)]
    return found[0] if len(found) == 1 else None
