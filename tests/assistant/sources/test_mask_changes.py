"""A mask holds from the moment it is set: in sessions that are open, while they work, and in what they had shown."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from conversation import Stage, Told, last
from rights_of_person import PERSON

from assistant.bootstrap import open_workspace
from assistant.core.approval.gate import find_pending_request
from assistant.core.data_errors import QueryRefused
from assistant.core.events import Answer, Event, Execution, KernelRestarted, Question
from assistant.core.values import Result
from assistant.errors import SessionError, StoreError
from assistant.query.cells import LiteralQuery, render_cell
from assistant.record.store.database import Database
from assistant.record.store.lock import SessionLock
from assistant.record.store.sent_calls import SentCall, SentCalls
from assistant.record.store.withholding import NO_QUESTION
from assistant.session.answers.export import notebook_of
from assistant.session.session import Session
from assistant.session.workspace import Workspace
from assistant.settings.config import Settings
from assistant.sources.addresses import parse_addresses
from assistant.sources.broker import Broker
from assistant.sources.masked_source import MaskedSource
from assistant.sources.opening import open_source

ALL = ("plan", "query", "python")
REGIONS = render_cell("regions", "SELECT region, amount FROM sales ORDER BY amount")
TOTAL = render_cell("total", "SELECT SUM(amount) AS total FROM sales")


async def asked(session: Session, text: str = "What is there?") -> None:
    await session.ask(text, approve=ALL)
    await session.settled()


def said(session: Session, turn: int | None = None) -> str:
    return "\n".join(
        entry.model_dump_json() for entry in session.events() if turn is None or entry.event.turn in (0, turn)
    )


def of(session: Session, turn: int, kind: type[Event]) -> list[Any]:
    return [e.event for e in session.events() if e.event.turn == turn and isinstance(e.event, kind)]


def results(stage: Stage) -> list[bytes]:
    return [file.read_bytes() for file in (stage.home / "sessions" / "s1" / "data").glob("*")]


def test_an_open_session_tells_nothing_of_a_column_that_is_masked_now(tmp_path: Path) -> None:
    async def scenario() -> None:
        stage = Stage(tmp_path, Told(cells=(("sql", REGIONS),)))
        async with stage.session() as session:
            await asked(session)
            assert "North" in said(session)
            stage.masks = ("shop.sales.region",)
            assert await session.apply_masks() == 1
            assert "North" not in said(session)
            assert not any(b"North" in content for content in results(stage))
            assert session.table("1.1.1") is None
            (answer,) = of(session, 1, Answer)
            assert answer.status == "declined"
            assert "shop.sales.region" in answer.text
            assert session.state == "idle"
            assert await session.apply_masks() == 0, "it is applied once"
            await asked(session)
            table = session.table("2.1.1")
            assert table is not None
            assert [row[0] for row in table.rows] == ["•••"] * 3
            assert "North" not in said(session)
        async with stage.session() as session:
            assert "North" not in said(session), "opened again, it stays withheld"

    asyncio.run(scenario())


def test_what_did_not_use_the_column_stays_and_python_after_it_goes(tmp_path: Path) -> None:
    told = Told(cells=(("sql", TOTAL),))

    async def scenario() -> None:
        stage = Stage(tmp_path, told)
        async with stage.session() as session:
            await asked(session)
            told.cells = (("sql", REGIONS),)
            await asked(session)
            told.cells = (("sql", TOTAL.replace("total", "again")),)
            await asked(session)
            told.cells = (("python", "derived = [name[::-1] for name in regions['region']]\nderived"),)
            await asked(session)
            assert "htroN" in said(session, 4)
            stage.masks = ("sales.region",)
            assert await session.apply_masks() == 2
            assert [turn for turn in range(1, 5) if of(session, turn, Execution)] == [1, 3]
            assert "htroN" not in said(session)
            table = session.table("1.1.1")
            assert table is not None
            assert table.rows == ((22,),)
            told.cells = (("python", "kept = 'regions' in globals(), int(total['total'].iloc[0])\nkept"),)
            await asked(session)
            (execution,) = of(session, 5, Execution)
            assert execution.outputs[0]["data"]["text/plain"] == "(False, 22)", "the kernel was made anew without it"
            restarted = last(session, KernelRestarted)
            assert isinstance(restarted, KernelRestarted)
            assert (restarted.rerun, restarted.reason) == (2, "A column was masked since.")

    asyncio.run(scenario())


def test_what_cells_wrote_and_results_of_cells_that_were_cut_short_go_too(tmp_path: Path) -> None:
    write = REGIONS + "\nopen('kept.txt', 'w').write(','.join(regions['region']))"

    async def scenario() -> None:
        stage = Stage(tmp_path, Told(cells=(("python", write),)))
        async with stage.session() as session:
            await asked(session)
            desk, data = (tmp_path / "sessions" / "s1" / name for name in ("desk", "data"))
            assert "North" in (desk / "kept.txt").read_text()
            call = SentCall(role="coder", model="m", endpoint="e", sees="rows", messages=(), reply="North")
            kept = SentCalls(tmp_path / "sessions" / "s1").keep(call)
            (data / "1.1.9-1-0000.arrow").write_bytes(b"North, of a cell that was cut short")
            stage.masks = ("sales.region",)
            assert await session.apply_masks() == 1
            assert not (desk / "kept.txt").exists()
            assert SentCalls(tmp_path / "sessions" / "s1").read(kept) is None
            assert results(stage) == []

    asyncio.run(scenario())


def test_a_cell_that_runs_when_a_column_is_masked_is_stopped_with_its_kernel(tmp_path: Path) -> None:
    waiting = REGIONS + "\nprint('held')\nimport time\nwhile True: time.sleep(0.05)"

    async def scenario() -> None:
        stage = Stage(tmp_path, Told(cells=(("python", waiting),)), cell_seconds_max=600)
        async with stage.session() as session:
            await session.ask("Wait", approve=ALL)
            async with asyncio.timeout(120):
                while not results(stage):
                    await asyncio.sleep(0.05)
            stage.masks = ("sales.region",)
            assert await session.apply_masks() == 1
            assert session.state == "idle"
            assert results(stage) == []
            assert "North" not in said(session)

    asyncio.run(scenario())


def test_a_question_that_names_a_value_goes_with_its_title(tmp_path: Path) -> None:
    compared = render_cell("north", "SELECT SUM(amount) AS total FROM sales WHERE region = 'North'")

    async def scenario() -> None:
        stage = Stage(tmp_path, Told(cells=(("sql", compared),)))
        async with stage.session() as session:
            await asked(session, "What did North sell?")
            stage.masks = ("sales.region",)
            await session.apply_masks()
            (question,) = of(session, 1, Question)
            assert question.text == NO_QUESTION
            assert session.title == NO_QUESTION
        database = Database.open_file(tmp_path / "tandem.sqlite")
        assert [row.title for row in database.list_sessions()] == [NO_QUESTION]
        assert not any("North" in entry.model_dump_json() for entry in database.read("s1").entries)
        database.close()

    asyncio.run(scenario())


def test_a_mask_set_while_the_program_was_off_is_heeded_when_the_session_opens(tmp_path: Path) -> None:
    async def scenario() -> None:
        stage = Stage(tmp_path, Told(cells=(("sql", REGIONS),)))
        async with stage.session() as session:
            await asked(session)
        stage.masks = ("sales.region",)
        with SessionLock(tmp_path / "sessions" / "s1" / "lock"), pytest.raises(SessionError, match="at work"):
            async with stage.session():
                pass
        async with stage.session() as session:
            assert "North" not in said(session)

    asyncio.run(scenario())


@pytest.mark.parametrize("lost", ["the end", "what came after the results", "a column's own note"])
def test_a_damaged_session_opens_without_what_is_masked_now(tmp_path: Path, lost: str) -> None:
    """Nothing can be added to its log, so the turns are withheld by whoever reads it."""
    compared = render_cell("north", "SELECT SUM(amount) AS total FROM sales WHERE region = 'North'")
    damages = {
        "the end": "DELETE FROM events WHERE seq = (SELECT MAX(seq) FROM events)",
        "what came after the results": "UPDATE events SET turn = 7 WHERE kind = 'answer' AND turn = 1",
        "a column's own note": "UPDATE events SET at = 'x' WHERE seq = (SELECT MAX(seq) FROM events)",
    }

    async def scenario() -> None:
        stage = Stage(tmp_path, Told(cells=(("sql", compared),)))
        async with stage.session() as session:
            await asked(session, "What did North sell?")
            await asked(session, "And again?")
        with closing(sqlite3.connect(tmp_path / "tandem.sqlite")) as connection, connection:
            assert connection.execute(damages[lost]).rowcount == 1
        async with stage.session() as session:
            assert "North" in said(session), "where nothing is masked it is read as far as it goes"
        stage.masks = ("sales.region",)
        for _ in range(2):
            async with stage.session() as session:
                assert session.damage
                assert len(session.events()) > 3
                assert "North" not in said(session)
                assert of(session, 1, Execution) == []
                assert session.title == NO_QUESTION
                assert session.state == "idle"
                assert not results(stage)
                assert await session.apply_masks() == 0, "it is applied once"
                with pytest.raises(StoreError, match="damaged"):
                    await asked(session)
                assert "North" not in said(session)
            database = Database.open_file(tmp_path / "tandem.sqlite")
            assert [row.title for row in database.list_sessions()] == [NO_QUESTION]
            database.close()

    asyncio.run(scenario())


def test_what_was_shown_while_a_mask_was_lifted_is_withheld_when_it_is_set_again(tmp_path: Path) -> None:
    async def scenario() -> None:
        stage = Stage(tmp_path, Told(cells=(("sql", REGIONS),)))
        stage.masks = ("sales.region",)
        async with stage.session() as session:
            await asked(session)
            assert "North" not in said(session)
        stage.masks = ()
        async with stage.session() as session:
            assert of(session, 1, Answer)[0].status == "answered"
            await asked(session)
            assert "North" in said(session, 2)
        stage.masks = ("sales.region",)
        async with stage.session() as session:
            assert "North" not in said(session)
            count = len(session.events())
            assert await session.apply_masks() == 0
            assert len(session.events()) == count

    asyncio.run(scenario())


def test_where_the_source_is_gone_all_that_queried_it_is_withheld(tmp_path: Path) -> None:
    async def scenario() -> None:
        stage = Stage(tmp_path, Told(cells=(("sql", TOTAL),)))
        async with stage.session() as session:
            await asked(session)
        stage.shop.unlink()
        stage.masks = ("sales.region",)
        async with stage.session() as session:
            assert of(session, 1, Execution) == []

    asyncio.run(scenario())


# --- the source and the broker -----------------------------------------------------------------------------------


class Slow:
    """A source that holds its result back until it is told to go on."""

    def __init__(self, source: Any) -> None:
        self.source = source
        self.has_run = asyncio.Event()
        self.go_on = asyncio.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.source, name)

    async def run(self, *given: Any) -> Result:
        result = await self.source.run(*given)
        self.has_run.set()
        await self.go_on.wait()
        return result


def test_a_mask_that_is_set_while_a_query_runs_holds_in_its_result(tmp_path: Path) -> None:
    async def work() -> None:
        masks: list[str] = []
        slow = Slow(await open_source(parse_addresses(str(Stage(tmp_path).shop), PERSON)[0], folder=tmp_path))
        source = MaskedSource(slow, lambda: masks)
        for sql, expected in (("SELECT region FROM sales", "•••"), ("SELECT upper(region) AS r FROM sales", None)):
            masks.clear()
            slow.has_run.clear()
            slow.go_on.clear()
            running = asyncio.create_task(source.run(sql))
            await slow.has_run.wait()
            masks.append("sales.region")
            slow.go_on.set()
            if expected is None:
                with pytest.raises(QueryRefused):
                    await running
            else:
                assert set((await running).table.column(0).to_pylist()) == {expected}
        await source.close()

    asyncio.run(work())


def test_nothing_is_written_for_a_cell_that_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a result that was being written, nor queries that still stood in the queue."""
    sqls = [f"SELECT region, {n} AS n FROM sales" for n in range(9)]

    async def work() -> None:
        source = await open_source(parse_addresses(str(Stage(tmp_path).shop), PERSON)[0], folder=tmp_path)
        broker = Broker({"shop": source}, folder=tmp_path / "mount")
        (tmp_path / "mount").mkdir()
        begun, go_on = threading.Event(), threading.Event()
        write = Broker._write

        def slowly(self: Broker, table: Any, file: str) -> None:
            begun.set()
            assert go_on.wait(120)
            write(self, table, file)

        monkeypatch.setattr(Broker, "_write", slowly)
        await broker.open_grant("1.1.1", [LiteralQuery(sql=sql) for sql in sqls])
        calls = [asyncio.create_task(broker.serve("1.1.1", {"sql": sql})) for sql in sqls]
        assert await asyncio.to_thread(begun.wait, 120)
        calls[0].cancel()  # as when the kernel is gone
        closing_grant = asyncio.create_task(broker.close_grant("1.1.1"))
        await asyncio.sleep(0)
        go_on.set()
        assert await closing_grant == ()
        assert list((tmp_path / "mount").iterdir()) == []
        outcomes: Sequence[object] = await asyncio.gather(*calls, return_exceptions=True)
        assert all(isinstance(one, QueryRefused | asyncio.CancelledError) for one in outcomes)
        await source.close()

    asyncio.run(work())


