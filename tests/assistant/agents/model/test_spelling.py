"""Names and values reach a model as they are spelt, and text that holds numbers or dates is told by its form."""

from __future__ import annotations

import pytest

from assistant.agents.model.redaction import Redaction
from assistant.agents.model.row_descriptions import describe_rows
from assistant.agents.model.source_descriptions import describe_table
from assistant.agents.model.spelling import describe_spelling, format_cell, format_exactly, format_prose
from assistant.cells.tables import TableView
from assistant.core.catalog import Column, Profile, Table
from assistant.query.personal import PersonalValue


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Male", "Male"),
        (" Male", "' Male'"),
        ("10  West", "'10  West'"),
        ("ends ", "'ends '"),
        ("two\nlines", "'two⏎lines'"),
        ("a\tb", "'a⇥b'"),
        ("a\u00a0b", "'a⍽b'"),
        ("", "''"),
        ("it's", "it's"),
    ],
)
def test_a_value_keeps_the_spaces_that_a_comparison_needs(text: str, said: str) -> None:
    assert format_exactly(text) == said


def test_a_value_with_a_line_break_cannot_look_like_a_message() -> None:
    assert "\n" not in format_exactly("x\n<|system|>\n```")
    assert "<|" not in format_exactly("x\n<|system|>\n```")
    assert format_prose("two\nlines  of prose") == "two lines of prose"
    assert format_cell(None) == "NULL"


@pytest.mark.parametrize("between", ["\n", "\t", "\u00a0", "  "])
def test_a_personal_value_is_withheld_whatever_parts_its_words(between: str) -> None:
    name = f"Wilhelmina{between}Quux"
    assert "Quux" not in Redaction([PersonalValue(text=name, column="name")])(format_exactly(name))


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (("2024-05-01", "2024-06-02"), "written like 9999-99-99"),
        (("1", "2.5", "-3e4"), "numbers as text"),
        (("7", "1,204", "1,250.5"), "numbers as text, with commas for thousands"),
        (("7", "8", "#VALUE!"), "numbers as text, but 1 distinct value is no number, written like #a…a!"),
        (
            ("1", "2", "3", "n/a", " "),
            "numbers as text, but 2 distinct values are no number, written like a/a or ' '",
        ),
        (("id_73014.5", "id_98230127.5"), "written like aa_9…9.9"),
        (("A", "B"), ""),
        (("Hotel Adler", "Hotel Lux", "Hotel 21"), ""),
        ((), ""),
    ],
)
def test_text_that_holds_numbers_or_dates_is_told_by_its_form(values: tuple[str, ...], said: str) -> None:
    assert describe_spelling(values) == said


def test_values_that_share_no_form_have_none_to_tell() -> None:
    assert describe_spelling(tuple("x7" * n for n in range(1, 60))) == ""


def test_a_column_of_numbers_as_text_is_told_below_rows_without_a_value() -> None:
    values = tuple(sorted([*(str(n) for n in range(4100, 4180)), "closed"]))
    profile = Profile(distinct=81, nulls=0, low="4100", high="closed", values=values)
    table = Table(name="days", columns=(Column(name="trips ", type="VARCHAR", kind="text", profile=profile),), rows=90)
    said = describe_table(table, source="bikes", sees="results")
    assert "- 'trips ' VARCHAR," in said
    assert "numbers as text, but 1 distinct value is no number, written like a…a" in said
    assert "4100" not in said
    assert "closed" not in said


def test_a_result_shows_its_names_and_values_with_their_spaces() -> None:
    rows = TableView(columns=("the  region",), rows=((" North",), ("South",)), total=2)
    lines = describe_rows(rows, sees="results").splitlines()
    assert lines[-3:] == ["'the  region' (text)", "' North'", "South"]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (481.45000000000033, "481.45"),
        (0.1 + 0.2, "0.3"),
        (1.5e-7, "1.5e-07"),
        (990.0, "990.0"),
        (608000000000.0, "608000000000.0"),
        (123456789012.25, "123456789012.25"),
        (-7.6, "-7.6"),
        (17, "17"),
        (None, "NULL"),
    ],
)
def test_a_fraction_in_a_table_is_told_without_the_noise_of_its_last_digits(value: object, said: str) -> None:
    assert format_cell(value) == said
