"""How far the values of a column reach: "the difference between the highest and the lowest price"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.linking.options import ToColumn
from assistant.embedded.source.dating import day_of
from assistant.embedded.source.schema import Attribute
from assistant.embedded.sql.tables import qualified

if TYPE_CHECKING:
    from knowledge.documents import Metric

_LINKS = frozenset(("and", "to"))


def end_to_end(draft: Draft) -> None:
    """A difference between the two ends of one column is a figure of its rows, or of each group of them."""
    for i, _ in draft.cues("difference"):
        first = draft.after(i, plain_max=1)
        link = draft.after(first, plain_max=0) if first is not None else None
        second = draft.after(link, plain_max=1) if link is not None and draft.word(link) in _LINKS else None
        place = draft.after(second, plain_max=1) if second is not None else None
        option = draft.open(place)
        if first is None or link is None or second is None or place is None:
            continue
        if {_end(draft, first), _end(draft, second)} != {"highest", "lowest"}:
            continue
        if isinstance(option, ToColumn) and option.attribute.is_number:
            draft.use(i, first, link, second, place)
            draft.mention(option.attribute.table)
            draft.wanted.append(Wanted(metric=_metric(draft, option.attribute)))


def reach(draft: Draft) -> None:
    """ "the range of prices": both ends are told."""
    for i in range(len(draft.pieces)):
        place = draft.after(i, plain_max=2)
        option = draft.open(place)
        if draft.word(i) != "range" or draft.word(i + 1) != "of" or draft.pieces[i].option is not None:
            continue
        if place is not None and isinstance(option, ToColumn) and option.attribute.is_number:
            draft.use(i, place)
            draft.mention(option.attribute.table)
            draft.wanted += [Wanted(aggregate=end, attribute=option.attribute) for end in ("minimum", "maximum")]


def _end(draft: Draft, at: int) -> str:
    """Which end of the values a word speaks of; empty for none."""
    cue = draft.cue_at(at, "maximum", "minimum", "best")
    if cue is None or cue.hints:
        return ""
    return "highest" if cue.kind == "maximum" or (cue.kind == "best" and cue.argument == "desc") else "lowest"


def _metric(draft: Draft, attribute: Attribute) -> Metric:
    from knowledge.documents import Metric

    rows = draft.entity_of(attribute)
    column = qualified(attribute, draft.schema.dialect)
    words = f"difference between highest and lowest {attribute.words}"
    expression = f"MAX({column}) - MIN({column})"
    return Metric(name=words, definition=words, expression=expression, table=rows.name, date_column=day_of(rows))
