"""Events of executions: the result of a cell, the diagnosis of a failure, and changes of the kernel."""

from __future__ import annotations

from typing import Literal

from pydantic import JsonValue

from assistant.core.events.base import Event, Language, Value
from assistant.core.events.proposals import FunctionSource, Query


class Failure(Value):
    """Why a cell did not succeed. `line` is a line of the cell, from 1."""

    kind: Literal["raised", "refused", "timeout", "interrupted", "memory", "cpu", "killed", "crashed", "busy"]
    name: str
    message: str
    traceback: str = ""
    line: int | None = None


class Variable(Value):
    """A name in the kernel after a cell: known by its profile, never by its content."""

    name: str
    type: str
    shape: tuple[int, ...] | None = None
    columns: tuple[str, ...] = ()
    size_bytes: int | None = None


class QueryRun(Value):
    """One query that ran for a cell. `file` is its Arrow snapshot in the session's data folder."""

    sql: str
    source: str
    rows: int
    seconds: float
    columns: tuple[str, ...] = ()
    fingerprint: str = ""
    file: str = ""
    parameters: str = ""


class Check(Value):
    """An assertion on a step's result."""

    name: str
    ok: bool
    detail: str = ""


class ExecutionStarted(Event):
    """A cell is about to run: these bytes, with these functions and this grant, in this cage."""

    kind: Literal["execution_started"] = "execution_started"
    id: str
    step: int
    language: Language
    code: str
    queries: tuple[Query, ...] = ()
    functions: tuple[FunctionSource, ...] = ()
    cage: str = ""


class Execution(Event):
    """The result of a cell. `outputs` are nbformat v4 outputs; `queries` what the broker really ran.

    `functions` were defined for it.
    """

    kind: Literal["execution"] = "execution"
    id: str
    step: int
    language: Language
    code: str
    status: Literal["ok", "failed"]
    outputs: tuple[dict[str, JsonValue], ...] = ()
    failure: Failure | None = None
    seconds: float = 0.0
    peak_bytes: int | None = None
    variables: tuple[Variable, ...] = ()
    queries: tuple[QueryRun, ...] = ()
    functions: tuple[FunctionSource, ...] = ()
    checks: tuple[Check, ...] = ()


class StepSkipped(Event):
    """A step that turned out to need no code: nothing to draw, for example."""

    kind: Literal["step_skipped"] = "step_skipped"
    step: int
    language: Language
    reason: str


class Diagnosis(Event):
    """Why an execution failed, and the smallest fix. `repairable` False means: answer with what there is."""

    kind: Literal["diagnosis"] = "diagnosis"
    execution: str
    category: Literal["environment", "logic", "check", "data", "plan"]
    cause: str
    fix: str = ""
    repairable: bool = True


class KernelRestarted(Event):
    """The kernel is a new one. `rerun` cells were run again to rebuild its state; `lost` lists those that were not."""

    kind: Literal["kernel_restarted"] = "kernel_restarted"
    reason: str
    rerun: int = 0
    lost: tuple[str, ...] = ()
    drifted: tuple[str, ...] = ()
