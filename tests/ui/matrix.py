"""Every screen and state of the page, and how a tab comes there: for the screenshots and the test of accessibility."""

from __future__ import annotations

import itertools
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import browsing
from recorded import ALL

PROGRAM = str(browsing.HERE / "recorded_states.py")


@dataclass(frozen=True, kw_only=True)
class Screen:
    """A state of the page.

    Attributes:
        name: What it is called, in file names.
        path: Its address.
        rooms: The workspace that shows it (`recorded_states.ROOMS`).
        say: What is said in the composer first; `say_file` is a file that is sent with it.
        press: What is pressed then, one after the other: a text on the page.
        whole: Whether the whole page is the picture, and not what is in view.
        away: Whether the server ends before it is looked at.
        main: Whether it is one of the states that the test of accessibility looks at.
    """

    name: str
    path: str
    rooms: str = "full"
    say: str = ""
    say_file: str = ""
    press: tuple[str, ...] = ()
    whole: bool = False
    away: bool = False
    main: bool = False


PLACES = (
    Screen(name="empty", path="/", main=True),
    Screen(name="questions", path="/questions", main=True),
    Screen(name="boards", path="/boards", whole=True, main=True),
    Screen(name="data", path="/data", whole=True, main=True),
    Screen(name="knowledge", path="/knowledge", whole=True, main=True),
    Screen(name="settings", path="/settings", whole=True, main=True),
    Screen(name="not-found", path="/?s=nothing", main=True),
    Screen(name="first-visit", path="/", rooms="first", main=True),
    *(
        Screen(name=f"{name}-{rooms}", path=f"/{name}", rooms=rooms, whole=True, main=name in ("boards", "data"))
        for rooms in ("empty", "broken")
        for name in ("questions", "boards", "data", "knowledge", "settings")
    ),
    Screen(name="no-data", path="/", rooms="empty", main=True),
    Screen(name="closed", path="/", rooms="closed", main=True),
)

PARTS = (
    Screen(name="data-columns", path="/data", press=("Columns (2)", "amount"), whole=True, main=True),
    Screen(name="data-keys", path="/data", press=("Keys",), whole=True),
    Screen(name="data-database", path="/data", press=("Database",), whole=True, main=True),
    Screen(name="data-address", path="/data", press=("Address or path",), whole=True),
    Screen(name="knowledge-define", path="/knowledge", press=("Define a word",), whole=True),
    Screen(name="knowledge-metric", path="/knowledge", press=("net revenue",), whole=True),
    Screen(name="knowledge-verified", path="/knowledge", press=("Orders by status",), whole=True, main=True),
    Screen(name="settings-preview", path="/settings", press=("Show what it is sent of this data",), whole=True),
    Screen(name="settings-model", path="/settings", press=("Add or change a language model",), whole=True, main=True),
    Screen(
        name="settings-budgets",
        path="/settings",
        press=("Another model for a role", "Usage limits", "What was changed on this page"),
        whole=True,
    ),
    Screen(name="settings-tested", path="/settings", press=("Test",), whole=True),
    Screen(name="questions-deleted", path="/questions", press=("Deleted in the last day (1)",)),
    *(
        Screen(name=f"dialog-{name}", path="/questions", press=("Actions", label), main=name in ("tags", "export"))
        for name, label in (
            ("actions", ""),
            ("rename", "Rename"),
            ("tags", "Tags"),
            ("fork", "Continue from a turn"),
            ("export", "Export"),
        )
    ),
    Screen(name="dialog-notebook", path="/questions", press=("Open a notebook",), main=True),
)