# --- the workspace -----------------------------------------------------------------------------------------------


@pytest.fixture
def crm(tmp_path: Path) -> Settings:
    path = tmp_path / "crm.sqlite"
    with closing(sqlite3.connect(path)) as con, con:
        con.execute("CREATE TABLE customer (id INTEGER PRIMARY KEY, reach TEXT, city TEXT)")
        con.executemany(
            "INSERT INTO customer VALUES (?, ?, ?)",
            [(n, f"planted{n}@mail.example", "Rome" if n % 2 else "Oslo") for n in range(9)],
        )
    return Settings(home=tmp_path / "home", sources=(str(path),), embeddings="hashing")


async def listed(session: Session) -> str:
    """Ask for the column, and let the person's own query run for what was proposed (which would sort by it)."""
    await session.ask("List the reach of customers")
    await session.settled()
    code = render_cell("rows", "SELECT id, reach FROM customer")
    while (request := find_pending_request([entry.event for entry in session.events()])) is not None:
        if request.subject == "plan":
            await session.decide(request.id, "approve")
        else:
            await session.decide(request.id, "edit", code=code)
        await session.settled()
    execution = last(session, Execution)
    assert isinstance(execution, Execution)
    table = session.table(execution.id)
    assert table is not None
    return str(table.rows)


