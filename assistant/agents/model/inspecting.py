"""Looks into the data itself: values, first rows, profiles, joins. Typed and read-only; the SQL is written here.

No look takes SQL from a model. What a look may show is decided by `Sees`; columns that look personal are left out of
rows and profiles at every level, and masked columns are masked by the source below.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Protocol

from sqlglot import exp

from assistant.agents.model.row_descriptions import describe_profile, describe_rows
from assistant.agents.model.source_descriptions import format_table_name
from assistant.agents.model.spelling import format_exactly, quote_value

if TYPE_CHECKING:
    from assistant.cells.tables import TableView
    from assistant.core.catalog import Catalog, Column, Table

PROFILED_ROWS_MAX = 10_000
"""A profile is of so many first rows at most, and says so."""
_PREVIEW_ROWS = 20
_VALUES_MAX = 20
_LIVE_COLUMNS_MAX = 12
_LIVE_VALUES_MAX = 300
_STEM_CHARS = 4
_SCORE_MIN = 75
_HOLDS = 100
"""What is added to the score, of 100 at most, of a value that holds the text; twice to that of one that is the text."""
_FEW_VALUES = 12


class SourceQueries(Protocol):
    """Runs a query that the program itself wrote."""

    async def ask_source(self, sql: str, *, source: str, rows_max: int) -> TableView:
        """The result of a query of the program's own.

        Raises:
            DataError: the source cannot run it, or it took too long.
        """
        ...


async def find_stored_values(
    context: SourceQueries,
    catalogs: Sequence[Catalog],
    text: str,
    *,
    table: str,
    withheld: Collection[tuple[str, str, str]],
) -> tuple[str, ...]:
    """Where a text stands in the data, as `table.column: 'value'`, the nearest spelling first.

    Columns whose values are all known are searched by their profile, at most `_LIVE_COLUMNS_MAX` others in the source.

    Args:
        context: Asks the source.
        catalogs: The session's catalogs.
        text: The value as the person wrote it.
        table: The only table to look in; empty for all.
        withheld: Columns that look personal, as source, table, column in lower case.
    """
    folded_text = " ".join(text.casefold().split())
    matches: list[tuple[float, str]] = []
    live = 0
    for catalog, text_table, column in _find_text_columns(catalogs, table):
        if (
            not folded_text
            or (catalog.source.casefold(), text_table.name.casefold(), column.name.casefold()) in withheld
        ):
            continue
        profile = column.profile
        if profile is not None and profile.values is not None and not profile.sampled:
            values: Sequence[str] = profile.values
        elif live < _LIVE_COLUMNS_MAX:
            live += 1
            values = await _search_values(context, catalog, text_table, column, folded_text)
        else:
            continue
        matches += [
            (score, f"{format_table_name(text_table)}.{format_exactly(column.name)}: {quote_value(value)}")
            for value, score in _score_values(folded_text, values)
        ]
    matches.sort(key=lambda scored: -scored[0])
    # Where the text itself stands somewhere, what only looks like it is noise.
    lines = [line for score, line in matches if score > _HOLDS or matches[0][0] <= _HOLDS]
    more = len(lines) - _VALUES_MAX
    return (*lines[:_VALUES_MAX], *([f"({more} more; name a table or write more of it)"] if more > 0 else []))


async def preview_table(context: SourceQueries, catalog: Catalog, table: Table, *, withheld: Collection[str]) -> str:
    """The first rows of a table, without the columns that look personal."""
    view, left_out = await _read_rows(context, catalog, table, withheld=withheld, rows_max=_PREVIEW_ROWS)
    size = f" of {table.rows:,}" if table.rows is not None else ""
    rows = describe_rows(view, sees="rows", is_complete=False)
    return f"First rows{size} of {format_table_name(table)}:\n{rows}{left_out}"


async def profile_table(context: SourceQueries, catalog: Catalog, table: Table, *, withheld: Collection[str]) -> str:
    """Figures about each column of a table, without those that look personal."""
    view, left_out = await _read_rows(context, catalog, table, withheld=withheld, rows_max=PROFILED_ROWS_MAX)
    total = f" of {table.rows:,}" if table.rows is not None and table.rows > len(view.rows) else ""
    profile = describe_profile(view, sees="values")
    return f"{format_table_name(table)}, {len(view.rows):,}{total} rows looked at\n{profile}{left_out}"


async def check_join(
    context: SourceQueries,
    catalog: Catalog,
    left: tuple[Table, Sequence[str]],
    right: tuple[Table, Sequence[str]],
) -> str:
    """What joining two tables of one source on these columns does to the rows: fan-out and rows without a match."""
    (left_table, left_columns), (right_table, right_columns) = left, right
    on = exp.and_(
        *(
            exp.EQ(this=_column(a, "l"), expression=_column(b, "r"))
            for a, b in zip(left_columns, right_columns, strict=True)
        )
    )
    tables = _table(left_table, "l"), _table(right_table, "r")
    counted = exp.select(exp.Count(this=exp.Star()))

    async def count(query: exp.Select) -> int:
        view = await context.ask_source(query.sql(catalog.dialect), source=catalog.source, rows_max=1)
        value = view.rows[0][0] if view.rows else 0
        return int(value) if isinstance(value, int | float | Decimal) else 0

    async def most(table: Table, names: Sequence[str]) -> int:
        columns = [_column(name) for name in names]
        not_null = exp.and_(*(exp.Not(this=exp.Is(this=column, expression=exp.Null())) for column in columns))
        groups = exp.select(exp.Count(this=exp.Star()).as_("n")).from_(_table(table)).where(not_null).group_by(*columns)
        return await count(exp.select("COALESCE(MAX(n), 0)").from_(groups.subquery("counted")))

    async def alone(of: exp.Table, beside: exp.Table) -> int:
        matches = exp.Exists(this=exp.select("1").from_(beside).where(on))
        return await count(counted.from_(of).where(exp.Not(this=matches)))

    rows_left, rows_right = await count(counted.from_(tables[0])), await count(counted.from_(tables[1]))
    joined_rows = await count(counted.from_(tables[0]).join(tables[1], on=on))
    alone_left, alone_right = await alone(*tables), await alone(*tables[::-1])
    most_left, most_right = await most(left_table, left_columns), await most(right_table, right_columns)
    a, b = format_table_name(left_table), format_table_name(right_table)
    lines = [
        f"{a}: {rows_left:,} rows, {alone_left:,} without a match. {b}: {rows_right:,} rows, {alone_right:,} without.",
        f"An inner join gives {joined_rows:,} rows.",
    ]
    lines += [
        f"One row of {name} matches up to {n:,} rows of {many}: figures of {name} would be counted again."
        for name, many, n in ((a, b, most_right), (b, a, most_left))
        if n > 1
    ]
    return "\n".join(lines)


# --- in the source --------------------------------------------------------------------------------------------


async def _read_rows(
    context: SourceQueries, catalog: Catalog, table: Table, *, withheld: Collection[str], rows_max: int
) -> tuple[TableView, str]:
    """The first rows of a table, and a line that names the columns that are left out."""
    visible = [column.name for column in table.columns if column.name.casefold() not in withheld]
    hidden = [column.name for column in table.columns if column.name.casefold() in withheld]
    left_out = f"\nLeft out, because it looks personal: {', '.join(map(format_exactly, hidden))}." if hidden else ""
    columns = [_column(name) for name in visible] or [exp.Count(this=exp.Star()).as_("rows")]
    sql = exp.select(*columns).from_(_table(table)).limit(rows_max).sql(catalog.dialect)
    return await context.ask_source(sql, source=catalog.source, rows_max=rows_max), left_out


async def _search_values(
    context: SourceQueries, catalog: Catalog, table: Table, column: Column, folded_text: str
) -> Sequence[str]:
    """Distinct values of a column that hold the text; where none does, those with the beginning of its longest word."""
    longest = max(folded_text.split(), key=len)
    for pattern in dict.fromkeys((_remove_wildcards(folded_text), _remove_wildcards(longest)[:_STEM_CHARS])):
        if len(pattern) < min(_STEM_CHARS, len(longest)):
            continue
        like = exp.Like(this=exp.Lower(this=_column(column.name)), expression=exp.Literal.string(f"%{pattern}%"))
        query = exp.select(_column(column.name)).distinct().from_(_table(table)).where(like).limit(_LIVE_VALUES_MAX)
        sql = query.sql(catalog.dialect)
        view = await context.ask_source(sql, source=catalog.source, rows_max=_LIVE_VALUES_MAX)
        if view.rows:
            return [str(row[0]) for row in view.rows if row[0] is not None]
    return ()


def _score_values(folded_text: str, values: Sequence[str]) -> Iterator[tuple[str, float]]:
    from rapidfuzz import fuzz, process
    from rapidfuzz.utils import default_process

    scored = process.extract(
        folded_text, values, scorer=fuzz.WRatio, processor=default_process, score_cutoff=_SCORE_MIN, limit=_VALUES_MAX
    )
    for value, score, _ in scored:
        folded = " ".join(value.casefold().split())
        yield value, score + (2 * _HOLDS if folded == folded_text else _HOLDS if folded_text in folded else 0)


def _find_text_columns(catalogs: Sequence[Catalog], table: str) -> Iterator[tuple[Catalog, Table, Column]]:
    for catalog in catalogs:
        for candidate in catalog.tables:
            if table and table.casefold() not in (candidate.name.casefold(), ".".join(candidate.place).casefold()):
                continue
            for column in candidate.columns:
                if column.kind == "text":
                    yield catalog, candidate, column


def _remove_wildcards(text: str) -> str:
    return text.replace("%", " ").replace("_", " ").replace("\\", " ").strip()


def _column(name: str, table: str | None = None) -> exp.Column:
    return exp.column(exp.to_identifier(name, quoted=True), table=table)


def _table(table: Table, alias: str | None = None) -> exp.Table:
    return exp.table_(table.name, db=table.schema, quoted=True, alias=alias)


# --- figures --------------------------------------------------------------------------------------------------
