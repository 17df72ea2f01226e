"""What a model may know of the sources, in words: tables, columns, profiles, values, rows of results.

How much of the data stands in these words is decided by `Sees` and nowhere else. What others wrote (comments of
tables and columns, values) is defused: it cannot look like a message of the conversation.
"""

from __future__ import annotations

import difflib
import itertools
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from assistant.agents.model.row_descriptions import format_row_count
from assistant.agents.model.spelling import (
    CELL_CHARS,
    describe_spelling,
    format_cell,
    format_exactly,
    format_prose,
    quote_value,
)
from assistant.core.turns import fold_events
from assistant.record.memory.tokens import estimate
from assistant.record.memory.wording import Sees
from assistant.word_forms import base_form

if TYPE_CHECKING:
    from assistant.core.catalog import Catalog, Column, ForeignKey, Profile, Table
    from assistant.core.events import Event

_COLUMNS_MAX = 80
_MIDNIGHT = " 00:00:00"
_DOUBTS_MAX = 12
_FEW_VALUES = 30
_SHORT_CHARS = 60
_EXAMPLES = 3
_FREQUENT_SHARE = 0.05
_NUMBERS = "numbers as text"
_SHARED_KEYS_MAX = 8
_GAPS_MAX = 30
_PERIODS_MAX = 3
_TABLES_DESCRIBED_MAX = 200
_WORD = re.compile(r"[^\W\d_]+")
_CAMEL = re.compile(r"([a-z])([A-Z])")
_PLAIN_TYPES = {
    "integer": r"(?:tiny|small|medium|big|huge)?int",
    "number": r"double|float|real|decimal|numeric",
    "text": r"n?(?:var)?char|text|string",
    "date": r"date$",
    "datetime": r"datetime|timestamp",
    "boolean": r"bool",
}
"""Types whose name says what their values are."""
_PLAIN = re.compile(r"[a-z_][a-z0-9_]*")


def describe_overview(
    catalogs: Sequence[Catalog], *, tokens_max: int, besides: Collection[str] = (), sees: Sees = "names"
) -> str:
    """The sources with their tables, views last: columns too while there is room, names alone after, a count at last.

    Args:
        catalogs: The session's catalogs.
        tokens_max: Most tokens of the result.
        besides: Names of tables that are described elsewhere in the prompt.
        sees: How much of the data the model may see: from `values` on, rows of tables and the period of dates.
    """
    described_already = {name.casefold() for name in besides}
    heads = [
        f"Source {format_prose(c.source)!r} ({c.dialect}), {_count_tables(len(c.tables))}{_describe_time_zone(c)}"
        for c in catalogs
    ]
    tables = [(c.source, table) for c in catalogs for table in c.tables]
    tables = [(source, table) for source, table in tables if table.name.casefold() not in described_already]
    tables.sort(key=lambda pair: pair[1].is_view)
    room = tokens_max - sum(estimate(head) + 1 for head in heads) - 20
    lines: list[str] = []
    names: list[str] = []
    for source, table in tables:
        prefix = f"{format_prose(source)}: " if len(catalogs) > 1 else ""
        line = f"- {prefix}{_format_table_line(table, sees=sees)}"
        cost = estimate(line) + 1
        if cost <= room * 0.7 or (not lines and cost <= room):
            lines.append(line)
            room -= cost
        elif (cost := estimate(format_table_name(table)) + 2) <= room:
            names.append(format_table_name(table))
            room -= cost
    left = len(tables) - len(lines) - len(names)
    if names:
        lines.append("Further tables: " + ", ".join(names))
    if left:
        lines.append(f"({left} more tables are not named here; search_knowledge finds them.)")
    return "\n".join(filter(None, [*heads, *lines, _describe_several(catalogs)]))


