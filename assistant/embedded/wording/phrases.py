"""A meaning in plain words: restated in a line.

No figures of a result here; those are in `answers`.
"""

from __future__ import annotations

from assistant.embedded.dates import describe
from assistant.embedded.meaning import (
    ALL_THE_REST,
    AgainstAll,
    Dimension,
    Filter,
    Having,
    Meaning,
    Measure,
    Related,
)
from assistant.embedded.sql.temporal import WEEKDAYS
from assistant.embedded.wording.periods import for_periods
from assistant.embedded.wording.plain import joined, number_words
from assistant.embedded.wording.terms import noun, rows_named
from assistant.embedded.words.lexicon import plural, singular, spoken
from assistant.embedded.words.vocabulary import ORDINALS

_OPERATOR_WORDS = {
    "=": "is", "!=": "is not", "<": "is under", "<=": "is at most", ">": "is over", ">=": "is at least",
    "between": "is between", "not between": "is not between", "in": "is", "not in": "is neither",
    "contains": "contains", "starts": "starts with", "ends": "ends with", "missing": "is missing",
    "present": "is known", "not contains": "does not contain", "not starts": "does not start with",
    "not ends": "does not end with",
}  # fmt: skip


def restated(meaning: Meaning) -> str:
    """What was understood, as a title: "Net revenue by region for July to September 2026"."""
    if meaning.title:
        return meaning.title
    if meaning.verified_sql is not None:
        return meaning.base_label
    head = _listed(meaning) if meaning.columns else _figures(meaning)
    conditions = [] if meaning.portion else condition_words(meaning)
    text = head + (f", where {joined(conditions)}" if conditions else "")
    text += for_periods(meaning)
    return text[:1].upper() + text[1:]


def _figures(meaning: Meaning) -> str:
    shown = meaning.figures[-1:] if meaning.divided else meaning.figures
    figures = [figure_words(meaning, m) for m in shown if not m.context] or [figure_words(meaning, m) for m in shown]
    dimensions = [d for d in meaning.dimensions if not d.context]
    groups = [d.label for d in dimensions]
    if meaning.portion:
        return portion_words(meaning) + (f" by {joined(groups)}" if groups else "")
    if meaning.limit and meaning.order and meaning.order[0].by == "measure" and groups:
        figure = figure_words(meaning, meaning.measures[meaning.order[0].index])
        most = extreme_words(meaning, figure)
        if meaning.within:
            inside = joined(groups[: meaning.within])
            if meaning.offset:
                return f"{places_words(meaning)} of the {plural(groups[-1])} with the {most} in each {inside}"
            last = groups[-1] if meaning.limit == 1 else f"{meaning.limit} {plural(groups[-1])}"
            return f"{last} with the {most} in each {inside}"
        own = [d.label for d in dimensions[1:] if _same_row(dimensions[0], d)]
        groups = [g for n, g in enumerate(groups) if n == 0 or len(own) < len(groups) - 1]
        beside = own if len(groups) == 1 else []
        beside += [figure_words(meaning, m) for m in meaning.measures if not m.context and not m.share]
        others = [words for words in dict.fromkeys(beside) if words != figure]
        more = f" and {'its' if meaning.limit == 1 else 'their'} {joined(others)}" if others else ""
        chosen = f" among those with {joined(_having_words(meaning))}" if meaning.having else ""
        if meaning.offset:
            rows = joined([*groups[:-1], plural(groups[-1])])
            return f"{places_words(meaning)} of the {rows} with the {most}{more}{chosen}"
        if meaning.limit == 1:
            return f"{joined(groups)} with the {most}{more}{chosen}"
        return f"{meaning.limit} {joined([*groups[:-1], plural(groups[-1])])} with the {most}{more}{chosen}"
    text = joined(list(dict.fromkeys(figures)))
    if groups:
        text += f" by {joined(groups)}"
    if meaning.having:
        text += f" with {joined(_having_words(meaning))}"
    return f"{text}, and those without any" if any(m.or_none for m in meaning.measures) else text


