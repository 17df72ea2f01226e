from __future__ import annotations

import pytest

from assistant.core.events import Event, Question, Usage
from assistant.models.usage import compute_cost, find_price, sum_usage


def test_calls_tokens_and_cost_add_up_by_role_and_turn() -> None:
    log: list[Event] = [
        Question(turn=1, text="?"),
        Usage(turn=1, role="planner", model="m", input_tokens=100, output_tokens=10, cost=0.5),
        Usage(turn=1, role="coder", model="m", input_tokens=200, output_tokens=20, cost=0.25),
        Usage(turn=2, role="coder", model="m", input_tokens=1, output_tokens=1, cost=None),
    ]
    one = sum_usage(log, turn=1)
    assert (one.calls, one.input_tokens, one.output_tokens, one.cost) == (2, 300, 30, 0.75)
    assert sum_usage(log, role="coder").calls == 2
    assert sum_usage(log, role="planner").cost == 0.5


def test_one_call_without_a_known_price_makes_the_sum_unknown() -> None:
    log = [Usage(turn=1, role="coder", model="m", cost=1.0), Usage(turn=1, role="coder", model="n")]
    assert sum_usage(log).cost is None
    assert sum_usage([]).cost == 0.0


def test_a_price_is_never_guessed() -> None:
    assert find_price("gpt-4o-mini") is not None
    assert find_price("gpt-4o-mini-2024-07-18") == find_price("gpt-4o-mini")
    assert find_price("gpt-4o-mini-tuned-by-us") is None
    assert compute_cost(None, input_tokens=1, output_tokens=1) is None
    assert compute_cost(find_price("gpt-4.1"), input_tokens=1_000_000, output_tokens=500_000) == pytest.approx(6.0)
