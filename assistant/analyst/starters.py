"""What could be asked of some data, and how an answer could be gone on from: made from the roles of the columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assistant.analyst.algebra import Column, Grain, Grouped, Rows
from assistant.analyst.grammar.building import dates
from assistant.analyst.meaning import Meaning, columns_of
from assistant.analyst.money import is_revenue, product
from assistant.analyst.names import lemma
from assistant.analyst.presenting.headings import is_time
from assistant.analyst.schema import LinkedTable, Schema
from assistant.analyst.source import AnalystSource
from assistant.analyst.wording import named, things

_GROUPS_MAX = 30
_TABLES_MAX = 12
_YEARS = (1800, 2100)


def starters(source: AnalystSource) -> Iterator[str]:
    """Questions that a newcomer might ask, the most telling first."""
    dated = [metric for metric in source.known.metrics if getattr(metric.figure, "date", None)]
    for metric in dated[:1]:
        for dimension in _dimensions(source.schema, metric.table)[:1]:
            yield f"{metric.names[0].capitalize()} by {dimension} last year"
        yield f"Show {metric.names[0]} per month"
    for table in _facts(source.schema):
        yield from _of_table(source.schema, table)


def _of_table(schema: Schema, table: LinkedTable) -> Iterator[str]:
    measures = [c for c in table.columns if schema.typed[c].is_measured and not _may_name(schema, c)]
    measures.sort(key=lambda column: not is_revenue(schema, column))
    dimensions = _dimensions(schema, table.name)
    many = things(table.called)
    for measure in measures[:1]:
        adds = schema.typed[measure].role in ("measure", "duration")
        for dimension in dimensions[:1]:
            yield f"{'Total' if adds else 'Average'} {named(schema.said(measure).name)} by {dimension}"
    for dimension in dimensions[:2]:
        yield f"How many {many} are there by {dimension}?"
    if any(schema.typed[c].role == "date" for c in table.columns):
        yield f"How many {many} are there per year?"
    yield f"How many {many} are there?"


def _may_name(schema: Schema, column: Column) -> bool:
    """Whether whole numbers may be years, or numbers that tell rows apart: nobody asks for their total."""
    stored, profile = schema.profiled[column], schema.profiled[column].profile
    low, high = (profile.low, profile.high) if profile is not None else (None, None)
    if (
        stored.kind != "integer"
        or profile is None
        or not isinstance(low, int | float)
        or not isinstance(high, int | float)
    ):
        return False
    is_year = _YEARS[0] <= low <= high <= _YEARS[1]
    return is_year or (schema.is_one_each(column) and high - low < 2 * profile.distinct)


def _facts(schema: Schema) -> list[LinkedTable]:
    """Tables with figures first, then those with the most rows."""
    measured = {name: sum(schema.typed[c].is_measured for c in table.columns) for name, table in schema.tables.items()}
    return sorted(schema.tables.values(), key=lambda table: (-min(1, measured[table.name]), -table.rows))


def _dimensions(schema: Schema, home: str) -> list[str]:
    """Words by which the rows of a table can be grouped: small tables beside it, then its own categories."""
    names: list[str] = []
    for name, table in schema.tables.items():
        if name != home and schema.reaches_one(home, name) and 1 < table.rows <= _GROUPS_MAX:
            names.append(lemma(named(name)))
    for column in schema.tables[home].columns:
        profile = schema.profiled[column].profile
        if schema.typed[column].role in ("category", "flag") and profile and 1 < profile.distinct <= _GROUPS_MAX:
            names.append(named(schema.said(column).name))
    return names


def follow_ups(meaning: Meaning, source: AnalystSource) -> Iterator[str]:
    """Ways to go on from an answer."""
    query = meaning.query
    if isinstance(query, Grouped) and isinstance(query.of, Rows):
        yield from _of_groups(query, query.of.table, source)
        if query.limit is None and query.keys:
            yield "top 5"


def _of_groups(query: Grouped, home: str, source: AnalystSource) -> Iterator[str]:
    schema = source.schema
    timed = any(is_time(key, schema) for key in query.keys)
    columns = columns_of(schema.said(query.keys))
    used = {named(name) for c in columns for name in (c.table, c.name)}
    free = [d for d in _dimensions(schema, home) if d not in used and f"{d}s" not in used]
    if free and len(query.keys) <= 1:
        yield f"by {free[0]}" if not query.keys or not timed else f"and by {free[0]}"
    dated = any(typed.role == "date" and schema.reaches_one(home, c.table) for c, typed in schema.typed.items())
    if dated and not any(isinstance(key, Grain) for key in query.keys):
        yield "per month" if not query.keys else "by month instead"
    if query.keys and not timed and query.figures:
        yield "as percentages"
    if len(free) > 1:
        yield f"by {free[1]} instead"


def summary(source: AnalystSource) -> str:
    """What a source holds, in Markdown."""
    schema = source.schema
    tables = sorted(schema.tables.values(), key=lambda table: -table.rows)
    lines = [f"**{source.name}** has {len(tables)} table{'s' if len(tables) != 1 else ''}:", ""]
    lines += [_line(schema, table) for table in tables[:_TABLES_MAX]]
    if len(tables) > _TABLES_MAX:
        lines.append(f"- and {len(tables) - _TABLES_MAX} more.")
    named_metrics = [metric.names[0] for metric in source.known.metrics]
    if named_metrics:
        lines += ["", f"Defined figures: {', '.join(named_metrics[:_TABLES_MAX])}."]
    return "\n".join(lines)


def main_figure(source: AnalystSource) -> str:
    """The figure that "how did we do" asks for: the first metric by a date, else what dated rows come to in money, else
    what they add up; or empty."""
    metrics = [metric for metric in source.known.metrics if getattr(metric.figure, "date", None)]
    if metrics:
        return metrics[0].names[0]
    roles = {column: typed.role for column, typed in source.schema.typed.items()}
    facts = [t for t in _facts(source.schema) if dates(source.schema, t.name, ())]
    worth = (column for table in facts for column in table.columns if is_revenue(source.schema, column))
    first = next(worth, None)
    if first is None and any(product(source.schema, table.name) is not None for table in facts):
        return "revenue"
    first = first or next((c for table in facts for c in table.columns if roles[c] == "measure"), None)
    if first is None:
        return ""
    name = named(source.schema.said(first).name)
    is_shared = sum(named(source.schema.said(c).name) == name for c in roles if roles[c] == "measure") > 1
    return f"total {name} of {things(source.schema.tables[first.table].called)}" if is_shared else f"total {name}"


def describe_tables(source: AnalystSource, words: Sequence[str]) -> str:
    """The columns of the table that some words name, of all where there is no word; empty where none is called so."""
    schema = source.schema
    remaining = {lemma(word) for word in words} - {"table", "the", "have", "of", "in", "column", "data", "file"}
    tables = [t for t in schema.tables.values() if t.columns and (not remaining or remaining == set(t.words))]
    return "\n".join(
        f"- **{table.name}** ({table.rows:,} row{'s' if table.rows != 1 else ''}): "
        + ", ".join(f"{column.name} ({schema.typed[column].role})" for column in table.columns)
        for table in tables[:_TABLES_MAX]
    )


def _line(schema: Schema, table: LinkedTable) -> str:
    names = [named(schema.said(c).name) for c in table.columns if schema.typed[c].role not in ("key", "identifier")][:8]
    period = _period(schema, table.columns)
    rows = f"{table.rows:,} row{'s' if table.rows != 1 else ''}"
    return f"- **{table.name}**: {rows}{period}" + (f"; {', '.join(names)}" if names else "")


def _period(schema: Schema, columns: tuple[Column, ...]) -> str:
    """From when to when the rows are."""
    for column in columns:
        profile = schema.profiled[column].profile
        if schema.typed[column].role == "date" and profile and profile.low and profile.high:
            return f" from {str(profile.low)[:10]} to {str(profile.high)[:10]}"
    return ""
