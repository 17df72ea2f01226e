"""Events of proposals: the code for a step, and the findings of its review."""

from __future__ import annotations

from typing import Literal

from assistant.core.events.base import Event, Language, Value


class Query(Value):
    """A literal query that an approval covers. `source` None means the session's only (or first) source."""

    sql: str
    source: str | None = None


class FunctionSource(Value):
    """A tested function that a cell imports from `functions`. `code` is its file, byte for byte."""

    name: str
    sha256: str
    code: str


class PlannedCheck(Value):
    """What must hold of a step's result: a kind with its columns, never code. `text` says it in words.

    `result` is an earlier result and `of` its column, for the kinds that compare with one.
    """

    kind: Literal["not_empty", "one_row", "unique", "no_missing", "range", "same_rows", "same_total"]
    columns: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    result: str = ""
    of: str = ""
    text: str = ""


class Proposal(Event):
    """Code put forward for a step (counted from 1). `code` is the cell, byte for byte; `queries` what it may ask.

    `meaning` is the embedded analyst's reading behind the code, as JSON, if it wrote it. `asked` are the columns of its
    result that were asked for, where it shows further ones that explain the choice of rows. `functions` are those that
    the code imports, each after the ones that it needs.
    """

    kind: Literal["proposal"] = "proposal"
    id: str
    step: int
    revision: int
    language: Language
    title: str
    why: str = ""
    operations: tuple[str, ...] = ()
    code: str
    queries: tuple[Query, ...] = ()
    functions: tuple[FunctionSource, ...] = ()
    result: str = ""
    meaning: str = ""
    asked: tuple[str, ...] = ()
    checks: tuple[PlannedCheck, ...] = ()


class Finding(Value):
    """One thing a review saw. `ok` is a tick; `warning` keeps the policy from approving; `danger` means do not run.

    `missing` is a module that the code imports and the cage lacks.
    """

    level: Literal["ok", "note", "warning", "danger"]
    text: str
    line: int | None = None
    missing: str = ""


class Review(Event):
    """What the reviewer found in a proposal, or in the person's edit of it. `revise` sends it back."""

    kind: Literal["review"] = "review"
    proposal: str
    verdict: Literal["ok", "concerns", "revise"]
    findings: tuple[Finding, ...] = ()
    of_edit: bool = False
