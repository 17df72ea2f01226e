from __future__ import annotations

from datetime import date

import pytest

from knowledge.documents import Term
from knowledge.sources.tables import read_table


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_each_row_is_a_term(mark: str) -> None:
    rows = [
        ("Term", "Definition", "Synonyms", "Owner", "Updated"),
        ("churn", '"A customer who left, for good."', "lost customer", "Ana", "2026-03-12"),
        ("", "", "", "", ""),
        ("footfall", "People who enter.", "", "", ""),
    ]
    reading = read_table("\n".join(mark.join(row) for row in rows), origin="sales/words.csv")
    assert reading.problems == ()
    assert reading.documents == (
        Term(
            name="churn",
            definition="A customer who left, for good.",
            synonyms=("lost customer",),
            author="Ana",
            updated=date(2026, 3, 12),
            topic="sales",
            origin="sales/words.csv",
        ),
        Term(name="footfall", definition="People who enter.", topic="sales", origin="sales/words.csv"),
    )


def test_a_bad_row_is_told_by_its_line_and_the_others_are_read() -> None:
    text = "term,definition,updated\nchurn,,\nfootfall,People who enter.,12 March\nreach,People who see.,\n"
    reading = read_table(text, origin="words.csv")
    assert [term.name for term in reading.documents] == ["reach"]
    assert [str(problem) for problem in reading.problems] == [
        "words.csv, line 2: the row lacks its term or its definition; fill both cells",
        "words.csv, line 3: '12 March' is no date; write it like 2026-01-31",
    ]


@pytest.mark.parametrize("text", ["", "region,sales\nnorth,7\n", "term,definition\n" + '"' + "x" * 200_000])
def test_what_is_no_glossary_is_a_problem(text: str) -> None:
    reading = read_table(text, origin="words.csv")
    assert reading.documents == ()
    assert len(reading.problems) == 1
