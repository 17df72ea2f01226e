"""A limit on the use of models in words: `60 calls for each question`, not `budgets.len(turn.model_calls)`. Pure."""

from __future__ import annotations

_SPANS = {"turn": ("each question", "this question"), "session": ("a conversation", "this conversation")}


def describe_scope(setting: str, *, is_current: bool = False) -> str:
    """What a limit holds for: `budgets.turn.coder.calls` holds `for the coder in each question`.

    Args:
        setting: The limit, as the settings name it.
        is_current: Whether the question or conversation at hand is meant.
    """
    _, span, *role, _ = setting.split(".")
    of = _SPANS[span][is_current]
    return f"for the {role[0]} in {of}" if role else f"for {of}"


def describe_limit(setting: str, limit: float) -> str:
    """A limit in words."""
    name = setting.rsplit(".", maxsplit=1)[-1]
    return f"{limit:,g} {name if limit != 1 else name.removesuffix('s')} {describe_scope(setting)}"
