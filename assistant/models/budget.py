"""Budgets of model use for a turn and a session, counted from the log, so that they survive a restart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.core.events import Event, Role
from assistant.errors import BudgetReached
from assistant.models.usage import Total, sum_usage

if TYPE_CHECKING:
    from assistant.settings.models import BudgetLimits, Budgets


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """One limit and what of it is used.

    Attributes:
        setting: The setting, as `budgets.turn.coder.calls`.
        unit: Calls, tokens, dollars or seconds.
        used: How many of them; None where a call's price is unknown.
        limit: How many there may be.
    """

    setting: str
    unit: str
    used: float | None
    limit: float

    @property
    def reached(self) -> bool:
        """Whether nothing is left of it. What cannot be counted is not spent."""
        return self.used is None or self.used >= self.limit

    @property
    def left(self) -> float:
        """How much is left of it; nothing where what is used cannot be counted."""
        return max(self.limit - self.used, 0.0) if self.used is not None else 0.0


def list_accounts(budgets: Budgets, events: Sequence[Event], *, role: Role | None = None) -> Iterator[Account]:
    """The limits that are set, and what of them is used.

    Args:
        budgets: The limits.
        events: The session's log; its last turn is the one at hand.
        role: Only what limits this role; every limit if None.
    """
    turn = max((event.turn for event in events), default=0)
    for name, limits, number in (("turn", budgets.turn, turn), ("session", budgets.session, None)):
        yield from _make_account(f"budgets.{name}", limits, sum_usage(events, turn=number))
        own: dict[Role, BudgetLimits] = {"planner": limits.planner, "coder": limits.coder, "reviewer": limits.reviewer}
        for own_role, limit in own.items():
            if role in (None, own_role):
                yield from _make_account(
                    f"budgets.{name}.{own_role}", limit, sum_usage(events, turn=number, role=own_role)
                )


def require_budget(budgets: Budgets, events: Sequence[Event], role: Role) -> Account | None:
    """Say whether a role may ask its model once more; gives the limit of seconds that is nearest, None without one.

    Raises:
        BudgetReached: a limit is reached; the text names it and the setting.
    """
    nearest: Account | None = None
    for account in list_accounts(budgets, events, role=role):
        if account.reached:
            raise BudgetReached(describe_limit(account))
        if account.unit == "seconds" and (nearest is None or account.left < nearest.left):
            nearest = account
    return nearest


def _make_account(setting: str, limits: BudgetLimits, used: Total) -> Iterator[Account]:
    counted = (
        ("calls", used.calls, limits.calls),
        ("tokens", used.input_tokens + used.output_tokens, limits.tokens),
        ("dollars", used.cost, limits.dollars),
        ("seconds", used.seconds, limits.seconds),
    )
    for unit, number, limit in counted:
        if limit is not None:
            yield Account(setting=f"{setting}.{unit}", unit=unit, used=number, limit=limit)


def describe_limit(account: Account) -> str:
    """That a limit is reached: which, and the setting."""
    _, scope, *role = account.setting.removesuffix(f".{account.unit}").split(".")
    of = f"this {'question' if scope == 'turn' else 'session'}{f' as {role[0]}' if role else ''}"
    if account.used is None:
        return (
            f"Models may use {account.limit:g} dollars for {of}, and the price of a call is not known. "
            "Set price_in and price_out in [models.NAME] of tandem.toml for each model, or take the limit "
            f"{account.setting} away."
        )
    used = f"{account.used:,.2f}" if account.unit in ("dollars", "seconds") else f"{account.used:,.0f}"
    return (
        f"Models may use {account.limit:,g} {account.unit} for {of}, and {used} are used. Nothing more is asked of "
        f"them. To go on, set {account.setting} higher, on the settings page or in tandem.toml."
    )
