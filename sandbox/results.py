"""The result of an execution: outputs, failure, duration, variables. Values only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, assert_never

JSON: TypeAlias = "bool | int | float | str | Sequence[JSON] | Mapping[str, JSON] | None"

ERROR_MIME = "application/vnd.jupyter.error"
TEXT_MIME = "text/plain"


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """One piece of output.

    Attributes:
        kind: What sort of piece it is.
        data: The same content under one or more MIME types. Binary content is base64 text, JSON types hold JSON. A
            stream has its text under text/plain; an error has name, message and traceback under `ERROR_MIME`.
        metadata: As Jupyter defines it, by MIME type.
        stream: Which stream wrote it; None for other kinds.
        count: The prompt number of a result.
        display_id: Given when a later piece may replace this one.
    """

    kind: Literal["stream", "display", "result", "error"]
    data: Mapping[str, JSON]
    metadata: Mapping[str, JSON] = field(default_factory=dict)
    stream: Literal["stdout", "stderr"] | None = None
    count: int | None = None
    display_id: str | None = None

    @property
    def text(self) -> str:
        """The plain-text form, empty where there is none."""
        value = self.data.get(TEXT_MIME, "")
        return value if isinstance(value, str) else ""

    def to_nbformat(self) -> dict[str, Any]:
        """This piece as an output of nbformat 4."""
        match self.kind:
            case "stream":
                return {"output_type": "stream", "name": self.stream or "stdout", "text": self.text}
            case "display":
                return {"output_type": "display_data", "data": dict(self.data), "metadata": dict(self.metadata)}
            case "result":
                return {
                    "output_type": "execute_result",
                    "data": dict(self.data),
                    "metadata": dict(self.metadata),
                    "execution_count": self.count,
                }
            case "error":
                error = self.data[ERROR_MIME]
                assert isinstance(error, Mapping)
                traceback = error["traceback"]
                assert isinstance(traceback, Sequence)
                return {
                    "output_type": "error",
                    "ename": str(error["name"]),
                    "evalue": str(error["message"]),
                    "traceback": [str(line) for line in traceback],
                }
        assert_never(self.kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Why a cell did not succeed.

    Attributes:
        kind: raised: an exception left the cell. timeout, interrupted: it was stopped. memory, cpu, killed, crashed:
            a limit or its own doing ended it ("memory" also when Python itself reported that memory ran out).
        name: The exception's class, or a short name of the event.
        message: One sentence for a person.
        traceback: As IPython prints it, without terminal colours; empty where there is none.
        line: The line of the user's cell at fault, counted from 1.
    """

    kind: Literal["raised", "timeout", "interrupted", "memory", "cpu", "killed", "crashed"]
    name: str
    message: str
    traceback: str = ""
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable:
    """A variable that a cell made or changed; never its content.

    Attributes:
        type: The class's name, with its package where it has one ("pandas.DataFrame").
        shape: Lengths by dimension, where the type is known to have some.
        columns: Column names of a table, 200 at most.
        size_bytes: Memory, shallow: what the object itself holds.
    """

    name: str
    type: str
    shape: tuple[int, ...] | None = None
    columns: tuple[str, ...] | None = None
    size_bytes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Execution:
    """The result of one cell.

    All of it was said by untrusted code: outputs to be shown, never facts to act upon.

    Attributes:
        status: ok only if the kernel reported success in time and nobody asked it to stop.
        outputs: In order; consecutive writes to one stream are one piece.
        failure: Why not ok; None if and only if status is "ok".
        seconds: From sending the cell to its end.
        peak_bytes: The highest memory of the kernel's process seen, where the system says so.
        variables: New and changed variables of the user's namespace.
        gone: Names that existed before and do not any more.
        state_lost: The kernel had to be replaced: no variable of earlier cells exists any more.
    """

    status: Literal["ok", "failed", "timeout", "interrupted", "died"]
    outputs: tuple[Output, ...] = ()
    failure: Failure | None = None
    seconds: float = 0.0
    peak_bytes: int | None = None
    variables: tuple[Variable, ...] = ()
    gone: tuple[str, ...] = ()
    state_lost: bool = False

    @property
    def ok(self) -> bool:
        """Whether the cell succeeded."""
        return self.status == "ok"

    def to_nbformat(self) -> list[dict[str, Any]]:
        """All outputs in the shape of nbformat 4."""
        return [output.to_nbformat() for output in self.outputs]
