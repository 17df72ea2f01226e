"""A query as an English sentence, so that a person sees what was understood. A walk over the algebra, nothing else."""

from __future__ import annotations

import calendar
from dataclasses import replace
from datetime import date, timedelta
from typing import assert_never

from assistant.analyst import algebra as al
from assistant.analyst.lexicon.files import section
from assistant.analyst.names import CAMEL, plural, words_of
from assistant.plain_english import joined

_ROWS = "rows"
"""What the rows of a table are called whose name says nothing: it need not be said."""
_PERIODS = frozenset(("decade", "year", "quarter", "month", "day"))


def phrase(kind: str, of: str, *words: str, n: float = 0) -> str:
    """How a kind of meaning is said, with the words of its parts."""
    return str(section("wording", kind)[of]).format(*words, n=n)


def sentence(query: al.Query) -> str:
    """What a query gives, as one sentence without a final point."""
    text = _query(query)
    return text[0].upper() + text[1:]


def named(name: str) -> str:
    """The name of a table or column as words: `order_date` and `orderDate` are "order date"."""
    return " ".join(CAMEL.sub(" ", name).replace("_", " ").split()).lower() or name


def things(table: str) -> str:
    """What the rows of a table are, in words: "order lines"."""
    return plural(named(table))


def outputs_of(query: al.Query) -> tuple[str, ...]:
    """What each column of the result is, in words."""
    match query:
        case al.Listing():
            return tuple(term(t, query.of) for t in query.outputs[: query.shown])
        case al.Grouped():
            outputs = _all_outputs(query)
            return tuple(outputs if query.shown is None else (outputs[i] for i in query.shown))
        case al.SetOf():
            return outputs_of(query.left)
        case _:
            assert_never(query)


def _all_outputs(query: al.Grouped) -> list[str]:
    return [*(term(key, query.of) for key in query.keys), *(figure_words(f, query) for f in query.figures)]


def _query(query: al.Query) -> str:
    match query:
        case al.Listing():
            words = [term(t, query.of) for t in query.outputs]
            prefix = "each different " if query.distinct else ""
            return f"{prefix}{joined(list(outputs_of(query)))} of {rows_in_words(query.of)}{_end(query, words)}"
        case al.Grouped():
            return _grouped(query)
        case al.SetOf():
            return phrase("sets", query.how, _query(query.left), _query(query.right))
        case _:
            assert_never(query)


def _grouped(query: al.Grouped) -> str:
    outputs = _all_outputs(query)
    size = len(query.keys)
    visible = range(len(outputs)) if query.shown is None else query.shown
    figures = [outputs[i] for i in visible if i >= size]
    keys = [outputs[i] for i in range(size) if i in visible or not figures]
    by = f" by {joined(keys)}" if keys else ""
    groups = al.Groups(replace(query, shown=None))
    having = f", where {condition(query.having, groups)}" if query.having != al.NO_FILTER else ""
    subject = f"{joined(figures)}{by}" if figures else f"each {joined([outputs[i] for i in visible])}"
    return f"{subject}{_of(query)}{having}{_end(query, outputs)}"


def _of(query: al.Grouped) -> str:
    """Whose rows they are, where the figures do not say so themselves."""
    rows = query.of
    if isinstance(rows, al.Groups):
        return f", of {rows_in_words(rows)}"
    text = all(isinstance(f, al.Count | al.Metric) and f.of is None for f in query.figures)
    has_figures = query.shown is None or any(place >= len(query.keys) for place in query.shown)
    is_said = (text or things(rows.table) == _ROWS) and has_figures and query.figures
    of = "" if is_said else f", of {things(rows.table)}"
    text = condition(rows.where, rows) if rows.where != al.NO_FILTER else ""
    once = f", counting each {named(rows.once.name)} once" if rows.once else ""
    return of + (f", where {text}" if text else "") + once


def _end(query: al.Listing | al.Grouped, outputs: list[str]) -> str:
    return _order(query.order, outputs) + _limit(query.limit, outputs)


