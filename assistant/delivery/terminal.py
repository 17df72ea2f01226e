"""A session in a terminal: shows pending decisions, reads the person's decisions, prints the answer.

It uses a session exactly as the page does. Without a terminal nobody can decide, so it reports the pending decision and
leaves it.
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

from assistant.api.errors import AssistantError, InterpretationError, SessionError
from assistant.api.events import (
    Approvable,
    Clarification,
    DecisionRequested,
    FunctionsKept,
    Judgement,
    KernelRestarted,
    Looked,
    PackageAdded,
    PackageProposed,
    StepSkipped,
    Usage,
)
from assistant.api.figures import columns_of
from assistant.api.session import TableView, to_days, to_json_value
from assistant.api.turns import FunctionsItem, NoticeItem, PackageItem, PendingRequest, ProposalItem, Turn
from assistant.delivery.printing import lines
from assistant.delivery.terminal_input import typed
from assistant.delivery.written_functions import decide_functions, show_functions

if TYPE_CHECKING:
    from assistant.api.session import Session

_MARKS = {"ok": "✓", "note": "·", "warning": "!", "danger": "✗"}
ROWS_MAX = 20


async def converse(session: Session, *, approve: tuple[Approvable, ...], quiet: bool) -> None:
    """Take decisions at the terminal until the turn ends, or leave what waits where there is no terminal.

    Args:
        session: a session whose run has just been started, or that waits.
        approve: what the policy may approve by itself in the rest of the turn.
        quiet: nothing is to be shown or asked (JSON output, or no terminal).
    """
    count = 0
    while True:
        await session.settled()
        if session.fault:
            raise AssistantError(session.fault)
        turn = session.transcript.current
        if turn is None or quiet:
            return
        count = _show_progress(turn, count)
        if (waiting := turn.waiting) is None:
            return
        try:
            if waiting.clarification is not None:
                await _clarify(session, waiting.clarification)
            else:
                if waiting.decision is not None and waiting.decision.subject in ("plan", "code"):
                    await show_interpretation(session)
                await _decide(session, turn, waiting, approve)
        except EOFError:
            return


def interactive() -> bool:
    """Whether a person sits at both ends of this terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


async def show_waiting(session: Session) -> None:
    """Print what waits for a decision, and how to take it."""
    turn = session.transcript.current
    waiting = turn.waiting if turn is not None else None
    if turn is None or waiting is None:
        return
    if waiting.clarification is not None:
        print(waiting.clarification.text, *(f"  - {option}" for option in waiting.clarification.options), sep="\n")
    elif waiting.decision is not None:
        await show_interpretation(session)
        print(f"Waiting for your decision: {waiting.decision.reason}\n")
        print(_plan_text(turn))  # the code of a single step waits without its plan having been asked about
        if waiting.package is not None:
            print("\n" + _package_text(waiting.package))
        if waiting.functions is not None:
            print("\n" + show_functions(waiting.functions))
        if waiting.item is not None:
            print("\n" + _indent(waiting.code))
    print(f"\nDecide with: tandem ask --session {session.id}   (or in the page)")


def show_answer(session: Session) -> None:
    """Print the answer of the current turn with its table and how it was computed."""
    turn = session.transcript.current
    answer = turn.answer if turn is not None else None
    if turn is None or answer is None:
        return
    print("\n" + answer.text.replace("**", ""))
    if answer.hint:
        print(answer.hint)
    if answer.table is not None and (table := session.table(answer.table, rows_max=ROWS_MAX)) is not None:
        print("\n" + format_table(table))
    for execution in answer.more_tables:
        if (table := session.table(execution, rows_max=ROWS_MAX)) is not None:
            item = turn.proposal(execution)
            print(f"\n{item.proposal.title if item is not None else execution}\n" + format_table(table))
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

    grid = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    columns = [to_days([row[n] for row in table.rows]) for n in range(len(table.columns))]
    for name in table.columns:
        grid.add_column(Text(name), justify="right" if name in table.numeric else "left", no_wrap=True)
    texts = [
        [_cell(value, decimals=_decimals(column), names=kind.role in ("identifier", "time")) for value in column]
        for column, kind in zip(columns, columns_of(table), strict=True)
    ]
    for row in zip(*texts, strict=True):
        grid.add_row(*(Text(cell) for cell in row))
    values = lines(grid)
    if table.total > len(table.rows):
        values.append(f"… {table.total - len(table.rows):,} more rows")
    return "\n".join(values)


def _show_progress(turn: Turn, count: int) -> int:  # noqa: C901  one arm for each kind of item
    """Print what happened in a turn since the first `count` items; how many there are now."""
    for item in turn.items[count:]:
        match item:
            case PackageItem(proposal=PackageProposed(name=name, fault=fault)) if fault:
                print(f"The package {name} was not added: {fault}")
            case FunctionsItem(proposal=proposed) if proposed.fault:
                names = ", ".join(function.name for function in proposed.functions)
                print(f"Gave up writing {names}: {proposed.fault}")
            case NoticeItem(event=FunctionsKept(names=names)):
                print(f"Kept: cells can import {', '.join(names)}.")
            case NoticeItem(event=StepSkipped(reason=reason)):
                print(f"Skipped: {reason}")
            case NoticeItem(event=Looked(look=look, asked=phrase, found=match)):
                print(f"Looked: {look} {phrase} ({match})")
            case NoticeItem(event=Judgement(reason=reason)) if reason:
                print(f"On the result: {reason}")
            case NoticeItem(event=PackageAdded() as added):
                print(f"Added {added.name} {added.version}: cells can import {', '.join(added.modules)}.")
            case NoticeItem(event=Usage(note=note)) if note:
                print(note)
            case NoticeItem(event=KernelRestarted(reason=reason, rerun=rerun)):
                print(f"{reason} {rerun} cells were run again.")
            case _:
                continue
    return len(turn.items)


