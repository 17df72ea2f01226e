"""Models of dbt, Snowflake, Cube and LookML answer their own metrics as plain SQL on the same tables does."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from semantic_shop import catalog, database

from assistant.semantics.compiling import compile_step
from assistant.semantics.importing.building import Imported, ImportFailed
from assistant.semantics.importing.cube import from_cube
from assistant.semantics.importing.dbt import from_dbt
from assistant.semantics.importing.lookml import from_lookml
from assistant.semantics.importing.snowflake import from_snowflake
from assistant.semantics.steps import MetricStep
from knowledge.semantic.files import format_model, models_of

DBT_MODELS = """
models:
- name: customers
  columns:
  - {name: id, data_tests: [unique, not_null]}
  - {name: region, description: Where the customer lives.}
- name: balances
  columns:
  - name: customer_id
    data_tests:
    - relationships: {arguments: {to: ref('customers'), field: id}}
"""
DBT_SEMANTIC = """
semantic_models:
- name: order_facts
  model: ref('orders')
  defaults: {agg_time_dimension: ordered}
  entities:
  - {name: order, type: primary, expr: id}
  - {name: customer, type: foreign, expr: customer_id}
  dimensions:
  - {name: ordered, type: time, expr: placed_on, type_params: {time_granularity: day}}
  - {name: is_large, type: categorical, expr: amount >= 50}
  measures:
  - {name: gross, agg: sum, expr: amount, create_metric: true}
  - {name: order_total, agg: sum, expr: "1"}
  - {name: buyers, agg: count_distinct, expr: customer_id}
  - {name: odd, agg: approximate_something, expr: amount}
- name: people
  model: ref('customers')
  entities: [{name: customer, type: primary, expr: id}]
  dimensions: [{name: area, type: categorical, expr: region}]
- name: levels
  model: ref('balances')
  entities: [{name: customer, type: foreign, expr: customer_id}]
  defaults: {agg_time_dimension: day}
  dimensions: [{name: day, type: time, type_params: {time_granularity: day}}]
  measures:
  - {name: level, agg: sum, expr: balance, non_additive_dimension: {name: day, window_choice: max}}
metrics:
- {name: orders_placed, label: Orders placed, type: simple, type_params: {measure: order_total}}
- name: northern_orders
  type: simple
  type_params: {measure: {name: order_total}}
  filter: "{{ Dimension('customer__area') }} = 'North'"
- {name: per_order, type: ratio, type_params: {numerator: gross, denominator: orders_placed}}
- {name: large_share, type: derived, type_params: {expr: large * 1.0 / all_of, metrics: [{name: large_orders, alias: large}, {name: orders_placed, alias: all_of}]}}
- {name: large_orders, type: simple, type_params: {measure: order_total}, filter: "{{ Dimension('order__is_large') }}"}
- {name: gross_so_far, type: cumulative, type_params: {measure: gross}}
- name: gross_growth
  type: derived
  type_params:
    expr: (now - before) * 100 / before
    metrics: [{name: gross, alias: now}, {name: gross, alias: before, offset_window: 1 month}]
- {name: balance_level, type: simple, type_params: {measure: level}}
- {name: funnel, type: conversion, type_params: {}}
"""
SNOWFLAKE = """
name: shop
tables:
- name: ord
  base_table: {database: DB, schema: PUBLIC, table: ORDERS}
  primary_key: {columns: [id]}
  time_dimensions: [{name: ordered, expr: placed_on, data_type: date}]
  dimensions: [{name: client, expr: customer_id, data_type: number}]
  facts: [{name: net_amount, expr: amount - discount, default_aggregation: sum, synonyms: [net sales]}]
  metrics: [{name: gross, expr: SUM(amount), synonyms: [turnover]}]
- name: cust
  base_table: {table: customers}
  primary_key: {columns: [id]}
  dimensions: [{name: area, expr: region, synonyms: [territory], data_type: varchar}]
relationships:
- {name: r, left_table: ord, right_table: cust, relationship_columns: [{left_column: customer_id, right_column: id}], relationship_type: many_to_one}
verified_queries:
- {name: q, question: "How much was sold?", sql: "SELECT SUM(amount) FROM __ord", verified_by: Ana}
"""
CUBE = """
cubes:
- name: sales
  sql_table: main.orders
  joins: [{name: buyers, relationship: many_to_one, sql: "{CUBE}.customer_id = {buyers.id}"}]
  dimensions:
  - {name: id, sql: id, type: number, primary_key: true}
  - {name: at, sql: placed_on, type: time}
  measures:
  - {name: count, type: count}
  - {name: gross, sql: "{CUBE}.amount", type: sum}
  - {name: large, type: count, filters: [{sql: "{CUBE}.amount >= 50"}]}
  - {name: per_order, sql: "{gross} / {count}", type: number}
