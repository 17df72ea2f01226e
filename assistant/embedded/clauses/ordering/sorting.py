"""Clauses about the order of rows: "sorted by name descending", "alphabetically", "sort the rooms by price"."""

from __future__ import annotations

from typing import cast

from assistant.embedded.clauses.draft import Draft, Misfit
from assistant.embedded.clauses.figuring.figures import measure_at
from assistant.embedded.clauses.figuring.how_many import number_held
from assistant.embedded.clauses.naming.adjectives import falls, hinted, hinted_beyond, tables_in_question
from assistant.embedded.clauses.ordering.chains import chain, next_in_chain, one_by_one
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.linking.options import ToColumn, ToTable
from assistant.embedded.source.dating import likeliest_date
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.words.cue_patterns import CueKind
from assistant.embedded.words.cues import Cue
from assistant.embedded.words.lexicon import stem


def sorts(draft: Draft) -> None:
    """ "sorted by name descending", "alphabetically", "from highest to lowest"."""
    _verb(draft)
    one_by_one(draft)
    for i, _ in draft.cues("best", "maximum", "minimum", "most"):
        _column_first(draft, i)
    for i, cue in draft.cues("sort"):
        target = draft.after(i, plain_max=3)
        if target is not None and draft.asks_anew(i, target):
            target = None  # "in alphabetical order. Show the name": what is to be shown, in that order
        if _ones_first(draft, i, target):
            continue
        if draft.pieces[i].span.text.lower().endswith("order") and not draft.content_before(i):
            draft.use(i)  # "list in alphabetical order the names of ..."
            draft.order.append((None, cue.argument == "desc"))
            continue
        if draft.pieces[i].used or chain(draft, target, first_down=cue.argument == "desc"):
            draft.use(i)
            continue
        descending = cue.argument == "desc"
        for j, direction in draft.cues("direction"):
            if j > i:
                draft.use(j)
                descending = direction.argument == "desc"
                if target == j:
                    target = draft.after(j)
        draft.use(i)
        _sort(draft, target, descending, alone=bool(draft.order))
    for i, cue in draft.cues("best"):
        if draft.word(i + 1) == "first":
            _measured_first(draft, i, cue)
        elif draft.word(i - 1) == "from" and draft.word(i + 1) == "to" and draft.cue_at(i + 2, "best"):
            _from_end_to_end(draft, i, cue)
    for i, cue in draft.cues("direction"):
        if not cue.hints and not _ENDS & set(draft.word(i).split()):
            draft.use(i)
            aged = _by_age(draft, i)
            draft.order.append((aged, True) if aged is not None else (_by_date(draft, i), cue.argument == "desc"))


def _measured_first(draft: Draft, at: int, cue: Cue) -> None:
    """ "youngest first", "longest first": all of them, in the order of what the word measures."""
    found = hinted_beyond(draft, cue.hints, tables_in_question(draft)) if cue.hints else None
    if found is None:
        return
    draft.use(at, at + 1)
    draft.pieces[at + 1].option = None
    draft.order.append((found, falls(found, cue.argument)))
    then = next_in_chain(draft, at + 1)
    option = draft.open(then)
    if then is not None and isinstance(option, ToColumn):  # "the dearest first and then by name"
        draft.use(then)
        draft.order.append((option.attribute, False))


def _from_end_to_end(draft: Draft, at: int, cue: Cue) -> None:
    """ "sorted from the oldest to the youngest": all of them, from the one end to the other."""
    _measured_first(draft, at, cue)
    if draft.pieces[at].used:
        draft.use(at + 2)
        if draft.word(at - 2) in _SORTED:
            draft.use(at - 2)


_SORTED = frozenset(("sorted", "ordered", "ranked", "listed", "arranged"))


def _by_date(draft: Draft, at: int) -> Attribute | None:
    """ "with their due date, oldest first": the date that is shown, or that of the rows that are listed."""
    words = draft.pieces[at].span.text.lower().split()
    if not _AGES & set(words) or draft.cues("count", "sum", "average", "group", "grain"):
        return None
    dates = [p.option.attribute for p in draft.pieces[:at] if isinstance(p.option, ToColumn) and not p.used]
    dates = [attribute for attribute in dates if attribute.is_time]
    rows = draft.first_table(before=at) or _whose_columns(draft, at)
    found = dates[-1] if dates else likeliest_date(rows) if rows is not None else None
    if found is None and rows is not None and any(_DAY in a.own and not a.is_time for a in rows.attributes.values()):
        raise Misfit(
            f"“{draft.pieces[at].span.text}”: the dates of {rows.many} are texts that have no order.", weight=4
        )
    return found


