"""The report of a run as a JSON file: saved during the run, and read to resume an earlier one."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from assistant.evaluation.score import CaseRecord, EvaluationReport, EvaluationRun, evaluation_report
from assistant.evaluation.suite import SuiteError

_EVERY_S = 2.0


class Keeper:
    """Keeps a run's records in a file, replaced whole each time; with no file it keeps nothing."""

    def __init__(self, path: Path | None, *, run: EvaluationRun) -> None:
        self._path = path
        self._run = run
        self._written = time.monotonic()

    def read(self) -> tuple[CaseRecord, ...]:
        """The records of an earlier run of the same suite in the same way.

        Raises:
            SuiteError: the file is no report, or one of another run.
        """
        if self._path is None or not self._path.exists():
            return ()
        try:
            report = EvaluationReport.model_validate_json(self._path.read_bytes())
        except OSError as error:
            raise SuiteError(f"{self._path} cannot be read ({error.strerror}). Name another --out.") from None
        except ValidationError:
            raise SuiteError(f"{self._path} is no report of an evaluation. Name another --out.") from None
        if report.run != self._run:
            theirs, ours = report.run.model_dump(), self._run.model_dump()
            differs = ", ".join(
                f"{name} {theirs[name]} is not {ours[name]}" for name in ours if theirs[name] != ours[name]
            )
            raise SuiteError(
                f"{self._path} is the report of another run ({differs}). Name another --out, or delete it."
            )
        return report.records

    def keep(self, records: Sequence[CaseRecord]) -> None:
        """Note what there is so far; written every two seconds at most."""
        if time.monotonic() - self._written >= _EVERY_S:
            self.write(records)

    def write(self, records: Sequence[CaseRecord]) -> None:
        """Write the report.

        Raises:
            SuiteError: the file cannot be written.
        """
        if self._path is None:
            return
        report = evaluation_report(self._run, records, at=datetime.now(UTC))
        draft = self._path.with_name(f"{self._path.name}.part")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            draft.write_text(report.model_dump_json(indent=1) + "\n", encoding="utf-8")
            os.replace(draft, self._path)
        except OSError as error:
            raise SuiteError(f"{self._path} cannot be written ({error.strerror}). Choose another place.") from None
        self._written = time.monotonic()
