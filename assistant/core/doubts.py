"""Doubts about data: assumptions where another reading was plausible, or where rows were left out. As values.

A doubt is made where the assumption is made (a file, a catalog, a question) and travels unchanged to page, prompts,
JSON, Python and notebooks. Here they are ranked for a question; nothing is drawn, and nothing decided.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
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
    """How a person chooses the other reading.

    For files one setting of the sidecar (`sources.reading.sidecar`). For any source `role`, with the roles of columns
    by their names (`sources.catalog.corrections`). `members` names values whose rows are left out of a question,
    `column` the column that is read instead, and `once` the column whose values count once each.
    """

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
        is_chosen: Whether a person chose the rival for good: answers are read so (`core.chosen_doubts`).
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
    is_chosen: bool = False

    @property
    def sentence(self) -> str:
        """What was done, and what else it might be."""
        return f"{self.chosen} {self.rival}".strip()


_OF_ROWS: frozenset[DoubtKind] = frozenset(("layout", "header", "rows_left_out", "total_rows", "members", "not_read"))
"""Kinds that change which rows there are: they concern every question about the table, whatever columns it reads."""
_OF_FIGURES: frozenset[DoubtKind] = _OF_ROWS.union(
    ("sentinels", "equal_names", "declared_key", "inferred_key", "repeated_values"),
    ("day_order", "number_format", "column_type", "time_zone"),
)
"""Kinds by which a figure may differ: they are said with every answer that they concern, the others once."""
FULL_MAX = 3
"""So many doubts are said in full with an answer."""


def changes_figures(doubt: Doubt) -> bool:
    """Whether a figure may differ by it, and not only a name or a group."""
    return doubt.kind in _OF_FIGURES


def sort_doubts(doubts: Iterable[Doubt]) -> tuple[Doubt, ...]:
    """The heaviest first: what changes figures, by the share of the rows and their number. Each once."""
    by_content = {(doubt.kind, doubt.table, doubt.sentence): doubt for doubt in doubts}
    return tuple(
        sorted(
            by_content.values(),
            key=lambda doubt: (not changes_figures(doubt), -(doubt.share or 0.0), -(doubt.rows or 0)),
        )
    )


def rank_doubts(
    doubts: Iterable[Doubt], query_tables: Collection[str], query_columns: Collection[str]
) -> tuple[Doubt, ...]:
    """The doubts that concern a question, the heaviest first.

    Args:
        doubts: The doubts of its source.
        query_tables: The tables that its SQL reads, in lower case.
        query_columns: The columns that it reads, as `table.column` in lower case.
    """

    def is_concerned(doubt: Doubt) -> bool:
        table = doubt.table.casefold()
        if table and table not in query_tables:
            return False
        if not table or not doubt.columns or doubt.kind in _OF_ROWS:
            return True
        return any(f"{table}.{column.casefold()}" in query_columns for column in doubt.columns)

    return sort_doubts(doubt for doubt in doubts if is_concerned(doubt))


def summarise_doubts(doubts: Sequence[Doubt], *, full_max: int = FULL_MAX) -> tuple[str, ...]:
    """What is said of ranked doubts: the heaviest of each kind in full, and how many more there are."""
    kinds: dict[tuple[DoubtKind, str], Doubt] = {}
    for doubt in doubts:
        kinds.setdefault((doubt.kind, doubt.table), doubt)
    full = list(kinds.values())[:full_max]
    if len(full) < full_max:
        full += [doubt for doubt in doubts if doubt not in full][: full_max - len(full)]
    more = len(doubts) - len(full)
    remainder = (
        (f"{more} more {'doubt' if more == 1 else 'doubts'} about these tables, on the data page",) if more else ()
    )
    return (*(doubt.sentence for doubt in sort_doubts(full)), *remainder)


def list_other_notes(notes: Iterable[str], doubts: Iterable[Doubt]) -> tuple[str, ...]:
    """The notes of a source that say none of its doubts; a note may say the file before the doubt's sentence."""
    sentences = [doubt.sentence for doubt in doubts]
    return tuple(note for note in notes if not any(sentence in note for sentence in sentences))


def add_doubt_sentences(notes: Sequence[str], doubts: Iterable[Doubt]) -> tuple[str, ...]:
    """The notes of a source, and the sentences of doubts that none of them says."""
    sentences = (doubt.sentence for doubt in doubts)
    added = (sentence for sentence in sentences if not any(sentence in note for note in notes))
    return tuple(dict.fromkeys((*notes, *added)))
