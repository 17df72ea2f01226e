"""A result as facts: rows that have names, and figures that are measured. Pure.

A table with one column for each of several years is read in its long form too, so that "rose from 2024 to 2025" means
the same whether the years are rows or columns.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING

from assistant.claims.words import load_words, match_stems, stem_words
from assistant.output.presentation.columns import Column, columns_of, number, parse_time

if TYPE_CHECKING:
    from assistant.cells.tables import TableView
    from assistant.claims.words import Token

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_QUARTERS = ("first", "second", "third", "fourth")
_NAMES_MAX = 2_000
_ROWS_OF_COLUMNS = 1_000
_WORD_OF_VALUE = re.compile(r"\w+")
_NEAR = 0.15
_WORDS_TOO = frozenset({"may", "march", "mar", "sun", "sat"})
"""Months that are words too: without a year beside them they are written with a capital."""


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

    @property
    def is_base(self) -> bool:
        """Whether it is the same in all of several rows: what parts are of, and what nothing is ranked or split by."""
        return len(self.figures) > 1 and len(set(self.figures)) == 1

    @property
    def is_denied(self) -> bool:
        """Whether it counts what did not happen: `without_purchase`."""
        words = re.split(r"[^a-z]+", self.column.name.casefold())
        return not {*words}.isdisjoint(load_words().lists["denied"].split())

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
class TableFacts:
    """A table as it is spoken of.

    Attributes:
        keys: For each column that names rows, its column.
        groups: For each of these columns its values, as they are written, each with its rows.
        names: How rows are named.
        measures: The figures.
        p_values: Columns of probabilities of a test, whose figures are no measures.
        periods: The rows in the order of time, where a column is a time; each entry the rows of one moment.
        orders: For each column that names rows, its rows in their order, where it is a time or a number; else empty.
        rows: How many rows there are.
        is_whole: Whether all rows of the result are here.
    """

    keys: tuple[Column, ...]
    groups: tuple[tuple[tuple[str, frozenset[int]], ...], ...] = field(repr=False)
    names: tuple[RowName, ...] = field(repr=False)
    measures: tuple[Measure, ...]
    p_values: tuple[Measure, ...]
    periods: tuple[frozenset[int], ...]
    orders: tuple[tuple[frozenset[int], ...], ...] = field(repr=False)
    rows: int
    is_whole: bool

    def find_mentions(self, tokens: Sequence[Token]) -> list[Mention]:
        """The rows that a text names, the longest names first where they overlap."""
        texts = (tokens, *_complete_quarters(tokens), *_complete_later_quarters(tokens))
        matches = [mention for name in self.names for text in texts for mention in _find_name(name, text)]
        matches.sort(key=lambda mention: (mention.start - mention.end, mention.start))
        mentions: list[Mention] = []
        for match in matches:
            if all(match.end <= existing.start or existing.end <= match.start for existing in mentions):
                mentions.append(match)
            elif any((match.start, match.end, match.column) == (o.start, o.end, o.column) for o in mentions):
                mentions = [_merge(o, match) for o in mentions]
        return self._join_ranges(sorted(mentions, key=lambda mention: mention.start), tokens)

    def _join_ranges(self, mentions: Sequence[Mention], tokens: Sequence[Token]) -> list[Mention]:
        """The mentions, two moments as the range between them: "2021 to 2023", "before 2023"."""
        entries: list[Mention] = []
        ranges = load_words().lists["ranges"].split()
        for mention in mentions:
            order = self.orders[mention.column]
            before = [token.text for token in tokens if token.end <= mention.start][-1:]
            if order and before == ["since"]:
                first = min((n for n, rows in enumerate(order) if rows & mention.rows), default=0)
                entries.append(replace(mention, rows=frozenset().union(*order[first:])))
                continue
            if order and before == ["before"]:
                first = min((n for n, rows in enumerate(order) if rows & mention.rows), default=0)
                entries.append(replace(mention, rows=frozenset().union(*order[:first]) or mention.rows))
                continue
            last = entries[-1] if entries else None
            if order and last is not None and last.column == mention.column:
                between = [token.text for token in tokens if last.end <= token.start and token.end <= mention.start]
                lead = [token.text for token in tokens if token.end <= last.start][-1:]
                if (len(between) == 1 and between[0] in ranges) or (between == ["and"] and lead == ["between"]):
                    places = [n for n, rows in enumerate(order) if rows & (last.rows | mention.rows)]
                    rows = frozenset().union(*order[places[0] : places[-1] + 1])
                    entries[-1] = replace(last, end=mention.end, rows=rows)
                    continue
            entries.append(mention)
        return entries

    def list_years(self) -> list[frozenset[int]]:
        """The rows of each year, where moments are shorter and of several years."""
        column = next((n for n, key in enumerate(self.keys) if key.role == "time" and key.grain != "year"), None)
        years: dict[str, frozenset[int]] = {}
        for value, rows in self.groups[column] if column is not None else ():
            year = (parse_time(value) or value)[:4]
            years[year] = years.get(year, frozenset()) | rows
        return [years[year] for year in sorted(years)] if len(years) > 1 else []

    def find_measures(self, *texts: Sequence[Token]) -> tuple[Measure, ...]:
        """The figures that the first of some texts names that names any, those it names best; none where none does."""
        return next((measures for tokens in texts if (measures := self._find_measures(tokens))), ())

    def find_exact_measures(self, tokens: Sequence[Token]) -> tuple[Measure, ...]:
        """The figures whose whole name a text holds."""
        forms = {form for token in tokens for form in token.forms}
        return tuple(
            m for m in self.measures if m.stems and all(any(match_stems(w, f) for f in forms) for w in m.stems)
        )

    def find_all_measures(self, tokens: Sequence[Token]) -> tuple[Measure, ...]:
        """Every figure of which a text holds a word."""
        stems = {stem for token in tokens for stem in (*token.forms, *token.meanings)}
        return tuple(m for m in self.measures if any(match_stems(word, stem) for word in m.stems for stem in stems))

    def _find_measures(self, tokens: Sequence[Token]) -> tuple[Measure, ...]:
        own = {stem for token in tokens for stem in token.forms}
        stems = own | {stem for token in tokens for stem in token.meanings}
        scores = [_score_measure(measure, own, stems) for measure in self.measures]
        best = max((ratio for ratio, _ in scores), default=0.0)
        if not best:
            return ()
        near = [(m, count) for m, (ratio, count) in zip(self.measures, scores, strict=True) if ratio >= best - _NEAR]
        most = max(count for _, count in near)
        return tuple(m for m, count in near if count >= most - _NEAR)


def _score_measure(measure: Measure, own: frozenset[str] | set[str], stems: set[str]) -> tuple[float, float]:
    """How well words name a figure: of "orders" and "cancelled orders", the word "orders" alone names the former."""
    exact = sum(any(match_stems(word, stem) for stem in own) for word in measure.stems)
    loose = sum(any(match_stems(word, stem) for stem in stems) for word in measure.stems)
    count = exact + 0.9 * (loose - exact)
    return count / max(len(measure.stems), 1), count


def read_facts(tables: Sequence[TableView], text: str = "") -> tuple[TableFacts, ...]:
    """All tables as facts, those with a column for each moment in both forms.

    Args:
        tables: The results.
        text: What is said of them. Of a column with very many values those that have a word of it are named.
    """
    plain = tuple(read_table(table, text) for table in tables)
    return (*plain, *(facts for table in tables for facts in _read_moments(table)))


def read_table(table: TableView, text: str = "") -> TableFacts:
    """A table as facts, its rows as they are."""
    return _make_facts(table, columns_of(table), text)


def _read_moments(table: TableView) -> Iterator[TableFacts]:
    columns = columns_of(replace(table, rows=table.rows[:_ROWS_OF_COLUMNS]))
    groups: dict[str, dict[int, str]] = {}
    for place, column in enumerate(columns):
        if column.role == "measure" and (name := _find_moment(column.name)) is not None:
            groups.setdefault(column.name.replace(name, ""), {})[place] = name
    for stem, moments in groups.items():
        if len(moments) > 1:
            yield _make_long(table, columns, stem, moments)


def _find_moment(name: str) -> str | None:
    """The one year in a column's name, or the one word for a moment: `scrap_before`."""
    listed = load_words().moments
    years = _YEAR.findall(name) or [word for word in re.findall(r"[^\W_]+", name) if word.casefold() in listed]
    return years[0] if len(years) == 1 else None


