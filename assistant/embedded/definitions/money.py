"""Words of business that nobody defined: "revenue", "sales", "spending", where the data has a sensible reading.

A column that says what a sale came to, or price times quantity of its lines, becomes a metric with a guessed meaning.
A definition in the knowledge base always comes first; what is guessed here is said with every answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from assistant.embedded.definitions.both_ways import flow_of
from assistant.embedded.source.dating import day_for, likeliest_date
from assistant.embedded.source.numbered import Sale, sale_number
from assistant.embedded.source.schema import Attribute, Edge, Entity, Schema
from assistant.embedded.sql.tables import written
from assistant.embedded.words.lexicon import name_stems, name_words, stem
from assistant.embedded.words.vocabulary import TRADE, word_set

if TYPE_CHECKING:
    from knowledge.documents import Metric

WORDS = (
    *("sales", "turnover", "takings", "spending", "total sales", "total revenue", "sales revenue", "net sales"),
    *("net revenue", "income", "total income"),
)
_TOTAL = word_set("amount total revenue sale subtotal payment fare")
_NOT_SOLD = word_set(
    "tax freight discount shipping refund fee quantity unit budget expense salary payroll donation loan invest cost"
    " fund"
)
_SPENT = frozenset(stem(word) for word in ("expense", "expenditure", "outlay"))
"""Rows that say what was spent, and never what was sold."""
_TRADED = frozenset(stem(word) for word in TRADE)
_SALE = frozenset((stem("sale"), stem("purchase")))
_PERCENT = frozenset(stem(word) for word in ("pct", "percent", "percentage", "rate"))
_AMOUNT = frozenset(stem(word) for word in ("amount", "value", "total", "sum"))
_SURE, _FINER = 0.9, 0.8

Guess = tuple["Metric", float]
"""A metric and how sure it is that the words mean it."""


def guessed(schema: Schema, metrics: Sequence[Metric]) -> tuple[Guess, ...]:
    """What revenue may be here: nothing where the knowledge base defines it, or where nothing looks like it."""
    words = {stem for word in ("revenue", *WORDS) for stem in name_stems(word)}
    said = [name_stems(name) for m in metrics for name in (m.name, *m.synonyms)]
    if words & {stem for stems in said for stem in stems}:
        return ()
    entities = [e for e in schema.entities.values() if not (_NOT_SOLD | _SPENT) & set(e.stems) and flow_of(e) is None]
    totals = [(e, a) for e in entities if (a := total_of(e)) is not None and _happens(schema, e)]
    if traded := [(e, a) for e, a in totals if _TRADED & set(e.stems)]:
        totals = traded  # what was sold, before what was paid for it
    lines = [(e, expression) for e in entities if (expression := _lines(schema, e)) and _happens(schema, e)]
    if len(totals) > 1 or len(lines) > 1:
        totals, lines = totals[:2], lines[: max(0, 2 - len(totals))]
    several = len(totals) + len(lines) > 1
    found: list[Guess] = []
    for entity, attribute in totals:
        column = written(attribute.name, schema.dialect)
        meant = f"the sum of {entity.one} {attribute.words}".replace(f"{entity.one} {entity.one}", entity.one)
        alone = len(totals) == 1
        name = "revenue" if alone else f"revenue from {entity.many}"
        found.append((_metric(schema, entity, name, f"SUM({column})", meant, shared=not alone), _SURE))
        number = sale_number(entity)
        one = f"SUM({column}) / {_counted(number, schema)}" if number is not None else f"AVG({column})"
        found += _each(schema, entity, Sale.by_lines(entity), expression=one, meant=meant, rivals=totals)
    for entity, expression in lines:
        finer = several and bool(totals)
        name = "revenue" if not several else f"revenue from {entity.many}"
        meant = f"price times quantity{' less the discount' if '-' in expression else ''} of the {entity.many}"
        metric = _metric(schema, entity, name, expression, meant, shared=several)
        found.append((metric, _FINER if finer else _SURE))
        if not totals:
            edge, number = _sale(schema, entity), sale_number(entity)
            key = entity.attributes[edge.left_columns[0]] if edge else number
            one = _counted(key, schema) if key is not None else "COUNT(*)"
            sale = Sale.of(schema.entities[edge.right]) if edge else Sale.by_lines(entity)
            found += _each(schema, entity, sale, expression=f"{expression} / {one}", meant=meant, rivals=lines)
    return tuple((_unsaid(metric, said), sure) for metric, sure in found if name_stems(metric.name) not in said)


def _unsaid(metric: Metric, said: Sequence[tuple[str, ...]]) -> Metric:
    """The metric without those of its names that are defined otherwise."""
    return replace(
        metric, synonyms=tuple(word for word in metric.synonyms if word != "AOV" or name_stems(word) not in said)
    )


def _counted(number: Attribute, schema: Schema) -> str:
    return f"COUNT(DISTINCT {written(number.name, schema.dialect)})"


def _sale(schema: Schema, lines: Entity) -> Edge | None:
    """The key from the lines to the sale that they belong to: the one table above them that has a day.

    Lines with a day of their own are the sales, unless they belong to a table that is called one.
    """
    above = [(e, schema.entities[e.right]) for e in schema.edges.get(lines.name, ()) if not e.many]
    found = [e for e, sale in above if likeliest_date(sale) and not sale.is_calendar]
    if any(sale.is_calendar for _, sale in above) or likeliest_date(lines):
        found = [e for e in found if _TRADED & set(schema.entities[e.right].stems)]
    return found[0] if len(found) == 1 and len(found[0].left_columns) == 1 else None


def _each(
    schema: Schema, entity: Entity, sale: Sale, *, expression: str, meant: str, rivals: Sequence[object]
) -> list[Guess]:
    """What a sale comes to on average: "average order value"."""
    from knowledge.documents import Metric

    if len(rivals) > 1:
        return []
    one = sale.one.split()[-1]
    words = (f"average {word}" for word in (f"{one} size", "basket", "basket value", "basket size", "cart value"))
    metric = Metric(
        name=f"average {one} value",
        synonyms=(*words, *(("AOV",) if one == "order" else ())),
        definition=f"{meant}, divided by the number of {sale.many}",
        expression=expression,
        table=entity.name,
        date_column=_date(schema, entity),
    )
    return [(metric, _SURE)]


def _metric(schema: Schema, entity: Entity, name: str, expression: str, meant: str, *, shared: bool) -> Metric:
    from knowledge.documents import Metric

    return Metric(
        name=name,
        synonyms=(*(("revenue",) if shared else ()), *WORDS),
        definition=meant,
        expression=expression,
        table=entity.name,
        date_column=_date(schema, entity),
    )


def total_of(entity: Entity) -> Attribute | None:
    """The one column that says what a row came to."""
    found = [a for a in entity.attributes.values() if _is_total(a)]
    if len(found) > 1:  # what a bill comes to rather than what was paid of it
        found = [a for a in found if "paid" not in name_words(a.name)]
    if not found and _SALE & set(entity.stems):  # one row for each thing sold
        numbers = [a for a in entity.attributes.values() if a.is_number]
        priced = [a for a in numbers if {"pric", "price"} & set(a.stems) and not set(a.stems) & _NOT_SOLD]
        found = priced if not any("quantity" in a.own for a in numbers) else []
    return found[0] if len(found) == 1 else None


def _is_total(attribute: Attribute) -> bool:
    added = attribute.adds_up or (attribute.is_number and attribute.own == _FARE)
    return added and bool(_TOTAL & set(attribute.own)) and not _NOT_SOLD & set(attribute.own)


_FARE = (stem("fare"),)


def _lines(schema: Schema, entity: Entity) -> str:
    product = product_of(schema, entity)
    return f"SUM({product})" if product and total_of(entity) is None else ""


def product_of(schema: Schema, entity: Entity) -> str:
    """Price times quantity of a row, less its discount; nothing where there is not one of each."""
    product, discount = _in_full(schema, entity), _discount(entity)
    return product + _less(discount, schema.dialect) if product and discount is not None else product


def off_of(schema: Schema, entity: Entity) -> str:
    """What the discount takes off price times quantity of a row; nothing where it is not a part of them."""
    product, discount = _in_full(schema, entity, sold=True), _discount(entity)
    less = _less(discount, schema.dialect) if product and discount is not None else ""
    return product + less.replace("(1 - ", "(") if less.startswith(" * (1 - ") else ""


def _in_full(schema: Schema, entity: Entity, *, sold: bool = False) -> str:
    """Price times quantity of a row; `sold` by the quantity that is called so and no more, where there are others."""
    numbers = [a for a in entity.attributes.values() if a.is_number]
    quantities = [a for a in numbers if "quantity" in a.own and a.adds_up]
    if sold:
        quantities = [a for a in quantities if a.own == ("quantity",)] or quantities
    prices = [a for a in numbers if "pric" in a.own or "price" in a.own]
    if len(quantities) != 1 or len(prices) != 1:
        return ""
    return f"{written(prices[0].name, schema.dialect)} * {written(quantities[0].name, schema.dialect)}"


def _discount(entity: Entity) -> Attribute | None:
    discounts = [a for a in entity.attributes.values() if a.is_number and "discount" in a.own]
    return discounts[0] if len(discounts) == 1 else None


def _less(discount: Attribute, dialect: str) -> str:
    """What takes a discount off: a part of one, a percentage, or an amount."""
    high = discount.column.profile.high if discount.column.profile else None
    column = written(discount.name, dialect)
    if not isinstance(high, int | float) or high < 0:
        return ""
    if high <= 1:
        return f" * (1 - {column})"
    if _PERCENT & set(discount.stems):
        return f" * (1 - {column} / 100.0)"
    return f" - {column}" if _AMOUNT & set(discount.stems) else ""


def _happens(schema: Schema, entity: Entity) -> bool:
    """Sales have a day, or belong to something that has one."""
    return _date(schema, entity) is not None


def words_of(metrics: Sequence[Metric]) -> set[str]:
    """The stems of all names that metrics go by."""
    return {word for m in metrics for name in (m.name, *m.synonyms) for word in name_stems(name)}


def _date(schema: Schema, entity: Entity) -> str | None:
    date = day_for(schema, entity)
    return f"{date.table}.{date.name}" if date is not None else None
