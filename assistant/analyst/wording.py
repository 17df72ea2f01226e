"""A query as an English sentence, so that a person sees what was understood. A walk over the algebra, nothing else."""

from __future__ import annotations

import calendar
from dataclasses import replace
from datetime import date, timedelta
from typing import assert_never

from assistant.analyst import algebra as al
from assistant.analyst.conversions import conversion
from assistant.analyst.lexicon.files import section
from assistant.analyst.names import CAMEL, lemma, plural, words_of
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
    tokens = CAMEL.sub(" ", name).replace("_", " ").split()
    is_mixed = not name.isupper()  # "US Gross" has a name in it, `DEPT_NO` none
    return " ".join(t if is_mixed and t.isupper() and len(t) > 1 else t.lower() for t in tokens) or name


def describe_unit(unit: str) -> str:
    """A unit as answers say it: "minutes", "%"."""
    return str(section("wording", "units").get(unit, unit))


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
        case _:
            assert_never(query)


def _all_outputs(query: al.Grouped) -> list[str]:
    return [*(term(key, query.of) for key in query.keys), *(figure_words(f, query) for f in query.figures)]


def _query(query: al.Query) -> str:
    match query:
        case al.Listing():
            return _first_rows(query) or _listed(query)
        case al.Grouped():
            return _grouped(query)
        case _:
            assert_never(query)


def _listed(query: al.Listing) -> str:
    words = [term(t, query.of) for t in query.outputs]
    prefix = "each different " if query.distinct else ""
    return f"{prefix}{joined(list(outputs_of(query)))} of {rows_in_words(query.of)}{_end(query, words)}"


def _first_rows(query: al.Listing) -> str:
    """ "Name and weight of the 5 cars with the highest weight"; empty where rows are not the first by one output."""
    rows, limit = query.of, query.limit
    if limit is None or limit.skip or len(query.order) != 1 or not isinstance(rows, al.Rows) or query.distinct:
        return ""
    by = query.outputs[query.order[0].place]
    where = al.both(*(part for part in al.conditions_of(rows.where) if part != al.Not(al.Missing(by))))
    many = things(rows.table)
    of = f"the {_one(many)}" if limit.n == 1 else f"the {limit.n:,} {many}"
    words = [term(t, rows) for t in query.outputs]
    end = "highest" if query.order[0].descending else "lowest"
    outputs, each = joined(list(outputs_of(query))), _for_each(limit, words)
    which = _where(where, rows)
    which = which.replace(" that have ", " that has ") if limit.n == 1 else which
    return f"{outputs} of {of}{which} with the {end} {term(by, rows)}{each}"


def _one(many: str) -> str:
    """One of some things, in words."""
    beginning, _, last = many.rpartition(" ")
    return f"{beginning} {lemma(last)}".lstrip()


def _first_groups(query: al.Grouped) -> str:
    """ "Top 10 products by net revenue"; empty where groups are not the first by one figure."""
    limit, size = query.limit, len(query.keys)
    if limit is None or limit.skip or len(query.order) != 1 or query.order[0].place < size:
        return ""
    outputs, order = _all_outputs(query), query.order[0]
    visible = range(len(outputs)) if query.shown is None else query.shown
    keys = [i for i in visible if i < size and i not in limit.within]
    if len(keys) != 1 or query.having != al.NO_FILTER:
        return ""
    by, one = outputs[order.place], outputs[keys[0]]
    n = f"{limit.n:,} " if limit.n > 1 else ""
    many = plural(one) if n else one
    text = f"top {n}{many} by {by}" if n and order.descending else ""
    text = text or f"{n}{many} with the {'highest' if order.descending else 'lowest'} {by}"
    beside = [outputs[i] for i in visible if i >= size and i != order.place]
    alone = "" if order.place in visible else " (names only)"
    text += (f", with {joined(beside)}" if beside else "") + _of(query, [by, *beside])
    return f"{text}{_for_each(limit, outputs)}{_whose(query)}{alone}"


