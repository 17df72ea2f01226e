"""Functions that a model wrote by test, at the terminal: shown with each result, and kept or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant.api.errors import SessionError
from assistant.api.events import FunctionsProposed
from assistant.api.functions import format_functions
from assistant.delivery.terminal_input import typed
from assistant.delivery.visible_text import make_visible

if TYPE_CHECKING:
    from assistant.api.events import DecisionRequested
    from assistant.api.session import Session


async def decide_functions(session: Session, request: DecisionRequested, proposed: FunctionsProposed) -> None:
    """Ask about functions, or about a test that seems wrong. Options such as `--yes` do not cover it."""
    print("\n" + show_functions(proposed))
    agrees = (await typed(f"\n{request.reason} [y]es / [n]o: ")).strip().lower() in ("y", "yes")
    reason = "" if agrees else await typed("What should be different? (may stay empty) ")
    try:
        await session.decide(request.id, "approve" if agrees else "reject", reason=reason)
    except SessionError as error:
        print(error)


def show_functions(proposed: FunctionsProposed) -> str:
    """The functions as a terminal can show them."""
    return make_visible(format_functions(proposed), keep="\n\t")
