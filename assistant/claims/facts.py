"""A result as facts: rows that have names, and figures that are measured. Pure.

A table with one column for each of several years is read in its long form too, so that "rose from 2024 to 2025" means
the same whether the years are rows or columns.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from assistant.claims.words import load_words, match_stems, stem_words
from assistant.output.presentation.columns import Column, columns_of, moment, number

if TYPE_CHECKING:
    from assistant.cells.tables import TableView
    from assistant.claims.words import Token

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_QUARTERS = ("first", "second", "third", "fourth")
_NAMES_MAX = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A column of figures: its words, its figure in each row, and whether they add up."""

    column: Column
    stems: frozenset[str]
    figures: tuple[float | None, ...]

    @property
    def is_percentage(self) -> bool:
        """Whether it tells parts of a hundred or of one."""
        return self.column.unit in ("percent", "share")

    def combine(self, rows: Sequence[int]) -> float | None:
        """The figure of several rows: their sum, or their mean where they do not add up."""
        figures = [figure for row in rows if (figure := self.figures[row]) is not None]
        if not figures:
            return None
        return sum(figures) if self.column.additive else sum(figures) / len(figures)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """Where a text names rows: from which letter to which, by which column, and the rows."""

    start: int
    end: int
    column: int
    rows: frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class RowName:
    """One way in which rows are named: stems in any order, or exact words."""

    words: tuple[str, ...]
    column: int
    rows: frozenset[int]
    is_period: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """A table as it is spoken of.

    Attributes:
        keys: For each column that names rows, its column.
        groups: For each of these columns its values, as they are written, each with its rows.
        names: How rows are named.
        measures: The figures.
        p_values: Columns of probabilities of a test, whose figures are no measures.
        periods: The rows in the order of time, where a column is a time; each entry the rows of one moment.
        rows: How many rows there are.
        is_whole: Whether all rows of the result are here.
    """

    keys: tuple[Column, ...]
    groups: tuple[tuple[tuple[str, frozenset[int]], ...], ...] = field(repr=False)
    names: tuple[RowName, ...] = field(repr=False)
    measures: tuple[Measure, ...]
    p_values: tuple[Measure, ...]
    periods: tuple[frozenset[int], ...]
    rows: int
    is_whole: bool

    def find_mentions(self, tokens: Sequence[Token]) -> list[Mention]:
        """The rows that a text names, the longest names first where they overlap."""
        matches = [mention for name in self.names for mention in _find_name(name, tokens)]
        matches.sort(key=lambda mention: (mention.start - mention.end, mention.start))
        taken: list[Mention] = []
        for match in matches:
            if all(match.end <= other.start or other.end <= match.start for other in taken):
                taken.append(match)
            elif any((match.start, match.end, match.column) == (o.start, o.end, o.column) for o in taken):
                taken = [_merge(o, match) for o in taken]
        return sorted(taken, key=lambda mention: mention.start)

    def find_measures(self, tokens: Sequence[Token]) -> tuple[Measure, ...]:
        """The figures that a text names best; none where it names none."""
        stems = {stem for token in tokens for stem in token.meanings}
        scores = [sum(any(match_stems(word, stem) for stem in stems) for word in m.stems) for m in self.measures]
        best = max(scores, default=0)
        return tuple(m for m, score in zip(self.measures, scores, strict=True) if score == best) if best else ()


def read_facts(tables: Sequence[TableView]) -> tuple[Facts, ...]:
    """All tables as facts, those with a column for each year in both forms."""
    return tuple(facts for table in tables for facts in _read_table(table))


def _read_table(table: TableView) -> Iterator[Facts]:
    columns = columns_of(table)
    yield _make_facts(table, columns, rows=range(len(table.rows)))
    groups: dict[str, list[int]] = {}
    for place, column in enumerate(columns):
        if column.role == "measure" and len(_YEAR.findall(column.name)) == 1:
            groups.setdefault(_YEAR.sub("", column.name), []).append(place)
    for stem, places in groups.items():
        if len(places) > 1:
            yield _make_long(table, columns, stem, places)


def _make_long(table: TableView, columns: Sequence[Column], stem: str, places: Sequence[int]) -> Facts:
    """A row for each row and year."""
    keys = [place for place, column in enumerate(columns) if column.role != "measure"]
    rows = tuple(
        (*(row[key] for key in keys), int(_YEAR.findall(columns[place].name)[0]), row[place])
        for row in table.rows
        for place in places
    )
    names = (*(columns[key].name for key in keys), "year", re.sub(r"_+", "_", stem).strip("_ ") or "value")
    long = replace(table, columns=names, rows=rows, total=table.total * len(places))
    return _make_facts(long, columns_of(long), rows=range(len(rows)))


