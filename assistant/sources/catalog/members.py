"""Aggregate members: rows such as "World" or "All regions" that stand beside the rows that they are the sum of.

The numbers decide: a member is one where its figures are the sum of the others' in a column that adds up. Words such as
"total" or "income" only propose groups between the whole and its parts, and even then the parts that are left must add
up to the whole. Nothing is left out for it: it is a doubt. The caller asks the engine.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files

from assistant.core.catalog import Column, Table
from assistant.core.doubts import Correction, Doubt
from assistant.plain_english import join_first
from assistant.sources.catalog.sentinels import Ask

_MEMBERS = range(3, 2_001)
"""So many different names may a column have."""
_FEW = 3
"""Of so few names the whole must be called like one."""
_FIGURES_MAX = 4
_TOLERANCE = 1e-9
_NEAR = 1e-3
"""By so much the sum of the others may miss what is called like a whole: published figures are revised apart."""
_GAP = 0.02
"""Parts of published tables miss their whole by so much, where some are not known."""
_TELLING = 1_000
"""A figure as large as this is hardly the sum of all others by chance."""
_NAMED_MAX = 3
_SHORT_GROUP = re.compile(r"(eu|g)\d+")
_WORDS = re.compile(r"\w+")


def find_members(
    table: Table, ask: Ask, *, quoted: Callable[[str], str], place: Callable[[Table], str]
) -> Iterator[Doubt]:
    """A doubt for each column of names where some are the sum of others.

    Args:
        table: A table, profiled.
        ask: Asks the engine.
        quoted: A name as SQL.
        place: A table as SQL.
    """
    figures = [column for column in table.columns if _may_add_up(column, table)][:_FIGURES_MAX]
    if not figures or table.is_view:
        return
    sums = ", ".join(f"sum({quoted(figure.name)}) AS s{n}" for n, figure in enumerate(figures))
    for column in table.columns:
        if not _may_name(column, table):
            continue
        c = quoted(column.name)
        rows = ask(f"SELECT {c} AS v, count(*) AS n, {sums} FROM {place(table)} WHERE {c} IS NOT NULL GROUP BY {c}")
        if rows is None:
            continue
        counts = {str(row[0]): int(str(row[1])) for row in rows}
        for n in range(len(figures)):
            totals = {str(row[0]): float(str(row[2 + n])) for row in rows if row[2 + n] is not None}
            if members := members_among(totals):
                yield _doubt(table, column, members, sum(counts[name] for name in members))
                break


def members_among(totals: Mapping[str, float]) -> tuple[str, ...]:
    """The names whose figure is the sum of others, the whole first; none where no name is.

    Args:
        totals: A figure that adds up, by name.
    """
    if len(totals) < _MEMBERS.start or any(value < 0 for value in totals.values()):
        return ()
    total_name = max(totals, key=lambda name: totals[name])
    figure = totals[total_name]
    remainder = sum(totals.values()) - figure
    filled = sum(1 for value in totals.values() if value)
    if (
        not figure
        or filled < _MEMBERS.start
        or (filled == _FEW and not (_may_be_group(total_name) and figure >= _TELLING))
    ):
        return ()
    tolerance = _NEAR if _may_be_group(total_name) else _TOLERANCE
    if abs(remainder - figure) <= max(tolerance * figure, _rounding(totals.values())):
        is_chance = figure < _TELLING and not _may_be_group(total_name)  # of small numbers, 40 is soon 10 + 25 + 5
        return () if is_chance else (total_name,)
    groups = [name for name in totals if name != total_name and _may_be_group(name)]
    parts = remainder - sum(totals[name] for name in groups)
    if groups and len(totals) - len(groups) - 1 >= _FEW and abs(parts - figure) <= _GAP * figure:
        return (total_name, *sorted(groups, key=lambda name: -totals[name]))
    return ()


def _may_be_group(name: str) -> bool:
    words = _WORDS.findall(name.casefold())
    return any(word in _group_words() or _SHORT_GROUP.fullmatch(word) for word in words)


def _rounding(values: Collection[float]) -> float:
    """By how much a sum of rounded values may miss: half a unit of each last place; whole numbers by nothing."""
    places = max(len(f"{value:.6f}".rstrip("0").partition(".")[2]) for value in values)
    return 0.5 * 10**-places * len(values) if places else 0.0


def _may_name(column: Column, table: Table) -> bool:
    profile = column.profile
    return (
        column.kind == "text" and profile is not None and profile.distinct in _MEMBERS and not profile.sampled
    ) and (table.rows or 0) >= profile.distinct


def _may_add_up(column: Column, table: Table) -> bool:
    profile = column.profile
    return (
        column.kind in ("integer", "number")
        and column.name not in table.key_names
        and profile is not None
        and profile.distinct > _FEW
        and isinstance(profile.low, int | float)
        and profile.low >= 0
    )


def _doubt(table: Table, column: Column, members: Sequence[str], rows: int) -> Doubt:
    names = join_first([f"“{name}”" for name in members], _NAMED_MAX)
    times = "1 row" if rows == 1 else f"{rows:,} rows"
    is_one = len(members) == 1
    return Doubt(
        kind="members",
        table=table.name,
        columns=(column.name,),
        chosen=f"{names} of {table.name}.{column.name} ({times}) {'is' if is_one else 'are'} counted "
        f"beside the rows that {'it is' if is_one else 'they are'} the sum of.",
        rival=f"Without {'it' if is_one else 'them'}, each row counts once.",
        rows=rows,
        share=rows / table.rows if table.rows else None,
        correction=Correction(setting="members", value=tuple(members)),
    )


@cache
def _group_words() -> frozenset[str]:
    """Words of names that may be groups."""
    return frozenset((files("assistant.sources.catalog") / "group_words.txt").read_text(encoding="utf-8").split())
