"""The names of a result's columns: what is shown, in the words of its labels, each name once."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.embedded.meaning import Dimension, Meaning
from assistant.embedded.words.lexicon import spoken


def column_names(meaning: Meaning, *, context: bool = True) -> tuple[str, ...]:
    """The result's column names, in order: dimensions (or listed columns) first, then measures."""
    names: list[str] = []
    for dimension in (*meaning.dimensions, *meaning.columns):
        names += dimension_names(dimension) if context or not dimension.context else []
    names += [slug(m.label) for m in meaning.figures if context or not m.context]
    return _unique(names)


def asked_names(meaning: Meaning) -> tuple[str, ...]:
    """Those of the result's column names that were asked for; nothing where all were."""
    if not any(part.context for part in (*meaning.columns, *meaning.measures)) or meaning.verified_sql is not None:
        return ()
    asked: list[bool] = []
    for dimension in (*meaning.dimensions, *meaning.columns):
        asked += [not dimension.context] * len(dimension_names(dimension))
    asked += [not measure.context for measure in meaning.figures]
    return tuple(name for name, wanted in zip(column_names(meaning), asked, strict=True) if wanted)


def dimension_names(dimension: Dimension) -> list[str]:
    """The names of a dimension's columns; a person's two names keep theirs, those of a manager say whose they are."""
    if dimension.more:
        whose = f"{dimension.label} " if dimension.column.of_own_table else ""
        return [slug(f"{whose}{spoken(ref.column)}") for ref in (dimension.column, *dimension.more)]
    return [slug(dimension.label)]


def slug(label: str) -> str:
    """A label as a column name: lower case, words joined by underscores."""
    return re.sub(r"\W+", "_", label.lower().replace("%", "percent")).strip("_") or "value"


def _unique(names: Sequence[str]) -> tuple[str, ...]:
    seen: dict[str, int] = {}
    out: list[str] = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        out.append(name if seen[name] == 1 else f"{name}_{seen[name]}")
    return tuple(out)
