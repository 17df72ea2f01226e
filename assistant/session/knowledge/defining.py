"""A person's definition of a term: stored in the knowledge folder, changed and removed there.

Only what the person wrote is stored. It is parsed like any other definition in prose (`assistant.analyst.prose`), and
the person sees at once whether it was understood.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.errors import SessionError
from knowledge.documents import Term
from knowledge.errors import KnowledgeError

if TYPE_CHECKING:
    from assistant.analyst.analyst import Analyst

_CHARS_MAX = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Defined:
    """A definition that was kept. `sql` is what the embedded analyst makes of it, empty where it cannot."""

    word: str
    file: str
    sql: str


class Definitions:
    """The definitions of the default data.

    Args:
        place: The knowledge folder to write to.
        analyst: The embedded analyst, with the knowledge as it is now.
        person: Who says it.
        today: The day.
    """

    def __init__(
        self,
        *,
        place: Callable[[], Awaitable[Path]],
        analyst: Callable[[], Awaitable[Analyst]],
        person: Callable[[], str],
        today: Callable[[], date],
    ) -> None:
        self._place = place
        self._analyst = analyst
        self._person = person
        self._today = today

    async def keep(self, word: str, meaning: str, *, instead_of: str = "") -> Defined:
        """Keep what a person says a word means; other words for the same thing stand after commas.

        Args:
            word: The word.
            meaning: What it means, in a sentence.
            instead_of: The id of the definition that this one replaces.

        Raises:
            AssistantError: It says nothing, the word is defined already, or it cannot be kept. Nothing changed.
        """
        from knowledge.sources.terms import keep_term

        term = build_term(word, meaning, author=self._person(), updated=self._today())
        try:
            file = await asyncio.to_thread(keep_term, await self._place(), term, instead_of=instead_of)
        except KnowledgeError as error:
            raise SessionError(str(error)) from error
        return Defined(word=term.name, file=str(file), sql=find_sql(await self._analyst(), term.id))

    async def remove(self, id_: str) -> str:
        """Remove a definition that was kept here. Gives the file in which it stood.

        Raises:
            AssistantError: It is gone, was written or edited by hand, or cannot be removed.
        """
        from knowledge.sources.terms import remove_term

        try:
            return str(await asyncio.to_thread(remove_term, await self._place(), id_))
        except KnowledgeError as error:
            raise SessionError(str(error)) from error


def build_term(word: str, meaning: str, *, author: str, updated: date) -> Term:
    """A definition as a document.

    Raises:
        SessionError: The word or its meaning is missing, or there is too much of it.
    """
    names = tuple(name for part in word.split(",") if (name := " ".join(part.split())))
    text = " ".join(meaning.split())
    if not names or not text:
        raise SessionError("A definition needs a word and what it means. Fill in both.")
    if len(word) + len(text) > _CHARS_MAX:
        raise SessionError(f"That is more than {_CHARS_MAX:,} characters. Say it shorter, or write a note.")
    return Term(name=names[0], synonyms=names[1:], definition=text, author=author, updated=updated)


def split_definition(text: str) -> tuple[str, str]:
    """A definition on one line as its word and its meaning: `active customer = a customer with an order this year`."""
    word, sign, meaning = text.partition("=")
    if not sign:
        raise SessionError("Write the word, an equals sign, and what it means: 'big order = an order over 500'.")
    return word, meaning


def find_sql(analyst: Analyst, id_: str) -> str:
    """What the embedded analyst makes of a definition in prose, in a sentence; empty where it cannot read it."""
    return next((sql for source in analyst.sources.values() if (sql := source.said_of(id_))), "")
