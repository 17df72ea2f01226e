"""The corpus of files and databases is never read worse than `corpus.json` says.

`benchmarks/reading.py --write` stores better figures, and `--failures` prints what is not read exactly.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest
from corpus.collection import all_cases, sample_cases
from corpus.ratchet import FIGURES, losses
from corpus.scoring import judge, score_case, tally
from corpus.systems import Reading, ReadTable
from corpus.values import FAMILIES, Case, Field, Key, expect

from assistant.core.doubts import Doubt, DoubtKind

KEPT: dict[str, dict[str, int]] = json.loads(FIGURES.read_text(encoding="utf-8"))
TOWN = Field(name="town", kinds=("text",), values=("Farrow", "Dunmere", "Corvale"))
SALES = Field(name="sales", kinds=("integer",), values=(3, None, 5))
EXPECTED = expect(TOWN, SALES)


def hold(cases: Sequence[Case], kept: dict[str, int]) -> None:
    """Fail where fewer are read exactly, right or doubted, or more in silence or not at all."""
    assert sum(kept.values()) == len(cases), "cases came or went: see benchmarks/reading.py --write"
    lost = losses(tally(score for case in cases if (score := score_case(case, "ours")) is not None), kept)
    assert not lost, f"{lost}: see benchmarks/reading.py --failures"


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_the_corpus_is_read_as_well_as_before() -> None:
    hold(all_cases(), KEPT["whole"])


def test_the_corpus_is_large_and_its_cases_are_different() -> None:
    cases = all_cases()
    databases = [case for case in cases if case.family == "databases"]
    assert len(cases) - len(databases) >= 200
    assert len(databases) >= 20
    assert len({(case.family, case.shape) for case in cases}) >= 60
    assert len({case.name for case in cases}) == len(cases)
    assert {case.family for case in cases} == set(FAMILIES)
    assert {case.family for case in sample_cases()} == set(FAMILIES)


def test_every_case_can_be_written_and_text_is_the_same_each_time(tmp_path: Path) -> None:
    for number, case in enumerate(all_cases()):
        first, second = (tmp_path / f"{number}-{name}" for name in ("first", "second"))
        case.write(first)
        assert first.stat().st_size > 0
        if case.family not in ("databases", "workbooks"):
            case.write(second)
            assert first.read_bytes() == second.read_bytes()


def read(
    town: Sequence[object] = TOWN.values,
    sales: Sequence[object] = SALES.values,
    *,
    names: Sequence[str] = ("town", "sales"),
    doubts: Sequence[Doubt] = (),
) -> Reading:
    """A reading of the two columns, as it is to be where nothing else is named."""
    rows = pa.Table.from_arrays([pa.array(town), pa.array(sales)], names=list(names))
    kinds = ("text", "text" if pa.types.is_string(rows.column(1).type) else "integer")
    return Reading(tables=(ReadTable(name="t", rows=rows, kinds=kinds),), doubts=tuple(doubts))


def doubt(kind: DoubtKind, *columns: str) -> Doubt:
    """A doubt of some columns."""
    return Doubt(kind=kind, columns=columns, chosen="This was chosen.")


def test_a_reading_that_is_right_is_exact() -> None:
    assert judge(read(), EXPECTED).outcome == "exact"
    assert judge(read(names=("Town ", "SALES")), EXPECTED).outcome == "exact"


@pytest.mark.parametrize(
    ("reading", "aspects"),
    [
        (read(sales=(3, None, 6)), {"value"}),
        (read(sales=(3, 0, 5)), {"missing"}),
        (read(sales=("3", None, "5")), {"type", "value"}),
        (read(town=("Farrow", "Dunmere", "Bray")), {"value"}),
        (read(names=("town", "column2")), {"header"}),
        (read(("Farrow", "Dunmere", "Corvale", "Total"), (3, None, 5, 8)), {"rows", "value"}),
    ],
)
def test_a_fault_without_a_doubt_is_silent(reading: Reading, aspects: set[str]) -> None:
    score = judge(reading, EXPECTED)
    assert score.outcome == "silent"
    assert {fault.aspect for fault in score.faults} >= aspects


def test_a_doubt_covers_the_faults_of_its_kind_in_its_columns_only() -> None:
    faulty = (3, 0, 5)
    assert judge(read(sales=faulty, doubts=[doubt("missing_values", "Sales")]), EXPECTED).outcome == "doubted"
    assert judge(read(sales=faulty, doubts=[doubt("missing_values")]), EXPECTED).outcome == "doubted"
    assert judge(read(sales=faulty, doubts=[doubt("missing_values", "town")]), EXPECTED).outcome == "silent"
    assert judge(read(sales=faulty, doubts=[doubt("equal_names", "sales")]), EXPECTED).outcome == "silent"


def test_what_has_to_be_told_is_untold_without_its_doubt() -> None:
    expected = expect(TOWN, SALES, doubts=(("sentinels", "missing_values"),))
    assert judge(read(), expected).outcome == "untold"
    assert judge(read(doubts=[doubt("sentinels", "sales")]), expected).outcome == "exact"


def test_either_of_two_right_readings_is_exact_but_no_third() -> None:
    expected = expect(TOWN, replace(SALES, values=(3, 999, 5), others=((3, None, 5),)))
    assert [judge(read(sales=(3, value, 5)), expected).outcome for value in (999, None, 998)] == [
        "exact",
        "exact",
        "silent",
    ]


def test_keys_that_are_missing_or_should_not_be_used_are_faults() -> None:
    key = Key(table="t", column="sales", target="towns", target_column="id")
    assert judge(read(), replace(EXPECTED, keys=(key,))).outcome == "silent"
    assert judge(replace(read(), keys=frozenset([key])), replace(EXPECTED, keys=(key,))).outcome == "exact"
    assert judge(replace(read(), keys=frozenset([key])), replace(EXPECTED, absent_keys=(key,))).outcome == "silent"


def test_an_error_that_says_why_is_told_from_one_that_does_not() -> None:
    assert judge(Reading(refusal="'a.csv' is not text."), EXPECTED).outcome == "refused"
    assert judge(Reading(failure="KeyError: 'a'"), EXPECTED).outcome == "failed"


def test_the_ratchet_lets_nothing_get_worse() -> None:
    kept = {"exact": 5, "untold": 1, "doubted": 2, "silent": 2, "refused": 0, "failed": 0}
    assert losses({"exact": 5, "untold": 1, "doubted": 2, "silent": 2}, kept) == []
    assert losses({"exact": 7, "untold": 2, "silent": 1}, kept) == []
    assert losses({"exact": 5, "untold": 1, "doubted": 1, "silent": 3}, kept) == [
        "exact or doubted: 6, 7 before",
        "silent: 3, 2 before",
    ]
    assert losses({"exact": 4, "untold": 2, "doubted": 2, "silent": 2}, kept)[0] == "exact: 4, 5 before"
    assert losses({"exact": 5, "untold": 1, "doubted": 2, "silent": 1, "failed": 1}, kept) == [
        "refused or failed: 1, 0 before"
    ]
