"""Rows that are called by a term of their own: "churned customers", "products to reorder"."""

from __future__ import annotations

from assistant.embedded.meaning import Condition, Meaning
from assistant.embedded.words.lexicon import plural, singular


def noun(meaning: Meaning) -> Condition | None:
    """The term that names the rows themselves: "churned customers"; a metric has a name of its own."""
    if meaning.measures and not any(m.aggregate == "count" for m in meaning.measures):
        return None
    own = [c for c in meaning.conditions if not c.rule and not c.negated and c.table == meaning.base]
    last = singular(meaning.base_label).split()[-1]
    return own[0] if len(own) == 1 and own[0].label.split()[-1] == last else None


def rows_named(term: Condition) -> str:
    """The rows that a term names, in the plural: what is to be done with them stands behind their noun."""
    said, _, one = term.label.rpartition(" ")
    if said.split()[:1] and said.split()[0] in _BEHIND:
        return f"{plural(one)} {said}"
    return f"{said} {plural(one)}" if _WITHIN & set(said.split()) else plural(term.label)


_WITHIN = frozenset(("on", "in"))
_BEHIND = frozenset(("to", "need", "needs", "running", "low"))
