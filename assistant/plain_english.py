"""Words put together as a person would."""

from __future__ import annotations

from collections.abc import Sequence


def joined(names: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`; empty where there is none."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def join_first(names: Sequence[str], most: int) -> str:
    """As `joined`, but after `most` names only how many more there are: `a, b, c and 4 more`."""
    unlisted = len(names) - most
    return joined([*names[:most], f"{unlisted} more"] if unlisted > 0 else names)
