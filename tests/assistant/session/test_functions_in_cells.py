"""Functions that a cell imports are part of what is approved: they run, run again and leave as they were approved."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import nbformat
from conversation import Stage, Told

from assistant.cells.functions import FindFunctions
from assistant.core.approval.gate import make_decision
from assistant.core.events import (
    Answer,
    Decision,
    DecisionRequested,
    Event,
    Execution,
    KernelRestarted,
    Proposal,
)
from assistant.functions.folder import FOLDER, keep_function
from assistant.functions.function import parse_function
from assistant.functions.library import FunctionLibrary
from assistant.output.notebook.builder import build
from assistant.session.session import Session

USING = 'from functions import with_vat\nprint(with_vat(100), "EUR")'
FIRST, SECOND = ("def with_vat(x):\n    return x * 119 // 100\n", "def with_vat(x):\n    return x * 107 // 100\n")


def _keep(home: Path, code: str) -> FindFunctions:
    keep_function(home / FOLDER, parse_function("with_vat", code, tests="def test_it(): ...\n"))
    return FunctionLibrary(lambda: (home,)).find_sources


async def _ask(session: Session) -> None:
    await session.ask("What is it with VAT?")
    await session.settled()


async def _approve(session: Session, code: str | None = None) -> None:
    request = next(e.event for e in reversed(session.events()) if isinstance(e.event, DecisionRequested))
    await session.decide(request.id, "edit" if code else "approve", code=code)
    await session.settled()


def _last(session: Session, kind: type[Event]) -> Event:
    return next(e.event for e in reversed(session.events()) if isinstance(e.event, kind))


def _printed(session: Session) -> str:
    execution = _last(session, Execution)
    assert isinstance(execution, Execution)
    return "".join(str(output.get("text", "")) for output in execution.outputs) or str(execution.failure)


def _stage(home: Path, *cells: str) -> Stage:
    return Stage(home, Told(cells=tuple(("python", cell) for cell in cells)), find_functions=_keep(home, FIRST))


def test_the_function_that_runs_is_the_one_that_was_approved(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with _stage(tmp_path, USING).session() as session:
            await _ask(session)
            _keep(tmp_path, SECOND)
            await _approve(session)
            assert _printed(session).startswith("119 ")
            proposal, decision = _last(session, Proposal), _last(session, Decision)
            assert isinstance(proposal, Proposal)
            assert isinstance(decision, Decision)
            assert [function.code for function in proposal.functions] == [FIRST]

    asyncio.run(scenario())


def test_a_function_that_was_exchanged_after_its_approval_does_not_run(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with _stage(tmp_path, USING).session() as session:
            await _ask(session)
            request, proposal = _last(session, DecisionRequested), _last(session, Proposal)
            assert isinstance(request, DecisionRequested)
            assert isinstance(proposal, Proposal)
            approved = make_decision([e.event for e in session.events()], request, "approve")
            (function,) = proposal.functions
            other = proposal.model_copy(update={"functions": (function.model_copy(update={"code": SECOND}),)})
            await session._log.append(other)
            await session._log.append(approved)
            await session.recover()
            await session.settled()
            assert not any(isinstance(e.event, Execution) for e in session.events())

    asyncio.run(scenario())


def test_an_edit_brings_the_functions_that_it_imports(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with _stage(tmp_path, "1 + 1").session() as session:
            await _ask(session)
            await _approve(session, USING)
            assert _printed(session).startswith("119 ")

    asyncio.run(scenario())


def test_a_new_kernel_gets_the_function_of_then(tmp_path: Path) -> None:
    async def scenario() -> None:
        stage = _stage(tmp_path, "from functions import with_vat\ny = with_vat", "print(y(100))")
        async with stage.session() as session:
            await _ask(session)
            await _approve(session)
            await _approve(session)
        _keep(tmp_path, SECOND)
        async with stage.session() as session:
            await _approve(session)
            assert isinstance(_last(session, KernelRestarted), KernelRestarted)
            assert _printed(session) == "119\n"

    asyncio.run(scenario())


def test_a_cell_that_put_another_in_its_place_changes_no_later_cell(tmp_path: Path) -> None:
    overwriting = (
        "from functions import with_vat\nimport sys\nsys.modules['functions'].with_vat = lambda x: 0\nexec = print"
    )

    async def scenario() -> None:
        async with _stage(tmp_path, overwriting, USING).session() as session:
            await _ask(session)
            for _ in range(3):
                await _approve(session)
            assert _printed(session).startswith("119 ")

    asyncio.run(scenario())


def test_a_function_that_cannot_be_defined_fails_its_cell_and_nothing_else(tmp_path: Path) -> None:
    async def scenario() -> None:
        stage = _stage(tmp_path, USING)
        stage.find_functions = _keep(tmp_path, "import no_such_module\ndef with_vat(x): ...\n")
        async with stage.session() as session:
            await _ask(session)
            await _approve(session)
            execution = _last(session, Execution)
            assert isinstance(execution, Execution)
            assert execution.failure is not None
            assert "no_such_module" in execution.failure.message

    asyncio.run(scenario())


def test_the_notebook_holds_the_function_and_runs_without_tandem(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with _stage(tmp_path, USING, USING).session() as session:
            await _ask(session)
            for _ in range(3):
                await _approve(session)
            assert isinstance(_last(session, Answer), Answer)
            notebook = build(session.events(), [])
        cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
        assert [cell.id.partition("-")[0] for cell in cells] == ["opening", "functions", "code", "code"]
        assert not any("pip install" in line and "functions" in line for line in cells[0].source.splitlines())
        nbformat.validate(notebook)
        script = tmp_path / "notebook.py"
        script.write_text("\n".join(cell.source for cell in cells[1:]))
        run = subprocess.run(
            [sys.executable, "-I", str(script)], capture_output=True, text=True, check=True, cwd=tmp_path
        )
        assert run.stdout.count("119 ") == 2

    asyncio.run(scenario())
