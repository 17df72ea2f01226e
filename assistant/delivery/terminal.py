"""The conversation in a terminal: shows what waits, takes the person's decisions, prints the answer.

It uses a session exactly as the page does. Without a terminal nobody can decide, so it says what waits and leaves it.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.approval.gate import pending
from assistant.cells.tables import TableView, days, json_value
from assistant.delivery.printing import lines
from assistant.delivery.terminal_input import typed
from assistant.errors import AssistantError, SessionError
from assistant.events import (
    Answer,
    Approvable,
    Clarification,
    DecisionRequested,
    Event,
    Judgement,
    KernelRestarted,
    Looked,
    PackageAdded,
    PackageProposed,
    Plan,
    Proposal,
    Review,
    StepSkipped,
    Usage,
)
from assistant.flow import current_turn, outcome, position
from assistant.presentation.columns import columns_of

if TYPE_CHECKING:
    from assistant.session.session import Session

_MARKS = {"ok": "✓", "note": "·", "warning": "!", "danger": "✗"}
ROWS_SHOWN = 20


async def converse(session: Session, *, approve: tuple[Approvable, ...], quiet: bool) -> None:
    """Take decisions at the terminal until the turn ends, or leave what waits where there is no terminal.

    Args:
        session: a session whose run has just been started, or that waits.
        approve: what the policy may approve by itself in the rest of the turn.
        quiet: nothing is to be shown or asked (JSON output, or no terminal).
    """
    shown = 0
    while True:
        await session.settled()
        if session.fault:
            raise AssistantError(session.fault)
        events = [entry.event for entry in session.events()]
        turn = current_turn(events)
        if not quiet:
            shown = _show_progress(turn, shown)
        status = outcome(events)
        if quiet or status not in ("needs_decision", "needs_clarification"):
            return
        try:
            if status == "needs_decision":
                await _decide(session, events, approve)
            else:
                await _clarify(session, turn)
        except EOFError:
            return


def interactive() -> bool:
    """Whether a person sits at both ends of this terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def show_waiting(session: Session) -> None:
    """Print what waits for a decision, and how to take it."""
    events = [entry.event for entry in session.events()]
    turn = current_turn(events)
    request = pending(events)
    if request is not None:
        print(f"Waiting for your decision: {request.reason}\n")
        print(_plan_text(turn))  # the code of a single step waits without its plan having been asked about
        if request.subject == "package":
            print("\n" + _package_text(turn, request.ref))
        if request.subject == "code":
            print("\n" + _indent(_code_waiting(turn, request.code)))
    else:
        asked = next((e for e in reversed(turn) if isinstance(e, Clarification)), None)
        if asked is not None:
            print(asked.text, *(f"  - {option}" for option in asked.options), sep="\n")
    print(f"\nDecide with: tandem ask --session {session.id}   (or in the page)")


def show_answer(session: Session) -> None:
    """Print the answer of the current turn with its table and how it was computed."""
    turn = current_turn([entry.event for entry in session.events()])
    answer = next((e for e in reversed(turn) if isinstance(e, Answer)), None)
    if answer is None:
        return
    print("\n" + answer.text.replace("**", ""))
    if answer.hint:
        print(answer.hint)
    if answer.table is not None and (table := session.table(answer.table, rows_max=ROWS_SHOWN)) is not None:
        print("\n" + format_table(table))
    titles = {event.id: event.title for event in turn if isinstance(event, Proposal)}
    for further in answer.more_tables:
        if (table := session.table(further, rows_max=ROWS_SHOWN)) is not None:
            print(f"\n{titles.get(further, further)}\n" + format_table(table))
    for note in answer.notes:
        print(f"Note: {note}")
    if answer.how:
        print("\nHow this was computed:", *(f"  - {line}" for line in answer.how), sep="\n")
    for citation in answer.citations:
        print(f"  [{citation.origin}] {citation.title}")