def _same_row(first: Dimension, other: Dimension) -> bool:
    """Whether a group is only told more of: a customer's email, the category of a product."""
    if other.grain or other.part or other.edges or first.grain:
        return False
    steps, beyond = first.column.steps, other.column.steps
    same = other.column.table != first.column.table or beyond == steps
    return bool(steps) and same and beyond[: len(steps)] == steps and not any(s.many for s in beyond[len(steps) :])


def _having_words(meaning: Meaning) -> list[str]:
    """The conditions on figures in words: "number of orders over 10"."""
    return [
        f"{figure_words(meaning, meaning.measures[h.measure])} {_bound(h.operator)} "
        + (_of_all(h, meaning) if h.overall else number_words(h.value))
        for h in meaning.having
    ]


def _of_all(having: Having, meaning: Meaning) -> str:
    if having.than is not None:
        return figure_words(meaning, meaning.measures[having.than])
    if having.typical:
        return "the average" if having.part == 1.0 else f"{having.part:g} times the average"
    if having.against is not None:
        return f"that of {having.against.values[0]}"
    return "that of all together" if having.part == 1.0 else f"{having.part:.0%} of that of all together"


def portion_words(meaning: Meaning) -> str:
    """ "share of orders where status is cancelled"."""
    named = noun(meaning)
    words = [f"they are {rows_named(named)}"] if named else []
    return f"{meaning.measures[0].label} where {joined([*words, *condition_words(meaning)])}"


def extreme_words(meaning: Meaning, figure: str) -> str:
    """The figure at whose end the first order begins: "highest revenue"; what is called "most days" says it itself."""
    side = side_words(meaning)
    if {"highest": "most", "lowest": "fewest"}.get(side) == figure.partition(" ")[0]:
        return figure
    return f"{side} {figure}"


def side_words(meaning: Meaning) -> str:
    """Which end the first order begins at: "highest", "earliest"."""
    order = meaning.order[0]
    place = f"{ORDINALS[meaning.place]} " if meaning.place > 1 else ""
    if order.by == "measure":
        return place + ("highest" if order.descending else "lowest")
    return place + _side(meaning.columns[order.index].label, descending=order.descending)


def places_words(meaning: Meaning) -> str:
    """Which places are shown where the first ones are passed over: "places 6 to 10", "all but the first 5"."""
    if meaning.limit == ALL_THE_REST:
        return f"all but the first {meaning.offset}"
    first, last = meaning.offset + 1, meaning.offset + (meaning.limit or 1)
    return f"place {first}" if first == last else f"places {first} to {last}"


def _side(label: str, *, descending: bool) -> str:
    if label.endswith(("date", "time", "year", " at", "timestamp", "since")) or label.rpartition(" ")[2] in _DONE_ON:
        return "latest" if descending else "earliest"
    return "highest" if descending else "lowest"


_DONE_ON = frozenset(
    ("created", "opened", "closed", "resolved", "updated", "received", "started", "ended", "finished", "sold", "paid")
)
"""What days are called by what was done on them."""


def _bound(operator: str) -> str:
    return "exactly" if operator == "=" else _OPERATOR_WORDS[operator].removeprefix("is ")


def figure_words(meaning: Meaning, measure: Measure) -> str:
    """A figure as a noun: "number of orders", "net revenue"."""
    if meaning.portion:
        return portion_words(meaning)
    if measure.per is not None:
        return measure.label
    if measure.aggregate == "count" and not measure.share and (term := noun(meaning)):
        return f"number of {rows_named(term)}"
    if measure.aggregate in ("count", "distinct") and not measure.share:
        without = _without(meaning) if measure.aggregate == "distinct" else None
        return f"number of {measure.label}{f' {_lacking(without)}' if without is not None else ''}"
    return measure.label


