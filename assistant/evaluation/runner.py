"""Runs a suite: each question on its source, in one process or several, in a temporary folder.

Questions that the report of an earlier run of the same suite with the same options answers are not asked again. A
source that cannot be opened, or a question that fails, is a record like any other; only errors that make the whole run
pointless are raised.
"""

from __future__ import annotations

import asyncio
import hashlib
import shutil
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.bootstrap import open_workspace, rights_of
from assistant.core.values import Budget
from assistant.errors import AssistantError
from assistant.evaluation.asking import ROWS_MAX, CaseReply, SessionAsker
from assistant.evaluation.judging import Judge
from assistant.evaluation.report_file import Keeper
from assistant.evaluation.score import CaseRecord, EvaluationReport, EvaluationRun, evaluation_report
from assistant.evaluation.suite import Case, Suite, definitions_folder, read_suite
from assistant.evaluation.workers import answer_in_processes
from assistant.session.knowledge.knowledge_bases import knowledge_beside
from assistant.settings.level_store import DisclosureLevelStore
from assistant.sources.addresses import SourceAddress, parse_addresses
from assistant.sources.opening import open_source

if TYPE_CHECKING:
    from assistant.session.workspace import Workspace
    from assistant.settings.config import Settings

Done = Callable[[CaseRecord], None]


async def evaluate(
    path: Path,
    *,
    settings: Settings,
    folder: Path,
    jobs: int = 1,
    limit: int | None = None,
    out: Path | None = None,
    progress: Callable[[Sequence[CaseRecord], int], None] = lambda _records, _total: None,
) -> EvaluationReport:
    """Ask a suite's questions and report what came of them.

    Args:
        path: the suite.
        settings: the settings; `home`, `store` and `sources` do not count.
        folder: where sessions and results lie while it runs. Throw it away when the event loop has ended: after a
            stop, threads may still be writing there until then.
        jobs: how many processes share the questions.
        limit: only the first so many questions.
        out: the JSON report. What it already holds is kept and not asked again.
        progress: called with the records so far and how many there will be.

    Raises:
        AssistantError: the suite cannot be read, `out` holds something else, or nothing can be run as configured.
    """
    suite = await asyncio.to_thread(read_suite, path)
    cases = suite.cases[:limit]
    names = dict.fromkeys(settings.model_of(role) or "embedded" for role in ("planner", "coder", "reviewer"))
    run = EvaluationRun(suite=path.name, digest=suite.digest, model=", ".join(names), as_of=settings.today)
    keeper = Keeper(out, run=run)
    records_by_id = {record.id: record for record in await asyncio.to_thread(keeper.read)}
    records = {case.id: records_by_id[case.id] for case in cases if case.id in records_by_id}

    def done(record: CaseRecord) -> None:
        records_by_id[record.id] = records[record.id] = record
        keeper.keep(tuple(records_by_id.values()))
        progress(tuple(records.values()), len(cases))

    remaining = [case for case in cases if case.id not in records]
    progress(tuple(records.values()), len(cases))
    try:
        if jobs > 1 and len(remaining) > 1:
            await answer_in_processes(suite, remaining, settings=settings, jobs=jobs, done=done)
        else:
            await answer(suite, remaining, settings=settings, folder=folder, done=done)
    finally:
        keeper.write(tuple(records_by_id.values()))
    in_order = [records[case.id] for case in cases if case.id in records]
    return evaluation_report(run, in_order, at=datetime.now(UTC))


async def answer(suite: Suite, cases: Sequence[Case], *, settings: Settings, folder: Path, done: Done) -> None:
    """Ask cases in this process, those of one source together. `folder` is as for `evaluate`.

    Raises:
        AssistantError: nothing can be run as configured.
    """
    by_source = groupby(sorted(cases, key=lambda case: case.source), key=lambda case: case.source)
    run = _SuiteRun(suite, folder, settings=settings)
    async with AsyncExitStack() as stack:
        workspace: Workspace | None = None
        for source, of_source in by_source:
            cases_of_source = tuple(of_source)
            if not suite.definitions(source):
                # What no definitions speak of shares one workspace, and with it the kernels that wait ready.
                if workspace is None:
                    workspace = await stack.enter_async_context(run.workspace(None))
                await run.answer(source, cases_of_source, workspace=workspace, done=done)
            else:
                await run.answer(source, cases_of_source, workspace=None, done=done)


class _SuiteRun:
    """What the sources of one run share."""

    def __init__(self, suite: Suite, folder: Path, *, settings: Settings) -> None:
        self._suite = suite
        self._folder = folder
        self._settings = settings
        self._budget = Budget(
            rows_max=ROWS_MAX, limit_bytes=settings.megabytes_max * 1024**2, timeout_s=settings.query_seconds_max
        )

    async def answer(self, source: str, cases: Sequence[Case], *, workspace: Workspace | None, done: Done) -> None:
        """Ask the cases of one source and judge the replies."""
        address = self._suite.address(source)
        async with AsyncExitStack() as stack:
            try:
                where = (await asyncio.to_thread(parse_addresses, address, rights_of(self._settings, "person")))[0]
                opened = await open_source(where, folder=self._folder / "loaded")
                stack.push_async_callback(opened.close)
                knowledge = await asyncio.to_thread(self._knowledge, source, where)
                if workspace is None:
                    workspace = await stack.enter_async_context(self.workspace(knowledge))
                asker = SessionAsker(workspace, address)
            except AssistantError as error:
                for case in cases:
                    done(_failed(case, str(error)))
                return
            judge = Judge(opened, budget=self._budget)
            for case in cases:
                started = time.monotonic()
                try:
                    reply = await asker.ask(case.question)
                except AssistantError as error:
                    reply = CaseReply(status="failed", text=str(error))
                done(await judge.judge(case, reply, seconds=time.monotonic() - started))

    @asynccontextmanager
    async def workspace(self, knowledge: Path | None) -> AsyncGenerator[Workspace]:
        """A workspace of its own, with the settings as they are but for where things are kept."""
        home = self._folder / f"home-{time.monotonic_ns()}"
        over = {"home": home, "store": "", "sources": ()} | ({} if knowledge is None else {"knowledge": knowledge})
        levels = DisclosureLevelStore(self._settings.home).kept
        if levels:  # what models may see was chosen for the person's own home
            home.mkdir(parents=True)
            for endpoint, level in levels.items():
                DisclosureLevelStore(home).keep([endpoint], level)
        async with open_workspace(self._settings.model_copy(update=over)) as workspace:
            workspace.warm()
            yield workspace

    def _knowledge(self, source: str, address: SourceAddress) -> Path | None:
        """The knowledge folder of a source: what is there already, and the suite's definitions beside it."""
        own = self._settings.knowledge or knowledge_beside(address.files)
        definitions = self._suite.definitions(source)
        if not definitions:
            return own
        folder = self._folder / "knowledge" / hashlib.sha256(source.encode()).hexdigest()[:16]
        if own is not None:
            shutil.copytree(own, folder, dirs_exist_ok=True)
        return definitions_folder(definitions, folder)


def _failed(case: Case, text: str) -> CaseRecord:
    return CaseRecord(
        id=case.id,
        source=case.source,
        question=case.question,
        status="failed",
        sql="",
        right=False,
        seconds=0.0,
        text=text,
    )
