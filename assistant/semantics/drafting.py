"""Drafts a semantic model of a source from its schema, keys and profiles, for a person to confirm.

What was inferred and not declared has `"inferred": true`; deleting that entry confirms it.
"""

from __future__ import annotations

from collections.abc import Iterator

from assistant.analyst.algebra import Column
from assistant.analyst.roles import Typed
from assistant.analyst.schema import Schema
from assistant.core import catalog as found
from assistant.query.quoting import quoted
from knowledge.semantic.model import (
    Dataset,
    Dimension,
    FieldMore,
    MetricMore,
    ModelField,
    ModelMetric,
    RelationMore,
    Relationship,
    SemanticModel,
    ansi,
    extension,
)

_GROUPED = ("category", "flag", "name", "part", "date")


def draft_model(catalog: found.Catalog) -> SemanticModel:
    """The draft of a source.

    Raises:
        ValueError: It has no table.
    """
    catalog = found.make_names_unique(catalog)
    schema = Schema.of(catalog)
    tables = [table for table in catalog.tables if not table.part_of]
    return SemanticModel(
        name=catalog.source,
        datasets=tuple(_dataset(table, schema) for table in tables),
        relationships=tuple(relation for table in tables for relation in _relations(table)),
        metrics=tuple(metric for table in tables for metric in _metrics(table, schema)),
    )


def _dataset(table: found.Table, schema: Schema) -> Dataset:
    grain = schema.tables[table.name].grain
    time = _time(table, schema)
    return Dataset(
        name=_dataset_name(table.name),
        source=".".join(part for part in (table.schema, table.stored or table.name) if part),
        primary_key=tuple(column.name for column in grain),
        description=table.comment,
        fields=tuple(_field(column, schema.typed[Column(table.name, column.name)], time) for column in table.columns),
    )


def _field(column: found.Column, typed: Typed, time: str) -> ModelField:
    more = FieldMore(role=typed.role, unit=typed.unit, inferred=not column.role)
    return ModelField(
        name=column.name,
        expression=ansi(_written(column.name)),
        dimension=Dimension(is_time=column.name == time) if typed.role in _GROUPED else None,
        description=column.comment,
        custom_extensions=extension(more),
    )


def _relations(table: found.Table) -> Iterator[Relationship]:
    for key in table.usable_keys:
        if key.table != table.name:
            yield Relationship.model_validate(
                {
                    "name": _dataset_name(f"{table.name}_{'_'.join(key.columns)}_to_{key.table}"),
                    "from": _dataset_name(table.name),
                    "to": _dataset_name(key.table),
                    "from_columns": key.columns,
                    "to_columns": key.target_columns,
                    "custom_extensions": extension(RelationMore(inferred=key.inferred)),
                }
            )


def _metrics(table: found.Table, schema: Schema) -> Iterator[ModelMetric]:
    """How many rows; and each measure added up, each rate as a mean, each stock at the last date."""
    time = _time(table, schema)
    described, dataset = schema.tables[table.name], _dataset_name(table.name)
    at = f"{dataset}.{time}" if time else ""
    place = _written(dataset)
    if described.grain:
        yield _metric(f"{dataset}_count", f"COUNT({place}.{_written(described.grain[0].name)})", MetricMore(time=at))
    for column in described.columns:
        inner = f"{place}.{_written(column.name)}"
        typed = schema.typed[column]
        match typed.role:
            case "measure" | "duration":
                more = MetricMore(time=at, unit=typed.unit)
                yield _metric(f"total_{dataset}_{column.name}", f"SUM({inner})", more)
            case "stock" if at:
                yield _metric(f"{dataset}_{column.name}", f"SUM({inner})", MetricMore(time=at, stock=True))
            case "rate":
                yield _metric(f"average_{dataset}_{column.name}", f"AVG({inner})", MetricMore(time=at))
            case _:
                continue


def _metric(name: str, sql: str, more: MetricMore) -> ModelMetric:
    inferred = more.model_copy(update={"inferred": True})
    return ModelMetric(name=name, expression=ansi(sql), custom_extensions=extension(inferred))


def _time(table: found.Table, schema: Schema) -> str:
    """The first date of a table, which is most often when its rows came to be."""
    dates = [c.name for c in table.columns if schema.typed[Column(table.name, c.name)].role == "date"]
    return dates[0] if dates else ""


def _dataset_name(table: str) -> str:
    """A name without a dot, which parts a dataset from its field: `archive_orders` for `archive.orders`."""
    return table.replace(".", "_")


def _written(name: str) -> str:
    """A name as SQL: quoted where it is not plain."""
    return name if name.isidentifier() and name.isascii() else quoted(name)
