"""What was decided about data where another reading was plausible, or what changed the set of rows: as values.

A doubt is made where the decision is made (a file, a catalog, a question) and travels unchanged to page, prompts,
JSON, Python and notebooks. Nothing is drawn here, and nothing decided.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

DoubtKind = Literal[
    "encoding",
    "layout",
    "header",
    "rows_left_out",
    "total_rows",
    "members",
    "missing_values",
    "sentinels",
    "day_order",
    "number_format",
    "column_type",
    "equal_names",
    "declared_key",
    "inferred_key",
    "repeated_values",
    "time_zone",
    "not_read",
]
"""The kinds of decisions; `docs/reference/files.md` says how each is made. `not_read`: part of a source is left out."""


class Correction(BaseModel):
    """How a person chooses the other reading of a file: one setting of its sidecar (`sources.reading.sidecar`)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    setting: str
    value: str | int | bool | tuple[str, ...] | dict[str, str]


class Doubt(BaseModel):
    """One decision that may be wrong.

    Attributes:
        kind: What was decided.
        table: The table, as SQL calls it; empty where it concerns the whole source.
        columns: The columns concerned; empty where it concerns all.
        chosen: What was done, as a sentence of its own.
        rival: What else it might be, as a sentence of its own; empty where there is only what was done to say.
        rows: How many rows it changes, leaves out or adds; None where that is not known.
        share: `rows` as a share of the table's rows, 0 to 1; None where that is not known.
        correction: What chooses the rival; None where nobody can choose it yet.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: DoubtKind
    table: str = ""
    columns: tuple[str, ...] = ()
    chosen: str
    rival: str = ""
    rows: int | None = None
    share: float | None = None
    correction: Correction | None = None

    @property
    def sentence(self) -> str:
        """What was done, and what else it might be."""
        return f"{self.chosen} {self.rival}".strip()
