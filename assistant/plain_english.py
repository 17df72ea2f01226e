"""Words put together as a person would."""

from __future__ import annotations

from collections.abc import Sequence


def joined(names: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`; empty where there is none."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