def _without(meaning: Meaning) -> Related | None:
    """The rows that those have none of who are asked for and known by a column alone: customers without orders."""
    measures, shown = meaning.measures, [c for c in meaning.columns if not c.context]
    one = [m.column for m in measures if m.aggregate == "distinct"] if len(measures) == 1 else [c.column for c in shown]
    asked = one[0] if len(one) == 1 and (measures or meaning.distinct) and not meaning.portion else None
    found = [r for r in meaning.related if (r.operator, r.count) == ("=", 0) and not r.alternative]
    if asked is None or asked.steps or len(found) != 1:
        return None
    step = found[0].steps[0]
    return found[0] if step.left == step.right and step.left_columns == (asked.column,) else None


def _lacking(related: Related) -> str:
    """ "without orders since 1 June 2025"."""
    rows = related.label.partition(" with the same ")[0]
    return related_words(related.model_copy(update={"label": rows})).replace("there are no", "without", 1)


def _listed(meaning: Meaning) -> str:
    names = [c.label for c in meaning.columns[meaning.within :] if not c.context]
    inside = f" in each {joined([c.label for c in meaning.columns[: meaning.within]])}" if meaning.within else ""
    single = meaning.limit == 1 and not meaning.offset
    term = noun(meaning)
    rows = (term.label if single else rows_named(term)) if term else meaning.base_label
    rows = singular(rows) if single and not term else rows
    own = {c.column.table for c in meaning.columns[meaning.within :] if not c.context} == {meaning.base}
    ordered = next((o for o in meaning.order if o.by == "column"), None)
    rank = ""
    if meaning.limit and ordered:
        side = side_words(meaning)
        rank = f" with the {side} {meaning.columns[ordered.index].label}{inside}"
    count = f"{meaning.limit} " if meaning.limit and meaning.limit > 1 else ""
    if meaning.offset:
        count = f"{places_words(meaning)} of the "
    if len(names) > 6:
        return f"all columns of {count}{rows}{rank}"
    if not names:
        return f"{count}{rows}{rank}"  # every column only explains the choice of rows
    if (without := _without(meaning)) is not None:
        return f"{count}{plural(names[0])} {_lacking(without)}{rank}"
    if meaning.distinct and len(names) == 1 and rows == "rows":  # those whom a file's rows name have no other name
        return f"{count}{names[0] if single else plural(names[0])}{rank}"
    if own and len(names) <= 2 and all(n.endswith(("name", "title", "id", " no", " number")) for n in names):
        return f"{count}{rows}{rank}"
    return f"{joined(names)} of {count}{rows}{rank}"


def condition_words(meaning: Meaning) -> list[str]:
    """Every condition in words, the periods that bind every row aside."""
    words = [filter_words(f) for f in meaning.filters if f.side is None]
    if sides := dict.fromkeys(f.side for f in meaning.filters if f.side is not None):
        said = [[filter_words(f) for f in meaning.filters if f.side == n] for n in sides]
        words.append(", or ".join(joined(side) for side in said))
    elif meaning.either:
        words += [f"{spoken(t.column.column)} is {t.label}" for t in meaning.times]
        words = [" or ".join([*words, *(related_words(r) for r in meaning.related if r.alternative)])]
    words += [
        ("not " if c.negated else "") + f"“{c.label}”"
        for c in meaning.conditions
        if not c.rule and c is not noun(meaning)
    ]
    without = _without(meaning)  # told with those who have none
    words += [related_words(r) for r in meaning.related if not r.alternative and r is not without]
    words += [_against_words(c) for c in meaning.compared]
    words += [one.label or _first_words(one.rows) for one in meaning.among]
    return words


