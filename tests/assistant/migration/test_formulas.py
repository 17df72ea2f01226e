"""Formulas as Python: what binds how, what is read, and what is refused with its cell."""

from __future__ import annotations

import pytest

from assistant.migration.formulas import parse_formula
from assistant.migration.statements import MigrationError


@pytest.mark.parametrize(
    ("formula", "reads"),
    [
        ("=A1+B2*2", ("S!A1", "S!B2")),
        ("=SUM($A$1:B2)", ("S!A1", "S!B1", "S!A2", "S!B2")),
        ("=Other!C3&'My sheet'!D4", ("Other!C3", "My sheet!D4")),
    ],
)
def test_the_cells_that_a_formula_reads(formula: str, reads: tuple[str, ...]) -> None:
    assert parse_formula(formula, sheet="S", cell="Z9").reads == reads


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("=OFFSET(A1,1,1)", "the function OFFSET"),
        ("=SUM(A:A)", "whole column"),
        ("=[1]Sheet!A1", "another workbook"),
        ("=Rate*2", "'Rate' is no range"),
        ("=SUM(A1:XFD1048576)", "more than 100,000 cells"),
        ("=#REF!+1", "#REF!"),
        ("=1+", "ends too early"),
    ],
)
def test_what_is_not_known_is_refused_with_its_cell(formula: str, message: str) -> None:
    with pytest.raises(MigrationError, match=message) as refused:
        parse_formula(formula, sheet="S", cell="Z9")
    assert "S!Z9" in str(refused.value)
