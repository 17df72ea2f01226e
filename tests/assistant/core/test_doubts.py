"""Doubts are ranked by what they change of a question: only what its SQL reads, the heaviest first, a few in full."""

from __future__ import annotations

from assistant.core.doubts import Correction, Doubt, rank_doubts, sort_doubts, summarise_doubts

ENCODING = Doubt(kind="encoding", chosen="Read as Windows-1252.", rival="It may be Mac Roman.")
TOTALS = Doubt(kind="total_rows", table="Sales", chosen="2 total rows are left out.", rows=2, share=0.1)
SENTINEL = Doubt(
    kind="sentinels",
    table="Sales",
    columns=("Temp",),
    chosen="-200 is counted as a value.",
    rows=40,
    share=0.4,
    correction=Correction(setting="types", value={"Temp": "number"}),
)
OTHER = Doubt(kind="sentinels", table="stations", columns=("height",), chosen="999 is counted.", rows=3, share=0.9)


def test_only_doubts_about_what_is_read_are_left_and_the_heaviest_is_first() -> None:
    every = (ENCODING, TOTALS, OTHER, SENTINEL)
    assert rank_doubts(every, {"sales"}, {"sales.temp"}) == (SENTINEL, TOTALS, ENCODING)


def test_what_changes_the_rows_concerns_every_column_and_what_changes_values_only_its_own() -> None:
    assert rank_doubts((TOTALS, SENTINEL), {"sales"}, {"sales.region"}) == (TOTALS,)
    assert rank_doubts((TOTALS, SENTINEL), {"stations"}, {"stations.temp"}) == ()


def test_a_doubt_stands_once_though_its_correction_has_names_of_columns() -> None:
    assert sort_doubts((SENTINEL, SENTINEL.model_copy())) == (SENTINEL,)


def test_of_many_doubts_one_of_each_kind_is_said_in_full_and_the_rest_is_counted() -> None:
    many = tuple(
        Doubt(kind="sentinels", table="t", columns=(f"c{n}",), chosen=f"c{n} holds -1.", rows=9 - n) for n in range(5)
    )
    sentences = summarise_doubts((*many, TOTALS), full_max=2)
    assert sentences == (
        "2 total rows are left out.",
        "c0 holds -1.",
        "4 more doubts about these tables, on the data page",
    )
    assert summarise_doubts((TOTALS,)) == ("2 total rows are left out.",)
    assert summarise_doubts(()) == ()