def _first_words(ranking: Meaning) -> str:
    """ "hall is the one with the highest number of rooms", "customer is one where there are more than 5 orders"."""
    if not ranking.order and not ranking.measures:
        return f"{singular(ranking.base_label)} is one where {joined(condition_words(ranking))}"
    if ranking.having and not ranking.limit:
        where = condition_words(ranking)
        more = f", where {joined(where)}" if where else ""
        return (
            f"{ranking.dimensions[-1].label} is one with {joined(_having_words(ranking))}{more}{for_periods(ranking)}"
        )
    label, text = ranking.dimensions[-1].label, restated(ranking)
    if not ranking.ties:
        words = restated(ranking.model_copy(update={"times": ()}))
        return f"{label} is {among_words(words)}"
    return f"{label} is the one{text[len(label) :]}"


def among_words(ranking: str) -> str:
    """What was ranked, as the place where something is: "among the 5 customers with …", "at places 6 to 10 of …"."""
    words = f"{ranking[:1].lower()}{ranking[1:]}"
    if words.startswith("place"):
        return f"at {words}"
    return f"among {words}" if words.startswith("all ") else f"among the {words}"


def _against_words(item: AgainstAll) -> str:
    """ "price is above its average", "capacity is the highest"."""
    if item.of is not None:
        return f"{item.label} is {'above' if '>' in item.operator else 'below'} the {restated(item.of)}"
    if item.operator == "=":
        return f"{item.label} is the {'highest' if item.aggregate == 'maximum' else 'lowest'}"
    side = {"maximum": "the highest", "minimum": "the lowest"}.get(item.aggregate, "its average")
    if item.factor != 1:
        return f"{item.label} {_OPERATOR_WORDS[item.operator]} {item.factor:g} times {side}"
    among = f" for the same {item.shared_label}" if item.shared_label else ""
    return f"{item.label} is {'above' if '>' in item.operator else 'below'} {side}{among}"


def filter_words(item: Filter) -> str:
    """ "country is Germany or France", "not active"."""
    if item.flag and item.operator in ("=", "!="):
        return item.label if item.operator == "=" else f"not {item.label}"
    if item.part == "weekday":
        return f"the weekday is {joined([WEEKDAYS[int(n) - 1] for n in item.values])}"
    if item.other is not None and item.days is not None:
        if isinstance(item.days, float):
            return f"{item.label} {_OPERATOR_WORDS[item.operator]} {item.days * 24:g} hours after {item.other_label}"
        if item.operator in ("<", "<="):
            return f"{item.label} is within {item.days} days of {item.other_label}"
        return f"{item.label} {_OPERATOR_WORDS[item.operator]} {item.days} days after {item.other_label}"
    if item.other is not None:
        dated = item.other_label.endswith("date") and item.operator in ("<", ">")
        word = {"<": "is before", ">": "is after"}[item.operator] if dated else _OPERATOR_WORDS[item.operator]
        return f"{item.label} {word} {item.other_label}"
    link = " nor " if item.operator == "not in" else " and " if item.operator in ("between", "not between") else " or "
    values = link.join(
        number_words(v) if isinstance(v, int | float) and not isinstance(v, bool) else str(v) for v in item.values
    )
    return f"{item.label} {_OPERATOR_WORDS[item.operator]} {values}".strip()


def related_words(related: Related) -> str:
    """ "no orders in 2025", "more than 5 orders"."""
    if (related.operator, related.count) == ("=", 0):
        words = f"there are no {related.label}"
    elif (related.operator, related.count) in ((">=", 1), (">", 0)):
        words = f"there are {related.label}"
    else:
        verb = "is" if related.count == 1 else "are"
        amount = {"=": "exactly", ">": "more than", "<": "fewer than", ">=": "at least", "<=": "at most"}
        rows = singular(related.label) if related.count == 1 else related.label
        words = f"there {verb} {amount.get(related.operator, related.operator)} {related.count} {rows}"
    if related.time:
        period = describe(related.time.start, related.time.end)
        words += f" {period}" if period.startswith(("since", "before")) else f" in {related.time.label}"
    details = [filter_words(f) for f in related.filters]
    return words + (f" ({joined(details)})" if details else "")
