"""Refusals by a model, as its endpoint reports them: AutoGen's clients read text and calls alone, and lose them."""

from __future__ import annotations


class Refused(Exception):
    """The model refuses. `said` is its reason, empty where it gave none."""

    def __init__(self, reason: str) -> None:
        super().__init__("The model refuses to answer.")
        self.said = reason
