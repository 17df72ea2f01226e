"""Commands about sessions: list, export, verify, define, explain, run."""

from __future__ import annotations

import asyncio
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assistant.api.errors import AssistantError
from assistant.delivery.options import Notebook, Session, settings, write

if TYPE_CHECKING:
    from assistant.api.configuration import Settings
    from assistant.api.session import NewScope


class NoteScope(StrEnum):
    """What a note holds for."""

    RESULT = "result"
    CONVERSATION = "conversation"
    DATA = "data"
    ALWAYS = "always"


_STATES = {"waiting": "needs you", "working": "running", "idle": "done", "damaged": "damaged"}


def sessions() -> int:
    """List the sessions, those that need you first."""
    return asyncio.run(_sessions(settings()))


async def _sessions(configuration: Settings) -> int:
    from assistant.api.opening import open_workspace
    from assistant.delivery.printing import print_list

    async with open_workspace(configuration, read_only=True) as workspace:
        cards = workspace.sessions()
    if cards:
        rows = [(c.id, f"{c.updated.astimezone():%Y-%m-%d %H:%M}", _STATES[c.state], c.title) for c in cards]
        print_list(("session", "last change", "state", "first question"), rows)
    else:
        print("There are no sessions yet. Begin one: tandem ask QUESTION, or tandem serve.", file=sys.stderr)
    return 0


def run(
    board: Annotated[str, typer.Argument(metavar="BOARD", help="The board's name, as the page shows it.")],
    html: Annotated[Path | None, typer.Option("--html", help="Write the board as one HTML file.")] = None,
) -> int:
    """Run the approved queries of a board again; status 1 if one failed."""
    return asyncio.run(_run(settings(), board, html))


async def _run(configuration: Settings, name: str, html: Path | None) -> int:
    from assistant.api.opening import open_workspace

    async with open_workspace(configuration) as workspace:
        board = await workspace.boards.refresh(name)
        if html is not None:
            await asyncio.to_thread(write, html, await workspace.boards.render_html(name))
    for tile in board.tiles:
        changed = f"{len(tile.changed)} cells changed" if tile.changed else "unchanged"
        print(f"{tile.title}: {f'not refreshed: {tile.fault}' if tile.fault else changed}")
    return int(any(tile.fault for tile in board.tiles))


def export(session: Session, file: Notebook) -> int:
    """Write a session as a notebook that runs without Tandem."""
    return asyncio.run(_export(settings(), session, file))


async def _export(configuration: Settings, session_id: str, target: Path) -> int:
    from assistant.api.opening import open_workspace

    async with open_workspace(configuration) as workspace:
        session = await workspace.open(session_id)
        await asyncio.to_thread(write, target, await session.export())
        damage = session.damage
    if damage:
        print(f"tandem: {damage}", file=sys.stderr)
    print(f"Wrote {target}. It runs without Tandem: jupyter nbconvert --to notebook --execute {target}")
    return 0


def verify(
    session: Session,
    turn: Annotated[
        int | None, typer.Argument(min=1, help="The turn, counted from 1; the last one by default.")
    ] = None,
    question: Annotated[
        str,
        typer.Option("--as", metavar="QUESTION", help="Keep it as the answer to this question, which stands alone."),
    ] = "",
    revoke: Annotated[bool, typer.Option("--revoke", help="Take the mark back.")] = False,
) -> int:
    """Mark an answer right, or take that back."""
    return asyncio.run(_verify(settings(), session, turn, question=question, revoke=revoke))


async def _verify(configuration: Settings, session_id: str, turn: int | None, *, question: str, revoke: bool) -> int:
    from assistant.api.opening import open_workspace

    async with open_workspace(configuration) as workspace:
        session = await workspace.open(session_id)
        questions = {turn.number: turn.question for turn in session.transcript.turns}
        marked = turn if turn is not None else max(questions, default=1)
        if not revoke:
            mark = await session.answers.verify(marked, question=question)
            print(
                f"“{mark.question or questions[marked]}” is marked right by {mark.by} on {mark.on}. Kept in {mark.file}"
            )
        elif await session.answers.revoke(marked):
            print(f"“{questions[marked]}” is not marked right any more.")
        else:
            raise AssistantError(f"The answer to question {marked} of this session is not marked right.")
    return 0