def _make_facts(table: TableView, columns: Sequence[Column], *, rows: range) -> Facts:
    keys = [place for place, column in enumerate(columns) if column.role != "measure"]
    names = [name for n, place in enumerate(keys) for name in _name_rows(table, columns[place], place, n)]
    measures = [_read_measure(table, column, place) for place, column in enumerate(columns) if column.role == "measure"]
    is_p = load_words().is_p_value
    return Facts(
        keys=tuple(columns[place] for place in keys),
        groups=tuple(_group_rows(table, place) for place in keys),
        names=tuple(names[:_NAMES_MAX]),
        measures=tuple(m for m in measures if not is_p(m.column.name)),
        p_values=tuple(m for m in measures if is_p(m.column.name)),
        periods=_order_periods(table, columns),
        rows=len(rows),
        is_whole=len(table.rows) == table.total,
    )


def _group_rows(table: TableView, place: int) -> tuple[tuple[str, frozenset[int]], ...]:
    groups: dict[str, set[int]] = {}
    for n, row in enumerate(table.rows):
        groups.setdefault(str(row[place]), set()).add(n)
    return tuple((value, frozenset(rows)) for value, rows in groups.items())


def _read_measure(table: TableView, column: Column, place: int) -> Measure:
    stems = frozenset(stem_words(column.name)) - load_words().empty_in_names
    return Measure(column=column, stems=stems, figures=tuple(number(row[place]) for row in table.rows))


def _order_periods(table: TableView, columns: Sequence[Column]) -> tuple[frozenset[int], ...]:
    place = next((n for n, column in enumerate(columns) if column.role == "time"), None)
    if place is None:
        return ()
    groups: dict[str, set[int]] = {}
    for n, row in enumerate(table.rows):
        if row[place] is not None:
            groups.setdefault(moment(row[place]) or str(row[place]), set()).add(n)
    return tuple(frozenset(groups[key]) for key in sorted(groups)) if len(groups) > 1 else ()


def _name_rows(table: TableView, column: Column, place: int, key: int) -> Iterator[RowName]:
    """How the rows of each value are named."""
    groups: dict[tuple[str, ...], set[int]] = {}
    periods: dict[tuple[str, ...], set[int]] = {}
    for n, row in enumerate(table.rows):
        value = row[place]
        if value is None:
            continue
        if column.role == "time":
            for words in _name_time(value, column):
                periods.setdefault(words, set()).add(n)
        elif (is_yes := load_words().read_flag(value)) is not None:
            own = tuple(stem_words(column.name))
            groups.setdefault(own if is_yes else (*load_words().denials, *own), set()).add(n)
        elif words := tuple(stem_words(str(value))):
            groups.setdefault(words, set()).add(n)
    for words, rows in groups.items():
        yield RowName(words=words, column=key, rows=frozenset(rows))
    for words, rows in periods.items():
        yield RowName(words=words, column=key, rows=frozenset(rows), is_period=True)


def _name_time(value: object, column: Column) -> Iterator[tuple[str, ...]]:
    """`2025-08`, `August 2025`, `August`, `2025`; `2025-Q4`, `fourth quarter 2025`; `1940s`."""
    yield (str(value).casefold(),)
    if column.grain == "year":
        yield (f"{str(value)[:3]}0s",)
        return
    iso = moment(value)
    if iso is None:
        return
    year, month = iso[:4], int(iso[5:7])
    yield (year,)
    if column.grain == "quarter":
        for quarter in (f"q{(month + 2) // 3}", f"{_QUARTERS[(month - 1) // 3]} quarter"):
            yield (*quarter.split(), year)
            yield tuple(quarter.split())
    else:
        for name in (calendar.month_name[month], calendar.month_abbr[month]):
            yield (name.casefold(), year)
            yield (name.casefold(),)


def _merge(mention: Mention, other: Mention) -> Mention:
    same = (mention.start, mention.end, mention.column) == (other.start, other.end, other.column)
    return replace(mention, rows=mention.rows | other.rows) if same else mention


def _find_name(name: RowName, tokens: Sequence[Token]) -> Iterator[Mention]:
    """Where all words of a name stand together, in any order, small words between them left out."""
    size = len(name.words)
    small = load_words().small
    content = [token for token in tokens if token.text not in small or token.text in name.words]
    for n in range(len(content) - size + 1):
        window = content[n : n + size]
        if _is_name(name, window):
            yield Mention(start=window[0].start, end=window[-1].end, column=name.column, rows=name.rows)


def _is_name(name: RowName, window: Sequence[Token]) -> bool:
    if name.is_period:
        return all(any(word == token.text for token in window) for word in name.words)
    if len(name.words) == 1:
        return window[0].is_named(name.words[0])
    return all(any(token.is_named(word) for token in window) for word in name.words) and all(
        any(token.is_named(word) for word in name.words) for token in window
    )
