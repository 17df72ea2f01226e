"""Statements of the person that still apply: the scope of each, and whether it is stored as knowledge.

The log holds the statements of a session (`assistant.record.memory.pins`). A statement about this data in every
session, or about everything that this person asks, is stored in files as well: a term's definition in the data's
knowledge, all else below the home folder. Nothing is stored that the person did not say, and a file that was edited by
hand is not changed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from assistant.core.events import PinChanged, PinScope
from assistant.core.turns import Transcript
from assistant.errors import SessionError
from assistant.record.memory.pins import Pin, exclude_repeated, find_pins
from knowledge.errors import KnowledgeError

if TYPE_CHECKING:
    from assistant.core.events import AnyEvent
    from assistant.session.runs.runs import Runs

_SUBFOLDER = "statements"
NewScope = PinScope | Literal["dropped"]
_LASTING_SCOPES: tuple[PinScope, ...] = ("data", "always")
"""The scopes that outlive a session."""


class LedgerLog(Protocol):
    """The session's log."""

    @property
    def transcript(self) -> Transcript:
        """Its turns, folded once between two changes."""
        ...

    async def append(self, event: AnyEvent) -> object:
        """Make an event durable, then visible."""
        ...


class StoredPins:
    """What outlives a session. Calls block, but for `list_pins`.

    Args:
        knowledge: Gives the knowledge folder of this data, for meanings of words; raises KnowledgeError without one.
        statements: Gives the folders of a scope for all else, below the home folder: what came with data is not what
            the person said. All are read; what is kept stands in the first.
        person: Gives the name of who says it.
        today: Gives the day.
    """

    def __init__(
        self,
        *,
        knowledge: Callable[[], Path],
        statements: Callable[[PinScope], Sequence[Path]],
        person: Callable[[], str],
        today: Callable[[], date],
    ) -> None:
        self._knowledge = knowledge
        self._statements = statements
        self._person = person
        self._today = today

    async def list_pins(self) -> tuple[Pin, ...]:
        """What is kept for this data and for this person."""
        return await asyncio.to_thread(lambda: tuple(pin for scope in _LASTING_SCOPES for pin in self._read(scope)))

    def move(self, pin: Pin, scope: NewScope) -> str:
        """Keep a pin where its new scope wants it, and no longer where the old one did. Gives the file that holds it.

        Raises:
            KnowledgeError: It cannot be kept, or not be removed where it was.
        """
        match scope:
            case "data" | "always":
                file = str(self._keep(pin, scope))
            case _:
                file = ""
        if pin.file and pin.file != file:
            _remove(Path(pin.file))
        return file

    def _keep(self, pin: Pin, scope: PinScope) -> Path:
        text = " ".join(pin.text.split())
        if pin.word and scope == "data":
            from knowledge.documents import Term
            from knowledge.sources.terms import keep_term

            term = Term(name=pin.word, definition=text, author=self._person(), updated=self._today())
            return keep_term(self._knowledge(), term)
        from knowledge.sources.statements import keep_statement

        words = text if not pin.word or pin.word.casefold() in text.casefold() else f"{pin.word}: {text}"
        folder = self._statements(scope)[0] / _SUBFOLDER
        return keep_statement(folder, words, author=self._person(), updated=self._today())

    def _read(self, scope: PinScope) -> Iterator[Pin]:
        from knowledge.sources.statements import read_statements

        for folder in self._statements(scope):
            for file, text in read_statements(folder / _SUBFOLDER):
                id_ = f"{scope}.{file.stem}"
                yield Pin(id=id_, kind="fact", turn=0, text=text, words=text, scope=scope, file=str(file))


class StatementLedger:
    """What the person said in a session, and what they said before and holds in it.

    Args:
        log: The session's log.
        runs: What runs on the session; while something is written, nothing else does.
        stored: What outlives the session.
    """

    def __init__(self, *, log: LedgerLog, runs: Runs, stored: StoredPins) -> None:
        self._log = log
        self._runs = runs
        self._stored = stored

    async def list_pins(self) -> tuple[Pin, ...]:
        """Everything that was said and holds here, the latest last.

        Callers: Anyone.
        """
        pins = find_pins(self._log.transcript.turns)
        return (*exclude_repeated(await self._stored.list_pins(), pins), *pins)

    async def change(self, pin_id: str, scope: NewScope) -> None:
        """Let something that was said hold for more or less from now on, or drop it.

        Callers: The owner.

        Args:
            pin_id: Its id.
            scope: What it is to hold for. What another session said is dropped where that is not "data" or "always".

        Raises:
            AssistantError: It is not there any more, or cannot be kept or removed. Nothing changed.
        """
        async with self._runs.write():
            pin = next((pin for pin in await self.list_pins() if pin.id == pin_id), None)
            if pin is None:
                raise SessionError("This is not there any more: it was dropped in another tab.")
            if scope == pin.scope:
                return
            try:
                file = await asyncio.to_thread(self._stored.move, pin, scope)
            except KnowledgeError as error:
                raise SessionError(str(error)) from error
            if pin.turn:
                await self._log.append(PinChanged(turn=pin.turn, pin=pin.id, scope=scope, file=file))


def _remove(file: Path) -> None:
    """Remove what was kept in a file.

    Raises:
        KnowledgeError: It was edited by hand, or cannot be removed.
    """
    from knowledge.sources.statements import remove_statement
    from knowledge.sources.terms import remove_term_file

    if file.parent.name == _SUBFOLDER:
        remove_statement(file)
    else:
        remove_term_file(file)