async def _decide(session: Session, turn: Turn, waiting: PendingRequest, approve: tuple[Approvable, ...]) -> None:
    request, item = waiting.decision, waiting.item
    assert request is not None, "a question back is answered, not decided"
    if waiting.package is not None:
        await _decide_package(session, request, waiting.package)
        return
    if waiting.functions is not None:
        await decide_functions(session, request, waiting.functions)
        return
    if item is None:
        print("\n" + _plan_text(turn))
        choice = await typed(f"\n{request.reason} [a]pprove / [r]eject: ")
    else:
        print("\n" + _proposal_text(item) + "\n\n" + _indent(waiting.code) + "\n" + _findings_text(item))
        choice = await typed(f"\n{request.reason} [a]pprove / [e]dit / [r]eject: ")
    match choice.strip().lower()[:1]:
        case "a":
            await session.decide(request.id, "approve", approve=approve)
        case "e" if item is not None:
            suffix = ".py" if item.proposal.language == "python" else ".sql.py"
            edited = await asyncio.to_thread(edit_text, waiting.code, suffix)
            await session.decide(request.id, "edit", code=edited, approve=approve)
        case "r":
            reason = await typed("What should be different? ")
            await session.decide(request.id, "reject", reason=reason, approve=approve)
        case _:
            print("Type a, e or r.")


async def _decide_package(session: Session, request: DecisionRequested, package: PackageProposed) -> None:
    """Ask about a package that a cell lacks. Options such as `--yes` do not cover it."""
    print("\n" + _package_text(package))
    if package.wheels and package.doubts:
        reply = (await typed(f"\n{request.reason} Type its name to add it, or leave it empty to do without: ")).strip()
        adds = bool(reply)
    else:
        reply = (await typed(f"\n{request.reason} [y]es / [n]o: ")).strip()
        adds = reply.lower() in ("y", "yes")
    try:
        await session.decide(request.id, "approve" if adds else "reject", typed=reply if adds else "")
    except SessionError as error:
        print(error)


def _package_text(package: PackageProposed) -> str:
    from assistant.api.packages import describe_proposal

    where = f", in line {package.line}" if package.line else ""
    return "\n".join([f"The code imports {package.module}{where}, which the cage lacks.", *describe_proposal(package)])


async def answer_option(session: Session, text: str) -> bool:
    """Take a text as the answer to a question back, where one waits and the text is one of its options."""
    waiting = session.transcript.waiting
    if waiting is None or waiting.clarification is None:
        return False
    option = _option(waiting.clarification, text)
    return option is not None and await session.answer_clarification(waiting.id, option)


def _option(clarification: Clarification, text: str) -> str | None:
    """The option that a text names, by its number or by its words."""
    options = clarification.options
    if text.strip().isdigit() and 1 <= int(text) <= len(options):
        return options[int(text) - 1]
    return next((option for option in options if option.casefold() == text.strip().casefold()), None)


async def show_interpretation(session: Session) -> None:
    """Print what the current turn is to compute, a chip a line, or why chips cannot show it."""
    try:
        interpretation = await session.interpretation()
    except InterpretationError as error:
        print(f"\nNo chips: {error}")
        return
    if interpretation is not None and interpretation.chips:
        width = max(len(chip.kind) for chip in interpretation.chips)
        print("", *(f"  {chip.kind:<{width}}  {chip.text}" for chip in interpretation.chips), sep="\n")


async def _clarify(session: Session, clarification: Clarification) -> None:
    print("\n" + clarification.text)
    differences = await session.differences() or clarification.options
    for number, option in enumerate(differences, start=1):
        print(f"  {number}. {option}")
    reply = (await typed("Number or answer: ")).strip()
    if reply in differences:
        reply = clarification.options[differences.index(reply)]
    if reply:
        await session.answer_clarification(clarification.id, _option(clarification, reply) or reply)


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


def _plan_text(turn: Turn) -> str:
    plan = turn.plan
    if plan is None:
        return ""
    lines = [plan.restated, *([f"  Why the plan changed: {plan.changed}"] if plan.changed else [])]
    for n, step in enumerate(plan.steps, start=1):
        told = f": {step.instruction}" if step.instruction and step.instruction != step.title else ""
        lines.append(f"  {n}. {step.title}{told}{' (has run)' if n < plan.begins else ''}")
    lines += [f"  Assumed: {assumption}" for assumption in plan.assumptions]
    for citation in plan.citations:
        excerpt = f": {citation.excerpt}" if citation.excerpt and citation.excerpt != citation.title else ""
        lines.append(f"  Cites [{citation.origin}] {citation.title}{excerpt}")
    return "\n".join(lines)


def _proposal_text(item: ProposalItem) -> str:
    proposal = item.proposal
    operations = (f"  - {operation}" for operation in proposal.operations)
    return "\n".join([proposal.title, *filter(None, [proposal.why]), *operations])


def _findings_text(item: ProposalItem) -> str:
    review = item.edit_review or item.review
    findings = review.findings if review is not None else ()
    return "\n".join(f"  {_MARKS[finding.level]} {finding.text}" for finding in findings)


def _indent(code: str) -> str:
    return "\n".join(f"    {line}" for line in code.splitlines())


def _decimals(column: Sequence[object]) -> int:
    """Two; four where all are parts of one, which two would make look alike."""
    numbers = [abs(value) for value in map(to_json_value, column) if isinstance(value, float)]
    return 4 if numbers and max(numbers) < 1 else 2


def _cell(value: object, *, decimals: int, names: bool) -> str:
    """A value as text; `names` says that whole numbers are years or keys, and no amounts."""
    plain = to_json_value(value)
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
