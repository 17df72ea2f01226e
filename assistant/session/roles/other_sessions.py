"""Turns of the same person's other sessions on the same data, for the look-up `recall`.

Only what may reach any model is included: questions and decisions, and answers worded by a model, with `•••` for the
personal values that their session's queries returned. Answers of the embedded analyst may name people and stay in their
session, as do all answers while a column is masked.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.core.events import Event
from assistant.core.turns import Transcript, fold_events, fold_session
from assistant.errors import ConfigError, StoreError
from assistant.record.memory.tiers import Digest, digest_turns

if TYPE_CHECKING:
    from assistant.core.catalog import Catalog
    from assistant.core.events import QueryRun
    from assistant.query.personal import PersonalValue
    from assistant.record.store.database import Database

ListPersonal = Callable[[Sequence["QueryRun"], Mapping[str, "Catalog"], Path], Iterable["PersonalValue"]]
"""Lists the personal values that queries brought up, from the catalogs by source and the folder of their results."""

SESSIONS_MAX = 60
"""How many sessions are looked into, the last changed first."""


class OtherSessions:
    """The person's other sessions in a store. Calls block.

    Args:
        database: The session store.
        session: The session that asks.
        person: The name of who uses the program.
        hidden: The sessions that were deleted.
        masked: What is masked.
        list_personal: Lists the personal values that queries brought up.
        folder: Gives the folder of a session.
    """

    def __init__(
        self,
        database: Database,
        *,
        session: str,
        person: Callable[[], str],
        hidden: Callable[[], Collection[str]],
        masked: Callable[[], Collection[str]],
        list_personal: ListPersonal,
        folder: Callable[[str], Path],
    ) -> None:
        self._database = database
        self._session = session
        self._person = person
        self._hidden = hidden
        self._masked = masked
        self._list_personal = list_personal
        self._folder = folder
        self._read: dict[tuple[str, datetime, frozenset[tuple[str, str]]], tuple[Digest, ...]] = {}

    def turns(self, log: Sequence[Event], catalogs: Sequence[Catalog]) -> tuple[Digest, ...]:
        """The turns of sessions on no other data than this one's, the last changed session first."""
        try:
            person = self._person()
            rows = self._database.list_sessions()
            hidden = self._hidden()
        except (ConfigError, StoreError):
            return ()  # a look-up that cannot be made gives nothing
        if not (person and (sources := _sources(fold_events(log)))):
            return ()
        digests: list[Digest] = []
        for row in [row for row in rows if row.id != self._session and row.id not in hidden][:SESSIONS_MAX]:
            key = (row.id, row.updated_at, sources)
            if key not in self._read:
                self._read[key] = self._of(row.id, person, sources, catalogs)
            digests += self._read[key]
        return tuple(replace(digest, answer="") for digest in digests) if self._masked() else tuple(digests)

    def _of(
        self, session: str, person: str, sources: frozenset[tuple[str, str]], catalogs: Sequence[Catalog]
    ) -> tuple[Digest, ...]:
        try:
            transcript = fold_session(self._database.read(session).entries)
        except StoreError:
            return ()
        theirs = _sources(transcript)
        if transcript.by != person or not theirs or not theirs <= sources:
            return ()
        by_model = {turn.number for turn in transcript.turns if any(plan.judged for plan in turn.plans)}
        redact = self._make_redaction(session, transcript, catalogs)
        return tuple(
            # Its results lie in another kernel.
            replace(
                digest,
                question=redact(digest.question),
                asked_back=tuple((redact(asked), redact(reply)) for asked, reply in digest.asked_back),
                decisions=tuple(map(redact, digest.decisions)),
                results=(),
                answer=redact(digest.answer) if digest.turn in by_model else "",
            )
            for digest in digest_turns(transcript.turns)
        )

    def _make_redaction(
        self, session: str, transcript: Transcript, catalogs: Sequence[Catalog]
    ) -> Callable[[str], str]:
        """Replaces the personal values of another session, whose placeholders mean nothing here."""
        from assistant.agents.model.placeholders import hide_placeholders
        from assistant.agents.model.redaction import Redaction, list_typed_texts

        runs = [run for turn in transcript.turns for run in turn.queries]
        by_source = {catalog.source: catalog for catalog in catalogs}
        values = self._list_personal(runs, by_source, self._folder(session) / "data")
        redaction = Redaction(values, typed=list_typed_texts(transcript.turns))
        return lambda text: hide_placeholders(redaction(text))


def _sources(transcript: Transcript) -> frozenset[tuple[str, str]]:
    return frozenset((source.dialect, source.display) for source in transcript.sources)
