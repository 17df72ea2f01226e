"""A limit on the use of models in words: `60 calls for each question`, not `budgets.len(turn.model_calls)`. Pure."""

from __future__ import annotations

_SPANS = {"turn": ("each question", "this question"), "session": ("a conversation", "this conversation")}


def whose(setting: str, *, here: bool = False) -> str:
    """What a limit holds for: `budgets.turn.coder.calls` holds `for the coder in each question`.

    Args:
        setting: The limit, as the settings name it.
        here: Whether the question or conversation at hand is meant.
    """
    _, span, *role, _ = setting.split(".")
    of = _SPANS[span][here]
    return f"for the {role[0]} in {of}" if role else f"for {of}"


def said(setting: str, limit: float) -> str:
    """A limit in words."""
    what = setting.rsplit(".", maxsplit=1)[-1]
    return f"{limit:,g} {what if limit != 1 else what.removesuffix('s')} {whose(setting)}"
