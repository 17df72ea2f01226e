"""A recorded dialogue: what a person did, what models replied, and what came of it. Played against any endpoint.

A recording is a JSON object: `data` (the sample company, or SQL that makes small tables), `knowledge` (files of its
own, where the company's are not meant), `as_of`, `sees`, the person's `moves` and the models' `replies` in order, and
for each turn what came of it (`turns`).
"""

from __future__ import annotations

import asyncio
import hashlib
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any, Literal

from assistant.api.report import build_report
from assistant.bootstrap import open_workspace
from assistant.core.approval.gate import find_pending_request
from assistant.core.events import Clarification, Decision, Event, Execution, Proposal, Question
from assistant.core.turns import current_turn
from assistant.sample.company import write_sample
from assistant.session.session import Session
from assistant.settings.models import ModelSettings
from assistant.settings.settings import Settings

Played = list[dict[str, Any]]
"""What came of each turn, in order."""

_DRAWN = ("mark", "encoding", "layer")


async def play(
    kept: Mapping[str, Any],
    url: str,
    *,
    home: Path,
    company: Path | None = None,
    form: Literal["auto", "json_schema", "tools", "text"] = "auto",
    streams: bool = True,
    timeout_s: float = 60.0,
    asked_to_wait: Callable[[], Any] = lambda: asyncio.sleep(0),
    name: str = "recorded",
) -> Played:
    """Do what the person did, against the endpoint at `url`; what came of each turn.

    Args:
        kept: The recording.
        url: The endpoint's address.
        home: A folder for the session and its data.
        company: The sample company's database, where the recording is about it and there is one already.
        form: The form in which replies are asked for.
        streams: Whether they are asked for as streams.
        timeout_s: How long the endpoint may be silent, in seconds.
        asked_to_wait: Comes back once the endpoint holds a reply, for a person who stops the run.
        name: What the model is called on the wire.
    """
    model = ModelSettings(
        model=name, base_url=url, api_key_env="TEST_KEY", form=form, streams=streams, timeout_s=timeout_s
    )
    settings = Settings(
        home=home / "home",
        as_of=date.fromisoformat(kept["as_of"]),
        sources=(_source(kept, home, company),),
        knowledge=_knowledge(kept, home),
        models={"recorded": model},
        model="recorded",
        sees=kept.get("sees", "rows"),
        embeddings="hashing",
    )
    turns: Played = []
    async with open_workspace(settings) as workspace:
        session = await workspace.create()
        for move in kept["moves"]:
            if "ask" in move and any(isinstance(entry.event, Question) for entry in session.events()):
                turns += _came_of(session)
            await _do(session, move, asked_to_wait)
        return [*turns, *_came_of(session)]


def _source(kept: Mapping[str, Any], home: Path, company: Path | None) -> str:
    if kept["data"] == "company":
        made = company or write_sample(home / "company", as_of=date.fromisoformat(kept["as_of"])).database
        return f"company={made}"
    path = home / "shop.sqlite"
    home.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("\n".join(kept["data"]))
    return f"shop={path}"


def _knowledge(kept: Mapping[str, Any], home: Path) -> Path | None:
    """The folder of what the organisation means, where the recording has one of its own."""
    if "knowledge" not in kept:
        return None
    folder = home / "meanings"
    for name, text in kept["knowledge"].items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


async def _do(session: Session, move: Mapping[str, Any], asked_to_wait: Callable[[], Any]) -> None:
    approve = tuple(move.get("approve", ()))
    events = [entry.event for entry in session.events()]
    waiting = find_pending_request(events)
    match move:
        case {"ask": text}:
            await session.ask(text, approve=approve)
        case {"answer": text}:
            asked = next(e for e in reversed(events) if isinstance(e, Clarification))
            assert await session.answer_clarification(asked.id, text), f"no question back waits for {text!r}"
        case {"decide": "approve"}:
            assert waiting is not None, "nothing waits for an approval"
            assert await session.decide(waiting.id, "approve", approve=approve)
        case {"decide": "edit", "old": old, "new": new}:
            assert waiting is not None, "nothing waits for an edit"
            put = next(e for e in events if isinstance(e, Proposal) and e.id == waiting.ref)
            assert old in put.code, f"{old!r} does not stand in the code that waits"
            assert await session.decide(waiting.id, "edit", code=put.code.replace(old, new), approve=approve)
        case {"decide": "reject", "reason": reason}:
            assert waiting is not None, "nothing waits for a rejection"
            assert await session.decide(waiting.id, "reject", reason=reason, approve=approve)
        case {"resume": True}:
            assert await session.resume(approve=approve), "there is nothing to go on with"
        case _:
            raise ValueError(f"no person does {move!r}")
    if move.get("then") == "stop":
        await asked_to_wait()
        assert await session.stop(), "nothing ran that could be stopped"
    await session.settled()


def _came_of(session: Session) -> Played:
    """The last turn: its answer, each result, and each cell that ran with its bytes and who approved them."""
    said = build_report(session.id, session.events(), table=session.table)
    number = current_turn([entry.event for entry in session.events()]).number
    turn = [entry.event for entry in session.events() if entry.event.turn == number]
    return [
        {
            "status": said.status,
            "answer": said.answer,
            "notes": list(said.notes),
            "columns": list(said.columns),
            "rows": [list(row) for row in said.rows],
            "more": [one.model_dump(mode="json") for one in said.more],
            "events": _story(turn),
            "ran": [_ran(event, turn) for event in turn if isinstance(event, Execution)],
            "charts": [
                {part: chart[part] for part in _DRAWN if part in chart}
                for event in turn
                if isinstance(event, Execution) and (chart := session.chart(event.id)) is not None
            ],
        }
    ]


def _ran(execution: Execution, turn: Sequence[Event]) -> dict[str, Any]:
    """A cell that ran: the digest of its bytes, whose decision approved that digest, and what became of it."""
    digest = hashlib.sha256(execution.code.encode()).hexdigest()
    covered = "\0".join((execution.code, *(function.code for function in execution.functions)))
    approved = hashlib.sha256(covered.encode()).hexdigest()
    by = next((e.by for e in turn if isinstance(e, Decision) and e.sha256 == approved), None)
    checks = {"checks": [[check.name, check.ok] for check in execution.checks]} if execution.checks else {}
    return {"cell": execution.id, "sha256": digest, "approved_by": by, "status": execution.status, **checks}


def _story(turn: Sequence[Event]) -> list[str]:
    """The kinds of the turn's events in their order, without what only counts or measures."""
    return [event.kind for event in turn if event.kind not in ("usage", "execution_started")]  # type: ignore[attr-defined]
