"""Files of semantic models: a folder `semantic/` of YAML, read with the line of each error, and written."""

from __future__ import annotations

import json
from typing import Any, cast

import yaml
from pydantic import ValidationError

from knowledge.documents import Document, Metric, Note, Term
from knowledge.errors import DocumentMalformed
from knowledge.semantic.expanding import written_out
from knowledge.semantic.model import (
    VERSION,
    Dataset,
    Dimension,
    Expression,
    Extension,
    MetricMore,
    ModelField,
    ModelFile,
    ModelMetric,
    Relationship,
    SemanticModel,
)
from knowledge.sources.entries import construct_value, explain_error, parse_nodes
from knowledge.sources.problems import FileReading, Problem
from knowledge.units import unit_of

FOLDER = "semantic"
"""The folder, inside a knowledge folder, that holds semantic models."""


def models_of(text: str, *, origin: str) -> tuple[tuple[SemanticModel, ...], tuple[Problem, ...]]:
    """The models of one file, or what is wrong with it: the first fault, with its line and what to write instead."""
    try:
        root = parse_nodes(text)
        if not isinstance(root, yaml.MappingNode):
            raise DocumentMalformed("must be a mapping with a list under 'semantic_model'", line=1)
        return _validated(root), ()
    except DocumentMalformed as error:
        return (), (Problem(origin=origin, line=error.line, message=str(error)),)


def _validated(root: yaml.MappingNode) -> tuple[SemanticModel, ...]:
    value = construct_value(root)
    try:
        file = ModelFile.model_validate(value)
    except ValidationError as error:
        message, line = explain_error(error, root, field_names=_WORDS)
        raise DocumentMalformed(message, line=line) from error
    for model in file.semantic_model:
        for part in (*model.metrics, *model.relationships, *(f for d in model.datasets for f in d.fields)):
            try:
                _ = part.more
            except ValidationError as error:
                first = error.errors(include_url=False)[0]
                where = ".".join(map(str, first["loc"]))
                raise DocumentMalformed(
                    f"{part.name!r}: {where!r} of what Tandem adds is not right: {first['msg']}"
                ) from error
    return file.semantic_model


_PARTS = (ModelFile, SemanticModel, Dataset, ModelField, Dimension, Relationship, ModelMetric, Expression, Extension)
_WORDS = (
    "dialect",
    *dict.fromkeys(field.alias or name for part in _PARTS for name, field in part.model_fields.items()),
)


def read_semantic(text: str, *, origin: str) -> FileReading[Document]:
    """The documents of one file: its metrics, the fields that have a meaning of their own, and what datasets say."""
    models, problems = models_of(text, origin=origin)
    documents = tuple(document for model in models for document in documents_of(model, origin=origin))
    return FileReading(documents=documents, problems=problems)


def format_model(model: SemanticModel) -> str:
    """A model as the text of a file."""
    plain = model.model_dump(mode="json", by_alias=True, exclude_defaults=True, exclude_none=True)
    content = {"version": VERSION, "semantic_model": [_readable(plain)]}
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=110)


def _readable(part: Any) -> Any:
    """The same with what people read first in front, and what programs add behind."""
    if isinstance(part, list):
        return [_readable(item) for item in cast("list[Any]", part)]
    if not isinstance(part, dict):
        return part
    mapping = cast("dict[str, Any]", part)
    last = ("fields", "relationships", "metrics", "custom_extensions")
    ordered = sorted(mapping, key=lambda key: last.index(key) + 1 if key in last else 0)
    return {key: _readable(mapping[key]) for key in ordered}


def json_schema() -> str:
    """The format's JSON schema, for editors."""
    schema = ModelFile.model_json_schema(by_alias=True)
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def documents_of(model: SemanticModel, *, origin: str) -> tuple[Document, ...]:
    """What a model says, as documents that are searched and cited; not what waits for a person to confirm it."""
    notes: list[Document] = []
    for dataset in model.datasets:
        if dataset.description or dataset.synonyms:
            body = ". ".join(filter(None, (dataset.description, _also(dataset.synonyms))))
            notes.append(Note(heading=f"Dataset {dataset.name}", body=body, origin=origin))
        for field in dataset.fields:
            if field.synonyms or not field.expression.sql().replace("_", "").isalnum():
                notes.append(
                    Term(
                        name=field.label or field.name.replace("_", " "),
                        definition=field.description or f"{field.name} of {dataset.name}",
                        synonyms=field.synonyms,
                        sql=field.expression.sql(),
                        table=dataset.table,
                        topic=dataset.name,
                        origin=origin,
                    )
                )
    confirmed = [metric for metric in model.metrics if not metric.more.inferred]
    return (*notes, *(document for metric in confirmed for document in _metric(model, metric, origin)))


def _metric(model: SemanticModel, metric: ModelMetric, origin: str) -> tuple[Document, ...]:
    """A metric of one dataset as it is computed; one that is made of others as a note of how."""
    more = metric.more
    name = metric.name.replace("_", " ")
    plain = written_out(model, metric)
    if plain is None:
        body = ". ".join(filter(None, (metric.description, _how(metric, more), _also(metric.synonyms))))
        return (Note(heading=f"Metric {name}", body=body, origin=origin, governs=(name, *metric.synonyms)),)
    unit, symbol = unit_of(more.unit)
    return (
        Metric(
            name=name,
            expression=plain.sql,
            table=plain.table,
            definition=metric.description,
            synonyms=metric.synonyms,
            filters=plain.filters,
            date_column=_time(model, metric, plain.table),
            unit=unit,
            unit_symbol=symbol,
            dimensions=more.dimensions,
            origin=origin,
        ),
    )


def _time(model: SemanticModel, metric: ModelMetric, table: str) -> str | None:
    """The column by which a metric has a time: the one it names, else the field of its table that says so."""
    dataset = model.dataset(table)
    if metric.more.time:
        dataset_name, _, name = metric.more.time.rpartition(".")
        dataset, time_field = model.dataset(dataset_name) or dataset, name
    else:
        times = [f.name for f in dataset.fields if f.dimension and f.dimension.is_time] if dataset else []
        time_field = times[0] if times else ""
    if dataset is None or not time_field:
        return None
    field = dataset.field(time_field)
    return f"{dataset.table}.{field.expression.sql() if field else time_field}"


def _how(metric: ModelMetric, more: MetricMore) -> str:
    match more.type:
        case "cumulative":
            over = f"over {more.periods} periods" if more.periods else "from the first period on"
            return f"{more.of} added up {over}"
        case "period_over_period":
            return f"{more.compare} of {more.of} against {more.periods or 1} period(s) before"
        case _:
            last = ", at the last date of each period" if more.stock else ""
            return f"Computed as {metric.expression.sql()}{last}"


def _also(synonyms: tuple[str, ...]) -> str:
    return f"Also called {', '.join(synonyms)}" if synonyms else ""