def _make_long(table: TableView, columns: Sequence[Column], stem: str, moments: Mapping[int, str]) -> TableFacts:
    """A row for each row and moment."""
    keys = [place for place, column in enumerate(columns) if column.role != "measure"]
    rows = tuple(
        (*(row[key] for key in keys), int(name) if name.isdigit() else name.casefold(), row[place])
        for row in table.rows
        for place, name in moments.items()
    )
    names = (*(columns[key].name for key in keys), "year", re.sub(r"_+", "_", stem).strip("_ ") or "value")
    long = replace(table, columns=names, rows=rows, total=table.total * len(moments))
    described = [replace(c, role="time") if n == len(keys) else c for n, c in enumerate(columns_of(long))]
    return _make_facts(long, described, "")


def _make_facts(table: TableView, columns: Sequence[Column], text: str) -> TableFacts:
    keys = [place for place, column in enumerate(columns) if column.role != "measure"]
    values = [_group_values(table, place) for place in keys]
    words = frozenset(_WORD_OF_VALUE.findall(text.casefold()))
    names = (name for n, place in enumerate(keys) for name in _name_rows(values[n], columns[place], n, words))
    groups = tuple(tuple((value, frozenset(rows)) for value, rows in _join_values(own).items()) for own in values)
    periods = _order_periods(table, columns)
    measures = [_read_measure(table, column, place) for place, column in enumerate(columns) if column.role == "measure"]
    is_p = load_words().is_p_value
    return TableFacts(
        keys=tuple(columns[place] for place in keys),
        groups=groups,
        names=tuple(islice(names, _NAMES_MAX)),
        measures=tuple(m for m in measures if not is_p(m.column.name)),
        p_values=tuple(m for m in measures if is_p(m.column.name)),
        periods=periods,
        orders=tuple(_order_rows(columns[place], own, periods) for place, own in zip(keys, groups, strict=True)),
        rows=len(table.rows),
        is_whole=len(table.rows) == table.total,
    )