def _for_each(limit: al.Limit, outputs: list[str]) -> str:
    each = f" for each {joined([outputs[i] for i in limit.within])}" if limit.within else ""
    return each + (", with ties" if limit.ties else "")


def _of_each(query: al.Grouped) -> str:
    """ "Average number of orders per customer by region"; empty where groups are not computed with so."""
    groups, figures = query.of, query.figures
    if len(figures) != 1 or not isinstance(groups, al.Groups) or groups.where != al.NO_FILTER:
        return ""
    is_plain = (query.order, query.limit, query.having) == ((), None, al.NO_FILTER)
    is_plain = is_plain and query.shown in (None, tuple(range(len(query.keys) + 1)))
    if query.keys and not (is_plain and all(isinstance(key, al.Output) for key in query.keys)):
        return ""
    inner, figure = groups.query, figures[0]
    if not isinstance(inner, al.Grouped) or not isinstance(inner.of, al.Rows) or inner.limit is not None:
        return ""
    known = {al.Not(al.Missing(key)) for key in inner.keys}
    where = al.both(*(part for part in al.conditions_of(inner.of.where) if part not in known))
    rows = replace(inner, of=replace(inner.of, where=where))
    tables = {key.table for key in inner.keys if isinstance(key, al.Column)}
    is_thing = len(inner.keys) > 1 and len(tables) == 1 and tables == set(al.tables_here(inner.keys))
    folded = [key for place, key in enumerate(inner.keys) if al.Output(place) not in query.keys]
    is_thing = is_thing and len(folded) == len(inner.keys)
    of_thing = _one(things(next(iter(tables)))) if is_thing else joined([term(key, inner.of) for key in folded])
    by = f" by {joined([term(key, groups) for key in query.keys])}" if query.keys else ""
    having = condition(inner.having, al.Groups(replace(inner, shown=None))) if inner.having != al.NO_FILTER else ""
    match figure:
        case al.Count(where=al.Both(()), of=None) if not query.keys:
            text = f"number of {plural(of_thing)}"
            return f"{text} with {having}{_whose(rows)}" if having else f"{text}{_whose(rows)}"
        case al.Aggregate(term=al.Output(place=place), where=al.Both(())) if not having and place >= len(inner.keys):
            name = phrase("functions", figure.function, n=figure.fraction * 100)
            measured = figure_words(inner.figures[place - len(inner.keys)], inner)
            name = f"{name} of the" if measured.startswith(name) else name
            return f"{name} {measured}{_of(rows, [measured])} per {of_thing}{by}{_whose(rows)}"
        case _:
            return ""


def _grouped(query: al.Grouped) -> str:
    return _first_groups(query) or _of_each(query) or _all_groups(query)


def _all_groups(query: al.Grouped) -> str:
    outputs = _all_outputs(query)
    size = len(query.keys)
    visible = range(len(outputs)) if query.shown is None else query.shown
    figures = [outputs[i] for i in visible if i >= size]
    keys = [outputs[i] for i in range(size) if i in visible or not figures]
    by = f" by {joined(keys)}" if keys else ""
    groups = al.Groups(replace(query, shown=None))
    having = f", where {condition(query.having, groups)}" if query.having != al.NO_FILTER else ""
    subject = joined(figures) if figures else f"each {joined([outputs[i] for i in visible])}"
    return f"{subject}{_of(query, figures)}{by if figures else ''}{_whose(query)}{having}{_end(query, outputs)}"


def _of(query: al.Grouped, figures: list[str]) -> str:
    """Whose rows they are, where the figures do not say so themselves."""
    rows = query.of
    if isinstance(rows, al.Groups):
        return f", of {rows_in_words(rows)}"
    plain = all(isinstance(f, al.Metric) and f.of is None for f in query.figures)
    is_said = things(rows.table) == _ROWS or any(things(rows.table) in text for text in figures)
    comma = "," if any(" whose " in text for text in figures) else ""
    return "" if figures and (plain or is_said) else f"{comma} of {things(rows.table)}"


