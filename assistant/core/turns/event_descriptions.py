"""Descriptions of single events in words, one method for each kind."""

from __future__ import annotations

from typing import Any

from assistant.core.events import Event


class EventTeller:
    """Tells the kinds of events that its subclass has a method for, as `ast.NodeVisitor` visits nodes.

    A method has the name of the kind (`Event.kind`), takes the event, and gives its text. Other kinds are not told.
    """

    def tell(self, event: Event) -> str:
        """An event as text; empty for what is not told."""
        kind: str = getattr(event, "kind", "")
        method: Any = getattr(self, f"tell_{kind}", None)
        return str(method(event)) if method is not None else ""