def describe_sources(catalogs: Sequence[Catalog], *, tokens_max: int, sees: Sees, question: str = "") -> str:
    """The sources, each table as fully as there is room for: those that a question names last become thinner.

    A table is told in full, without frequent values, or as one line of its columns; where not even the lines have room,
    by an overview.

    Args:
        catalogs: The session's catalogs.
        tokens_max: Most tokens of the result.
        sees: How much of the data the model may see.
        question: What is asked.
    """
    dialects = ", ".join(f"{format_prose(c.source)!r} speaks {c.dialect}{_describe_time_zone(c)}" for c in catalogs)
    tail = "\n".join(filter(None, (dialects, _describe_several(catalogs))))
    tables = [(c.source, table) for c in catalogs for table in c.tables]
    if not tables or len(tables) > _TABLES_DESCRIBED_MAX:
        return describe_overview(catalogs, tokens_max=tokens_max, sees=sees)
    tables = [(source if len(catalogs) > 1 else "", table) for source, table in tables]
    texts = [describe_table(table, source=source, sees=sees) for source, table in tables]
    room = tokens_max - estimate(tail) - 1
    total = sum(map(estimate, texts))
    by_relevance = _sort_by_relevance([table for _, table in tables], question) if total > room else []
    for is_line in (False, True):
        for place in by_relevance:
            if total <= room:
                break
            source, table = tables[place]
            prefix = f"{format_prose(source)}: " if source else ""
            thinner = (
                f"- {prefix}{_format_table_line(table, sees=sees)}"
                if is_line
                else describe_table(table, source=source, sees=sees, frequent=False)
            )
            total += estimate(thinner) - estimate(texts[place])
            texts[place] = thinner
    if total > room:
        return describe_overview(catalogs, tokens_max=tokens_max, sees=sees)
    return "\n\n".join(texts) + f"\n{tail}"


def _sort_by_relevance(tables: Sequence[Table], question: str) -> list[int]:
    """The places of tables, those first that have the fewest words of a question."""
    words = _list_words(question)
    return sorted(range(len(tables)), key=lambda place: (_count_matches(tables[place], words), -place))


def _list_words(text: str) -> frozenset[str]:
    """The words of a question by their base forms."""
    return frozenset(base_form(word) for word in _WORD.findall(text.casefold()) if len(word) > 2)


def _count_matches(table: Table, words: frozenset[str]) -> int:
    """How many words of a question a table's name, columns and values have; its name counts more."""
    if not words:
        return 0
    names = _list_words(_split_name(table.name))
    texts = [_split_name(column.name) for column in table.columns]
    texts += [value for column in table.columns if column.profile for value in (column.profile.values or ())]
    return 3 * len(names & words) + len(_list_words(" ".join(texts)) & words) - (1 if table.is_view else 0)


def _split_name(name: str) -> str:
    return _CAMEL.sub(r"\1 \2", name).replace("_", " ")


def describe_doubts(
    log: Iterable[Event], catalogs: Sequence[Catalog], *, sees: Sees, read: frozenset[str] = frozenset()
) -> str:
    """What was chosen while the sources were read, as far as the model may see it; empty where there is no doubt.

    Doubts about columns that the model may not read are left out. Sentences may name values, so that at `names` only
    what is doubted is told.

    Args:
        log: The session's events.
        catalogs: The catalogs that the model may see.
        sees: How much of the data the model may see.
        read: What queries read, as `table.column` in lower case: then doubts about other columns are left out.
    """
    sources = {source.name: source for source in fold_events(log).sources}
    lines: list[str] = []
    for catalog in catalogs:
        doubts = sources[catalog.source].doubts if catalog.source in sources else ()
        for doubt in doubts:
            table = catalog.table(doubt.table)
            if doubt.kind == "declared_key" or (table is None and doubt.columns):  # keys are told of with their table
                continue
            if table is not None and any(table.column(name) is None for name in doubt.columns):
                continue
            if read and doubt.columns and read.isdisjoint(f"{doubt.table}.{c}".casefold() for c in doubt.columns):
                continue
            place = ".".join(filter(None, (doubt.table, ", ".join(map(format_exactly, doubt.columns)))))
            text = doubt.kind.replace("_", " ") if sees == "names" else format_prose(doubt.sentence)
            lines.append(f"| {format_exactly(place or catalog.source)}: {text}")
    return "\n".join(lines[:_DOUBTS_MAX])


