"""What is masked in a query's result, or why it is refused: golden verdicts, without any engine.

`masks.sql` holds the cases: a dialect, or `engines` for those that `test_mask_rules` also puts to real engines. Of a
query that passes, the verdict names its columns, the masked ones with `•`; of one that is refused, it is the part of
the message that says why.
"""

from __future__ import annotations

import pyarrow as pa
import pytest
from statements import golden

from assistant.core.catalog import Catalog, Column, Table
from assistant.core.data_errors import QueryRefused
from assistant.query.mask_lineage import Covered
from assistant.query.mask_rules import apply_masks, find_masked_outputs

MASKS = {"customer": frozenset({"email"}), "contact": frozenset({"reach"})}
COLUMNS = {
    "customer": ("id", "name", "email", "city"),
    "sale": ("id", "customer_id", "amount", "email"),
    "contact": ("id", "reach"),
    "people": ("id", "name"),
    "shouted": ("id", "loud"),
    "elsewhere": ("id",),
}


def judge(sql: str, dialect: str) -> str:
    """The verdict on a query of the shop."""
    tables = tuple(
        Table(
            name=name,
            columns=tuple(Column(name=column, type="text", kind="text") for column in columns),
            is_view=name in ("contact", "people", "shouted"),
            is_foreign=name == "elsewhere",
        )
        for name, columns in COLUMNS.items()
    )
    catalog = Catalog(source="shop", dialect=dialect, tables=tables)
    try:
        cover = find_masked_outputs(
            sql, dialect=dialect, catalog=catalog, masks=MASKS, clear=("people",), functions=("net",)
        )
    except QueryRefused as refused:
        reason = str(refused).partition("does with them: ")[2].rpartition(". Write it with")[0] or str(refused)
        for end in (", so nothing may be", ". It may be", ". Line:"):
            reason = reason.partition(end)[0]
        return f"refuse: {reason}"
    names = zip(cover.names, cover.masked, strict=True)
    return f"pass {' '.join(f'{name}•' if masked else name for name, masked in names)}".strip()


@pytest.mark.parametrize(("dialect", "verdict", "sql"), golden("masks.sql"))
def test_golden_verdicts(dialect: str, verdict: str, sql: str) -> None:
    assert judge(sql, "duckdb" if dialect == "engines" else dialect) == verdict


def test_masked_values_are_covered_and_missing_ones_stay_missing() -> None:
    table = pa.table({"a": [1, None], "b": ["x", None], "c": [2.5, 3.5]})
    assert apply_masks(table, Covered()) is table
    covered = apply_masks(table, Covered(names=("a", "b", "c"), masked=(False, True, True)))
    assert covered.to_pylist() == [{"a": 1, "b": "•••", "c": "•••"}, {"a": None, "b": None, "c": "•••"}]
    with pytest.raises(QueryRefused, match="other columns than expected"):
        apply_masks(table, Covered(names=("a", "b"), masked=(False, True)))


def test_nothing_is_masked_where_no_column_is() -> None:
    catalog = Catalog(source="shop", dialect="duckdb", tables=())
    assert find_masked_outputs("DROP TABLE t", dialect="duckdb", catalog=catalog, masks={}) == Covered()
