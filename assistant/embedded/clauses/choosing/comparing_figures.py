"""Comparisons of what rows come to: "colours with more than 3 records", "pays more than 4000 on average".

What is compared is no value of a row: it is how many rows there are of a kind, or their average or total.
"""

from __future__ import annotations

from typing import cast

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.figuring.figures import measure_at
from assistant.embedded.clauses.naming.adjectives import tables_in_question
from assistant.embedded.clauses.ordering.commonest import OFTEN, kind_before, names_row
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.linking.naming import ROW_WORDS
from assistant.embedded.linking.options import ToColumn, ToNumber
from assistant.embedded.meaning import Operator
from assistant.embedded.source.schema import Attribute, repeats
from assistant.embedded.words.cues import Cue


def on_average(draft: Draft) -> None:
    """ "which departments pay more than 4000 on average": it is the average of each of them that is compared.

    So is what the rows of a kind come to: "cities with stations with more than 20 docks in total".
    """
    for i, cue in draft.cues("average", "sum"):
        said = [f for f in draft.filters if f.operator in ("<", "<=", ">", ">=") and 0 <= i - f.piece <= _NEAR_AVERAGE]
        named, words = tables_in_question(draft), " ".join(p.span.text.lower() for p in draft.pieces[i - 1 : i + 1])
        if not words.endswith(("on average", "in total")) or len(said) != 1 or not named or draft.groups:
            continue
        condition = said[0]
        value = condition.values[0] if condition.values else None
        if isinstance(value, str) or value is None:
            continue
        kind = kind_before(draft, condition.piece) if condition.attribute.table == named[0] else None
        option = draft.open(kind)
        if kind is not None and isinstance(option, ToColumn):
            draft.use(kind)
            draft.groups.append(option.attribute)
        elif condition.attribute.table == named[0]:
            continue
        draft.use(i)
        draft.filters.remove(condition)
        aggregate = "average" if cue.kind == "average" else "sum"
        wanted = Wanted(aggregate=aggregate, attribute=condition.attribute, context=True)
        draft.having.append((wanted, condition.operator, float(value)))


_NEAR_AVERAGE = 4


def rows_of_kind(draft: Draft, places: list[int], operator: Operator, number: float) -> bool:
    """ "codes that were used less than 5 times", "colours with more than 3 records": how many rows share the value.

    So are "customers with more than 3 orders" read in a file that names both in each of its lines.
    """
    right = max(places)
    text = draft.pieces[right].span.text.lower()
    behind = draft.word(right + 1)
    kind = kind_before(draft, min(places))
    option = draft.open(kind)
    count = draft.before(min(places), plain_max=1)
    count = count if draft.cue_at(count, "count") else None  # "colours with a count over 3"
    often = behind in (*OFTEN, *ROW_WORDS) or text in HOW_OFTEN or count is not None
    following = draft.after(right, plain_max=0)
    rows = draft.open(following)
    named = isinstance(rows, ToColumn) and names_row(draft, rows.attribute)  # "more than one car model"
    things = rows.attribute if isinstance(rows, ToColumn) and following == right + 1 and not named else None
    if things is not None and not _are_things(draft, cast(int, following), things, number):
        things = None
    if not (often or named or things) or kind is None or not isinstance(option, ToColumn) or draft.groups:
        return False
    if (named or things) and following is not None and isinstance(rows, ToColumn):
        if rows.attribute.table != option.attribute.table or rows.attribute == option.attribute:
            return False
        draft.use(following)
    draft.use(*places, kind, *([count] if count is not None else []))
    asked = draft.before(kind, plain_max=0)
    if asked is not None and draft.cue_at(asked, "count") and not draft.wanted:  # "how many customers have more than"
        draft.use(asked)
        draft.wanted.append(Wanted(aggregate="distinct", attribute=option.attribute))
    else:
        draft.groups.append(option.attribute)
    counted = Wanted(aggregate="count", entity=draft.entity_of(option.attribute), context=True)
    if things is not None:
        counted = Wanted(aggregate="distinct", attribute=things, context=True)
    draft.having.append((counted, operator, number))
    return True


def _are_things(draft: Draft, at: int, attribute: Attribute, number: float) -> bool:
    """Whether a plural names what rows share in a column, so that there are so many different ones of them, or one."""
    said = draft.word(at)
    several = (said.endswith("s") or number == 1) and attribute.role in ("text", "key")
    return several and repeats(attribute, draft.entity_of(attribute))


def totalled(draft: Draft, at: int) -> list[Wanted]:
    """The figure of a "total" before a table."""
    start = draft.before(at, plain_max=1)
    return measure_at(draft, start) if start is not None and draft.cue_at(start, "sum") else []


def place_of_count(draft: Draft, at: int) -> int | None:
    """The place of the "number of" before a table."""
    start = draft.before(at, plain_max=1)
    return start if start is not None and draft.cue_at(start, "count") else None


def is_counted_beyond(draft: Draft, at: int) -> bool:
    """ "depots with a number of drivers over 40"; "how many drivers over 40" speaks of the drivers themselves."""
    start = place_of_count(draft, at)
    return start is not None and draft.content_before(start)


HOW_OFTEN = ("once", "twice", "thrice")
"""Numbers that say how many times."""


def of_groups(draft: Draft, at: int) -> int | None:
    """Where "only those above 5" begins, behind a figure that is broken down: the groups are meant, by their figure."""
    start = at - 1 if draft.cue_at(at - 1, "with", "which") else at
    if draft.word(start - 1) not in _THOSE or draft.word(start - 2) not in _ONLY:
        return None
    before = [p.option.kind for p in draft.pieces[:start] if isinstance(p.option, Cue)]
    grouped = draft.groups or draft.grains or "group" in before or "grain" in before
    return start - 2 if grouped and {"count", "sum", "average", "maximum", "minimum"} & set(before) else None


def bound_groups(draft: Draft) -> None:
    """ "number of orders per client, only those above 5": the one figure that is told of each group."""
    for i, cue in draft.cues("compare"):
        start, number = of_groups(draft, i), draft.after(i, plain_max=1)
        bound = draft.open(number)
        if start is None or number is None or not isinstance(bound, ToNumber) or len(draft.wanted) != 1:
            continue
        draft.use(*range(start, number + 1))
        draft.having.append((draft.wanted[0], cast(Operator, cue.argument), bound.number))


_THOSE = frozenset(("those", "ones"))
_ONLY = frozenset(("only", "just", "the", "show", "keep"))
