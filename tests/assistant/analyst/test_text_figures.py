"""A column of text has no average: that is said, with what stands in it, and no number of values is averaged instead."""

from __future__ import annotations

from datetime import date

import duckdb
import pytest

from assistant.analyst.analyst import Analyst
from assistant.analyst.outcomes import Declined, Understood
from assistant.sources.engines.duckdb_catalog import read_catalog


@pytest.fixture(scope="module")
def analyst() -> Analyst:
    with duckdb.connect() as con:
        con.execute("CREATE TABLE visits (club VARCHAR, member VARCHAR, weight VARCHAR, fee INTEGER)")
        con.executemany(
            "INSERT INTO visits VALUES (?, ?, ?, ?)",
            [("ABC"[n % 3], f"M{n % 7}", "by heart" if n == 4 else str(50 + n), n) for n in range(30)],
        )
        return Analyst([read_catalog(con, source="s")], (), date(2026, 1, 1))


@pytest.mark.parametrize(
    "question", ["average weight by club", "total weight", "median weight", "mean weight by member"]
)
def test_numbers_that_are_kept_as_text_are_refused_with_what_keeps_them(analyst: Analyst, question: str) -> None:
    outcome = analyst.read(question)
    assert isinstance(outcome, Declined)
    assert outcome.reason == "“weight” is text, so it has no average and no total. It holds “by heart”."
    assert "no value" in outcome.hint


def test_words_have_no_average_either(analyst: Analyst) -> None:
    outcome = analyst.read("average member by club")
    assert isinstance(outcome, Declined)
    assert outcome.reason.startswith("“member” is text")


@pytest.mark.parametrize("question", ["how many different weight by club", "average fee by club"])
def test_who_asks_for_a_number_gets_it(analyst: Analyst, question: str) -> None:
    assert isinstance(analyst.read(question), Understood)


def test_a_plural_asks_for_how_many_there_are(analyst: Analyst) -> None:
    assert not isinstance(analyst.read("average number of members by club"), Declined)
    outcome = analyst.read("average members by club")
    assert not isinstance(outcome, Declined) or "is text" not in outcome.reason
