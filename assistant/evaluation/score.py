"""The score of a suite: numbers of right, wrong, asked, declined and failed. Pure; the JSON form is a contract.

Each question is judged once: `right` where the answer equals a gold result, `asked` where a clarification was asked.
Beside that, `wide` counts the wrong answers that hold the gold's columns and rows and further columns, and `offered`
the clarifications with a right option among their first three. Where no answer exists, to decline is right.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from assistant.evaluation.asking import Status


class Frozen(BaseModel):
    """Base of the report's values."""

    model_config = ConfigDict(frozen=True)


class CaseRecord(Frozen):
    """The outcome of one question."""

    id: str
    source: str
    question: str
    status: Status
    sql: str = Field(description="The query whose table is the answer; empty if there is none.")
    right: bool | None = Field(description="Whether it was answered right; null where no gold query could be run.")
    wide: bool = Field(default=False, description="A wrong answer that holds the right one, and further columns.")
    offered: bool = Field(default=False, description="A right reading was among the first three that were offered.")
    first: bool = Field(default=False, description="The first reading that was offered is right.")
    confidence: float | None = Field(default=None, description="Null; reports of earlier versions hold it.")
    seconds: float = Field(description="From the question to its result.")
    text: str = Field(description="The answer's words, the question back, or why there is no answer.")


class Score(Frozen):
    """How many questions came out how. `unjudged` were answered, but no gold query could be run."""

    questions: int
    right: int
    wrong: int
    asked: int
    declined: int
    failed: int
    unjudged: int
    wide: int
    offered: int
    first: int


class EvaluationRun(Frozen):
    """What tells one run of a suite from another: records of different runs are never mixed."""

    suite: str
    digest: str
    model: str
    through: Literal["session"] = "session"
    as_of: date


class EvaluationReport(Frozen):
    """A suite's figures, and each question's record. Fields are added, never renamed."""

    run: EvaluationRun
    made: datetime
    score: Score
    sources: dict[str, Score]
    records: tuple[CaseRecord, ...]


def score(records: Sequence[CaseRecord]) -> Score:
    """Count records."""
    answered = [record for record in records if record.status == "answered"]
    return Score(
        questions=len(records),
        right=sum(record.right is True for record in records),
        wrong=sum(record.right is False for record in answered),
        unjudged=sum(record.right is None for record in answered),
        asked=sum(record.status == "asked" for record in records),
        declined=sum(record.status == "declined" and not record.right for record in records),
        failed=sum(record.status == "failed" for record in records),
        wide=sum(record.wide for record in records),
        offered=sum(record.offered for record in records),
        first=sum(record.first for record in records),
    )


def evaluation_report(run: EvaluationRun, records: Sequence[CaseRecord], *, at: datetime) -> EvaluationReport:
    """Put a run's records and their figures together."""
    names = dict.fromkeys(record.source for record in records)
    sources = {name: score([record for record in records if record.source == name]) for name in names}
    return EvaluationReport(run=run, made=at, score=score(records), sources=sources, records=tuple(records))


_COLUMNS = ("right", "wrong", "asked", "declined", "failed", "unjudged")


def format_table(report: EvaluationReport) -> str:
    """The figures as a table for people: a line per source, then all of them, then what they hide."""
    width = max(12, *(len(name) for name in report.sources)) if report.sources else 12
    head = f"{'':<{width}} {'questions':>9}" + "".join(f" {name:>9}" for name in _COLUMNS)
    lines = [head]
    if len(report.sources) > 1:
        lines += [_line(name, counts, width) for name, counts in sorted(report.sources.items())]
    total = report.score
    lines.append(_line("all", total, width))
    if total.questions:
        shares = "".join(f" {getattr(total, name) / total.questions:>9.1%}" for name in _COLUMNS)
        lines.append(f"{'':<{width}} {'':>9}{shares}")
        lines.append(
            f"Right, or a right reading offered: {_share(total.right + total.offered, total.questions)}. "
            f"Right with the first reading always taken: {_share(total.right + total.first, total.questions)}."
        )
    if total.wide:
        lines.append(f"Of the wrong, {total.wide} hold the right columns and rows, and further columns.")
    if total.unjudged:
        lines.append(f"{total.unjudged} could not be judged: none of their gold queries runs here.")
    return "\n".join(lines)


def _line(name: str, counts: Score, width: int) -> str:
    figures = (counts.right, counts.wrong, counts.asked, counts.declined, counts.failed, counts.unjudged)
    return f"{name:<{width}} {counts.questions:>9}" + "".join(f" {figure:>9}" for figure in figures)


def _share(count: int, of: int) -> str:
    return f"{count / of:.1%}"
