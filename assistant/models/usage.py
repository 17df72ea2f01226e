"""Usage of models: tokens and calls by role from the log, priced from a small table that states its date.

An unknown price is None, never a guess; so is the sum over calls of which one has no known price.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType

from assistant.core.events import Event, Role, Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """US dollars per million tokens."""

    input: float
    output: float


PRICES_AS_OF = date(2025, 9, 1)
PRICES: Mapping[str, Price] = MappingProxyType(
    {
        "gpt-5": Price(input=1.25, output=10.0),
        "gpt-5-mini": Price(input=0.25, output=2.0),
        "gpt-5-nano": Price(input=0.05, output=0.4),
        "gpt-4.1": Price(input=2.0, output=8.0),
        "gpt-4.1-mini": Price(input=0.4, output=1.6),
        "gpt-4.1-nano": Price(input=0.1, output=0.4),
        "gpt-4o": Price(input=2.5, output=10.0),
        "gpt-4o-mini": Price(input=0.15, output=0.6),
        "o3": Price(input=2.0, output=8.0),
        "o4-mini": Price(input=1.1, output=4.4),
    }
)
"""List prices of OpenAI's own endpoint on `PRICES_AS_OF`, without discounts for cached input or batches.

Source: OpenAI's published API prices. Another endpoint's price is a setting of the model's choice.
"""

_DATED = re.compile(r"-20\d\d-\d\d-\d\d$")


def find_price(model: str) -> Price | None:
    """The list price of a model by its name, with or without a release date; None where it is not known."""
    return PRICES.get(_DATED.sub("", model))


def compute_cost(price: Price | None, *, input_tokens: int, output_tokens: int) -> float | None:
    """What a call costs in US dollars; None where the price is not known."""
    if price is None:
        return None
    return (input_tokens * price.input + output_tokens * price.output) / 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """The sum of some model calls. `cost` in US dollars; None where a call's price is not known. `seconds` waited."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = 0.0
    seconds: float = 0.0


def sum_usage(events: Iterable[Event], *, turn: int | None = None, role: Role | None = None) -> Total:
    """Add up the model calls of a session, or of one turn, or of one role."""
    result = Total()
    for event in events:
        if isinstance(event, Usage) and turn in (None, event.turn) and role in (None, event.role):
            result = _add(result, event)
    return result


def _add(sum_: Total, call: Usage) -> Total:
    has_cost = sum_.cost is not None and call.cost is not None
    return Total(
        calls=sum_.calls + 1,
        input_tokens=sum_.input_tokens + call.input_tokens,
        output_tokens=sum_.output_tokens + call.output_tokens,
        cost=(sum_.cost or 0.0) + (call.cost or 0.0) if has_cost else None,
        seconds=sum_.seconds + call.seconds,
    )
