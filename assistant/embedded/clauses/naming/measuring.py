"""Verbs that say by themselves what is measured: who earns has a salary, what holds something a capacity."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.naming.adjectives import hinted_beyond, tables_and_values
from assistant.embedded.linking.options import ToColumn, ToTable, ToValue
from assistant.embedded.source.schema import Attribute
from assistant.embedded.words.vocabulary import word_set

PAY = ("salary", "wage", "pay", "income", "compensation", "earning")
PRICE = ("price", "cost", "amount", "rate", "fee", "fare")
SPAN = ("duration", "length", "minutes", "hours", "seconds", "time", "distance")
WEIGHT = ("weight", "mass")
CAPACITY = ("capacity", "occupancy", "seats", "beds", "places", "payload")
_VERBS = {
    **dict.fromkeys(word_set("earn earns earned make makes made get gets paid"), PAY),
    **dict.fromkeys(word_set("cost costs"), PRICE),
    **dict.fromkeys(word_set("weigh weighs weighed"), WEIGHT),
    **dict.fromkeys(word_set("last lasts lasted take takes took"), SPAN),
    **dict.fromkeys(word_set("hold holds seat seats accommodate accommodates sleep sleeps fit fits"), CAPACITY),
}
_ABLE = frozenset(("can", "could"))
_ABLE_TO = word_set("take carry hold host load")
CAPACITY_VERBS = _ABLE_TO | frozenset(verb for verb, hints in _VERBS.items() if hints == CAPACITY)
"""What something can do that has room."""


def measured_by(draft: Draft, at: int) -> Attribute | None:
    """The number column that the verb at a place speaks of, in the tables that the question names."""
    word = draft.pieces[at].span.text.lower().split()[-1]
    able = (
        at > 0 and word in _ABLE_TO and bool(_ABLE & {p.span.text.lower() for p in draft.pieces[max(at - 6, 0) : at]})
    )
    hints = CAPACITY if able else _VERBS.get(word)
    option = draft.pieces[at].option
    if hints is None or isinstance(option, ToTable | ToValue):
        return None
    if isinstance(option, ToColumn):
        return option.attribute if option.attribute.is_number else None
    found = hinted_beyond(draft, hints, tables_and_values(draft))
    return found if found is not None and found.is_number else None
