"""Doubts that a person settled: which ones can be settled, and how answers state the choice. Pure.

The data stay unchanged. Only a doubt whose other side is another question to the same rows can be settled: markers for
missing values, rows that sum up others, one of two columns of a name, values that repeat.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from assistant.plain_english import join_first, joined

if TYPE_CHECKING:
    from assistant.core.doubts import Doubt, DoubtKind

_NAMED_MAX = 3
KINDS: tuple[DoubtKind, ...] = ("sentinels", "members", "equal_names", "repeated_values")


def name_choice(doubt: Doubt) -> str:
    """What a choice is kept under: the doubt's place, and a digest of its values, so that new values are asked for."""
    value = doubt.correction.model_dump_json() if doubt.correction is not None else ""
    digest = hashlib.sha256(value.encode()).hexdigest()[:8]
    return f"{doubt.kind} {doubt.table}.{'+'.join(doubt.columns)} {digest}"


def is_choosable(doubt: Doubt) -> bool:
    """Whether a person can choose the other reading for good without any change of the data."""
    return doubt.kind in KINDS and doubt.correction is not None


def apply_chosen(doubts: Iterable[Doubt], choices: Collection[str]) -> tuple[Doubt, ...]:
    """The doubts, those that a person chose the other side of as chosen."""
    return tuple(
        _choose_rival(doubt) if is_choosable(doubt) and name_choice(doubt) in choices else doubt for doubt in doubts
    )


def _choose_rival(doubt: Doubt) -> Doubt:
    sentence, rival = _word_choice(doubt)
    return doubt.model_copy(update={"chosen": f"As you chose, {sentence}.", "rival": rival, "is_chosen": True})


def _word_choice(doubt: Doubt) -> tuple[str, str]:
    value = doubt.correction.value if doubt.correction is not None else ()
    values = [str(mark) for mark in value] if isinstance(value, tuple) else [str(value)]
    listed, column = join_first(values, _NAMED_MAX), f"{doubt.table}.{doubt.columns[0]}"
    is_one = len(values) == 1
    match doubt.kind:
        case "sentinels":
            return f"{listed} in {column} {'is' if is_one else 'are'} read as no value", "It may be a value."
        case "members":
            return f"the rows of {listed} in {column} are left out", "Every row may count."
        case "equal_names":
            return f"{doubt.columns[0]} is read from {listed}", f"The first is called {doubt.columns[0]}."
        case _:
            return f"{joined(doubt.columns)} are counted once for each {listed}", "Every row may count."
