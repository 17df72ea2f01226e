"""Which look-ups could find nothing that the prompt does not tell: they are not offered, as each costs tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assistant.agents.model.lookups import Disclosure, Lookups
from assistant.agents.model.source_descriptions import is_described_in_full
from assistant.core.turns import fold_events

if TYPE_CHECKING:
    from assistant.agents.roles import SessionContext
    from assistant.core.events import Event

_SCHEMA_KINDS = ("table", "column")


async def open_lookups(
    context: SessionContext, *, dialogue: Disclosure, log: Sequence[Event], source_text: str = ""
) -> Lookups:
    """The look-ups of one exchange, without those that could find nothing.

    Args:
        context: What can be looked up.
        dialogue: How much of the data the model may see.
        log: The session's events.
        source_text: What the prompt tells of the sources.
    """
    catalogs = dialogue.readable(await context.catalogs())
    tables = [table for catalog in catalogs for table in catalog.tables]
    has_knowledge = any(document.kind not in _SCHEMA_KINDS for document in await context.documents())
    has_past = len(fold_events(log).turns) > 1 or has_knowledge or bool(await context.elsewhere())
    is_told = bool(tables) and all(is_described_in_full(table, source_text) for table in tables)
    left_out = {
        *(() if has_knowledge or not is_told else ("search_knowledge",)),
        *(() if has_past else ("recall",)),
        *(() if len(tables) > 1 else ("check_join",)),
        *(("describe_table",) if is_told else ()),
    }
    return Lookups(context, dialogue=dialogue, log=log, left_out=left_out)