def _whose(query: al.Grouped) -> str:
    """Which of the rows."""
    rows = query.of
    if isinstance(rows, al.Groups):
        return ""
    text = condition(rows.where, rows) if rows.where != al.NO_FILTER else ""
    once = f", counting each {named(rows.once.name)} once" if rows.once else ""
    return (f", where {text}" if text else "") + once


def _end(query: al.Query, outputs: list[str]) -> str:
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
    texts: dict[str, list[str]] = {"whose": [], "that": [], "where": []}
    for part in al.conditions_of(where):
        bare = part.condition if isinstance(part, al.Not) else part
        text = condition(part, rows)
        if isinstance(part, al.Related) and isinstance(rows, al.Rows) and part.table == rows.table:
            texts["that"].append(text.removeprefix(f"{things(rows.table)} "))
        elif text:
            is_of_column = isinstance(bare, al.Compare | al.OneOf | al.Missing | al.Text | al.Within)
            texts["whose" if is_of_column else "where"].append(text)
    clauses = [f"{word} {' and '.join(parts)}" for word, parts in texts.items() if parts]
    return f" {' and '.join(clauses)}" if clauses else ""


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
            return _arithmetic(value, rows)
        case _:
            assert_never(value)


def _arithmetic(value: al.Arithmetic, rows: al.RowSet) -> str:
    if (converted := conversion(value)) is not None:
        return phrase("arithmetic", "unit", term(converted[0], rows), describe_unit(converted[1]))
    return phrase("arithmetic", value.op, term(value.left, rows), term(value.right, rows))


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
            if isinstance(right, al.Single) and right.query.figures == (al.Aggregate("max", left),) and node.op == "=":
                return phrase("comparisons", "last", term(left, rows))
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
            if is_worth(figure.term):
                name = "" if figure.function == "sum" else name
                text = phrase("arithmetic", "worth", _formula(figure.term, rows))
            text = plural(text) if figure.function == "distinct" else text
            name = "" if not name or text.split(" ")[0] == name else f"{name} "  # "total amount" is no total of totals
            return f"{name}{text}{_where(figure.where, rows)}"
        case al.Metric():
            rows = figure.of or al.Rows(figure.table)
            return f"{figure.name}{_side(figure) or _where(figure.where, rows)}"
        case al.Combined():
            left, right = figure_words(figure.left, query), figure_words(figure.right, query)
            part = figure.left if figure.how == "ratio" and isinstance(figure.left, al.Leaf) else None
            if part is not None and figure.right == replace(part, where=al.NO_FILTER):
                return f"share of {right.removeprefix('number of ')}{_where(part.where, part.of or query.of)}"
            return phrase("figures", figure.how, left, right)
        case al.Share():
            return f"share of the {figure_words(figure.figure, query)}{_each(figure.within, query)}"
        case al.Window():
            text = phrase("windows", figure.how, figure_words(figure.figure, query), n=figure.n)
            return text + _each(figure.within, query)
        case _:
            assert_never(figure)


def _side(metric: al.Metric) -> str:
    """What a metric is compared by, in short: "in 2025", "for “North”"."""
    match metric.where:
        case al.Within(term, start, end) if term == metric.date:
            return f" {period(start, end)}"
        case al.Compare(al.Column() as left, "=", al.Constant(value=str(value))):
            return f" for {_held(left, value)}"
        case _:
            return ""


def _formula(worth: al.Term, rows: al.RowSet) -> str:
    match worth:
        case al.Arithmetic(left=left, right=al.Arithmetic(right=discount)):
            return f"{term(left, rows)}, less {term(discount, rows)}"
        case _:
            return term(worth, rows)


def is_worth(term: al.Term) -> bool:
    """Whether a value is a price times a quantity, perhaps less a discount: what people call revenue."""
    if not isinstance(term, al.Arithmetic) or term.op != "*":
        return False
    if isinstance(term.right, al.Arithmetic):
        return isinstance(term.right.left, al.Constant) and is_worth(term.left)
    ends = [words_of(side.name)[-1:] for side in (term.left, term.right) if isinstance(side, al.Column)]
    return len(ends) == 2 and ends[0] == ("price",)


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
