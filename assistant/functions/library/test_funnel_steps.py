import pandas as pd
import pytest
from functions import funnel_steps

EVENTS = pd.DataFrame(
    [
        ("Ada", "visit", "2026-01-01"),
        ("Ada", "cart", "2026-01-02"),
        ("Ada", "pay", "2026-01-03"),
        ("Ben", "cart", "2026-01-01"),
        ("Ben", "visit", "2026-01-05"),
        ("Cleo", "visit", "2026-01-01"),
        ("Cleo", "pay", "2026-01-02"),
    ],
    columns=["who", "what", "day"],
)
STEPS = ["visit", "cart", "pay"]


def test_a_step_counts_only_after_those_before_it():
    table = funnel_steps(EVENTS, "who", "what", STEPS, "day")
    assert table["persons"].tolist() == [3, 1, 1]
    assert table["share_of_previous"].iloc[1:].tolist() == [pytest.approx(1 / 3), 1.0]


def test_without_a_time_the_order_is_not_looked_at():
    assert funnel_steps(EVENTS, "who", "what", STEPS)["persons"].tolist() == [3, 2, 1]


def test_a_later_try_counts():
    again = pd.concat([EVENTS, pd.DataFrame([("Ben", "cart", "2026-01-06")], columns=EVENTS.columns)])
    assert funnel_steps(again, "who", "what", STEPS, "day")["persons"].tolist() == [3, 2, 1]


def test_an_unknown_step_is_named():
    with pytest.raises(ValueError, match=r"No event is 'buy'\. There are 'visit', 'cart', 'pay'"):
        funnel_steps(EVENTS, "who", "what", ["visit", "buy"])


def test_a_step_twice_is_refused():
    with pytest.raises(ValueError, match="once"):
        funnel_steps(EVENTS, "who", "what", ["visit", "visit"])
