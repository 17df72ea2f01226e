"""A figure asked for beside what has it: "which hall has the highest rent and what is it?", "... and who has it?"."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft, Wanted
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
