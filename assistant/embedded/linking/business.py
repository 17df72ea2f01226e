"""What a business sells, as set phrases speak of it: the figure of what was sold, and the rows that have its day."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.embedded.source.numbered import Sale, sale_number

if TYPE_CHECKING:
    from assistant.embedded.linking.linker import Linker
    from assistant.embedded.source.schema import Entity

Put = tuple[str, str]
"""A question put plainly, and what was taken for granted in it."""
CURRENCY = r"(?:euros?|eur|dollars?|usd|pounds?|gbp|francs?|chf|bucks)"
"""How people write the unit behind an amount of money."""
BOUND = r"over|above|under|below|(?:more|less) than|at (?:least|most)"
"""How people say which side of a number is meant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Business:
    """What is sold: the name of its figure, and the rows that have its day, as one and as many."""

    figure: str
    one: str
    many: str
    apart: bool
    """Whether the figure is of other rows than those, so that they have no number of their own to compare."""


Phrase = Callable[[str, Business, "Linker"], Put | None]
"""A set phrase: it puts a question that has its words plainly, on a business and the source that tells of it."""


def business_of(linkers: Iterable[Linker]) -> tuple[Business, Linker] | None:
    """The first business that the sources tell of, with its source; None where nothing says what is sold, or when."""
    for linker in linkers:
        metric = linker.sold
        rows = _dated(linker)
        if metric is not None and rows is not None:
            sale = Sale.by_lines(rows)
            apart = sale_number(rows) is not None or rows.name != metric.table
            return Business(figure=metric.name, one=sale.one, many=sale.many, apart=apart), linker
    return None


def _dated(linker: Linker) -> Entity | None:
    """The rows by whose day what is sold is counted."""
    metric = linker.sold
    table = metric.date_column.rpartition(".")[0] if metric is not None and metric.date_column else ""
    return linker.schema.find_entity(table or metric.table) if metric is not None else None
