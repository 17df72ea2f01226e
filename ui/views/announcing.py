"""What is told of a session beside the page: to a screen reader, in the title of the tab, and by where it lands."""

from __future__ import annotations

from assistant.api.session import Session
from assistant.api.turns import Transcript
from ui.views.text import shorten
from ui.views.turn import PHASES

SAY = {"idle": "Finished", "waiting": "Your approval is needed", "working": "Working"}
TITLES = {"waiting": "● Needs you", "working": "… Working"}


def describe_state(session: Session, view: Transcript) -> str:
    """What a screen reader is told: the state, and while it works what is being done."""
    current = view.current
    if session.state != "working" or current is None:
        return SAY[session.state]
    return f"{SAY['working']}: {PHASES[current.phase].lower()}"


def build_title(session: Session, view: Transcript) -> str:
    """The title of the tab."""
    mark = TITLES.get(session.state)
    name = shorten(view.title, 40) or "Tandem"
    return f"{mark} · {name}" if mark else f"{name} · Tandem"


def find_anchor(view: Transcript, working: bool) -> tuple[str, str, str] | None:
    """What to bring into view when it is new: the start of an answer, a card that waits, a question just asked."""
    last = view.current
    if last is None:
        return None
    if last.answer is not None:
        return (f"answer-{last.number}", f"question-{last.number}", "start")
    waiting = last.waiting
    if waiting is not None and not working:
        return (f"waiting-{waiting.id}", "card", "nearest")
    end = f"turn-{last.number}-{last.end}"
    if last.end in ("stopped", "failed"):
        return (end, f"{last.end}-{last.number}", "nearest")
    return (end, f"turn-{last.number}", "nearest")
