"""Kept code on open sources: whether it fits them, other values in its queries, and its result in a sentence."""

from __future__ import annotations

from datetime import date

import pytest

from assistant.agents.verified.code import change_steps, fits
from assistant.agents.verified.wording import describe_table
from assistant.cells.tables import TableView
from assistant.core.catalog import Catalog, Column, Table
from knowledge.documents import VerifiedQuery, VerifiedStep

SALES = Table(
    name="sales",
    columns=(Column(name="region", type="TEXT", kind="text"), Column(name="amount", type="INTEGER", kind="number")),
)
SHOP = Catalog(source="shop", dialect="sqlite", tables=(SALES,))
OTHER = Catalog(source="other", dialect="sqlite", tables=(SALES,))
CELL = (
    'totals = query("""\nSELECT region, SUM(amount) AS total FROM sales WHERE amount > 5 GROUP BY region\n""")\ntotals'
)


def kept(code: str, *, source: str = "shop") -> VerifiedQuery:
    steps = (VerifiedStep(title="Totals", language="sql", code=code),)
    return VerifiedQuery(question="Totals?", verifier="Ana", verified_on=date(2026, 9, 1), source=source, steps=steps)


@pytest.mark.parametrize(
    ("code", "catalogs", "does_fit"),
    [
        (CELL, (SHOP,), True),
        (CELL, (SHOP, OTHER), True),
        (CELL, (OTHER, SHOP), False),
        (CELL, (OTHER,), False),
        (CELL.replace("amount >", "price >"), (SHOP,), False),
        (CELL.replace("FROM sales", "FROM orders"), (SHOP,), False),
        (CELL.replace("GROUP BY region", "GROUP BY 1 ORDER BY total"), (SHOP,), True),
        ('query("WITH t AS (SELECT amount AS a FROM sales) SELECT MAX(a) FROM t")', (SHOP,), True),
    ],
)
def test_kept_code_fits_sources_that_have_its_tables_and_columns(
    code: str, catalogs: tuple[Catalog, ...], does_fit: bool
) -> None:
    assert fits(kept(code), catalogs) is does_fit


def test_a_value_is_changed_in_the_queries_alone_and_only_where_it_stands_in_one() -> None:
    python = VerifiedStep(title="Double", language="python", code="totals['total'] * 2")
    steps = (*kept(CELL).steps, python)
    changed = change_steps(steps, {"5": "9"}, "sqlite")
    assert changed is not None
    assert "amount > 9" in changed[0].code
    assert changed[0].code.startswith("totals = query(")
    assert changed[1] == python
    assert change_steps(steps, {"7": "9"}, "sqlite") is None, "no query has it"
    fives = VerifiedStep(title="Five", language="python", code="totals.head(5)")
    assert change_steps((*steps, fives), {"5": "9"}, "sqlite") is None, "it may be another five"
    assert change_steps(steps, {}, "sqlite") is None


def test_a_result_is_put_in_a_sentence() -> None:
    rows = (("North", 15), ("South", 7))
    view = TableView(columns=("region", "revenue"), rows=rows, total=2, numeric=frozenset(("revenue",)))
    assert describe_table(view) == "Revenue: highest for North (**15**), lowest for South (7), of 2 rows."
    single = TableView(columns=("n",), rows=((1234,),), total=1, numeric=frozenset(("n",)))
    assert describe_table(single) == "N: **1,234**."
    assert describe_table(TableView(columns=("n",), rows=(), total=0)) == "The result has no rows."