- name: buyers
  sql_table: customers
  dimensions: [{name: id, sql: id, type: number, primary_key: true}, {name: area, sql: region, type: string}]
- {name: view, sql: SELECT 1}
"""
LOOKML = """
view: sales {
  sql_table_name: main.orders ;;
  dimension: id { primary_key: yes type: number sql: ${TABLE}.id ;; }
  dimension: buyer { type: number sql: ${TABLE}.customer_id ;; }
  dimension: amount { type: number sql: ${TABLE}.amount ;; }
  dimension: is_large { type: yesno sql: ${amount} >= 50 ;; }
  dimension: odd { sql: {% parameter x %} ;; }
  dimension_group: placed { type: time timeframes: [date, month] sql: ${TABLE}.placed_on ;; }
  measure: count { type: count }
  measure: gross { type: sum sql: ${amount} ;; }
  measure: large { type: count filters: [is_large: "yes"] }
  measure: from_fifty { type: count filters: { field: sales.amount value: ">=50" } }
  measure: recent { type: count filters: [placed_date: "7 days"] }
  measure: per_order { type: number sql: ${gross} / ${count} ;; }
  measure: strange { type: number sql: ${gross} / ${amount} ;; }
}
view: buyers {
  sql_table_name: customers ;;
  dimension: key { primary_key: yes sql: ${TABLE}.id ;; }
  dimension: area { sql: ${TABLE}.region ;; }
  measure: count { type: count }
  measure: northern { type: count filters: [area: "North"] }
  measure: elsewhere { type: count filters: [area: "-North"] }
}
view: summary { derived_table: { sql: SELECT 1 ;; } }
explore: sales {
  sql_always_where: ${amount} > 0 ;;
  join: buyers { relationship: many_to_one sql_on: ${sales.buyer} = ${buyers.key} ;; }
}
"""


@pytest.fixture
def dbt(tmp_path: Path) -> Imported:
    (tmp_path / "models").mkdir()
    (tmp_path / "dbt_project.yml").write_text("name: little\nprofile: x\n")
    (tmp_path / "models" / "schema.yml").write_text(DBT_MODELS)
    (tmp_path / "models" / "semantic.yml").write_text(DBT_SEMANTIC)
    return from_dbt(tmp_path)


def answered(imported: Imported, step: MetricStep) -> list[tuple[object, ...]]:
    """The step on the shop's tables, after the model was written and read."""
    (model,), problems = models_of(format_model(imported.model), origin="x.yaml")
    assert problems == ()
    return database().execute(compile_step(step, model, catalog()).sql).fetchall()


def plain(sql: str) -> list[tuple[object, ...]]:
    return database().execute(sql).fetchall()


AREAS = "FROM orders o JOIN customers c ON o.customer_id = c.id GROUP BY region ORDER BY region"


@pytest.mark.parametrize(
    ("metric", "sql"),
    [
        ("gross", f"SELECT region, SUM(amount) {AREAS}"),
        ("orders_placed", f"SELECT region, COUNT(*) {AREAS}"),
        (
            "northern_orders",
            "SELECT 'North', COUNT(*) FROM orders WHERE customer_id IN (SELECT id FROM customers WHERE region = 'North')",
        ),
        ("per_order", f"SELECT region, 1.0 * SUM(amount) / COUNT(*) {AREAS}"),
        ("large_share", f"SELECT region, AVG(amount >= 50) {AREAS}"),
        (
            "balance_level",
            "SELECT region, SUM(balance) FROM balances b JOIN customers c ON b.customer_id = c.id WHERE day = (SELECT MAX(day) FROM balances) GROUP BY region ORDER BY region",
        ),
    ],
)
def test_metrics_of_a_dbt_project_answer_as_plain_sql_does(dbt: Imported, metric: str, sql: str) -> None:
    found = answered(dbt, MetricStep(metrics=(metric,), dimensions=("people.area",)))
    assert found == [(area, pytest.approx(value)) for area, value in plain(sql)]


