"""A question that cannot be read still gives what was understood of it; the rest stays unread, nothing is invented."""

from __future__ import annotations

import pytest
from sample_analyst import asked, rows_of, sample_analyst

from assistant.analyst.outcomes import Declined

UNREAD = {
    "how flamboyant are the orders by region": ("Measure: number of orders", "Group by: region"),
    "compute the eigenvalues of sales by category": ("Measure: net revenue", "Group by: category"),
    "net revenue by planet": ("Measure: net revenue",),
    "what did Ben pay in cash in March": ("Unread: Ben", "Unread: cash"),
    "predict the happiness of customers in Oslo": ("Measure: number of customers", "Unread: happiness"),
    "how satisfied were people with priority high tickets": ("Filter: priority is “high”",),
    "list the grumpy customers": ("Measure: number of customers", "Unread: grumpy"),
    "profit margin by weather": ("Measure: gross margin rate", "Unread: weather"),
    "tell me a joke about returns": ("Measure: number of returns", "Unread: joke"),
    "compare sofas and lamps in the online shop": ("Filter: online order", "Unread: sofas"),
    "what is the meaning of life": ("Unread: meaning", "Unread: life"),
    "discount abuse by segment": ("Measure: average discount", "Group by: customer segment"),
    "when do stores sleep": ("Measure: number of stores", "Unread: sleep"),
    "warehouse capacity in the east": ("Filter: region is “East”", "Unread: warehouse", "Unread: capacity"),
    "employees per store": ("Group by: store", "Unread: employees"),
    "average order value among influencers": ("Measure: average order value", "Unread: influencers"),
    "how green is our supply chain by region": ("Group by: region", "Unread: green"),
    "zorbing quota of returns in 2025": ("Period: return date in 2025", "Unread: zorbing"),
    "units sold by astronauts": ("Measure: units sold", "Unread: astronauts"),
    "gross margin of unicorns in 2024": ("Measure: gross margin", "Period: order date in 2024", "Unread: unicorns"),
    "orders by hovercraft per month": ("Group by: month of order date", "Unread: hovercraft"),
    "marketing spend on billboards by region": ("Measure: marketing spend", "Group by: region"),
    "return rate by mood": ("Measure: return rate", "Unread: mood"),
    "support tickets by zodiac sign": ("Measure: number of support tickets", "Unread: zodiac"),
    "customers who sing": ("Measure: number of customers", "Unread: sing"),
    "number of products with a blue lid": ("Measure: number of products", "Unread: lid"),
    "net revenue per galaxy by channel": ("Measure: net revenue", "Unread: galaxy"),
    "phone orders from penguins": ("Unread: penguins",),
    "gross revenue from moonlight by department": ("Measure: gross revenue", "Unread: moonlight"),
    "are stores in the north haunted": ("Unread: haunted",),
}


@pytest.mark.parametrize("question", UNREAD)
def test_what_was_understood_is_shown_and_the_rest_is_unread(question: str) -> None:
    read = sample_analyst().partial(question)
    assert set(UNREAD[question]) <= set(map(str, read.chips)), str(read)
    assert read.unread
    assert all(word in question for word in read.unread)
    assert not read.problems
    if read.sql:
        rows_of(read.sql)


@pytest.mark.parametrize("question", [*UNREAD][:6])
def test_a_refusal_carries_what_was_understood(question: str) -> None:
    outcome = asked(question)
    assert isinstance(outcome, Declined)
    assert outcome.partial is not None
    assert outcome.partial.unread


def test_from_what_was_understood_the_question_is_finished_by_edits() -> None:
    read = sample_analyst().partial("net revenue by planet")
    planet = next(chip for chip in read.chips if chip.kind == "Unread")
    finished = read.drop(planet).replace(group_by="region", period="2025")
    assert len(rows_of(finished.sql)) == 5
