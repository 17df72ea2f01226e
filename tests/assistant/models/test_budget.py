"""What models may use: counted from the log, by turn, session and role; reaching a limit names it and the setting."""

from __future__ import annotations

import pytest

from assistant.core.events import Event, Question, Usage
from assistant.errors import BudgetReached
from assistant.models.budget import list_accounts, require_budget
from assistant.settings.models import BudgetLimits, Budgets, RoleLimits

LOG: tuple[Event, ...] = (
    Question(turn=1, text="?"),
    Usage(turn=1, role="coder", model="m", input_tokens=900, output_tokens=100, cost=0.5, seconds=3.0),
    Question(turn=2, text="?"),
    Usage(turn=2, role="planner", model="m", input_tokens=90, output_tokens=10, cost=0.25, seconds=2.0),
    Usage(turn=2, role="coder", model="m", input_tokens=90, output_tokens=10, cost=0.25, seconds=2.5),
)


@pytest.mark.parametrize(
    ("budgets", "says"),
    [
        (Budgets(turn=RoleLimits(calls=2)), r"may use 2 calls for this question, and 2 are used.*budgets\.turn\.calls"),
        (Budgets(turn=RoleLimits(tokens=200)), "200 tokens for this question"),
        (Budgets(turn=RoleLimits(seconds=4.5)), r"4\.5 seconds for this question, and 4\.50 are used"),
        (Budgets(session=RoleLimits(dollars=1.0)), r"1 dollars for this session, and 1\.00 are used"),
        (
            Budgets(session=RoleLimits(coder=BudgetLimits(tokens=1_100))),
            r"1,100 tokens for this session as coder.*budgets\.session\.coder\.tokens",
        ),
    ],
)
def test_a_limit_that_is_reached_is_named_with_its_setting(budgets: Budgets, says: str) -> None:
    with pytest.raises(BudgetReached, match=says):
        require_budget(budgets, LOG, "coder")


@pytest.mark.parametrize(
    "budgets",
    [
        Budgets(turn=RoleLimits(calls=3, tokens=201, dollars=0.51, seconds=4.6)),
        Budgets(session=RoleLimits(planner=BudgetLimits(calls=1))),  # another role's
        Budgets(turn=RoleLimits(coder=BudgetLimits(tokens=101))),
        Budgets(),
    ],
)
def test_a_limit_that_is_not_reached_stops_nobody(budgets: Budgets) -> None:
    require_budget(budgets, LOG, "coder")


def test_dollars_cannot_be_limited_where_a_price_is_unknown() -> None:
    unknown = (*LOG, Usage(turn=2, role="coder", model="n"))
    with pytest.raises(BudgetReached, match=r"price of a call is not known. Set price_in and price_out"):
        require_budget(Budgets(turn=RoleLimits(dollars=100)), unknown, "coder")


def test_what_is_used_is_listed_beside_each_limit() -> None:
    budgets = Budgets(turn=RoleLimits(calls=10, coder=BudgetLimits(tokens=500)), session=RoleLimits(dollars=2))
    listed = [(one.setting, one.used, one.limit) for one in list_accounts(budgets, LOG)]
    assert listed == [
        ("budgets.turn.calls", 2, 10),
        ("budgets.turn.coder.tokens", 100, 500),
        ("budgets.session.dollars", 1.0, 2),
    ]
