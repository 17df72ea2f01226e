"""A unit may be said as a kind, as a currency's code, or as a mark."""

from __future__ import annotations

import pytest

from knowledge.sources.glossary import read_metrics
from knowledge.units import unit_of


@pytest.mark.parametrize(
    ("said", "symbol", "kind", "mark"),
    [
        ("currency", "EUR", "currency", "EUR"),
        ("percent", None, "percent", None),
        ("EUR", None, "currency", "EUR"),
        ("JPY", None, "currency", "JPY"),
        ("days", None, None, "days"),
        ("KWH", None, None, "KWH"),
        (None, None, None, None),
        ("", None, None, None),
    ],
)
def test_a_unit_is_a_kind_a_currency_or_a_mark(
    said: str | None, symbol: str | None, kind: str | None, mark: str | None
) -> None:
    assert unit_of(said, symbol) == (kind, mark)


def test_a_metric_may_name_its_currency_alone() -> None:
    text = "metrics:\n  - {name: revenue, expression: SUM(amount), table: orders, unit: EUR}\n"
    (metric,) = read_metrics(text, origin="metrics.yaml").documents
    assert (metric.unit, metric.unit_symbol) == ("currency", "EUR")
