"""Units of a result's figures: currency, percentages, counts; and whether figures may be added up. Pure.

Taken from the metrics of the knowledge base, from column names, and from how the query computes the column: so an
answer has its currency whoever wrote its query.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from assistant.output.presentation.columns import FigureProperties, Unit, words_of

if TYPE_CHECKING:
    from assistant.query.lineage import Lineage, LineageColumn


_KINDS: Mapping[str, Unit] = {"currency": "currency", "percent": "percent", "count": "count"}


class Measured(Protocol):
    """A metric, as far as its figures' unit goes."""

    @property
    def name(self) -> str:
        """What people call it."""
        ...

    @property
    def synonyms(self) -> tuple[str, ...]:
        """Other names."""
        ...

    @property
    def unit(self) -> str | None:
        """currency, percent, count, ...; None for plain numbers."""
        ...

    @property
    def unit_symbol(self) -> str | None:
        """The currency's code, or another mark."""
        ...


def told_of(
    columns: Sequence[str], lineage: Lineage | None, metrics: Sequence[Measured], keys: Collection[str] = ()
) -> dict[str, FigureProperties]:
    """What is known of each column's figures; a column of which nothing is known is not in it.

    Args:
        columns: the names of the result's columns.
        lineage: how the query computes them, where that can be read.
        metrics: the knowledge base's metrics.
        keys: columns that tell rows apart or refer to other tables, as `table.column` in lower case.
    """
    outputs: Mapping[str, LineageColumn] = lineage.by_name if lineage is not None else {}
    properties: dict[str, FigureProperties] = {}
    for name in columns:
        output, metric = outputs.get(name), _metric(name, metrics)
        additive = output.additive if output is not None else None
        words = words_of(name)
        if lineage is not None and _identifies(name, output, lineage, keys):
            properties[name] = FigureProperties(identifies=True)
        elif output is not None and output.is_group:
            properties[name] = FigureProperties(is_group=True)
        elif words and words[0] == "share":
            properties[name] = FigureProperties(unit="share", symbol="%", additive=False)
        elif metric is not None and (metric.unit or metric.unit_symbol):
            unit = _KINDS.get(metric.unit or "", "")
            if output is not None and output.aggregate == "count":
                unit = "count"
            symbol = metric.unit_symbol or ("%" if unit == "percent" else "")
            properties[name] = FigureProperties(unit=unit, symbol=symbol if unit != "count" else "", additive=additive)
        elif output is not None and output.aggregate in ("count", "distinct"):
            properties[name] = FigureProperties(unit="count", additive=output.aggregate == "count")
        elif additive is not None:
            properties[name] = FigureProperties(additive=additive)
    return properties


def _identifies(name: str, output: LineageColumn | None, lineage: Lineage, keys: Collection[str]) -> bool:
    """Whether a column is a key of a table: one that is selected as it stands, or comes with a table's `*`."""
    if output is None:
        return any(f"{table}.{name}".lower() in keys for table in lineage.tables)
    column = output.sources[0].rpartition(".") if output.is_plain else ("", "", "")
    tables = [column[0]] if column[0] else lineage.tables
    return any(f"{table}.{column[2]}".lower() in keys for table in tables)


def _metric(name: str, metrics: Sequence[Measured]) -> Measured | None:
    """The metric of a column: the one whose name the column has, else the longest that its name holds."""
    words = words_of(name)
    best: tuple[int, Measured] | None = None
    for metric in metrics:
        for called in (metric.name, *metric.synonyms):
            parts = words_of(called)
            if parts and _holds(words, parts) and (best is None or len(parts) > best[0]):
                best = (len(parts), metric)
    return None if best is None else best[1]


def _holds(words: Sequence[str], parts: Sequence[str]) -> bool:
    return any(tuple(words[at : at + len(parts)]) == tuple(parts) for at in range(len(words) - len(parts) + 1))
