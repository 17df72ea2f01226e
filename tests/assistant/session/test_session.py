"""A session end to end: real group chat, kernel, broker and log; what the person does, and what interrupts them."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from conversation import CELL, Stage, Told, kinds, last

from assistant.core.approval.gate import find_pending_request, hash_code
from assistant.core.events import (
    Answer,
    Decision,
    DecisionRequested,
    Execution,
    ExecutionStarted,
    Failed,
    Finding,
    KernelRestarted,
    Plan,
    PolicyChanged,
    Proposal,
    Review,
    Step,
    Stopped,
)
from assistant.errors import DataError, SessionError
from assistant.runtime.cages import MachineCages
from assistant.session.session import Session
from sandbox.errors import LevelUnavailable
from sandbox.levels import Level, LevelReport
from sandbox.limits import Limits

ALL = ("plan", "query", "python")


def waiting(session: Session) -> DecisionRequested:
    request = find_pending_request([entry.event for entry in session.events()])
    assert request is not None
    return request


def told(*cells: tuple[str, str | list[str]]) -> Told:
    return Told(cells=cells)  # pyright: ignore


async def asked(session: Session, text: str = "Revenue by region?", *, approve: tuple[str, ...] = ()) -> None:
    await session.ask(text, approve=approve)  # pyright: ignore
    await session.settled()


async def decided(session: Session, action: str, **more: object) -> bool:
    taken = await session.decide(waiting(session).id, action, **more)  # pyright: ignore
    await session.settled()
    return taken


def test_a_question_becomes_an_answer_only_through_decisions(tmp_path: Path) -> None:
    async def scenario() -> None:
        stage = Stage(tmp_path, told(("sql", CELL), ("python", "total = int(revenue['revenue'].sum())\ntotal")))
        async with stage.session() as session:
            await asked(session)
            assert session.state == "waiting"
            assert waiting(session).subject == "plan"
            await decided(session, "approve")
            assert waiting(session).ref == "1.1.1"
            assert not any(isinstance(e.event, ExecutionStarted) for e in session.events())
            await decided(session, "approve")
            assert waiting(session).ref == "1.2.1"
            await decided(session, "approve")
            assert session.state == "idle"
            execution = last(session, Execution)
            assert isinstance(execution, Execution)
            assert execution.outputs[0]["data"]["text/plain"] == "22"  # type: ignore[index, call-overload]
            answer = last(session, Answer)
            assert isinstance(answer, Answer)
            assert answer.status == "answered"
            assert session.transcript.current is not None
            assert session.transcript.current.outcome == "answered"
            assert session.transcript is session.transcript, "folded once per version"

    asyncio.run(scenario())


def test_what_runs_is_what_was_approved(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with Stage(tmp_path).session() as session:
            await asked(session)
            await decided(session, "approve")
            decision = last(session, Decision)
            started = last(session, ExecutionStarted)
            assert isinstance(decision, Decision)
            assert isinstance(started, ExecutionStarted)
            assert started.code == CELL
            assert hash_code(started.code) == decision.sha256
            execution = last(session, Execution)
            assert isinstance(execution, Execution)
            assert [run.sql for run in execution.queries] == [query.sql for query in started.queries]
            table = session.table(execution.id)
            assert table is not None
            assert table.rows == (("North", 15), ("South", 7))

    asyncio.run(scenario())


def test_a_log_that_was_tampered_with_does_not_run(tmp_path: Path) -> None:
    """The executor compares the bytes with the hash of the decision: a proposal changed afterwards is refused."""

    async def scenario() -> None:
        stage = Stage(tmp_path)
        async with stage.session() as session:
            await asked(session)
            request = waiting(session)
            log = session._log
            other = next(e.event for e in session.events() if isinstance(e.event, Proposal))
            await log.append(other.model_copy(update={"code": "import os; os.listdir('/')"}))
            approved = Decision(
                turn=1,
                request=request.id,
                subject="code",
                ref=request.ref,
                action="approve",
                by="person",
                sha256=hash_code(other.code),
            )
            assert await session._runs.start(lambda _log: [approved])
            await session.settled()
            assert isinstance(last(session, Failed), Failed)
            assert "not the code that was approved" in last(session, Failed).message  # type: ignore[attr-defined]
            assert "execution_started" not in kinds(session)

    asyncio.run(scenario())


def test_an_edit_is_reviewed_and_then_runs_as_edited(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with Stage(tmp_path).session() as session:
            await asked(session)
            edited = CELL.replace("ORDER BY region", "ORDER BY revenue").replace("\n", "\r\n")
            assert await decided(session, "edit", code=edited)
            assert kinds(session)[-5:] == ["decision", "review", "execution_started", "execution", "answer"]
            review = last(session, Review)
            assert isinstance(review, Review)
            assert review.of_edit
            table = session.table("1.1.1")
            assert table is not None
            assert table.rows == (("South", 7), ("North", 15))

    asyncio.run(scenario())


def test_an_edit_the_review_refuses_comes_back_and_is_not_lost(tmp_path: Path) -> None:
    async def check(code: str, _language: str, _log: object) -> tuple[Finding, ...]:
        bad = "DROP" in code
        return (Finding(level="danger", text="DROP is not a read."),) if bad else (Finding(level="ok", text="fine"),)

    async def scenario() -> None:
        async with Stage(tmp_path).session(check=check) as session:
            await asked(session)
            await decided(session, "edit", code=CELL + "\n# DROP")
            assert waiting(session).code == CELL + "\n# DROP"
            assert "DROP is not a read." in waiting(session).reason
            assert "execution_started" not in kinds(session)
            await decided(session, "edit", code=CELL)
            assert isinstance(last(session, Answer), Answer)

    asyncio.run(scenario())


def test_a_rejection_brings_another_version(tmp_path: Path) -> None:
    async def scenario() -> None:
        other = CELL.replace("ORDER BY region", "ORDER BY region DESC")
        async with Stage(tmp_path, told(("sql", [CELL, other]))).session() as session:
            await asked(session)
            await decided(session, "reject", reason="the other way round")
            assert waiting(session).ref == "1.1.2"
            assert "execution_started" not in kinds(session)
            await decided(session, "approve")
            assert session.table("1.1.2").rows[0] == ("South", 7)  # type: ignore[union-attr]

    asyncio.run(scenario())


def test_the_first_decision_counts(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with Stage(tmp_path).session() as session:
            await asked(session)
            request = waiting(session).id
            taken = await asyncio.gather(*(session.decide(request, "approve") for _ in range(5)))
            await session.settled()
            assert sorted(taken) == [False, False, False, False, True]
            assert kinds(session).count("execution") == 1
            assert not await session.decide(request, "reject", reason="late")

    asyncio.run(scenario())


def test_a_plan_can_be_edited_down(tmp_path: Path) -> None:
    async def scenario() -> None:
        stage = Stage(tmp_path, told(("sql", CELL), ("python", "1 + 1")))
        async with stage.session() as session:
            await asked(session)
            with pytest.raises(SessionError, match="no steps"):
                await session.decide(waiting(session).id, "edit", steps=[])
            await decided(session, "edit", steps=[Step(title="Only the table", language="sql")])
            await decided(session, "approve")
            assert kinds(session).count("execution") == 1
            assert isinstance(last(session, Answer), Answer)

    asyncio.run(scenario())


def test_failing_code_is_diagnosed_and_said(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with Stage(tmp_path, told(("python", "1 / 0"))).session() as session:
            await asked(session, approve=ALL)
            execution = last(session, Execution)
            assert isinstance(execution, Execution)
            assert execution.failure is not None
            assert execution.failure.name == "ZeroDivisionError"
            assert last(session, Answer).status == "failed"  # type: ignore[attr-defined]
            await asked(session, "Again?", approve=ALL)
            assert kinds(session).count("answer") == 2

    asyncio.run(scenario())


def test_a_failed_edit_gives_another_chance(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with Stage(tmp_path).session() as session:
            await asked(session)
            await decided(session, "edit", code="revenue = query('SELECT nope FROM sales')\nrevenue")
            assert last(session, Execution).status == "failed"  # type: ignore[attr-defined]
            assert waiting(session).ref == "1.1.2"
            await decided(session, "approve")
            assert last(session, Answer).status == "answered"  # type: ignore[attr-defined]

    asyncio.run(scenario())


@pytest.mark.parametrize("cell", ["while True: pass", "import time\ntime.sleep(3.5)"])
def test_python_over_its_time_is_stopped_and_the_session_goes_on(tmp_path: Path, cell: str) -> None:
    async def scenario() -> None:
        stage = Stage(tmp_path, told(("python", cell)), cell_seconds_max=1.0)
        async with stage.session() as session:
            await asked(session, approve=ALL)
            assert last(session, Execution).failure.kind == "timeout"  # type: ignore[attr-defined]
            stage.told.cells = (("sql", CELL),)
            await asked(session, approve=ALL)
            assert last(session, Answer).status == "answered"  # type: ignore[attr-defined]

    asyncio.run(scenario())


def test_a_kernel_that_dies_is_rebuilt_from_the_log(tmp_path: Path) -> None:
    async def scenario() -> None:
        stage = Stage(tmp_path, told(("sql", CELL)))
        async with stage.session() as session:
            await asked(session, approve=ALL)
            stage.told.cells = (("python", "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)"),)
            await asked(session, approve=ALL)
            assert last(session, Execution).status == "failed"  # type: ignore[attr-defined]
            stage.told.cells = (("python", "int(revenue['revenue'].max())"),)
            await asked(session, approve=ALL)
            assert last(session, Execution).outputs[0]["data"]["text/plain"] == "15"  # type: ignore[attr-defined]
            rebuilt = last(session, KernelRestarted)
            assert isinstance(rebuilt, KernelRestarted)
            assert rebuilt.rerun == 1
            assert rebuilt.lost == ("2.1.1",)

    asyncio.run(scenario())


def test_another_program_rebuilds_the_state_from_snapshots_not_from_the_database(tmp_path: Path) -> None:
    async def scenario() -> None:
        stage = Stage(tmp_path)
        async with stage.session() as session:
            await asked(session, approve=ALL)
        stage.shop.unlink()
        stage.shop  # noqa: B018 - made anew, then emptied: the rebuilt frame must hold what was first read
        import sqlite3

        connection = sqlite3.connect(stage.shop)
        connection.execute("DELETE FROM sales")
        connection.commit()
        connection.close()
        stage.told.cells = (("python", "int(revenue['revenue'].sum())"),)
        async with stage.session() as session:
            await asked(session, approve=ALL)
            assert last(session, Execution).outputs[0]["data"]["text/plain"] == "22"  # type: ignore[attr-defined]

    asyncio.run(scenario())


async def _printed(session: Session, text: str) -> None:
    """Wait until the cell that runs has printed this."""
    async with asyncio.timeout(150):
        while session.partial.get("executor") != text:
            await asyncio.sleep(0.02)


def test_stop_interrupts_the_cell_and_the_next_question_works(tmp_path: Path) -> None:
    async def scenario() -> None:
        stage = Stage(tmp_path, told(("python", "1")))
        async with stage.session() as session:
            await asked(session, "So that a kernel is there", approve=ALL)
            stage.told.cells = (("python", "import time\nbefore = 1\nprint('begun', flush=True)\ntime.sleep(600)"),)
            await session.ask("Sleep", approve=ALL)  # pyright: ignore
            await _printed(session, "begun\n")
            assert await session.stop()
            assert session.state == "idle"
            assert kinds(session)[-2:] == ["execution", "stopped"]
            stage.told.cells = (("python", "before + 1"),)
            await asked(session, approve=ALL)
            assert last(session, Answer).status == "answered"  # type: ignore[attr-defined]

    asyncio.run(scenario())


def test_a_stop_that_comes_as_the_run_comes_to_a_question_stops_the_turn(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with Stage(tmp_path).session() as session:
            await asked(session, approve=("plan",))
            request = waiting(session)
            assert await session.stop_turn()
            assert (session.state, kinds(session)[-1]) == ("idle", "stopped")
            assert not await session.decide(request.id, "approve")
            assert not await session.stop_turn(), "it is stopped"
            assert await session.resume()
            await session.settled()
            assert waiting(session) == request, "the person is asked the same once more"
            assert await decided(session, "approve")
            assert last(session, Answer).status == "answered"  # type: ignore[attr-defined]
            assert not await session.stop_turn(), "it is answered"
            assert kinds(session)[-1] == "answer"

    asyncio.run(scenario())


def test_a_stop_stops_what_the_person_has_just_said_before_its_run_begins(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with Stage(tmp_path).session() as session:
            await asked(session, approve=("plan",))
            deciding = asyncio.create_task(session.decide(waiting(session).id, "approve"))
            await asyncio.sleep(0)  # it has begun, and its run has not
            assert session.state == "waiting"
            assert await session.stop_turn()
            assert await deciding
            assert (session.state, kinds(session)[-1]) == ("idle", "stopped")
            assert "answer" not in kinds(session)

    asyncio.run(scenario())


def test_a_stop_after_the_last_word_of_a_turn_leaves_its_answer(tmp_path: Path) -> None:
    async def scenario() -> None:
        stopping: list[asyncio.Task[bool]] = []
        async with Stage(tmp_path).session() as session:

            def stop_at_the_answer() -> None:
                if kinds(session)[-1] == "answer" and not stopping:
                    stopping.append(asyncio.ensure_future(session.stop()))

            session.subscribe(stop_at_the_answer)
            await asked(session, approve=ALL)
            assert await stopping[0], "the group chat was still winding down"
            assert kinds(session)[-1] == "answer"

    asyncio.run(scenario())


def test_what_a_cell_prints_is_shown_while_it_runs_and_kept_by_its_execution_alone(tmp_path: Path) -> None:
    slow = "import time\nprint('first', flush=True)\ntime.sleep(600)"

    async def scenario() -> None:
        async with Stage(tmp_path, told(("python", slow))).session() as session:
            await session.ask("Sleep", approve=ALL)  # pyright: ignore
            await _printed(session, "first\n")
            await session.stop()
            assert "executor" not in session.partial

    asyncio.run(scenario())


def test_a_stopped_turn_can_be_resumed(tmp_path: Path) -> None:
    async def scenario() -> None:
        stage = Stage(tmp_path)
        gate = asyncio.Event()

        async def slow(_code: str, _language: str, _log: object) -> tuple[Finding, ...]:
            await gate.wait()
            return (Finding(level="ok", text="fine"),)

        async with stage.session(check=slow) as session:
            await session.ask("Revenue?", approve=ALL)  # pyright: ignore
            while "proposal" not in kinds(session):
                await asyncio.sleep(0.02)
            await session.stop()
            assert isinstance(last(session, Stopped), Stopped)
            gate.set()
            assert await session.resume()
            await session.settled()
            assert kinds(session).count("proposal") == 1
            assert last(session, Answer).status == "answered"  # type: ignore[attr-defined]

    asyncio.run(scenario())


def test_what_is_allowed_already_is_not_said_again(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with Stage(tmp_path).session() as session:
            for approve in (("plan", "query"), ("query", "plan"), ()):
                await session.allow(approve)  # pyright: ignore
            said = [entry.event.approve for entry in session.events() if isinstance(entry.event, PolicyChanged)]
            assert said == [("plan", "query"), ()]

    asyncio.run(scenario())


def test_one_question_at_a_time(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with Stage(tmp_path, told(("python", "import time; time.sleep(600)"))).session() as session:
            await session.ask("first", approve=ALL)  # pyright: ignore
            with pytest.raises(SessionError, match="still at work"):
                await session.ask("second")
            assert await session.stop()

    asyncio.run(scenario())


def test_a_fault_in_a_role_ends_the_turn_in_words_and_loses_nothing(tmp_path: Path) -> None:
    def broken(_log: object) -> Plan:
        raise ZeroDivisionError("a bug")

    async def scenario() -> None:
        stage = Stage(tmp_path, Told(plan_with=broken))  # pyright: ignore
        async with stage.session() as session:
            await asked(session)
            assert "inside Tandem" in last(session, Failed).message  # type: ignore[attr-defined]
            stage.told.plan_with = None
            await asked(session, approve=ALL)
            assert last(session, Answer).status == "answered"  # type: ignore[attr-defined]

    asyncio.run(scenario())


def test_a_source_that_cannot_be_read_changes_nothing(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with Stage(tmp_path).session() as session:
            before = kinds(session)
            with pytest.raises(DataError, match="nowhere"):
                await session.sources.add(str(tmp_path / "nowhere.csv"))
            with pytest.raises(DataError):
                await session.sources.add_files([("broken.xlsx", b"\x00\x01 not a workbook")])
            with pytest.raises(DataError, match="already has a source named 'shop'"):
                await session.sources.add(f"shop={tmp_path / 'shop.sqlite'}")
            assert kinds(session) == before
            (added,) = await session.sources.add_files([("../../new customers.csv", b"name,n\na,1\nb,2\n")])
            assert added.tables[0].rows == 2
            assert not (tmp_path / "new customers.csv").exists()

    asyncio.run(scenario())


KILLED = """
import asyncio, sys
from collections.abc import Sequence
from pathlib import Path
sys.path.insert(0, {support!r})
from conversation import Stage, Told