def shown(workspace: Workspace, *sessions: Session) -> str:
    titles = "".join(card.title for card in workspace.sessions())
    return titles + "".join(said(session) for session in sessions)


def test_a_confirmed_mask_holds_in_every_open_session_from_then_on(crm: Settings) -> None:
    async def scenario() -> None:
        async with open_workspace(crm) as workspace:
            first, second = await workspace.create(), await workspace.create()
            await asked(first, "List the reach of customers")
            assert "planted3" in shown(workspace, first) + str(first.table("1.1.1"))
            await asked(second, "How many customers per city?")
            taken = await workspace.decide_mask("crm.customer.reach", mask=True)
            assert taken.turns == 1
            assert "planted" not in shown(workspace, first, second)
            assert "planted" not in (await first.export()).decode()
            assert of(second, 1, Answer)[0].status == "answered"
            table = await listed(first)
            assert "•••" in table
            assert "planted" not in table
            late = await workspace.create()
            assert "planted" not in await listed(late)
            assert "planted" not in shown(workspace, first, second, late)
            assert "planted" not in str(await workspace.knowledge.starters()) + str(
                await workspace.knowledge.starters(first)
            )

    asyncio.run(scenario())


def test_a_mask_that_comes_while_a_notebook_is_made_holds_in_it(crm: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = threading.Event(), threading.Event()
    made: list[bytes] = []

    def slowly(*given: object, **more: object) -> bytes:
        made.append(notebook_of(*given, **more))  # type: ignore[arg-type]
        begun.set()
        assert go_on.wait(60)
        return made[-1]

    monkeypatch.setattr("assistant.session.answers.export.notebook_of", slowly)

    async def scenario() -> None:
        async with open_workspace(crm) as workspace:
            session = await workspace.create()
            await asked(session, "List the reach of customers")
            export = asyncio.create_task(session.export())
            await asyncio.to_thread(begun.wait, 60)
            assert (await workspace.decide_mask("crm.customer.reach", mask=True)).turns == 1
            go_on.set()
            assert b"planted" not in await export
            assert b"planted" in made[0]

    asyncio.run(scenario())


def test_a_session_that_is_closed_heeds_a_mask_with_its_title(crm: Settings) -> None:
    async def scenario() -> None:
        async with open_workspace(crm) as workspace:
            session, other = await workspace.create(), await workspace.create()
            await asked(session, "How many customers have the reach planted3@mail.example?")
            await asked(other, "How many customers per city?")
        async with open_workspace(crm) as workspace:
            assert "planted3" in shown(workspace)
            assert (await workspace.decide_mask("crm.customer.reach", mask=True)).turns == 1
            assert "planted" not in shown(workspace)
            folder = crm.home / "sessions" / session.id / "data"
            assert list(folder.glob("*")) == []
            again = await workspace.open(session.id)
            assert "planted" not in said(again) + (await again.export()).decode()

    asyncio.run(scenario())


def test_what_is_masked_in_another_program_holds_from_the_next_question(crm: Settings) -> None:
    async def scenario() -> None:
        async with open_workspace(crm) as one, open_workspace(crm) as other:
            session = await one.create()
            await asked(session, "List the reach of customers")
            await other.decide_mask("crm.customer.reach", mask=True)
            assert "•••" in await listed(session)
            assert "planted" not in said(session)

    asyncio.run(scenario())
