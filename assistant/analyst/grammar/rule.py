"""What a phrase rule is: which categories, in this order in the text, make which other one, and what it means.

A rule sees the meanings of its parts and the schema, never another rule; the order of rules means nothing. Each has an
example as its docstring. `gap` is how much unread content may stand between its parts. A part written `~thing` must
stand there and stays free: another phrase reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from assistant.analyst.algebra import Column, Term
from assistant.analyst.schema import Schema

_Apply = Callable[..., Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class GrammarRule:
    """A rule. `parts` are categories, alternatives with `|` between, `~` before one that is only seen.
    `apply` gets the schema and the parts' meanings; None where they do not fit. `turned`: its parts turned round."""

    name: str
    makes: str
    parts: tuple[str, ...]
    gap: float
    apply: Callable[..., object]
    turned: GrammarRule | None = None


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The rules of one module."""

    rules: list[GrammarRule] = field(default_factory=list)

    def __iter__(self) -> Iterator[GrammarRule]:
        return iter(self.rules)

    def add(
        self, makes: str, *parts: str, gap: float = 1.0, turned: tuple[str, float] | None = None
    ) -> Callable[[_Apply], _Apply]:
        """Declare a rule; `turned`: what it is called where its parts stand turned round, and its gap then."""

        def declared(apply: _Apply) -> _Apply:
            def back(schema: Schema, *parts: object) -> object:
                return apply(schema, *reversed(parts))

            turned_rule = (
                GrammarRule(name=turned[0], makes=makes, parts=parts[::-1], gap=turned[1], apply=back)
                if turned
                else None
            )
            self.rules.append(
                GrammarRule(name=apply.__name__, makes=makes, parts=parts, gap=gap, apply=apply, turned=turned_rule)
            )
            return apply

        return declared


def is_number(schema: Schema, term: Term) -> bool:
    """Whether a term's values are compared by size."""
    if not isinstance(term, Column):
        return True
    typed = schema.typed[term]
    return typed.numeric and typed.role not in ("key", "identifier", "flag")


def is_dated(schema: Schema, column: Column) -> bool:
    """Whether a column says when."""
    return schema.typed[column].role == "date" or schema.typed[column].part == "year"


_ROWS_EACH_MIN = 5


def comes_again(schema: Schema, column: Column) -> bool:
    """Whether each value of a column stands in several rows, on average."""
    return schema.rows_each(column) >= _ROWS_EACH_MIN