def describe_tables_read(
    catalogs: Sequence[Catalog], names: Sequence[str], *, read: Collection[str], sees: Sees
) -> str:
    """Rows of tables, and periods and gaps of their columns that were read: what whoever answers must tell of the data.

    Args:
        catalogs: The catalogs that the model may see.
        names: The tables.
        read: What the queries read, as `table.column` in lower case; all columns where that is not known.
        sees: How much of the data the model may see.
    """
    if sees == "names":
        return ""
    lines: list[str] = []
    for name in names:
        match = find_table(catalogs, name)
        if match is None or (rows := match[1].rows) is None:
            continue
        table = match[1]
        columns = [c for c in table.columns if f"{table.name}.{c.name}".casefold() in read] or table.columns
        # Where no date was read, the figures are of all dates.
        dated = [c for c in columns if _format_period(c, sees=sees)] or table.columns
        periods = [f"{format_exactly(c.name)}{period}" for c in dated if (period := _format_period(c, sees=sees))]
        periods = periods if len(periods) <= _PERIODS_MAX else []
        gaps = [
            f"{format_exactly(c.name)} {c.profile.nulls}{' in a sample' if c.profile.sampled else ''}"
            for c in columns
            if c.profile is not None and c.profile.nulls
        ]
        parts = [format_row_count(rows), *periods, *([f"empty values: {', '.join(gaps[:_GAPS_MAX])}"] if gaps else [])]
        lines.append(f"{format_table_name(table)}: {'; '.join(parts)}{'' if gaps else '; no empty values'}")
    return "\n".join(lines)


@lru_cache(maxsize=256)
def describe_table(table: Table, *, source: str, sees: Sees, matching: str = "", frequent: bool = True) -> str:
    """One table in full, as far as a model may see it.

    Args:
        table: The table.
        source: Its source's name; empty where there is only one.
        sees: How much of the data the model may see.
        matching: Only columns with one of these words in their name or comment; all where empty.
        frequent: Whether to give the most frequent values.
    """
    words = matching.casefold().split()
    columns = [c for c in table.columns if not words or any(w in f"{c.name} {c.comment}".casefold() for w in words)]
    size = f", {format_row_count(table.rows)}" if table.rows is not None and sees != "names" else ""
    of_source = f" of source {format_prose(source)!r}" if source else ""
    lines = [f"{_format_head(table)}{of_source}{size}"]
    if table.comment:
        lines.append(f"| Comment: {format_prose(table.comment)}")  # behind a bar: others wrote it
    if table.primary_key:
        lines.append(f"Primary key: {', '.join(table.primary_key)}")
    for key in table.foreign_keys:
        how = " (inferred)" if key.inferred else ""
        how += f": declared, but {key.doubt}; do not join on it unless asked to" if key.doubt else ""
        lines.append(
            f"{', '.join(key.columns)} refers to {_format_target(key, table)} ({', '.join(key.target_columns)}){how}"
        )
    keys = {*table.primary_key, *(name for key in table.usable_keys for name in key.columns)}
    lines += [
        f"- {_format_column_line(c, sees=sees, frequent=frequent, is_key=c.name in keys, rows=table.rows or 0)}"
        for c in columns[:_COLUMNS_MAX]
    ]
    if words:
        lines.append(f"({len(columns)} of {len(table.columns)} columns have one of these words.)")
    if len(columns) > _COLUMNS_MAX:
        lines.append(
            f"({len(columns) - _COLUMNS_MAX} more columns are not listed here; "
            "describe_table with `matching` finds them.)"
        )
    return "\n".join(lines)


def is_described_in_full(table: Table, text: str) -> bool:
    """Whether a text of sources has a line for each column of a table."""
    for block in text.split("\n\n"):
        if re.match(rf"{re.escape(_format_head(table))}(?:,| of |\n)", block):
            return all(f"\n- {format_exactly(column.name)} " in block for column in table.columns)
    return False


def find_table(catalogs: Iterable[Catalog], name: str) -> tuple[str, Table] | None:
    """The table of a name, which may be qualified by its schema or source, with its source's name."""
    catalogs = tuple(catalogs)
    parts = [part.strip('"`[] ') for part in name.split(".")]
    for part in (name.strip('"`[] '), *(".".join(parts[start:]) for start in range(len(parts)))):
        for catalog in catalogs:
            if (table := catalog.table(part)) is not None:
                return catalog.source, table
    return None