def _whose_columns(draft: Draft, at: int) -> Entity | None:
    """ "event places, latest first": the rows whose columns alone are named."""
    named = [p.option.attribute for p in draft.pieces[:at] if isinstance(p.option, ToColumn)]
    return draft.entity_of(named[0]) if len({attribute.table for attribute in named}) == 1 else None


def _by_age(draft: Draft, at: int) -> Attribute | None:
    """ "the names and ages of all clerks, oldest first": by their age, where they have one."""
    first = draft.pieces[at].span.text.lower() == "oldest first"
    return hinted(draft, ("age",), tables_in_question(draft)[:1]) if first else None


_DAY = stem("date")
_AGES = frozenset(("oldest", "newest", "latest", "earliest"))


def _ones_first(draft: Draft, at: int, following: int | None) -> bool:
    """ "sorted by the ones with the highest revenue first", "by highest price first": all of them, in that order."""
    places = [at]
    while following is not None and draft.cue_at(following, "with"):
        places.append(following)
        following = draft.after(following, plain_max=1)
    cue = draft.cue_at(following, "best", "maximum", "minimum")
    column = draft.after(following, plain_max=1) if following is not None else None
    option = draft.open(column)
    last = column + 1 if column is not None and column + 1 < len(draft.pieces) else None
    if cue is None or following is None or column is None or not isinstance(option, ToColumn) or last is None:
        return False
    if draft.pieces[last].span.text.lower() != "first":
        return False
    draft.use(*places, following, column, last)
    draft.order.append((option.attribute, cue.argument == "desc" or cue.kind == "maximum"))
    return True


def _column_first(draft: Draft, at: int) -> None:
    """ "..., highest amount first", "most orders first": the order of all rows, at the end of what is asked."""
    cue = draft.cue_at(at, "best", "maximum", "minimum", "most")
    target = draft.after(at, plain_max=0)
    option = draft.open(target)
    last = at + 1 == len(draft.pieces) - 1 and draft.pieces[at + 1].span.text.lower() == "first"
    if cue is not None and last and cue.kind == "best" and not cue.hints and (told := _only_number(draft)) is not None:
        draft.order.append((told, cue.argument == "desc"))  # "with their rating, best first"
        draft.use(at, at + 1)
        return
    if target is None or cue is None or target + 1 >= len(draft.pieces):
        return
    if draft.pieces[target + 1].span.text.lower() != "first" or not draft.content_before(at):
        return
    descending = cue.kind == "maximum" or cue.argument in ("desc", "old")
    numbered = isinstance(option, ToColumn) and bool(_NUMBERED & set(option.attribute.stems))
    if isinstance(option, ToColumn) and (option.attribute.is_number or option.attribute.is_time or numbered):
        draft.order.append((option.attribute, descending))
    elif isinstance(option, ToTable) and cue.kind == "most":
        draft.order.append((option.entity, descending))
    else:
        return
    draft.pieces[target + 1].option = None
    draft.use(at, target, target + 1)


_NUMBERED = frozenset(("number", "id", "code"))
"""What counts on though it is no number: "highest customer number first"."""


def _only_number(draft: Draft) -> Attribute | None:
    """The one number that the question names."""
    named = [p.option.attribute for p in draft.pieces if isinstance(p.option, ToColumn)]
    numbers = {(a.table, a.name): a for a in named if a.is_number}
    return next(iter(numbers.values())) if len(numbers) == 1 else None


_AGGREGATES = {"average": "average", "total": "sum", "number": "count", "count": "count"}


