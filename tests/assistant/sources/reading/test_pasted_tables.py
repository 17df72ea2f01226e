"""A table that is pasted into a question becomes a file; prose stays a question."""

from __future__ import annotations

import pytest

from assistant.sources.reading.pasted_tables import pasted_table

TABLE = "town,people\nBern,134000\nBasel,177000\n"


@pytest.mark.parametrize(
    "pasted",
    [
        "town\tpeople\nBern\t134000\nBasel\t177000",
        "| town | people |\n|------|-------:|\n| Bern | 134000 |\n| Basel | 177000 |",
        "town | people\n--- | ---\nBern | 134000\nBasel | 177000",
        "town;people\nBern;134000\nBasel;177000",
        "town,people\nBern,134000\nBasel,177000",
    ],
)
@pytest.mark.parametrize("around", ["{}", "Which town is largest?\n{}", "Here is it:\n\n{}\n\nWhich town is largest?"])
def test_a_table_is_a_file_and_the_words_around_it_a_question(pasted: str, around: str) -> None:
    table = pasted_table(around.format(pasted))
    assert table is not None
    assert (table.name, table.content.decode()) == ("pasted.csv", TABLE)
    assert table.question == " ".join(around.format("").split())


def test_cells_may_hold_delimiters() -> None:
    table = pasted_table('name\tnote\nAnn\t"a, b"\nBo\tc\n')
    assert table is not None
    assert table.content.decode() == 'name,note\nAnn,"a, b"\nBo,c\n'
    table = pasted_table("| a | b |\n|---|---|\n| x \\| y | 1 |")
    assert table is not None
    assert table.content.decode() == "a,b\nx | y,1\n"


@pytest.mark.parametrize(
    "prose",
    [
        "What is revenue by region?",
        "Revenue by region, please.\nFor 2025, by quarter.\nAnd sort it, largest first.",
        "By region, month\nand by shop, year",
        "one | two",
        "",
    ],
)
def test_prose_is_a_question(prose: str) -> None:
    assert pasted_table(prose) is None
