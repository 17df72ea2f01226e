"""Which ways to other tables a SELECT joins, and which of them a row need not have."""

from __future__ import annotations

from assistant.embedded.meaning import JoinStep, Meaning
from assistant.embedded.sql.tables import Path, Tables, path_of


def joined_ways(meaning: Meaning) -> list[tuple[JoinStep, ...]]:
    """The ways that are joined: of all that is shown, grouped by or computed, and of conditions that cannot
    repeat rows."""
    ways: list[tuple[JoinStep, ...]] = []
    for measure in meaning.measures:
        for part in (measure, measure.per):
            if part is not None:
                ways += [ref.steps for ref in (part.column, part.until) if ref]
                ways += part.needs
    for dimension in (*meaning.dimensions, *meaning.columns):
        ways += [ref.steps for ref in (dimension.column, *dimension.more, *dimension.key)]
    joined = {path_of(way[:n]) for way in ways for n in range(len(way) + 1)}
    filters, times = ((), ()) if meaning.either else (meaning.filters, meaning.times)
    others = [item.column.steps for item in (*filters, *times, *meaning.compared, *meaning.among)]
    others += [condition.steps for condition in meaning.conditions]
    for way in others:
        inside = sum(1 for n in range(len(way)) if path_of(way[: n + 1]) in joined)
        beyond = way[inside:]
        if not any(step.many or (meaning.portion and step.optional) for step in beyond):
            ways.append(way)  # a part is of all rows: a join must not lose those that have no such row
    ways += [item.other.steps for item in filters if item.other]
    return ways


def may_lack(meaning: Meaning, tables: Tables, path: Path) -> bool:
    """Whether what is shown need not have what the way leads to: an order without a store is an order."""
    if any(m.or_none and m.column and path_of(m.column.steps)[: len(path)] == path for m in meaning.measures):
        return True
    if meaning.measures and not _told_of_group(meaning, path):
        return False
    steps = [tables.joined[path[:n]] for n in range(1, len(path) + 1)]
    conditions = (*meaning.filters, *meaning.times, *meaning.compared, *meaning.among)
    ways = [item.column.steps for item in conditions] + [c.steps for c in meaning.conditions]
    bound = any(path_of(way)[: len(path)] == path for way in ways)
    return any(step.optional for step in steps) and not any(step.many for step in steps) and not bound


def _told_of_group(meaning: Meaning, path: Path) -> bool:
    """Whether a way only leads on from a group, to what is told of it: its manager, if it has one."""
    figures = meaning.measures
    groups = [d for d in meaning.dimensions[:1] if not (d.grain or d.part or d.edges)]
    first = path_of(groups[0].column.steps) if groups else ()
    used = [ref.steps for m in figures for part in (m, m.per) if part for ref in (part.column, part.until) if ref]
    used += [way for m in figures for part in (m, m.per) if part for way in part.needs]
    counted = any(path_of(way)[: len(path)] == path for way in used)
    return len(path) > len(first) > 0 and path[: len(first)] == first and not counted
