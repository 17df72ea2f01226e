"""Snowflake semantic models and views as YAML: tables, dimensions, facts, metrics, relationships.

Source: Snowflake's specification of Cortex Analyst semantic models (docs.snowflake.com).
"""

from __future__ import annotations

from assistant.semantics.importing.building import (
    Imported,
    ModelDraft,
    Plain,
    a_field,
    aggregate,
    context,
    items,
    mappings,
    qualified,
    text,
)
from knowledge.semantic.model import Dataset, MetricMore, ModelField


def from_snowflake(content: Plain) -> Imported:
    """The semantic model of a Snowflake YAML file.

    Raises:
        ImportFailed: It describes no table.
    """
    draft = ModelDraft()
    for table in mappings(content.get("tables")):
        _table(draft, table)
    for metric in mappings(content.get("metrics")):
        draft.measure(text(metric.get("name")), text(metric.get("expr")), metric)
    for relation in mappings(content.get("relationships")):
        pairs = [
            (text(pair.get("left_column")), text(pair.get("right_column")))
            for pair in mappings(relation.get("relationship_columns"))
        ]
        if pairs and text(relation.get("relationship_type") or "many_to_one") in ("many_to_one", "one_to_one"):
            draft.relate(text(relation.get("left_table")), text(relation.get("right_table")), pairs)
        else:
            draft.left_out.append(f"relationship {text(relation.get('name'))}: it reaches many rows")
    return draft.finished(text(content.get("name")) or "snowflake", text(content.get("description")))


def _table(draft: ModelDraft, table: Plain) -> None:
    name = text(table.get("name"))
    base = table.get("base_table") or {}
    fields = [
        *(_field(dimension) for dimension in mappings(table.get("dimensions"))),
        *(
            _field(dimension, is_time=place == 0)
            for place, dimension in enumerate(mappings(table.get("time_dimensions")))
        ),
    ]
    facts = [*mappings(table.get("facts")), *mappings(table.get("measures"))]
    fields += [_field(dimension) for dimension in facts]
    key = table.get("primary_key") or {}
    draft.datasets.append(
        Dataset(
            name=name,
            source=".".join(filter(None, (text(base.get(part)) for part in ("database", "schema", "table")))) or name,
            primary_key=tuple(text(column) for column in items(key.get("columns"))),
            description=text(table.get("description")),
            ai_context=context(table),
            fields=tuple(fields),
        )
    )
    times = mappings(table.get("time_dimensions"))
    more = MetricMore(time=f"{name}.{text(times[0].get('name'))}") if times else MetricMore()
    for metric in mappings(table.get("metrics")):
        draft.measure(text(metric.get("name")), qualified(name, text(metric.get("expr"))), metric, more)
    for fact in facts:
        usual = text(fact.get("default_aggregation"))
        sql = aggregate(usual, f"{name}.{text(fact.get('name'))}") if usual else None
        if sql is not None:
            draft.measure(f"{text(fact.get('name'))}_{usual.lower()}", sql, fact, more)


def _field(properties: Plain, *, is_time: bool = False) -> ModelField:
    name = text(properties.get("name"))
    return a_field(name, text(properties.get("expr")) or name, properties, is_time=is_time)
