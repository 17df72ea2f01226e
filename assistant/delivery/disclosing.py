"""What a remote model may see: the choice in the terminal, and the list of what was sent to models."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from assistant.api.errors import AssistantError
from assistant.api.events import Usage
from assistant.api.models import LEVELS, SUGGESTED, Sees, unchosen
from assistant.delivery.terminal_input import typed

if TYPE_CHECKING:
    from assistant.api.models import Disclosure
    from assistant.api.session import Session

_KEYS: dict[str, Sees] = {"n": "names", "v": "values", "r": "results", "w": "rows"}


async def choose(session: Session, question: str, *, quiet: bool) -> None:
    """Have the person choose, where nobody has yet.

    Args:
        session: The session.
        question: The question that is to be sent.
        quiet: Nobody is there to choose.

    Raises:
        AssistantError: nobody chose; nothing was sent.
    """
    disclosure = await session.models.disclosure(question)
    if disclosure is None:
        return
    if quiet:
        raise unchosen(disclosure.endpoints)
    print(describe_disclosure(disclosure))
    level: Sees = disclosure.suggested
    while True:
        reply = await typed(
            f"\n[n]ames / [v]alues / [r]esults / ro[w]s / [s]how / [c]ancel (Enter: {disclosure.suggested}): "
        )
        match reply.strip().lower()[:1]:
            case "s":
                print(f"\nWith {level!r}, this is what would be sent first:\n\n{disclosure.first[level].text}")
            case "c":
                raise AssistantError("Nothing was sent.")
            case "":
                break
            case key if key in _KEYS:
                level = _KEYS[key]
                break
            case _:
                print("Type n, v, r, w, s or c.")
    await session.models.choose(disclosure.endpoints, level)
    print(f"Kept: {', '.join(disclosure.endpoints)} may see {level}. It is asked once; TANDEM_SEES overrides it.")


def describe_disclosure(disclosure: Disclosure) -> str:
    """What is to be chosen, in words for the person."""
    lines = [
        f"This question goes to {', '.join(disclosure.models)} at {', '.join(disclosure.endpoints)}. "
        "How much may be seen there?"
    ]
    lines += [f"  {level:8} {'and ' if n else ''}{disclosure.adds[level]}" for n, level in enumerate(LEVELS)]
    lines.append("Columns that look personal are withheld at each of these levels.")
    if (first := disclosure.first.get(SUGGESTED)) is not None:
        lines.append(f"With {SUGGESTED!r} the first call sends {len(first.text):,} characters; [s]how prints them.")
    return "\n".join(lines)


def print_calls(session: Session) -> None:
    """Print what models were sent in the last turn, call by call, and what they replied; on the error stream."""
    used = [entry.event for entry in session.events() if isinstance(entry.event, Usage)]
    for n, used_call in enumerate((event for event in used if event.turn == used[-1].turn), start=1):
        print(f"\n=== call {n}: {used_call.role}, {used_call.model}, {used_call.seconds:.1f} s", file=sys.stderr)
        call = session.models.sent(used_call.sent)
        if call is None:
            print("(it is not kept)", file=sys.stderr)
            continue
        print(
            f"at {call.endpoint}, which may see {call.sees}\n\n{call.text}\n\n--- reply\n{call.reply}", file=sys.stderr
        )