CARDS = (
    Screen(name="blank", path="/?s=blank"),
    Screen(name="working", path="/?s=asked-working", main=True),
    Screen(name="interrupted", path="/?s=asked"),
    Screen(name="run-all", path="/?s=run-all", press=("SQL of step 1",), whole=True, main=True),
    Screen(name="figure", path="/?s=figure"),
    Screen(name="partial", path="/?s=partial"),
    Screen(name="failed-answer", path="/?s=failed-answer", whole=True),
    Screen(name="verified", path="/?s=verified", whole=True),
    Screen(name="disputed", path="/?s=disputed", whole=True, main=True),
    Screen(name="withheld", path="/?s=withheld", whole=True),
    Screen(name="long", path="/?s=long", whole=True),
    Screen(name="damaged", path="/?s=damaged", whole=True),
    Screen(name="unwritten", path="/?s=unwritten", whole=True),
    Screen(name="unasked", path="/?s=refusing", say="How did revenue change?", main=True),
    Screen(name="unreadable", path="/?s=unreadable", say="What is in it?", say_file="notes.csv"),
    Screen(name="disclosure", path="/?s=disclosing", say="How did revenue change?", whole=True, main=True),
    Screen(name="away", path="/?s=at-42", away=True),
)


def states() -> Iterator[Screen]:
    """A screen for each state of the recorded session: where something ends, waits or runs."""
    seen: dict[str, int] = {}
    for n, event in enumerate(ALL, 1):
        kind = event.kind
        if kind in ("answer", "failed", "stopped", "decision_requested", "clarification", "kernel_restarted"):
            seen[kind] = seen.get(kind, 0) + 1
            yield Screen(name=f"{kind}-{seen[kind]}", path=f"/?s=at-{n}", whole=True, main=seen[kind] == 1)
        if kind == "execution_started":
            seen[kind] = seen.get(kind, 0) + 1
            yield Screen(name=f"running-{seen[kind]}", path=f"/?s=at-{n}-working", main=seen[kind] == 1)
    first = next(n for n, event in enumerate(ALL, 1) if event.kind == "answer")
    waits = next(n for n, event in enumerate(ALL, 1) if event.kind == "decision_requested" and event.subject == "code")
    yield Screen(name="how-computed", path=f"/?s=at-{first}", press=("How this was computed",), whole=True, main=True)
    yield Screen(name="kinds", path=f"/?s=at-{first}", press=("Chart: as drawn",))
    for name, label in (
        ("adjust", "Adjust"),
        ("download", "Download"),
        ("wrong", "This is wrong"),
        ("pin", "Pin"),
    ):
        yield Screen(name=name, path=f"/?s=at-{first}", press=(label,), main=True)
    yield Screen(name="editing", path=f"/?s=at-{waits}", press=("Edit",), whole=True, main=True)
    yield Screen(name="rejecting", path=f"/?s=at-{waits}", press=("Reject",), whole=True)
    yield Screen(name="policy", path=f"/?s=at-{waits}", press=("Asks before anything runs",), main=True)


def screens() -> list[Screen]:
    """All of them."""
    return [*PLACES, *PARTS, *CARDS, *states()]


@contextmanager
def served(rooms: str) -> Iterator[browsing.Server]:
    """A server of one of the recorded workspaces."""
    with (
        tempfile.TemporaryDirectory() as folder,
        browsing.Server((PROGRAM, "{port}", rooms), Path(folder)) as server,
    ):
        yield server


STILL = """document.getAnimations().every(
    one => one.playState !== "running" || one.effect.getComputedTiming().endTime === Infinity)"""
"""Nothing fades in or out any more; what spins goes on."""

_VISITS = itertools.count(1)
"""What is pressed stays with a session, so each visit that presses has one of its own."""


def reach(tab: browsing.Tab, screen: Screen) -> None:
    """Bring the tab to the screen."""
    page = tab.page
    own = f"~{next(_VISITS)}" if "?s=" in screen.path and (screen.press or screen.say) else ""
    page.goto(tab.server.address + screen.path + own)
    page.get_by_test_id("stMain").wait_for()
    page.wait_for_load_state("networkidle")
    if screen.say_file:
        file = tab.server.folder / screen.say_file
        file.write_text("only words\n")
        tab.attach(file)
    if screen.say:
        tab.say(screen.say)
        page.wait_for_timeout(500)
    for name in filter(None, screen.press):
        tab.settle()
        named = page.get_by_text(name, exact=True).or_(page.get_by_text(re.compile(rf"(^|\s){re.escape(name)}$")))
        named.locator("visible=true").first.click()
    if screen.away:
        tab.server.kill()
        page.locator("body[data-away]").wait_for(state="attached")  # its height is 0: what it holds is positioned
    else:
        tab.settle()
        page.wait_for_function(STILL)
