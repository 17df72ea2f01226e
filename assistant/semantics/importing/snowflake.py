"""Snowflake semantic models and views as YAML: tables, dimensions, facts, metrics, relationships.

Source: Snowflake's specification of Cortex Analyst semantic models (docs.snowflake.com).
"""

from __future__ import annotations

from assistant.semantics.importing.building import (
    Imported,
    ModelDraft,
    Plain,
    a_field,
    context,
    list_items,
    list_mappings,
    qualify,
    to_text,
    translate_aggregate,
)
from knowledge.semantic.model import Dataset, MetricMore, ModelField


def from_snowflake(content: Plain) -> Imported:
    """The semantic model of a Snowflake YAML file.

    Raises:
        ImportFailed: It describes no table.
    """
    draft = ModelDraft()
    for table in list_mappings(content.get("tables")):
        _table(draft, table)
    for metric in list_mappings(content.get("metrics")):
        draft.measure(to_text(metric.get("name")), to_text(metric.get("expr")), metric)
    for relation in list_mappings(content.get("relationships")):
        pairs = [
            (to_text(pair.get("left_column")), to_text(pair.get("right_column")))
            for pair in list_mappings(relation.get("relationship_columns"))
        ]
        if pairs and to_text(relation.get("relationship_type") or "many_to_one") in ("many_to_one", "one_to_one"):
            draft.relate(to_text(relation.get("left_table")), to_text(relation.get("right_table")), pairs)
        else:
            draft.left_out.append(f"relationship {to_text(relation.get('name'))}: it reaches many rows")
    return draft.finished(to_text(content.get("name")) or "snowflake", to_text(content.get("description")))


def _table(draft: ModelDraft, table: Plain) -> None:
    name = to_text(table.get("name"))
    base = table.get("base_table") or {}
    fields = [
        *(_field(dimension) for dimension in list_mappings(table.get("dimensions"))),
        *(
            _field(dimension, is_time=place == 0)
            for place, dimension in enumerate(list_mappings(table.get("time_dimensions")))
        ),
    ]
    facts = [*list_mappings(table.get("facts")), *list_mappings(table.get("measures"))]
    fields += [_field(dimension) for dimension in facts]
    key = table.get("primary_key") or {}
    draft.datasets.append(
        Dataset(
            name=name,
            source=".".join(filter(None, (to_text(base.get(part)) for part in ("database", "schema", "table"))))
            or name,
            primary_key=tuple(to_text(column) for column in list_items(key.get("columns"))),
            description=to_text(table.get("description")),
            ai_context=context(table),
            fields=tuple(fields),
        )
    )
    times = list_mappings(table.get("time_dimensions"))
    more = MetricMore(time=f"{name}.{to_text(times[0].get('name'))}") if times else MetricMore()
    for metric in list_mappings(table.get("metrics")):
        draft.measure(to_text(metric.get("name")), qualify(name, to_text(metric.get("expr"))), metric, more)
    for fact in facts:
        usual = to_text(fact.get("default_aggregation"))
        sql = translate_aggregate(usual, f"{name}.{to_text(fact.get('name'))}") if usual else None
        if sql is not None:
            draft.measure(f"{to_text(fact.get('name'))}_{usual.lower()}", sql, fact, more)


def _field(properties: Plain, *, is_time: bool = False) -> ModelField:
    name = to_text(properties.get("name"))
    return a_field(name, to_text(properties.get("expr")) or name, properties, is_time=is_time)