def _order(order: tuple[al.Order, ...], outputs: list[str]) -> str:
    by = [f"{outputs[o.place]}, {'highest' if o.descending else 'lowest'} first" for o in order]
    return f", ordered by {joined(by)}" if by else ""


def _limit(limit: al.Limit | None, outputs: list[str]) -> str:
    if limit is None:
        return ""
    first, last = limit.skip + 1, limit.skip + limit.n
    places = f"places {first:,} to {last:,}" if limit.n > 1 else f"place {last:,} alone"
    per_group = f" for each {joined([outputs[i] for i in limit.within])}" if limit.within else ""
    ties = " and all that equal the last" if limit.ties else ""
    return f", {places if limit.skip else f'the first {limit.n}'}{per_group}{ties}"


def rows_in_words(rows: al.RowSet) -> str:
    """A set of rows: "orders whose channel is “online”", "customers where they count as “churned”"."""
    match rows:
        case al.Rows():
            return things(rows.table) + _where(rows.where, rows)
        case al.Groups():
            return f"these results: ({_query(rows.query)})" + _where(rows.where, rows)
        case _:
            assert_never(rows)


def _where(where: al.Condition, rows: al.RowSet) -> str:
    text = condition(where, rows) if where != al.NO_FILTER else ""
    parts = [part for part in (where.conditions if isinstance(where, al.Both) else (where,)) if condition(part, rows)]
    bare = [part.condition if isinstance(part, al.Not) else part for part in parts]
    of_columns = all(isinstance(part, al.Compare | al.OneOf | al.Missing | al.Text | al.Within) for part in bare)
    return f" {'whose' if of_columns else 'where'} {text}" if text else ""


def term(value: al.Term, rows: al.RowSet) -> str:
    """A value in words."""
    match value:
        case al.Column():
            return _column(value, rows)
        case al.Output():
            place = value.place
            return outputs_of(rows.query)[place] if isinstance(rows, al.Groups) else f"column {place + 1}"
        case al.Constant():
            return _value(value.value)
        case al.Defined():
            return value.name
        case al.Days():
            return f"days from {term(value.start, rows)} to {term(value.end, rows)}"
        case al.Grain():
            return f"{value.grain} of {term(value.of, rows)}" if value.grain not in _PERIODS else value.grain
        case al.Single():
            return f"the {figure_words(value.query.figures[0], value.query)} of all {rows_in_words(value.query.of)}"
        case al.Band():
            return f"{term(value.of, rows)} in bands of {value.width}"
        case al.Arithmetic():
            return phrase("arithmetic", value.op, term(value.left, rows), term(value.right, rows))
        case _:
            assert_never(value)


def _column(column: al.Column, rows: al.RowSet) -> str:
    """A column in words: the name of another table's rows is that thing itself."""
    own = isinstance(rows, al.Rows) and rows.table == column.table
    plain = named(column.name)
    if plain in ("name", "title"):
        return " ".join(words_of(column.table)) if not own else plain
    beginning = words_of(column.table)
    if own or words_of(column.name)[: len(beginning)] == beginning:
        return plain
    return f"{' '.join(beginning)} {plain}"


def condition(node: al.Condition, rows: al.RowSet) -> str:
    """A condition in words."""
    match node:
        case al.Both():
            text = [words for part in node.conditions if (words := condition(part, rows))]
            return " and ".join(text) or ("" if node.conditions else "anything")
        case al.Either():
            return "(" + " or ".join(condition(part, rows) for part in node.conditions) + ")"
        case al.Not():
            return _not(node.condition, rows)
        case al.Compare():
            left, right = node.left, node.right
            text = _held(left, right.value) if isinstance(right, al.Constant) else term(right, rows)
            return phrase("comparisons", node.op, term(left, rows), text)
        case al.Related():
            return phrase("related", node.quantifier, things(node.table), rows_in_words(node.rows), n=node.n)
        case al.Defined():
            return f"they count as “{node.name}”" if node.name else ""
        case al.Member():
            return f"{term(node.term, rows)} is among ({_query(node.query)})"
        case al.OneOf() | al.Missing() | al.Text() | al.Within():
            return _of_value(node, rows)
        case _:
            assert_never(node)


