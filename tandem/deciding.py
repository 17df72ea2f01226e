"""Text prompts for pending decisions, with `input`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

Policy: TypeAlias = Literal["ask", "queries", "all"]
"""What is not asked about. `ask`: nothing. `queries`: read-only queries that pass all checks, and plans of queries.
`all`: also caged Python that passes them, and every plan. Costs, masks, warnings, packages and functions always
ask."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """What waits for a decision, or, where `options` are given, for an answer.

    `text` is the plan or the code exactly as it would run, what is known of a package, or functions
    with their tests and results; `reason` says why a person is
    asked. A package is approved by its name, typed out, as the choice's text.
    """

    subject: Literal["plan", "code", "package", "functions", "question"]
    reason: str
    text: str
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What the person decided.

    `text` is the edited code, the reason of a rejection, the approved package's name, "keep" for approved functions, or
    the answer to a question.
    """

    action: Literal["approve", "edit", "reject", "answer", "leave"]
    text: str = ""


Decide: TypeAlias = Callable[[Waiting], Choice]


def in_text(waiting: Waiting) -> Choice:
    """Show what waits and read the person's choice; it stays undecided where there is nobody to read from."""
    print(f"{waiting.reason}\n\n{waiting.text}".strip())
    try:
        if waiting.subject == "question":
            return _read_clarification(waiting)
        if waiting.subject == "package":
            return _package(waiting)
        choice = _read_decision(waiting)
        is_kept = waiting.subject == "functions" and choice.action == "approve"
        return Choice(action="approve", text="keep") if is_kept else choice
    except (EOFError, NotImplementedError):  # no standard input; a notebook that runs by itself
        return Choice(action="leave")


def _read_clarification(waiting: Waiting) -> Choice:
    for number, option in enumerate(waiting.options, start=1):
        print(f"  {number}. {option}")
    reply = input("Number or answer: ").strip()
    place = int(reply) - 1 if reply.isdigit() else -1
    if 0 <= place < len(waiting.options):
        reply = waiting.options[place]
    return Choice(action="answer", text=reply) if reply else Choice(action="leave")


def _package(waiting: Waiting) -> Choice:
    name = input("Type the package's name to go on with it, or leave it empty to do without: ").strip()
    return Choice(action="approve", text=name) if name else Choice(action="reject")


def _read_decision(waiting: Waiting) -> Choice:
    while True:
        reply = input("[a]pprove / [r]eject / [l]eave: ").strip().lower()[:1]
        if reply == "a":
            return Choice(action="approve")
        if reply == "r":
            return Choice(action="reject", text=input("What should be different? "))
        if reply == "l":
            return Choice(action="leave")
        print("Type a, r or l.")