def _order_rows(
    column: Column, groups: Sequence[tuple[str, frozenset[int]]], periods: tuple[frozenset[int], ...]
) -> tuple[frozenset[int], ...]:
    """The rows of a column's moments or numbers in their order; none where it is neither."""
    if column.role == "time":
        return periods
    numbers = [(number(value), rows) for value, rows in groups] if column.role == "identifier" else []
    if any(figure is None for figure, _ in numbers):
        return ()
    return tuple(rows for _, rows in sorted(((n or 0.0, rows) for n, rows in numbers), key=lambda pair: pair[0]))


def _join_values(values: Iterable[tuple[object, list[int]]]) -> dict[str, list[int]]:
    """The rows of values that are written alike."""
    groups: dict[str, list[int]] = {}
    for value, rows in values:
        groups.setdefault(str(value), []).extend(rows)
    return groups


def _group_values(table: TableView, place: int) -> Collection[tuple[object, list[int]]]:
    """The different values of a column, in the order in which they come first, with their rows."""
    groups: dict[tuple[type, str], tuple[object, list[int]]] = {}
    for n, row in enumerate(table.rows):
        value = row[place]  # which may be a list, and have no hash
        groups.setdefault((type(value), str(value)), (value, []))[1].append(n)
    return groups.values()


def _read_measure(table: TableView, column: Column, place: int) -> Measure:
    listed = load_words().empty_in_names
    stems = frozenset(
        stem for stem in stem_words(column.name) if len(stem) > 1 and stem.isalpha() and stem not in listed
    )
    if column.unit in ("percent", "share") or "rate" in stem_words(column.name):
        stems |= {"share"}
    return Measure(column=column, stems=stems, figures=tuple(number(row[place]) for row in table.rows))


def _order_periods(table: TableView, columns: Sequence[Column]) -> tuple[frozenset[int], ...]:
    place = next((n for n, column in enumerate(columns) if column.role == "time"), None)
    if place is None:
        return ()
    groups: dict[str, set[int]] = {}
    for n, row in enumerate(table.rows):
        if row[place] is not None:
            value = str(row[place])
            groups.setdefault(parse_time(row[place]) or f"{load_words().moments.get(value, '')}{value}", set()).add(n)
    return tuple(frozenset(groups[key]) for key in sorted(groups)) if len(groups) > 1 else ()


