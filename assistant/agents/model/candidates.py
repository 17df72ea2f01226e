"""Hard steps get several tries: queries written independently of each other, run read-only, compared by their results.

Only where the person lets the policy approve read-only queries. A result that most tries gave goes forward, and what
the others gave is said; where no two agree, the person chooses between the results. A failed try counts for nothing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Protocol

from assistant.agents.model.replies import CodeReply
from assistant.agents.model.source_descriptions import figure, rows_told
from assistant.core.events import Looked
from assistant.errors import BudgetReached, ModelError

if TYPE_CHECKING:
    from assistant.cells.tables import TableView

TRIES = 3
_SUMS_SAID = 2


class Tries(Protocol):
    """Runs a query that the person's policy approves."""

    async def try_query(self, sql: str, *, source: str | None) -> TableView | str:
        """Its result under small caps; or why there is none, in words."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """One try and its result."""

    reply: CodeReply
    table: TableView


async def tried(
    context: Tries,
    first: CodeReply,
    *,
    again: Callable[[int], Awaitable[CodeReply]],
    source: Callable[[CodeReply], str | None],
    told: Callable[[Looked], Awaitable[object]],
    turn: int,
) -> tuple[Tried, ...]:
    """The first reply and further ones, each with its result; those without one are left out.

    Args:
        context: Runs the queries.
        first: The reply that there is.
        again: Asks for a further one.
        source: The source that a reply's query is for.
        told: Logs that a query was tried.
        turn: The turn at hand.
    """
    found: list[Tried] = []
    for number in range(TRIES):
        try:
            reply = first if number == 0 else await again(number + 1)
        except (ModelError, BudgetReached):
            break  # the tries are a help: what there is goes forward
        if reply.kind != "code":
            continue
        result = await context.try_query(reply.code.strip().rstrip(";").rstrip(), source=source(reply))
        said = result if isinstance(result, str) else rows_told(result.total)
        asked = " ".join(reply.code.split())
        await told(Looked(turn=turn, role="coder", look="try", asked=asked, found=said.splitlines()[0][:200]))
        if not isinstance(result, str):
            found.append(Tried(reply=reply, table=result))
    return tuple(found)


def grouped(tries: Sequence[Tried]) -> tuple[tuple[Tried, ...], ...]:
    """The tries by equal results, whatever their columns are called and however rows are ordered; most first."""
    groups: dict[object, list[Tried]] = {}
    for one in tries:
        groups.setdefault(_print_of(one.table), []).append(one)
    return tuple(tuple(group) for group in sorted(groups.values(), key=len, reverse=True))


def in_words(table: TableView) -> str:
    """A result in a few words: its rows, and what its columns of numbers add up to."""
    sums: list[str] = []
    for place, name in enumerate(table.columns):
        values = [row[place] for row in table.rows]
        numbers = [float(v) for v in values if isinstance(v, int | float | Decimal) and not isinstance(v, bool)]
        if numbers and len(numbers) == sum(value is not None for value in values):
            sums.append(f"{name} {'is' if table.total == 1 else 'adds up to'} {figure(sum(numbers))}")
    return "; ".join([rows_told(table.total), *sums[:_SUMS_SAID]])


def _print_of(table: TableView) -> object:
    """What is equal where two results hold the same values."""
    return table.total, tuple(sorted(tuple(sorted(map(_plain, row))) for row in table.rows))


def _plain(value: object) -> str:
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        return f"{float(value):.6g}"
    return str(value)
