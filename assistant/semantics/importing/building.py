"""Builders that all importers share: parts of a model from plain values, and a list of what was not imported."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from sqlglot import exp
from sqlglot.errors import SqlglotError

from assistant.errors import DataError
from knowledge.parsing import parse_one
from knowledge.semantic.model import (
    AiContext,
    Dataset,
    Dimension,
    FieldMore,
    MetricMore,
    ModelField,
    ModelMetric,
    Relationship,
    SemanticModel,
    ansi,
    extension,
)

Plain = Mapping[str, Any]
"""A mapping of a foreign file, as YAML gives it."""


class ImportFailed(DataError):
    """A file of another tool cannot be read as what it should be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """A model and what of the original it lacks, each with the reason."""

    model: SemanticModel
    left_out: tuple[str, ...] = ()


@dataclass(slots=True)
class ModelDraft:
    """A model while it is put together."""

    datasets: list[Dataset] = field(default_factory=list[Dataset])
    relationships: list[Relationship] = field(default_factory=list[Relationship])
    metrics: dict[str, ModelMetric] = field(default_factory=dict[str, ModelMetric])
    left_out: list[str] = field(default_factory=list[str])

    def finished(self, name: str, description: str = "") -> Imported:
        """The model.

        Raises:
            ImportFailed: It holds no table.
        """
        if not self.datasets:
            raise ImportFailed(f"{name!r} describes no table. Give a folder or file that defines semantic models.")
        model = SemanticModel(
            name=name,
            description=description,
            datasets=tuple(self.datasets),
            relationships=tuple(self.relationships),
            metrics=tuple(self.metrics.values()),
        )
        return Imported(model=model, left_out=tuple(self.left_out))

    def relate(self, start: str, end: str, pairs: Sequence[tuple[str, str]]) -> None:
        """Each row of `start` has at most one of `end`."""
        self.relationships.append(
            Relationship.model_validate(
                {
                    "name": f"{start}_to_{end}" + (f"_{pairs[0][0]}" if self._related(start, end) else ""),
                    "from": start,
                    "to": end,
                    "from_columns": [left for left, _ in pairs],
                    "to_columns": [right for _, right in pairs],
                }
            )
        )

    def _related(self, start: str, end: str) -> bool:
        return any((r.start, r.end) == (start, end) for r in self.relationships)

    def measure(
        self, name: str, sql: str, source: Plain, more: MetricMore | None = None, *, description: str = ""
    ) -> None:
        """Add a metric; the first of a name stays."""
        if name in self.metrics:
            return
        self.metrics[name] = ModelMetric(
            name=name,
            expression=ansi(sql),
            description=description or to_text(source.get("description")),
            ai_context=context(source),
            custom_extensions=extension(more or MetricMore()),
        )


def a_field(name: str, sql: str, source: Plain, *, is_time: bool = False, role: str = "") -> ModelField:
    """A field from a foreign dimension or fact."""
    return ModelField(
        name=name,
        expression=ansi(sql),
        dimension=Dimension(is_time=is_time),
        description=to_text(source.get("description")),
        label=to_text(source.get("label")),
        ai_context=context(source),
        custom_extensions=extension(FieldMore(role=role)),
    )


def context(source: Plain) -> AiContext | None:
    """Synonyms, and a label as one of them."""
    words = [to_text(word) for word in list_items(source.get("synonyms"))]
    label = to_text(source.get("label") or source.get("title"))
    if label and label.casefold().replace(" ", "_") != to_text(source.get("name")).casefold():
        words.append(label)
    return AiContext(synonyms=tuple(dict.fromkeys(words))) if words else None


def to_text(value: object) -> str:
    """A value of a foreign file as one line of text."""
    return " ".join(str(value).split()) if value is not None else ""


def list_items(value: object) -> Sequence[Any]:
    """A list of a foreign file; empty where there is none."""
    return cast("Sequence[Any]", value) if isinstance(value, list) else ()


def list_mappings(value: object) -> list[Plain]:
    """The mappings of a list of a foreign file."""
    return [cast("Plain", item) for item in list_items(value) if isinstance(item, dict)]


def translate_aggregate(function: str, sql: str) -> str | None:
    """An aggregate by the words that other tools have for it; None where it is unknown."""
    match function.lower():
        case "sum" | "average" | "avg" | "min" | "max" | "median":
            return f"{'AVG' if function.lower() in ('average', 'avg') else function.upper()}({sql})"
        case "count":
            return f"COUNT({sql})"
        case "count_distinct" | "countdistinct" | "count_distinct_approx":
            return f"COUNT(DISTINCT {sql})"
        case "sum_boolean":
            return f"SUM(CASE WHEN {sql} THEN 1 ELSE 0 END)"
        case _:
            return None


def qualify(dataset: str, sql: str) -> str:
    """An expression with its plain columns written `dataset.column`."""
    if re.fullmatch(r"\w+", sql) and not sql.isdigit():
        return f"{dataset}.{sql}"
    try:
        tree = parse_one(sql)
    except SqlglotError:
        return sql
    for column in tree.find_all(exp.Column):
        if not column.table:
            column.set("table", exp.to_identifier(dataset))
    return tree.sql()