def _name_rows(
    values: Collection[tuple[object, list[int]]], column: Column, key: int, words_of_text: frozenset[str]
) -> Iterator[RowName]:
    """How the rows of each value are named; of very many, those of which a word stands in the text."""
    groups: dict[tuple[str, ...], set[int]] = {}
    is_long = column.role != "time" and len(values) > _NAMES_MAX
    for value, value_rows in values:
        if is_long and words_of_text.isdisjoint(_WORD_OF_VALUE.findall(str(value).casefold())):
            continue
        for words in _name_value(value, column):
            groups.setdefault(words, set()).update(value_rows)
    for words, rows in groups.items():
        yield RowName(words=words, column=key, rows=frozenset(rows), is_period=column.role == "time")


def _name_value(value: object, column: Column) -> Iterator[tuple[str, ...]]:
    """How one value is named; no value is "no reason", or "unknown"."""
    own = tuple(stem_words(column.name))
    if value is None:
        if column.role != "time":
            yield from (("no", *own), ("unknown",))
    elif column.role == "time":
        yield from _name_time(value, column)
    elif (is_yes := load_words().read_flag(value)) is not None:
        yield own if is_yes else (*load_words().denials, *own)
    elif words := tuple(stem_words(str(value))):
        last = str(value).split()[-1].casefold()
        # "Line A" is no "line": a letter tells rows apart, though it is a small word elsewhere.
        yield (*words, last) if len(last) == 1 and last.isalpha() and last not in words else words
        if column.role == "identifier" and {"month", "monat"} & set(own):
            yield from _name_month(words[0])


def _name_month(number: str) -> Iterator[tuple[str, ...]]:
    if number.isdigit() and 1 <= int(number) <= 12:
        yield from ((names[int(number)].casefold(),) for names in (calendar.month_name, calendar.month_abbr))


def _name_time(value: object, column: Column) -> Iterator[tuple[str, ...]]:
    """`2025-08`, `August 2025`, `August`, `2025`; `2025-Q4`, `fourth quarter 2025`; `1940s`."""
    yield (str(value).casefold(),)
    if column.grain == "year":
        yield (f"{str(value)[:3]}0s",)
        return
    iso = parse_time(value)
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


def _complete_quarters(tokens: Sequence[Token]) -> Iterator[tuple[Token, ...]]:
    """Of "the third to the fourth quarter of 2025", the third quarter of 2025."""
    content = [token for token in tokens if token.text not in load_words().small]
    for n, token in enumerate(content[:-2]):
        noun, *following = content[n + 2 : n + 4]
        if token.text in _QUARTERS and content[n + 1].text in _QUARTERS and noun.text == "quarter":
            years = [year for year in following if _YEAR.fullmatch(year.text)]
            # The year makes the name longer, so that it goes before that of the same quarter of all years.
            late = [replace(year, start=token.end, end=token.end + 1) for year in years]
            yield (token, replace(noun, start=token.start, end=token.end), *late)


def _complete_later_quarters(tokens: Sequence[Token]) -> Iterator[tuple[Token, ...]]:
    """Of "more in the fourth quarter than in the first", the first quarter."""
    leads = {*load_words().lists["ranges"].split(), "than", "and", "or"}
    for n, token in enumerate(tokens):
        before = [earlier for earlier in tokens[:n] if earlier.text not in load_words().small or earlier.text in leads]
        nouns = [earlier for earlier in before if earlier.text == "quarter"]
        is_noun_next = any(later.text == "quarter" for later in tokens[n + 1 : n + 2])
        if token.text in _QUARTERS and nouns and before[-1].text in leads and not is_noun_next:
            yield (token, replace(nouns[0], start=token.start, end=token.end))


def _merge(mention: Mention, existing: Mention) -> Mention:
    is_same = (mention.start, mention.end, mention.column) == (existing.start, existing.end, existing.column)
    return replace(mention, rows=mention.rows | existing.rows) if is_same else mention


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
        if len(name.words) == 1 and name.words[0] in _WORDS_TOO and not window[0].is_capitalised:
            return False
        return all(any(word == token.text for token in window) for word in name.words)
    if len(name.words) == 1:
        return window[0].is_named(name.words[0])
    return all(any(token.is_named(word) for token in window) for word in name.words) and all(
        any(token.is_named(word) for word in name.words) for token in window
    )