def format_table_name(table: Table) -> str:
    """How SQL has to name a table: with its schema where that is not the default one, in quotes where it needs them."""
    if len(table.place) == 1:
        return format_exactly(table.name)
    return ".".join(part if _PLAIN.fullmatch(part) else f'"{format_exactly(part)}"' for part in table.place)


def _format_head(table: Table) -> str:
    return f"{'View' if table.is_view else 'Table'} {format_table_name(table)}"


def find_nearest_tables(catalogs: Iterable[Catalog], name: str) -> tuple[str, ...]:
    """Names of tables that look like a name."""
    names = [".".join(table.place) for catalog in catalogs for table in catalog.tables]
    return tuple(difflib.get_close_matches(name, names, n=5, cutoff=0.5)) or tuple(names[:10])


def _format_target(key: ForeignKey, table: Table) -> str:
    """The table that a key refers to, as SQL has to name it; of sources that are asked together, as it is called."""
    return key.table if table.at or not key.schema else f"{key.schema}.{key.table}"


def _describe_time_zone(catalog: Catalog) -> str:
    """In which time zone instants are to be grouped and filtered; empty where there are none."""
    if not any(column.conversion == "zoned" for table in catalog.tables for column in table.columns):
        return ""
    return f"; days are those of {catalog.time_zone}: cut instants by AT TIME ZONE '{catalog.time_zone}'"


def _describe_several(catalogs: Sequence[Catalog]) -> str:
    """How several sources are asked, and which columns of theirs are likely to be one key; empty for a single one."""
    if len(catalogs) < 2:
        return ""
    lines = [
        "A query reads one source, named by `source`; no query joins two. One Python cell can read each by its own "
        f'`query("SELECT ...", source={format_prose(catalogs[0].source)!r})` and merge them.'
    ]
    shared = list(itertools.islice(_find_shared_keys(catalogs), _SHARED_KEYS_MAX))
    if shared:
        lines.append(f"Likely the same key: {'; '.join(shared)}.")
    return "\n".join(lines)


def _find_shared_keys(catalogs: Sequence[Catalog]) -> Iterator[str]:
    """Columns of two sources with one name and kind, where one of them is different in each row of its table."""
    for first, second in itertools.combinations(catalogs, 2):
        for left, right in itertools.product(first.tables, second.tables):
            for column in left.columns:
                partner = right.column(column.name)
                if partner is None or partner.kind != column.kind or column.kind not in ("integer", "text"):
                    continue
                if _is_unique(left, column) or _is_unique(right, partner):
                    yield (
                        f"{format_prose(first.source)}.{format_table_name(left)}.{format_exactly(column.name)} and "
                        f"{format_prose(second.source)}.{format_table_name(right)}.{format_exactly(partner.name)}"
                    )


def _is_unique(table: Table, column: Column) -> bool:
    """Whether each row of a table has another value in a column, as far as is known."""
    if table.primary_key == (column.name,):
        return True
    profile = column.profile
    return profile is not None and not profile.sampled and bool(table.rows) and profile.distinct == table.rows


def _count_tables(tables: int) -> str:
    return "1 table" if tables == 1 else f"{tables} tables"


def _format_table_line(table: Table, *, sees: Sees) -> str:
    columns = ", ".join(
        f"{format_exactly(c.name)} {c.kind}{_format_period(c, sees=sees)}{_format_short_values(c, sees=sees)}"
        for c in table.columns[:_COLUMNS_MAX]
    )
    if len(table.columns) > _COLUMNS_MAX:
        columns += f", and {len(table.columns) - _COLUMNS_MAX} more columns (describe_table with `matching` finds them)"
    keys = "".join(f"; {', '.join(k.columns)} -> {_format_target(k, table)}" for k in table.usable_keys)
    size = "" if table.rows is None or sees == "names" else f", {format_row_count(table.rows)}"
    return f"{format_table_name(table)}{', view' if table.is_view else ''}{size} ({columns}{keys})"


