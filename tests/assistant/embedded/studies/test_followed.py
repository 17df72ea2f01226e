"""Follow-ups of studies: what a study is about, its periods and its figure change, and nothing else is lost."""

from __future__ import annotations

import pytest

from assistant.embedded.analyst import Analyst
from assistant.embedded.meaning import Meaning
from assistant.embedded.outcomes import Understood
from assistant.embedded.studies.outcomes import Recognised, Refused
from assistant.embedded.studies.recognising import recognise
from assistant.embedded.studies.study import Study

DIALOGUES = [
    (["is there a trend in revenue?", "only the south", "per quarter", "what about the north?"],
     "Trend of net revenue by quarter, where region is North"),
    (["is there a trend in revenue?", "only the south", "and the number of orders?"],
     "Trend of number of orders by month, where region is South"),
    (["forecast revenue", "for the next 6 months", "only the south", "for all regions"],
     "Forecast of net revenue by month up to May 2027"),
    (["growth of revenue by month", "by quarter", "year over year"],
     "Growth of net revenue by quarter against the year before"),
    (["is there a trend in revenue by region?", "only the north"],
     "Trend of net revenue by month, where region is North"),
    (["is there a trend in revenue?", "by region", "per quarter", "and the number of orders?", "by channel"],
     "Trend of number of orders by quarter for each channel"),
    (["forecast revenue by channel", "for 6 months", "without phone"],
     "Forecast of net revenue by month for each channel up to May 2027, where channel is not phone"),
    (["growth of revenue by month and region", "by quarter", "only the north and the south"],
     "Growth of net revenue by quarter for each region, where region is North or South"),
    (["which categories are growing?", "not by category"], "Trend of net revenue by month"),
    (["revenue by month", "and the change?"], "Growth of net revenue by month"),
    (["why did revenue fall in October?", "and in September?", "only the south"],
     "What the change of net revenue came from, where region is South: September 2026 against August 2026"),
    (["revenue in October 2026", "compare with last year"], "Net revenue: October 2026 against October 2025"),
    (["revenue in October 2026", "compare with the previous month", "and the year before?"],
     "Net revenue: October 2026 against October 2025"),
    (["revenue in 2025", "compare with last year"], "Net revenue: 2025 against 2024"),
    (["revenue in Q2 2026", "versus Q1"], "Net revenue: Q2 2026 against Q1 2026"),
    (["revenue by region in 2025", "compare with the year before", "only the south"],
     "Net revenue by region, where region is South: 2025 against 2024"),
    (["revenue in 2025", "compare with last year", "why did it fall?"],
     "What the change of net revenue came from: 2025 against 2024"),
]  # fmt: skip


def after(analyst: Analyst, turns: list[str]) -> tuple[Meaning | None, Study | None]:
    """What the turns mean at last: a meaning, or the study with the figure that it is about."""
    meaning, study = None, None
    for text in turns:
        found = recognise(text, analyst, meaning, study)
        if found is None:
            outcome = analyst.read(text, meaning)
            assert isinstance(outcome, Understood), (text, outcome)
            meaning, study = outcome.meaning, None
        else:
            assert isinstance(found, Recognised), (text, found)
            meaning, study = found.study.rows[0], found.study
    return meaning, study


@pytest.mark.parametrize(("turns", "title"), DIALOGUES, ids=[" / ".join(t) for t, _ in DIALOGUES])
def test_a_study_is_followed_up(company_analyst: Analyst, turns: list[str], title: str) -> None:
    _, study = after(company_analyst, turns)
    assert study is not None
    assert study.title == title


def test_the_rows_of_a_comparison_hold_both_periods(company_analyst: Analyst) -> None:
    _, study = after(company_analyst, ["revenue by region in 2025", "compare with the year before"])
    assert study is not None
    assert [m.times for m in study.rows] == [(), ()]


@pytest.mark.parametrize("follow_up", ["as a bar chart", "only the purple ones", "sorted by name"])
def test_a_study_is_not_left_silently(company_analyst: Analyst, follow_up: str) -> None:
    meaning, study = after(company_analyst, ["growth of revenue by month"])
    assert isinstance(recognise(follow_up, company_analyst, meaning, study), Refused)


def test_until_when_tells_what_the_study_shows(company_analyst: Analyst) -> None:
    meaning, study = after(company_analyst, ["forecast revenue", "for the next 6 months"])
    found = recognise("until when?", company_analyst, meaning, study)
    assert isinstance(found, Refused)
    assert "up to May 2027" in found.reason


def test_a_question_of_its_own_ends_the_study(company_analyst: Analyst) -> None:
    meaning, study = after(company_analyst, ["forecast revenue"])
    assert recognise("How many products are there?", company_analyst, meaning, study) is None


@pytest.mark.parametrize(
    "question", ["why is the north higher?", "why is revenue in the north higher than in the south?"]
)
def test_a_difference_between_groups_is_no_change(company_analyst: Analyst, question: str) -> None:
    before = company_analyst.read("revenue by region")
    assert isinstance(before, Understood)
    found = recognise(question, company_analyst, before.meaning)
    assert isinstance(found, Refused)
    assert "one group differs from another" in found.reason


def test_a_ranking_is_not_compared_as_if_it_were_all(company_analyst: Analyst) -> None:
    before = company_analyst.read("top 5 customers by revenue")
    assert isinstance(before, Understood)
    assert isinstance(recognise("compare with last year", company_analyst, before.meaning), Refused)