def format_table(table: TableView) -> str:
    """A table as aligned text, numbers to the right, with a last line that says what was left out."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    shown = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    columns = [days([row[n] for row in table.rows]) for n in range(len(table.columns))]
    for name in table.columns:
        shown.add_column(Text(name), justify="right" if name in table.numeric else "left", no_wrap=True)
    texts = [
        [_cell(value, decimals=_decimals(column), names=kind.role in ("identifier", "time")) for value in column]
        for column, kind in zip(columns, columns_of(table), strict=True)
    ]
    for row in zip(*texts, strict=True):
        shown.add_row(*(Text(cell) for cell in row))
    told = lines(shown)
    if table.total > len(table.rows):
        told.append(f"… {table.total - len(table.rows):,} more rows")
    return "\n".join(told)


def _show_progress(turn: tuple[Event, ...], shown: int) -> int:
    for event in turn[shown:]:
        match event:
            case StepSkipped():
                print(f"Skipped: {event.reason}")
            case Looked(look=look, asked=asked, found=found):
                print(f"Looked: {look} {asked} ({found})")
            case Judgement(reason=reason) if reason:
                print(f"On the result: {reason}")
            case PackageProposed(fault=fault) if fault:
                print(f"The package {event.name} was not added: {fault}")
            case PackageAdded():
                print(f"Added {event.name} {event.version}: cells can import {', '.join(event.modules)}.")
            case Usage(note=note) if note:
                print(note)
            case KernelRestarted():
                print(f"{event.reason} {event.rerun} cells were run again.")
            case _:
                continue
    return len(turn)


async def _decide(session: Session, events: Sequence[Event], approve: tuple[Approvable, ...]) -> None:
    request = pending(events)
    assert request is not None
    turn = current_turn(events)
    if request.subject == "package":
        await _decide_package(session, request, turn)
        return
    if request.subject == "plan":
        print("\n" + _plan_text(turn))
        choice = await typed(f"\n{request.reason} [a]pprove / [r]eject: ")
    else:
        code = _code_waiting(turn, request.code)
        print("\n" + _proposal_text(turn) + "\n\n" + _indent(code) + "\n" + _findings_text(turn))
        choice = await typed(f"\n{request.reason} [a]pprove / [e]dit / [r]eject: ")
    match choice.strip().lower()[:1]:
        case "a":
            await session.decide(request.id, "approve", approve=approve)
        case "e" if request.subject == "code":
            edited = await asyncio.to_thread(edit_text, _code_waiting(turn, request.code), _suffix(turn))
            await session.decide(request.id, "edit", code=edited, approve=approve)
        case "r":
            reason = await typed("What should be different? ")
            await session.decide(request.id, "reject", reason=reason, approve=approve)
        case _:
            print("Type a, e or r.")


async def _decide_package(session: Session, request: DecisionRequested, turn: tuple[Event, ...]) -> None:
    """Ask about a package that a cell lacks. Options such as `--yes` do not cover it."""
    proposed = _package(turn, request.ref)
    print("\n" + _package_text(turn, request.ref))
    if proposed.wheels and proposed.doubts:
        said = (await typed(f"\n{request.reason} Type its name to add it, or leave it empty to do without: ")).strip()
        adds = bool(said)
    else:
        said = (await typed(f"\n{request.reason} [y]es / [n]o: ")).strip()
        adds = said.lower() in ("y", "yes")
    try:
        await session.decide(request.id, "approve" if adds else "reject", typed=said if adds else "")
    except SessionError as error:
        print(error)


def _package(turn: tuple[Event, ...], ref: str) -> PackageProposed:
    return next(e for e in reversed(turn) if isinstance(e, PackageProposed) and e.id == ref)


def _package_text(turn: tuple[Event, ...], ref: str) -> str:
    from assistant.packages.index import described

    proposed = _package(turn, ref)
    where = f", in line {proposed.line}" if proposed.line else ""
    return "\n".join([f"The code imports {proposed.module}{where}, which the cage lacks.", *described(proposed)])


async def answer_option(session: Session, text: str) -> bool:
    """Take a text as the answer to a question back, where one waits and the text is one of its options."""
    events = [entry.event for entry in session.events()]
    if outcome(events) != "needs_clarification":
        return False
    asked = next(e for e in reversed(current_turn(events)) if isinstance(e, Clarification))
    chosen = _option(asked, text)
    return chosen is not None and await session.answer_clarification(asked.id, chosen)


def _option(asked: Clarification, text: str) -> str | None:
    """The option that a text names, by its number or by its words."""
    if text.strip().isdigit() and 1 <= int(text) <= len(asked.options):
        return asked.options[int(text) - 1]
    return next((option for option in asked.options if option.casefold() == text.strip().casefold()), None)


async def _clarify(session: Session, turn: tuple[Event, ...]) -> None:
    asked = next(e for e in reversed(turn) if isinstance(e, Clarification))
    print("\n" + asked.text)
    for number, option in enumerate(asked.options, start=1):
        print(f"  {number}. {option}")
    reply = (await typed("Number or answer: ")).strip()
    if reply:
        await session.answer_clarification(asked.id, _option(asked, reply) or reply)


def edit_text(text: str, suffix: str) -> str:
    """Let the person edit a text in $VISUAL or $EDITOR.

    Raises:
        AssistantError: no editor was found, or it failed.
    """
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or shutil.which("nano") or shutil.which("vi")
    if not editor:
        raise AssistantError("There is no editor here. Set EDITOR to one, or reject with a reason instead.")
    with tempfile.TemporaryDirectory() as folder:
        draft = Path(folder) / f"cell{suffix}"
        draft.write_text(text, encoding="utf-8")
        done = subprocess.run([*shlex.split(editor), str(draft)], check=False)
        if done.returncode != 0:
            raise AssistantError(f"The editor {editor!r} ended with status {done.returncode}. Nothing was changed.")
        return draft.read_text(encoding="utf-8").rstrip("\n")


def _plan_text(turn: tuple[Event, ...]) -> str:
    plan = next(e for e in reversed(turn) if isinstance(e, Plan))
    lines = [plan.restated, *(f"  {n}. {step.title}" for n, step in enumerate(plan.steps, start=1))]
    lines += [f"  Assumed: {assumption}" for assumption in plan.assumptions]
    for cited in plan.citations:
        said = f": {cited.excerpt}" if cited.excerpt and cited.excerpt != cited.title else ""
        lines.append(f"  Cites [{cited.origin}] {cited.title}{said}")
    return "\n".join(lines)


def _proposal_text(turn: tuple[Event, ...]) -> str:
    proposal = position(turn).proposal
    if proposal is None:
        return ""
    return "\n".join([proposal.title, *filter(None, [proposal.why]), *(f"  - {done}" for done in proposal.operations)])


def _findings_text(turn: tuple[Event, ...]) -> str:
    review = next((e for e in reversed(turn) if isinstance(e, Review)), None)
    if review is None:
        return ""
    return "\n".join(f"  {_MARKS[finding.level]} {finding.text}" for finding in review.findings)


def _code_waiting(turn: tuple[Event, ...], edited: str | None) -> str:
    proposal = position(turn).proposal
    return edited if edited is not None else proposal.code if proposal is not None else ""


def _suffix(turn: tuple[Event, ...]) -> str:
    proposal = position(turn).proposal
    return ".py" if proposal is None or proposal.language == "python" else ".sql.py"


def _indent(code: str) -> str:
    return "\n".join(f"    {line}" for line in code.splitlines())


def _decimals(column: Sequence[object]) -> int:
    """Two; four where all are parts of one, which two would make look alike."""
    numbers = [abs(value) for value in map(json_value, column) if isinstance(value, float)]
    return 4 if numbers and max(numbers) < 1 else 2


def _cell(value: object, *, decimals: int, names: bool) -> str:
    """A value as text; `names` says that whole numbers are years or keys, and no amounts."""
    plain = json_value(value)
    match plain:
        case None:
            return ""
        case bool():
            return "yes" if plain else "no"
        case int():
            return str(plain) if names else f"{plain:,}"
        case float():
            return (f"{plain:.12g}") if names else f"{plain:,.{decimals}f}"
        case _:
            return str(plain)
