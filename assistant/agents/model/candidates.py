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
from assistant.agents.model.row_descriptions import format_figure, format_row_count
from assistant.core.events import Looked
from assistant.errors import BudgetReached, ModelError

if TYPE_CHECKING:
    from assistant.cells.tables import TableView

TRIES = 3
_SUMS_MAX = 2


class Tries(Protocol):
    """Runs a query that the person's policy approves."""

    async def try_query(self, sql: str, *, source: str | None) -> TableView | str:
        """Its result under small caps; or why there is none, in words."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One try and its result."""

    reply: CodeReply
    table: TableView


async def run_tries(
    context: Tries,
    first: CodeReply,
    *,
    again: Callable[[int], Awaitable[CodeReply]],
    source: Callable[[CodeReply], str | None],
    on_look: Callable[[Looked], Awaitable[object]],
    turn: int,
) -> tuple[Candidate, ...]:
    """The first reply and further ones, each with its result; those without one are left out.

    Args:
        context: Runs the queries.
        first: The reply that there is.
        again: Asks for a further one.
        source: The source that a reply's query is for.
        on_look: Logs that a query was tried.
        turn: The turn at hand.
    """
    tries: list[Candidate] = []
    for number in range(TRIES):
        try:
            reply = first if number == 0 else await again(number + 1)
        except (ModelError, BudgetReached):
            break  # the tries are a help: what there is goes forward
        if reply.kind != "code":
            continue
        result = await context.try_query(reply.code.strip().rstrip(";").rstrip(), source=source(reply))
        outcome = result if isinstance(result, str) else format_row_count(result.total)
        question = " ".join(reply.code.split())
        await on_look(Looked(turn=turn, role="coder", look="try", asked=question, found=outcome.splitlines()[0][:200]))
        if not isinstance(result, str):
            tries.append(Candidate(reply=reply, table=result))
    return tuple(tries)


def group_tries(tries: Sequence[Candidate]) -> tuple[tuple[Candidate, ...], ...]:
    """The tries by equal results, whatever their columns are called and however rows are ordered; most first."""
    groups: dict[object, list[Candidate]] = {}
    for attempt in tries:
        groups.setdefault(_make_fingerprint(attempt.table), []).append(attempt)
    return tuple(tuple(group) for group in sorted(groups.values(), key=len, reverse=True))


def describe_table_size(table: TableView) -> str:
    """A result in a few words: its rows, and what its columns of numbers add up to."""
    sums: list[str] = []
    for place, name in enumerate(table.columns):
        values = [row[place] for row in table.rows]
        numbers = [float(v) for v in values if isinstance(v, int | float | Decimal) and not isinstance(v, bool)]
        if numbers and len(numbers) == sum(value is not None for value in values):
            sums.append(f"{name} {'is' if table.total == 1 else 'adds up to'} {format_figure(sum(numbers))}")
    return "; ".join([format_row_count(table.total), *sums[:_SUMS_MAX]])


def _make_fingerprint(table: TableView) -> object:
    """What is equal where two results hold the same values."""
    return table.total, tuple(sorted(tuple(sorted(map(_normalise, row))) for row in table.rows))


def _normalise(value: object) -> str:
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        return f"{float(value):.6g}"
    return str(value)