def by_figure(draft: Draft) -> None:
    """ "highest average first": by that one of the figures; "their price, highest first": by the number told last."""
    for i, cue in draft.cues("direction"):
        draft.use(i)
        if cue.hints and not (draft.wanted or draft.fragment):
            if (column := _called(draft, i, cue.hints[0])) is None:
                raise Misfit(f"“{draft.pieces[i].span.text}”: of what?", weight=4)
            draft.order.append((column, cue.argument == "desc"))
            continue
        asked = [w for w in draft.wanted if not cue.hints or w.aggregate == _AGGREGATES[cue.hints[0]]]
        named = [p.option.attribute for p in draft.pieces[:i] if isinstance(p.option, ToColumn) and not p.used]
        numbers = [a for a in named if a.is_number] if not (asked or cue.hints) else []
        target = asked[0] if asked else numbers[-1] if numbers else None
        draft.order.append((target, cue.argument == "desc"))


def _called(draft: Draft, at: int, word: str) -> Attribute | None:
    """ "the lifters' names, highest total first": the number that the rows spoken of call so."""
    own, options = (stem(word),), [p.option for p in draft.pieces[:at]]
    named = [o.entity for o in options if isinstance(o, ToTable)]
    named += [draft.entity_of(o.attribute) for o in options if isinstance(o, ToColumn)]
    near = [draft.schema.entities[e.right] for one in named for e in draft.schema.edges.get(one.name, ())]
    for entities in (named, near):
        found = {(a.table, a.name): a for e in entities for a in e.attributes.values() if a.is_number and a.own == own}
        if len(found) == 1:
            return next(iter(found.values()))
    return None


_ENDS = frozenset(
    (
        "highest",
        "lowest",
        "largest",
        "smallest",
        "biggest",
        "greatest",
        "fewest",
        "high",
        "low",
        "large",
        "small",
        "big",
    )
)
"""Words for the ends of a number, which no name has."""


def by_period(draft: Draft) -> None:
    """ "in descending order by year", where a column of what is asked for holds the year: nothing is broken down."""
    for i, cue in draft.cues("direction"):
        column = _named_by_grain(draft, draft.after(i, plain_max=0))
        if column is not None:
            draft.use(i)
            draft.order.append((column, cue.argument == "desc"))


def _sort(draft: Draft, target: int | None, descending: bool, *, alone: bool) -> None:
    """Take what follows for what the rows go by; with nothing there, the order is that of what is shown."""
    target = _of_table(draft, target)
    option = draft.open(target)
    if target is not None and isinstance(option, ToColumn):
        draft.use(target)
        draft.order.append((option.attribute, descending))
        _further(draft, target, option.attribute, descending)
    elif target is not None and isinstance(option, ToTable):
        draft.use(target)
        owner = _owner(draft, target, option.entity)
        draft.order.append((Wanted(aggregate="count", entity=option.entity) if owner else option.entity, descending))
        if owner and not any(isinstance(p.option, ToColumn) for p in draft.pieces):
            draft.groups.append(owner)
    elif target is not None and (column := _numbered(draft, target)) is not None:
        draft.order.append((column, descending))
    elif target is not None and (found := measure_at(draft, target)):
        found[0].context = draft.ranked is not None  # "the top 3 towns sorted by average rent"
        draft.order.append((found[0], descending))
    elif target is not None and (counted := _counted(draft, target)) is not None:
        draft.order.append((counted, descending))
    elif alone and target is None:
        draft.order[-1] = (draft.order[-1][0], descending)  # "sort them by name in descending order"
    else:
        if draft.cue_at(target, "count") and draft.cues("count")[0][0] != target:
            draft.use(cast(int, target))  # "how many orders has each store, sorted by count"
        draft.order.append((None, descending))


def _owner(draft: Draft, at: int, rows: Entity) -> Entity | None:
    """ "brewers in descending order of beers": by how many each has, where nothing else is counted."""
    columns = [p.option.attribute for p in draft.pieces[:at] if isinstance(p.option, ToColumn)]
    listed = draft.first_table(before=at) or (draft.entity_of(columns[0]) if columns else None)
    figures = draft.wanted or draft.groups or draft.cues("count", "sum", "average", "group")
    if figures or listed is None or listed == rows or not draft.word(at).endswith("s"):
        return None
    return listed if rows in draft.schema.children(listed) else None


def _of_table(draft: Draft, target: int | None) -> int | None:
    """ "by the customer's rating": a table right before a column of its own only says whose it is."""
    owner, following = draft.open(target), draft.after(target, plain_max=0) if target is not None else None
    column = draft.open(following)
    if target is None or not isinstance(owner, ToTable) or not isinstance(column, ToColumn):
        return target
    if column.attribute.table != owner.entity.name or not draft.touches(target, following):
        return target
    draft.use(target)
    return following


