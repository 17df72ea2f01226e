"""The highest value itself, or the row that has it: "the highest price", "who has the highest price".

Where many rows share what is asked for, it is their figure: "which topics have the lowest satisfaction".
"""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft, Misfit
from assistant.embedded.clauses.figuring.how_much import on_average
from assistant.embedded.clauses.ordering.commonest import rank_by
from assistant.embedded.clauses.ordering.leading import is_asked
from assistant.embedded.clauses.wanted import ComparedWanted, Wanted
from assistant.embedded.linking.options import ToColumn, ToMetric, ToValue
from assistant.embedded.meaning import Aggregate
from assistant.embedded.source.schema import Attribute


def by_column(draft: Draft, at: int, attribute: Attribute, descending: bool) -> None:
    """The highest value itself, or the row that has it: the row, if a table, a column or "who" was asked for before."""
    asked = is_asked(draft, at)
    if asked and is_figure_asked(draft, at, attribute):
        draft.compared.append(extreme_of(attribute, descending=descending))
        return
    if draft.limit and draft.limit > 1 and not draft.groups and not asked:
        draft.shown.append(attribute)
        draft.order.append((attribute, descending))
        return
    if draft.place > 1 and draft.groups:
        raise Misfit(f"I cannot tell which {attribute.words} comes at that place in each group.", weight=4)
    category = _category_before(draft, at, attribute)
    aggregate: Aggregate
    if category is not None and not draft.groups:
        averaged = on_average(draft)
        draft.use(*averaged)
        aggregate = "sum" if attribute.adds_up and not averaged else "average"
        rank_by(draft, category, Wanted(aggregate=aggregate, attribute=attribute, context=True), descending)
        return
    if draft.place > 1 and not draft.groups and not asked and not draft.asks_which:
        draft.shown.append(attribute)  # "the second highest price"
        draft.distinct = True
    elif draft.groups or (not asked and not draft.asks_which):
        aggregate = "maximum" if descending else "minimum"
        draft.wanted += [Wanted(aggregate=aggregate, attribute=a) for a in (attribute, *_further(draft, at, attribute))]
        return
    draft.order.append((attribute, descending))
    draft.keep_extreme()


def _further(draft: Draft, at: int, attribute: Attribute) -> list[Attribute]:
    """ "the lowest price and weight": the word holds for the numbers that follow as well."""
    found: list[Attribute] = []
    place = next((i for i in range(at, len(draft.pieces)) if _is_column(draft, i, attribute)), None)
    while place is not None and place + _BESIDE < len(draft.pieces):
        link, option = place + 1, draft.open(place + _BESIDE)
        if not draft.cue_at(link, "and") or not isinstance(option, ToColumn):
            break
        other = option.attribute
        if not other.is_number or other.is_code or other.table != attribute.table:
            break
        draft.use(link, place + _BESIDE)
        found.append(other)
        place += _BESIDE
    return found


_BESIDE = 2
"""How far behind a column the next one of a list stands."""


def _is_column(draft: Draft, at: int, attribute: Attribute) -> bool:
    option = draft.pieces[at].option
    return isinstance(option, ToColumn) and option.attribute == attribute


def _category_before(draft: Draft, at: int, attribute: Attribute) -> Attribute | None:
    """ "which topics have the lowest satisfaction": many rows share a topic, so it is the topic's figure."""
    named = [(i, p.option) for i, p in enumerate(draft.pieces[:at]) if not p.used and p.option is not None]
    columns = [(i, o.attribute) for i, o in named if isinstance(o, ToColumn)]
    if len(columns) != 1 or len(named) != 1 or not draft.asks_which:
        return None
    place, category = columns[0]
    profile, rows = category.column.profile, draft.entity_of(category).table.rows
    repeated = profile is not None and bool(rows) and (rows or 0) >= _REPEATED * max(profile.distinct or 1, 1)
    if category.table != attribute.table or category.role != "text" or not repeated:
        return None
    draft.use(place)
    draft.assumptions.append(f"each {category.words} goes by its {attribute.words}, all its rows together")
    return category


def is_figure_asked(draft: Draft, at: int, attribute: Attribute) -> bool:
    """ "the average age of students in the largest hall": the extreme chooses the rows that the figure is made of."""
    cues = draft.cues("count", "average", "sum", "how_much", "maximum", "minimum")
    figure = any(i < at for i, _ in cues) or draft.wanted
    figure = figure or any(isinstance(p.option, ToMetric) and not p.used for p in draft.pieces[:at])
    leads = at > 0 and at <= _LEADING_MAX and draft.pieces[at - 1].span.text.lower() in _WHEN
    figure = figure or (leads and bool(cues))
    if not figure or draft.groups or draft.grains or draft.parts or draft.limit or draft.ranked or draft.order:
        return False
    of_rows = {p.option.attribute.table for p in draft.pieces if isinstance(p.option, ToValue)}
    return attribute.table not in of_rows  # "how many rock tracks have the highest price": the highest among them


_WHEN = frozenset(("for", "in", "on", "at", "of", "during"))
_LEADING_MAX = 2
"""Up to which place a question begins with the rows that its figure is of: "As of the latest snapshot, how many"."""


def extreme_of(attribute: Attribute, *, descending: bool) -> ComparedWanted:
    """The condition that rows have the highest or the lowest value of a column."""
    return ComparedWanted(attribute, "=", "maximum" if descending else "minimum")


_REPEATED = 8
"""From how many rows per value on a column says what kind a row is, rather than which row it is."""