async def main():
    stage = Stage(Path({home!r}), Told(cells={cells!r}))
    async with stage.session() as session:
        await session.ask("Revenue?", approve={approve!r})
        while {until!r} not in [e.event.kind for e in session.events()]:
            await asyncio.sleep(0.01)
        print("there", flush=True)
        await asyncio.sleep(60)

asyncio.run(main())
"""


def killed_at(home: Path, until: str, *, cells: object, approve: tuple[str, ...]) -> None:
    """Run a session in a program of its own, and kill -9 it once an event of that kind is in the log."""
    support = str(Path(__file__).parents[2] / "support")
    script = KILLED.format(support=support, home=str(home), cells=cells, approve=approve, until=until)
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "there\n"
        os.kill(program.pid, signal.SIGKILL)


def test_a_pending_decision_survives_kill_9_and_then_runs(tmp_path: Path) -> None:
    cells = (("sql", CELL),)
    killed_at(tmp_path, "decision_requested", cells=cells, approve=())

    async def scenario() -> None:
        async with Stage(tmp_path).session() as session:
            assert session.state == "waiting"
            await decided(session, "approve")
            assert last(session, Answer).status == "answered"  # type: ignore[attr-defined]

    asyncio.run(scenario())


def test_a_cell_that_kill_9_cut_short_is_said_and_the_session_goes_on(tmp_path: Path) -> None:
    cells = (("python", "import time\ntime.sleep(60)"),)
    killed_at(tmp_path, "execution_started", cells=cells, approve=ALL)

    async def scenario() -> None:
        async with Stage(tmp_path).session() as session:
            assert session.state == "idle"
            execution = last(session, Execution)
            assert isinstance(execution, Execution)
            assert execution.failure is not None
            assert execution.failure.kind == "interrupted"
            assert last(session, Stopped).by == "restart"  # type: ignore[attr-defined]
            await asked(session, approve=ALL)
            assert last(session, Answer).status == "answered"  # type: ignore[attr-defined]

    asyncio.run(scenario())


def only_process_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    async def tried(levels: Sequence[Level]) -> tuple[LevelReport, ...]:
        return tuple(LevelReport(level=level, holds=level == "process", why_not="tested away") for level in levels)

    monkeypatch.setattr("sandbox.levels.probe", tried)
    monkeypatch.setattr("sandbox.levels._reports", {})


def test_without_a_cage_nothing_runs_before_the_person_agreed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where only level `process` is left, the policy approves nothing; one decision by the person is the consent."""

    only_process_holds(monkeypatch)

    async def scenario() -> None:
        stage = Stage(tmp_path, told(("sql", CELL), ("python", "int(revenue['revenue'].sum())")))
        async with stage.session() as session:
            await asked(session, approve=ALL)
            assert "without a cage" in waiting(session).reason
            assert "execution_started" not in kinds(session)
            await decided(session, "approve")
            assert "uncaged_accepted" in kinds(session)
            assert last(session, ExecutionStarted).cage == "process"  # type: ignore[attr-defined]
            # Having agreed to queries, the Python of the next step is still asked about, whatever the policy may do.
            assert waiting(session).ref == "1.2.1"
            await decided(session, "approve")
            assert last(session, Answer).status == "answered"  # type: ignore[attr-defined]

    asyncio.run(scenario())


def test_a_cage_that_is_insisted_on_and_does_not_hold_runs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only_process_holds(monkeypatch)

    async def scenario() -> None:
        async with MachineCages(limits=Limits(), level="zygote", uncaged=True, ready=0) as cages:
            with pytest.raises(LevelUnavailable):
                await cages.pool(uncaged=True)

    asyncio.run(scenario())


def test_what_waits_is_sent_back_though_the_data_cannot_be_read(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with Stage(tmp_path).session() as session:

            async def analyst() -> object:
                raise DataError("The database cannot be reached.")

            session.analyst = analyst  # type: ignore[method-assign]
            assert not await session.is_new_question("how many customers are there?")

    asyncio.run(scenario())
