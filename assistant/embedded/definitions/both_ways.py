"""Money that goes both ways, which nobody defined: what came in and what went out of an account.

A bank statement holds both in one column, by the sign of the amount. What was spent are the amounts below zero, what
was earned those above it, and both together are the cash flow; the sum of all is neither revenue nor spending.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from assistant.embedded.source.dating import day_for
from assistant.embedded.source.schema import Attribute, Entity, Schema
from assistant.embedded.sql.tables import written
from assistant.embedded.words.lexicon import name_stems, stem
from assistant.embedded.words.vocabulary import word_set

if TYPE_CHECKING:
    from knowledge.documents import Metric

_SPENT = (
    *("spending", "spend", "spent", "expenses", "expenditure", "costs", "outgoings", "outgoing payments", "money out"),
    *("money spent", "total expenses", "total costs", "outflow"),
)
_EARNED = (
    *("income", "revenue", "sales", "turnover", "earnings", "receipts", "incoming payments", "money in"),
    *("total income", "earn", "earned", "received", "payments received", "inflow", "total revenue"),
)
_WE_PAY = ("we pay", "we paid", "we have paid", "we spend", "we spent")
_PAY_US = ("pay us", "paid us", "paid to us", "transfer us", "transferred to us")
_LEFT = ("net cash flow", "cash flow", "cashflow", "net income", "surplus", "profit", "money left")
_SIDES = (
    (_SPENT, _WE_PAY, "< 0", "-", "the amounts below zero"),
    (_EARNED, _PAY_US, "> 0", "", "the amounts above zero"),
    (_LEFT, (), "", "", "all amounts, in and out"),
)
_ACCOUNT = frozenset(
    stem(word)
    for word in word_set(
        "balance saldo kontostand payee counterparty iban bank booking buchung statement ledger account cash"
    )
)
"""What the columns or the table are called of rows by which money goes in and out."""
_KEPT = frozenset(stem(word) for word in ("balance", "saldo", "kontostand"))
_SURE, _DEED_SURE = 0.9, 0.95
"""How sure words are, and those that say who pays whom."""


def both_ways(schema: Schema, metrics: Sequence[Metric]) -> tuple[tuple[Metric, float], ...]:
    """What was spent, earned and left, with how sure the words mean them; each unless the knowledge base defines it."""
    from knowledge.documents import Metric

    said = {name_stems(name) for metric in metrics for name in (metric.name, *metric.synonyms)}
    accounts = [(e, a) for e in schema.entities.values() if (a := flow_of(e)) is not None]
    if len(accounts) != 1:
        return ()
    entity, amount = accounts[0]
    column, date = written(amount.name, schema.dialect), day_for(schema, entity)
    found: list[tuple[Metric, float]] = []
    for names, deeds, side, sign, meant in _SIDES:
        if said & {name_stems(name) for name in names[:2]}:
            continue
        part = f"CASE WHEN {column} {side} THEN {sign}{column} ELSE 0 END" if side else column
        metric = Metric(
            name=names[0],
            synonyms=names[1:],
            definition=f"the sum of {meant}",
            expression=f"SUM({part})",
            table=entity.name,
            date_column=f"{date.table}.{date.name}" if date is not None else None,
        )
        found += [(metric, _SURE), (replace(metric, synonyms=deeds), _DEED_SURE)]
    return tuple(found)


def flow_of(entity: Entity) -> Attribute | None:
    """The one column of an account whose amounts are above zero where money comes in, and below where it goes."""
    told = {word for a in entity.attributes.values() for word in a.stems} | set(entity.stems)
    signed = [a for a in entity.attributes.values() if _is_signed(a) and not _KEPT & set(a.stems)]
    return signed[0] if len(signed) == 1 and _ACCOUNT & told else None


def _is_signed(attribute: Attribute) -> bool:
    profile = attribute.column.profile
    if not attribute.is_number or attribute.as_text or profile is None:
        return False
    low, high = profile.low, profile.high
    return isinstance(low, int | float) and isinstance(high, int | float) and low < 0 < high