def _of_value(node: al.OneOf | al.Missing | al.Text | al.Within, rows: al.RowSet) -> str:
    name = term(node.term, rows)
    match node:
        case al.OneOf():
            return f"{name} is {' or '.join(_held(node.term, value) for value in node.values)}"
        case al.Missing():
            return f"{name} is missing"
        case al.Text():
            return phrase("texts", node.how, name, _value(node.text))
        case al.Within():
            return f"{name} is {period(node.start, node.end)}"
        case _:
            assert_never(node)


def period(start: str, end: str) -> str:
    """From a day on and before another, the way people say it: "in 2025", "in Q3 2026", "in October 2026"."""
    if not start or not end:
        return f"on or after {start}" if start else f"before {end}" if end else "known"
    first, last = date.fromisoformat(start[:10]), date.fromisoformat(end[:10])
    months = (last.year - first.year) * 12 + last.month - first.month
    if first.day == last.day == 1:
        if months == 12 and first.month == 1:
            return f"in {first.year}"
        if months == 3 and first.month % 3 == 1:
            return f"in Q{first.month // 3 + 1} {first.year}"
        if months == 1:
            return f"in {first:%B %Y}"
    if (last - first).days == 1:
        return f"on {start}"
    return f"from {start} to {(last - timedelta(days=1)).isoformat()}"


def _not(inner: al.Condition, rows: al.RowSet) -> str:
    match inner:
        case al.Compare(op="="):
            return f"{term(inner.left, rows)} is not {term(inner.right, rows)}"
        case al.Missing():
            return f"{term(inner.term, rows)} is known"
        case _:
            return f"not ({condition(inner, rows)})"


def figure_words(figure: al.Figure, query: al.Grouped) -> str:
    """A figure in words."""
    match figure:
        case al.Count():
            rows = figure.of or query.of
            counted = rows_in_words(rows) if figure.of or isinstance(rows, al.Groups) else things(rows.table)
            return f"number of {counted}{_where(figure.where, rows)}"
        case al.Aggregate():
            rows = figure.of or query.of
            name = phrase("functions", figure.function, n=figure.fraction * 100)
            text = term(figure.term, rows)
            name = "" if text.split(" ")[0] == name else f"{name} "  # "total amount" is no total of totals
            return f"{name}{text}{_where(figure.where, rows)}"
        case al.Metric():
            return f"{figure.name}{_where(figure.where, figure.of or al.Rows(figure.table))}"
        case al.Combined():
            left, right = figure_words(figure.left, query), figure_words(figure.right, query)
            return phrase("figures", figure.how, left, right)
        case al.Share():
            return f"share of the {figure_words(figure.figure, query)}{_each(figure.within, query)}"
        case al.Window():
            text = phrase("windows", figure.how, figure_words(figure.figure, query), n=figure.n)
            return text + _each(figure.within, query)
        case _:
            assert_never(figure)


def _each(within: tuple[int, ...], query: al.Grouped) -> str:
    return f" within each {joined([term(query.keys[i], query.of) for i in within])}" if within else ""


def part_of_date(value: object, grain: str) -> str:
    """A number that is a part of a date, as people say it: "March", "Monday", "Q2"; empty for any other value."""
    number = int(value) if isinstance(value, int | float) else -1
    if grain in ("month of year", "month") and 1 <= number <= 12:
        return calendar.month_name[number]
    if grain == "weekday" and 0 <= number <= 6:
        return calendar.day_name[number - 1]
    return f"Q{number}" if grain == "quarter of year" and number > 0 else ""


def _held(term: al.Term, value: al.Scalar) -> str:
    """A value that a term has."""
    return (part_of_date(value, term.grain) if isinstance(term, al.Grain) else "") or _value(value)


def _value(value: al.Scalar) -> str:
    return f"“{value}”" if isinstance(value, str) else "nothing" if value is None else f"{value}"
