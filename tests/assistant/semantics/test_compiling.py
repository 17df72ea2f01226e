"""Governed metrics answer as independent code does: a grid of metrics, dimensions and periods, on two engines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cache
from itertools import product

import duckdb
import pytest
from semantic_shop import MODEL, catalog, database, model, rows

from assistant.semantics.compiling import compile_step
from assistant.semantics.fields import SemanticModelError
from assistant.semantics.steps import Filter, MetricStep
from knowledge.semantic.files import documents_of, models_of

Key = tuple[object, ...]
Result = dict[Key, float | None]
AREAS: dict[object, object] = dict(rows()["customers"])  # pyright: ignore[reportArgumentType]


def period(day: str, grain: str | None) -> object:
    year, month = int(day[:4]), int(day[5:7])
    return {"year": year, "quarter": f"{year}-Q{(month + 2) // 3}", "month": day[:7], "day": day}.get(grain or "")


def key(day: str, customer: object, grain: str | None, by_area: bool) -> Key:
    return (*((period(day, grain),) if grain else ()), *((AREAS[customer],) if by_area else ()))


def grouped(found: Iterable[tuple[Key, float]], how: Callable[[list[float]], float]) -> Result:
    groups: dict[Key, list[float]] = defaultdict(list)
    for one, value in found:
        groups[one].append(value)
    return {one: how(values) for one, values in groups.items()}


def expected(metric: str, grain: str | None, by_area: bool) -> Result:
    """Plain Python over the rows."""
    orders = [(key(d, c, grain, by_area), c, a, a - s) for _, c, a, s, d in rows()["orders"]]  # type: ignore[operator]
    returns = [(key(d, c, grain, by_area), r) for c, r, d in rows()["returns"]]  # type: ignore[arg-type]
    revenue = grouped(((k, net) for k, _, _, net in orders), sum)
    refunds = grouped(returns, sum)  # type: ignore[arg-type]
    every = {*revenue, *refunds}
    match metric:
        case "revenue":
            return revenue
        case "order_count":
            return grouped(((k, 1) for k, *_ in orders), sum)
        case "average_order":
            return grouped(((k, net) for k, _, _, net in orders), lambda v: sum(v) / len(v))
        case "active_clients":
            return grouped(((k, c) for k, c, *_ in orders), lambda v: len(set(v)))  # type: ignore[misc]
        case "big_orders":
            return grouped(((k, 1) for k, _, a, _ in orders if a >= 50), sum)  # type: ignore[operator]
        case "refund_rate":
            return {k: (refunds.get(k) or 0) / revenue[k] if revenue.get(k) else None for k in every}  # type: ignore[operator]
        case "kept":
            return {k: (revenue.get(k) or 0) - (refunds.get(k) or 0) for k in every}
        case _:
            last: dict[object, str] = {}
            for _, day, _ in rows()["balances"]:
                at = period(str(day), grain)
                last[at] = max(last.get(at, ""), str(day))
            return grouped(
                (
                    (key(str(d), c, grain, by_area), float(b))  # type: ignore[arg-type]
                    for c, d, b in rows()["balances"]
                    if d == last[period(str(d), grain)]
                ),
                sum,
            )


def asked(step: MetricStep) -> Result:
    """The step on SQLite, and the same on DuckDB."""
    compiled = compile_step(step, model(), catalog())
    width = len(step.dimensions) + (1 if step.grain else 0)
    found = {tuple(row[:width]): row[width] for row in database().execute(compiled.sql).fetchall()}
    assert compile_step(step, model(), catalog("duckdb")).columns == compiled.columns
    other = {
        tuple(row[:width]): row[width]
        for row in duck().execute(compile_step(step, model(), catalog("duckdb")).sql).fetchall()
    }
    assert other.keys() == found.keys()
    for one, value in other.items():
        assert value == pytest.approx(found[one])
    return found


@cache
def duck() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    kinds = {"integer": "BIGINT", "number": "DOUBLE", "text": "VARCHAR", "date": "DATE"}
    for table in catalog().tables:
        columns = ", ".join(f"{column.name} {kinds[column.kind]}" for column in table.columns)
        connection.execute(f"CREATE TABLE {table.name} ({columns})")
        connection.executemany(
            f"INSERT INTO {table.name} VALUES ({', '.join('?' * len(table.columns))})", rows()[table.name]
        )
    return connection


METRICS = ("revenue", "order_count", "average_order", "active_clients", "big_orders", "refund_rate", "kept", "balance")


@pytest.mark.parametrize(
    ("metric", "grain", "by_area"), list(product(METRICS, (None, "year", "quarter", "month"), (False, True)))
)
def test_a_metric_is_the_same_whoever_computes_it(metric: str, grain: str | None, by_area: bool) -> None:
    step = MetricStep(metrics=(metric,), grain=grain, dimensions=("clients.area",) if by_area else ())  # type: ignore[arg-type]
    found, wanted = asked(step), expected(metric, grain, by_area)
    # A count of nothing is no group of its own; a filtered metric keeps only groups with such rows.
    assert found.keys() == wanted.keys()
    for one, value in wanted.items():
        assert found[one] == pytest.approx(value), one


def test_figures_of_several_tables_stand_side_by_side_and_no_group_is_lost() -> None:
    step = MetricStep(metrics=("revenue", "refunds"), dimensions=("area",))
    compiled = compile_step(step, model(), catalog())
    found = {row[0]: row[1:] for row in database().execute(compiled.sql).fetchall()}
    assert compiled.columns == ("area", "revenue", "refunds")
    assert found["Island"][0] is None
    assert found["Island"][1] > 0
    assert found["North"] == (
        expected("revenue", None, True)[("North",)],
        pytest.approx(
            sum(r for c, r, _ in rows()["returns"] if AREAS[c] == "North")  # type: ignore[misc]
        ),
    )


def test_a_running_total_and_a_window_follow_the_periods_of_each_group() -> None:
    months = expected("revenue", "month", False)
    found = asked(MetricStep(metrics=("running_revenue",), grain="month"))
    for at in found:
        assert found[at] == pytest.approx(sum(v or 0 for k, v in months.items() if k <= at))
    window = asked(MetricStep(metrics=("revenue_of_three",), grain="month"))
    number = {at: int(str(at[0])[:4]) * 12 + int(str(at[0])[5:]) for at in window}
    for at in window:
        last = [v or 0 for k, v in months.items() if number[at] - 3 < number[k] <= number[at]]
        assert window[at] == pytest.approx(sum(last)), "a month without orders counts as a month"


def test_growth_is_against_the_period_before_and_not_the_row_before() -> None:
    months = expected("revenue", "month", False)
    found = asked(MetricStep(metrics=("revenue_growth",), grain="month"))
    assert found[("2024-05",)] is None, "no order was placed in April"
    assert found[("2024-06",)] == pytest.approx(months[("2024-06",)] / months[("2024-05",)] - 1)  # type: ignore[operator]
    yearly = compile_step(
        MetricStep(metrics=("revenue",), grain="month", compare="previous", periods=12, start="2024-11-01"),
        model(),
        catalog(),
    )
    told = database().execute(yearly.sql).fetchall()
    assert [row[0] for row in told] == sorted(k[0] for k in months if str(k[0]) >= "2024-11")  # type: ignore[type-var]
    assert told[0][2] == months[("2023-11",)], "what is compared with lies before the start"


def test_filters_and_periods_narrow_every_figure() -> None:
    step = MetricStep(
        metrics=("revenue", "refunds"),
        filters=(Filter(field="area", op="in", value=("North", "West")),),
        start="2024-01-01",
        end="2024-07-01",
    )
    ((revenue, refunds),) = database().execute(compile_step(step, model(), catalog()).sql).fetchall()
    assert revenue == sum(
        a - s
        for _, c, a, s, d in rows()["orders"]
        if AREAS[c] in ("North", "West") and "2024" <= str(d) < "2024-07"  # type: ignore[operator]
    )
    assert refunds == sum(
        r
        for c, r, d in rows()["returns"]
        if AREAS[c] in ("North", "West") and "2024" <= str(d) < "2024-07"  # type: ignore[misc]
    )


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (MetricStep(metrics=("revenu",)), "no metric 'revenu'. Did you mean 'revenue'?"),
        (MetricStep(metrics=("revenue",), dimensions=("clients.aera",)), "no field 'aera'. Did you mean 'area'?"),
        (MetricStep(metrics=("revenue",), dimensions=("returns.refund",)), "has no single row of 'returns'"),
        (MetricStep(metrics=("revenue_growth",)), "needs a grain"),
        (MetricStep(metrics=("revenue",), dimensions=("customer_id",)), "several datasets have 'customer_id'"),
    ],
)
def test_what_does_not_go_together_is_said_with_what_to_write_instead(step: MetricStep, said: str) -> None:
    with pytest.raises(SemanticModelError) as error:
        compile_step(step, model(), catalog())
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"of": "revenue", "periods": 3', '"of": "balance", "periods": 3', "must not be added"),
        ("revenue - refunds", "revenue - kept", "is made of itself"),
        ("SUM(orders.net) / COUNT(orders.id)", "orders.net", "adds nothing up"),
        ("SUM(returns.refund)", "SUM(returns.refund * orders.amount)", "needs 'returns', 'orders' in one row"),
    ],
)
def test_a_model_that_cannot_be_computed_is_refused(old: str, new: str, said: str) -> None:
    ((changed,), problems) = models_of(MODEL.replace(old, new, 1), origin="x.yaml")
    assert problems == ()
    steps = [MetricStep(metrics=(metric.name,), grain="month") for metric in changed.metrics]
    with pytest.raises(SemanticModelError, match=said):
        _ = [compile_step(step, changed, catalog()) for step in steps]


def test_a_synonym_names_its_metric() -> None:
    assert asked(MetricStep(metrics=("turnover",))) == asked(MetricStep(metrics=("Revenue",)))


@pytest.mark.slow
def test_metrics_that_double_with_each_level_are_refused_in_words() -> None:
    """Twelve levels of 20 uses each: written out, more than anybody could wait for."""
    levels = "".join(
        f"""  - name: level_{level}
    expression: {{dialects: [{{dialect: ANSI_SQL, expression: {" + ".join([f"level_{level - 1}"] * 20)}}}]}}
    custom_extensions: [{{vendor_name: TANDEM, data: '{{"type": "derived"}}'}}]
"""
        for level in range(1, 12)
    )
    first = """  - name: level_0
    expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(orders.id)}]}
"""
    text = MODEL.replace("  metrics:\n", f"  metrics:\n{first}{levels}", 1)
    (grown,), problems = models_of(text, origin="x")
    assert not problems
    documents_of(grown, origin="x")  # as reading a folder does
    with pytest.raises(SemanticModelError, match="'level_11' would take too much"):
        compile_step(MetricStep(metrics=("level_11",)), grown, catalog())
