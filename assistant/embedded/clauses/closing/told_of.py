"""What a figure is told of in a file: "total freight of orders from Bonn", where rows have an order's number."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.linking.options import ToColumn
from assistant.embedded.source.numbered import numbers
from assistant.embedded.source.schema import repeats
from assistant.embedded.words.lexicon import singular


def told_of(draft: Draft) -> None:
    """The noun of what rows are numbered by, behind a figure that is asked for and shown by nothing of it."""
    if not draft.wanted or draft.shown or not draft.schema.is_one_table:
        return
    for i, piece in enumerate(draft.pieces[1:], 1):
        option = draft.open(i)
        if not isinstance(option, ToColumn) or draft.word(i - 1) not in _BELONGING:
            continue
        attribute, word = option.attribute, piece.span.text.lower()
        if (
            numbers(attribute)
            and word != attribute.words
            and singular(word) != word
            and repeats(attribute, draft.entity_of(attribute))
        ):
            draft.use(i)


_BELONGING = frozenset(("of", "for", "from", "in", "on", "all"))