def _further(draft: Draft, at: int, column: Attribute, descending: bool) -> None:
    """ "sorted by their sales and profits"; a unit that a column is named by says nothing more: "in millions"."""
    ordered = [column]
    place = draft.after(at, plain_max=1)
    while place is not None:
        link = place if draft.cue_at(place, "and") else None
        following = draft.after(link, plain_max=1) if link is not None else place
        option = draft.open(following)
        if following is None or not isinstance(option, ToColumn):
            return
        place = draft.after(following, plain_max=1)
        if option.attribute in ordered:
            draft.use(following)
        elif link is not None and (place is None or not draft.cue_at(place, "and")):
            draft.use(link, following)
            draft.order.append((option.attribute, descending))
            ordered.append(option.attribute)
        else:
            return


def _verb(draft: Draft) -> None:
    """ "Sort the rooms by price", "orders ordered by date": what is to be done, though a table is called alike."""
    first = draft.pieces[0].span.text.lower() if draft.pieces else ""
    says_by = [i for i, cue in draft.cues("group") if cue.argument == "by"]
    behind = [i for i in says_by if draft.pieces[i - 1].span.text.lower() == "ordered" and draft.touches(i - 1, i)]
    by = next(iter(behind), None)
    if by is None and first in ("sort", "order", "rank", "arrange"):
        by = next(iter(says_by), None)
    target = draft.after(by, plain_max=3) if by is not None else None
    if by is None or target is None or not isinstance(draft.open(target), ToColumn):
        return
    descending = False
    for i, direction in draft.cues("direction"):
        draft.use(i)
        descending = direction.argument == "desc"
    draft.use(by)
    if behind:
        draft.use(by - 1)
    elif isinstance(draft.pieces[0].option, ToTable | ToColumn):
        draft.use(0)  # "order" may be the name of a table
    _sort(draft, target, descending, alone=False)


def _named_by_grain(draft: Draft, at: int | None) -> Attribute | None:
    cue = draft.cue_at(at, "grain")
    if cue is None or at is None:
        return None
    for piece in draft.pieces:
        if isinstance(piece.option, ToColumn) and piece.option.attribute.own[-1:] == (cue.argument,):
            draft.use(at)
            return piece.option.attribute
    return None


def _counted(draft: Draft, at: int) -> Wanted | None:
    """ "in descending order of the count": of how often there is what is asked for."""
    if not draft.cue_at(at, "count") or draft.open(draft.after(at)) is not None:
        return None
    if any(i < at for i, _ in draft.cues("count")):
        return None  # of what is counted anyway
    named = [p.option.attribute for p in draft.pieces[:at] if isinstance(p.option, ToColumn) and not p.used]
    if len(named) != 1 or named[0].role != "text" or draft.groups:
        return None
    draft.use(at)
    return Wanted(aggregate="count", entity=draft.entity_of(named[0]))


def _numbered(draft: Draft, at: int) -> Attribute | None:
    """ "by the number of credits", where each row has such a number."""
    places = number_held(draft, at)
    figures = draft.wanted or draft.groups or draft.cues("average", "sum", "minimum", "maximum", "group")
    option = draft.open(places[-1]) if places else None
    if not isinstance(option, ToColumn) or figures:
        return None
    draft.use(at, *places)
    return option.attribute


def _said(draft: Draft, kind: CueKind) -> bool:
    return any(isinstance(p.option, Cue) and p.option.kind == kind for p in draft.pieces)


def explained(draft: Draft) -> None:
    """A figure that rows are only sorted by was not asked for: it stands beside, to show why.

    "List the number of people injured in ascending order": one sum has no order, so each row's number is meant.
    """
    summed = all(w.aggregate == "sum" and w.attribute is not None for w in draft.wanted)
    grouped = draft.groups or draft.grains or draft.parts or draft.ranked or draft.limit
    if draft.wanted and draft.order and summed and not grouped and not _said(draft, "sum"):
        draft.shown += [w.attribute for w in draft.wanted if w.attribute]
        draft.wanted.clear()
    if draft.ranked is None and draft.limit is None and not draft.wanted:
        for target, _ in draft.order:
            if isinstance(target, Wanted) and target not in draft.wanted:
                target.context = True
