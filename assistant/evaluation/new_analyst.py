"""Asks the new analyst (`assistant.analyst`), and runs what it reads behind guard and broker. For its developers."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.errors import DataError
from assistant.evaluation.asking import OPTIONS_MAX, Reply, Rows, Runner

if TYPE_CHECKING:
    from assistant.analyst.reading import Reader
    from assistant.data.sources import Source
    from assistant.data.values import Budget


class NewAsker:
    """Answers where the reader is sure; asks where its readings differ in their results; declines else."""

    def __init__(self, reader: Reader, runner: Runner) -> None:
        self._reader = reader
        self._runner = runner

    async def ask(self, question: str) -> Reply:
        """Ask a question that stands for itself."""
        from assistant.analyst.deciding import decide, likely
        from assistant.analyst.wording import sentence

        readings = likely(await asyncio.to_thread(self._reader.read, question))
        results = [await self._rows(reading.sql) for reading in readings]
        decision = decide(readings, results, self._reader.weights)
        if decision.kind == "decline":
            return Reply(status="declined", text="No reading is sure enough.", confidence=decision.confidence)
        if decision.kind == "answer":
            ((reading, rows),) = decision.options
            return Reply(
                status="answered",
                sql=reading.sql,
                rows=rows,
                text=sentence(reading.query),
                confidence=decision.confidence,
            )
        options = decision.options
        labels = " / ".join(sentence(reading.query) for reading, _ in options)
        return Reply(
            status="asked",
            text=f"Which do you mean? {labels}",
            offered=tuple(rows for _, rows in options[:OPTIONS_MAX]),
        )

    async def _rows(self, sql: str) -> Rows | None:
        try:
            return await self._runner.run(sql, self._reader.schema.source)
        except DataError:
            return None  # a reading that cannot be run is no right one


async def new_reader(source: Source, *, data: Path, budget: Budget) -> NewAsker:
    """An asker of the new analyst on an open source; results go through files in `data`."""
    from assistant.analyst.reading import Reader
    from assistant.data.broker import Broker

    await asyncio.to_thread(data.mkdir, parents=True, exist_ok=True)
    reader = await asyncio.to_thread(Reader, await source.catalog())
    return NewAsker(reader, Runner(Broker({source.name: source}, folder=data, budget=budget), data=data))
