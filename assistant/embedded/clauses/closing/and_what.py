"""Two things asked for at once: "which hall has the highest rent and what is it?", "which lamps are in which hall?"."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.naming.counting import ancestor_of
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.linking.options import ToTable
from assistant.embedded.source.schema import Attribute

_ENDS = tuple(
    tuple(words.split())
    for words in ("what is it", "what was it", "what is that", "what it is", "has it", "have it", "had it")
)


def and_what(draft: Draft) -> None:
    """Show the figure that things were chosen by, where the end of the question asks for it."""
    said = tuple(draft.word(n) for n in range(len(draft.pieces)))
    if not any(said[-len(end) :] == end for end in _ENDS) or draft.limit is None or not draft.order:
        return
    target = draft.order[0][0]
    if isinstance(target, Wanted):
        target.context = False
    elif isinstance(target, Attribute) and not draft.shown:
        rows = draft.subject or next((p.option.entity for p in draft.pieces if isinstance(p.option, ToTable)), None)
        if rows is not None:
            draft.shown += [*(rows.attributes[name] for name in rows.label if name != target.name), target]


def which_of_which(draft: Draft) -> None:
    """Show each row beside the one it belongs to, where both are asked for."""
    for related in list(draft.related):
        plain = (related.operator, related.count) == (">=", 1) and not (related.filters or related.period)
        asked = related.at > 1 and draft.word(related.at - 1) in ("which", "what")
        rows = draft.subject
        if not (plain and asked) or rows is None or draft.shown or draft.wanted:
            continue
        if ancestor_of(draft, {rows.name}, related.entity):
            draft.related.remove(related)
            for entity in (rows, related.entity):
                draft.shown += [entity.attributes[name] for name in entity.label]