def _format_short_values(column: Column, *, sees: Sees) -> str:
    """The values of a column of text where they take little room: a filter needs their spelling."""
    if sees == "names" or column.profile is None:
        return ""
    values = _format_values(column, column.profile)
    return f" ({values})" if 0 < len(values) <= _SHORT_CHARS else ""


def _format_period(column: Column, *, sees: Sees) -> str:
    """From when to when a column of dates goes, as far as the model may know."""
    profile = column.profile
    if sees == "names" or column.kind not in ("date", "datetime") or profile is None or profile.low is None:
        return ""
    return f" {_format_span(profile)}"


def _format_column_line(column: Column, *, sees: Sees, frequent: bool, is_key: bool, rows: int) -> str:
    parts = [f"{format_exactly(column.name)} {_format_type(column)}"]
    if column.stored_as_text:
        parts.append("dates stored as ISO text")
    if column.comment:
        parts.append(format_prose(column.comment))
    profile = column.profile
    if profile is None or sees == "names":
        return ", ".join(parts)
    if profile.json_keys:
        return ", ".join([*parts, "JSON with the keys " + ", ".join(format_exactly(key) for key in profile.json_keys)])
    is_sample = " in a sample" if profile.sampled and not is_key else ""
    values = _format_values(column, profile)
    counts = ([] if is_key or values else [f"{profile.distinct} distinct"]) + (
        [f"{profile.nulls} empty"] if profile.nulls else []
    )
    parts.append(", ".join(counts) + is_sample)
    if not (is_key or values) and (column.kind != "text" or sees == "rows") and profile.low is not None:
        parts.append(_format_span(profile))
    if column.kind == "text" and not values:
        parts.append(describe_spelling(_list_texts(profile)))
    parts.append(
        values or (_format_frequent(column, profile, rows=rows) if frequent and sees == "rows" and not is_key else "")
    )
    return ", ".join(filter(None, parts))


def _format_values(column: Column, profile: Profile) -> str:
    """All values of a column of text that has few, in quotes; empty for others."""
    few = sorted(profile.values) if profile.values is not None else [str(v) for v, _ in profile.top]
    if column.kind not in ("text", "boolean") or not 0 < profile.distinct <= min(_FEW_VALUES, len(few)):
        return ""
    texts = ", ".join(quote_value(value, chars_max=CELL_CHARS) for value in few)
    spelling = describe_spelling(tuple(few))
    return f"{spelling}, values: {texts}" if spelling.startswith(_NUMBERS) else f"values: {texts}"


def _format_frequent(column: Column, profile: Profile, *, rows: int) -> str:
    """The values that many rows have, and a few examples of texts that repeat."""
    examples = _EXAMPLES if column.kind == "text" else 0
    values = [
        value
        for place, (value, count) in enumerate(profile.top)
        if count > 1 and (place < examples or count >= _FREQUENT_SHARE * rows)
    ]
    texts = (quote_value(v, chars_max=CELL_CHARS) if isinstance(v, str) else format_cell(v) for v in values)
    return f"most often {', '.join(texts)}" if values else ""


def _format_type(column: Column) -> str:
    """The engine's word for a column's type, and what its values are where that word does not say it."""
    is_plain = re.match(_PLAIN_TYPES.get(column.kind, r"(?!)"), column.type, re.IGNORECASE) is not None
    return column.type if is_plain else f"{column.type} ({column.kind})"


def _format_span(profile: Profile) -> str:
    """The least and the greatest value; without times of day where both are midnights."""
    ends = [format_cell(profile.low), format_cell(profile.high)]
    if all(end.endswith(_MIDNIGHT) for end in ends):
        ends = [end.removesuffix(_MIDNIGHT) for end in ends]
    return f"from {ends[0]} to {ends[1]}"


def _list_texts(profile: Profile) -> tuple[str, ...]:
    """The distinct values of a column of text that are known: all of them where they are few."""
    if profile.values is not None:
        return profile.values
    return tuple(dict.fromkeys(value for value in (profile.low, profile.high) if isinstance(value, str)))