def test_a_dbt_project_keeps_its_growth_its_running_total_and_says_what_it_left_out(dbt: Imported) -> None:
    months = plain("SELECT strftime('%Y-%m', placed_on), SUM(amount) FROM orders GROUP BY 1 ORDER BY 1")
    found = answered(dbt, MetricStep(metrics=("gross_so_far", "gross_growth"), grain="month"))
    assert found[-1][1] == sum(value for _, value in months)  # type: ignore[misc]
    assert found[1][2] == pytest.approx(months[1][1] / months[0][1] - 1)  # type: ignore[operator]
    assert dbt.model.name == "little"
    assert any("conversion" in reason for reason in dbt.left_out)
    assert any("measure odd" in reason for reason in dbt.left_out)
    metric = dbt.model.metric("Orders placed")
    assert metric is not None
    assert metric.name == "orders_placed"


def test_a_dbt_relationship_test_is_a_relationship_where_no_entity_says_it(dbt: Imported) -> None:
    assert {(r.start, r.end) for r in dbt.model.relationships} == {("order_facts", "people"), ("levels", "people")}


def test_metrics_of_a_snowflake_model_answer_as_plain_sql_does() -> None:
    imported = from_snowflake(yaml.safe_load(SNOWFLAKE))
    found = answered(imported, MetricStep(metrics=("turnover", "net sales"), dimensions=("cust.area",)))
    assert found == plain(f"SELECT region, SUM(amount), SUM(amount - discount) {AREAS}")


def test_metrics_of_a_cube_model_answer_as_plain_sql_does() -> None:
    imported = from_cube(yaml.safe_load(CUBE))
    step = MetricStep(metrics=("count", "gross", "large", "per_order"), dimensions=("buyers.area",))
    wanted = plain(f"SELECT region, COUNT(*), SUM(amount), SUM(amount >= 50), 1.0 * SUM(amount) / COUNT(*) {AREAS}")
    assert answered(imported, step) == [(*row[:4], pytest.approx(row[4])) for row in wanted]
    assert imported.left_out == ("cube view: it is a query and no table",)


@pytest.fixture
def lookml(tmp_path: Path) -> Imported:
    views, explores = LOOKML.split("explore:")
    (tmp_path / "views").mkdir()
    (tmp_path / "views" / "all.view.lkml").write_text(views)
    (tmp_path / "shop.model.lkml").write_text(f"explore:{explores}")
    return from_lookml(tmp_path)


def test_metrics_of_a_lookml_project_answer_as_plain_sql_does(lookml: Imported) -> None:
    metrics = ("sales_count", "gross", "large", "from_fifty", "per_order")
    wanted = plain(
        "SELECT region, COUNT(*), SUM(amount), SUM(amount >= 50), SUM(amount >= 50), "
        f"1.0 * SUM(amount) / COUNT(*) {AREAS}"
    )
    found = answered(lookml, MetricStep(metrics=metrics, dimensions=("buyers.area",)))
    assert found == [(*row[:5], pytest.approx(row[5])) for row in wanted]


def test_lookml_counts_each_view_by_its_own_rows_and_filters(lookml: Imported) -> None:
    everyone, northern = plain("SELECT COUNT(*), SUM(region = 'North') FROM customers")[0]
    assert answered(lookml, MetricStep(metrics=("buyers_count",))) == [(everyone,)]
    assert answered(lookml, MetricStep(metrics=("northern",))) == [(northern,)]


def test_lookml_that_is_not_taken_over_is_said(lookml: Imported) -> None:
    said = "\n".join(lookml.left_out)
    for part in ("view summary", "sales.odd", "sales.recent", "sales.strange", "buyers.elsewhere", "sql_always_where"):
        assert part in said
    assert {"recent", "strange", "elsewhere"}.isdisjoint(metric.name for metric in lookml.model.metrics)


def lookml_of(folder: Path, text: str) -> Imported:
    (folder / "x.lkml").write_text(text)
    return from_lookml(folder / "x.lkml")