def ledger(
    session: Session,
    note: Annotated[int | None, typer.Argument(min=1, help="The number of a note, to change it.")] = None,
    scope: Annotated[
        NoteScope | None, typer.Option("--scope", help="What the note is to hold for from now on.")
    ] = None,
    forget: Annotated[bool, typer.Option("--forget", help="Drop the note.")] = False,
) -> int:
    """List what you said in a session and what it holds for; change that, or drop it."""
    if (note is not None) != (forget or scope is not None):
        raise AssistantError("Give the number of a note together with --scope or --forget.")
    return asyncio.run(_ledger(settings(), session, note, "dropped" if forget or scope is None else scope.value))


async def _ledger(configuration: Settings, session_id: str, note: int | None, scope: NewScope) -> int:
    from assistant.api.opening import open_workspace
    from assistant.delivery.printing import print_list

    async with open_workspace(configuration) as workspace:
        session = await workspace.open(session_id)
        pins = await session.ledger.list_pins()
        if note is not None:
            if note > len(pins):
                raise AssistantError(f"There is no note {note}. Without a number, the command lists them.")
            await session.ledger.change(pins[note - 1].id, scope)
            pins = await session.ledger.list_pins()
    if pins:
        rows = [(str(n), pin.scope, str(pin.turn or ""), pin.text) for n, pin in enumerate(pins, start=1)]
        print_list(("note", "holds for", "question", "you said"), rows)
    else:
        print("Nothing that you said is kept in this session.", file=sys.stderr)
    return 0


def define(
    definition: Annotated[
        str, typer.Argument(metavar="'WORD = MEANING'", help="The word (synonyms after commas) and its meaning.")
    ],
    source: Annotated[
        str | None,
        typer.Option(metavar="URL_OR_FILE", help="The data it is about. By default that of a new session."),
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Remove the definition of the given word.")] = False,
) -> int:
    """Define a word of your business, or take that back."""
    configuration = settings()
    if source is not None:
        configuration = configuration.model_copy(update={"sources": (source,)})
    return asyncio.run(_undefine(configuration, definition) if remove else _define(configuration, definition))


def explain(
    question: Annotated[str, typer.Argument(help="A question about the data.")],
    source: Annotated[
        str | None,
        typer.Option(metavar="URL_OR_FILE", help="The data it is about. By default that of a new session."),
    ] = None,
) -> int:
    """Show how the embedded analyst reads a question: what it computes, unused words, and the SQL."""
    configuration = settings()
    if source is not None:
        configuration = configuration.model_copy(update={"sources": (source,)})
    return asyncio.run(_explain(configuration, question))


async def _explain(configuration: Settings, question: str) -> int:
    from assistant.api.opening import open_workspace

    async with open_workspace(configuration) as workspace:
        reading = await workspace.knowledge.explain(question)
    if reading is None:
        print("There is no reading of that question about this data.")
        return 2
    print(f"{reading.sentence}  ({reading.confidence:.0%} sure)\n")
    width = max((len(chip.kind) for chip in reading.chips), default=0)
    for chip in reading.chips:
        print(f"  {chip.kind:<{width}}  {chip.text}")
    if reading.unread:
        print(f"  not used: {', '.join(reading.unread)}")
    print(f"\n{reading.sql}")
    return 0


async def _define(configuration: Settings, text: str) -> int:
    from assistant.api.knowledge import split_definition
    from assistant.api.opening import open_workspace

    async with open_workspace(configuration) as workspace:
        term = await workspace.knowledge.define(*split_definition(text))
    print(f"“{term.word}” is kept in {term.file}")
    print(f"It is read as: {term.sql}" if term.sql else "It cannot be computed with: not every word was understood.")
    return 0


async def _undefine(configuration: Settings, text: str) -> int:
    from assistant.api.opening import open_workspace

    async with open_workspace(configuration) as workspace:
        cards = (await workspace.knowledge.read()).cards
        name = text.strip().casefold()
        term = next((card for card in cards if card.kind == "term" and card.title.casefold() == name), None)
        if term is None:
            raise AssistantError(f"There is no definition of {text.strip()!r} for this data.")
        print(f"“{term.title}” is not defined any more: {await workspace.knowledge.undefine(term.id)} is deleted.")
    return 0