def test_lookml_joins_point_to_the_side_that_has_one_row_and_stand_once(tmp_path: Path) -> None:
    found = lookml_of(
        tmp_path,
        """
        view: heads { dimension: key { sql: ${TABLE}.id ;; } }
        view: lines { dimension: head { sql: ${TABLE}.head_id ;; } dimension: low { sql: LOWER(x) ;; } }
        explore: heads {
          join: lines { relationship: one_to_many sql_on: ${heads.key} = ${lines.head} AND heads.site = lines.place ;; }
        }
        explore: lines {
          join: heads { sql_on: ${lines.head} = ${heads.key} and ${lines.place} = ${heads.site} ;; }
          join: others { from: heads sql_on: ${lines.head} = ${others.key} ;; }
          join: third { sql_on: ${lines.head} = ${third.key} OR 1 = 1 ;; }
        }
        explore: low { from: lines join: heads { sql_on: ${lines.low} = ${heads.key} ;; } }
        """,
    )
    (relation,) = found.model.relationships
    assert (relation.start, relation.end) == ("lines", "heads")
    assert (tuple(relation.from_columns), tuple(relation.to_columns)) == (("head_id", "place"), ("id", "site"))
    assert sum(reason.startswith("join ") for reason in found.left_out) == 3


def test_a_view_of_lookml_has_what_it_extends_and_how_it_is_refined(tmp_path: Path) -> None:
    found = lookml_of(
        tmp_path,
        """
        view: +orders { measure: all { type: count label: "All of them" } dimension: late { type: yesno sql: days > 9 ;; } }
        view: placed { extension: required dimension: town {} dimension: id { sql: ${TABLE}.wrong ;; } }
        view: orders {
          sql_table_name: shop.orders ;; extends: [placed]
          dimension: id { primary_key: yes sql: ${TABLE}.order_id ;; } measure: all { type: count }
        }
        view: towns { dimension: name { primary_key: yes } extends: [towns] }
        view: +nobody { dimension: x {} }
        explore: sold { from: orders join: towns { sql_on: ${sold.town} = ${towns.name} ;; } }
        """,
    )
    orders = found.model.dataset("orders")
    assert orders is not None
    assert {field.name for field in orders.fields} == {"town", "id", "late"}
    assert (orders.source, orders.primary_key) == ("shop.orders", ("order_id",))
    assert {dataset.name for dataset in found.model.datasets} == {"orders", "towns"}
    (metric,) = found.model.metrics
    assert metric.name == "all"
    (relation,) = found.model.relationships
    assert (relation.start, relation.end, list(relation.from_columns)) == ("orders", "towns", ["town"])
    assert [reason for reason in found.left_out if "nobody" in reason]
    assert len(found.left_out) == 1


def test_lookml_filters_are_values_or_left_out_never_sql(tmp_path: Path) -> None:
    found = lookml_of(
        tmp_path,
        """
        view: orders {
          dimension: region {} dimension: id { type: number primary_key: yes }
          measure: two { type: count filters: [region: "North, South", id: "<=9"] }
          measure: quoted { type: count filters: [region: "x') OR (1=1"] }
          measure: pattern { type: count filters: [region: "N%"] }
          measure: absent { type: count filters: [region: "NULL"] }
          measure: sum_twice { type: sum sql: ${missing} ;; }
          dimension: loop { sql: ${loop} + 1 ;; }
        }
        """,
    )
    (metric,) = found.model.metrics
    assert metric.name == "two"
    assert metric.more.filters == ("(orders.region) IN ('North', 'South')", "(orders.id) <= 9")
    assert len(found.left_out) == 5


def test_lookml_dimensions_that_multiply_are_given_up(tmp_path: Path) -> None:
    levels = "".join(f"dimension: d{level} {{ sql: {f'${{d{level - 1}}} + ' * 100} 1 ;; }}\n" for level in range(1, 9))
    found = lookml_of(tmp_path, f"view: v {{ dimension: d0 {{ sql: ${{TABLE}}.n ;; }}\n{levels} }}")
    assert found.left_out
    assert max(len(str(field.expression)) for field in found.model.datasets[0].fields) < 200_000


def test_lookml_that_is_broken_or_nested_without_end_is_refused(tmp_path: Path) -> None:
    for broken in ("view: x { dimension", "view: x { " * 5_000):
        (tmp_path / "x.lkml").write_text(broken)
        with pytest.raises(ImportFailed, match="cannot be read as LookML"):
            from_lookml(tmp_path / "x.lkml")


def test_a_folder_without_tables_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.yml").write_text("a: 1\n")
    with pytest.raises(ImportFailed, match="describes no table"):
        from_dbt(tmp_path)
