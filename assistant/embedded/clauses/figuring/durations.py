"""Clauses about dates as figures: the days from one to another, and the first or last one of something."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.figuring.first_by import first_by, highest
from assistant.embedded.clauses.naming.moments import moment_of
from assistant.embedded.clauses.naming.verbs import traded
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.linking.options import ToColumn, ToTable
from assistant.embedded.meaning import Aggregate
from assistant.embedded.source.dating import likeliest_date
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.words.lexicon import name_stems

_NAMED = 0.9
"""From how sure a link on a column is called so itself: a column `shipping_time` is no span between two others."""
_LINKS = frozenset(("and", "to", "until", "till"))
_SIDES: dict[str, Aggregate] = {
    "first": "minimum", "earliest": "minimum", "the earliest": "minimum", "oldest": "minimum", "last": "maximum",
    "latest": "maximum", "the latest": "maximum", "most recent": "maximum", "the most recent": "maximum",
    "newest": "maximum",
}  # fmt: skip


def durations(draft: Draft) -> None:
    """ "the average number of days between order date and shipped date", "the longest time from A to B"."""
    for i, duration in draft.cues("duration"):
        if duration.argument == "verb":
            _done(draft, i)
            continue
        first = draft.after(i, plain_max=2)
        owner = _owner(draft, first)
        link = _link(draft, owner or first)
        second = _moment_behind(draft, link) if link is not None else None
        start, end = moment_of(draft, first), moment_of(draft, second)
        if first is None or second is None or link is None or start is None or end is None or start == end:
            continue
        before = draft.before(i, plain_max=1)
        aggregate: Aggregate = "average"
        if before is not None and (cue := draft.cue_at(before, "average", "minimum", "maximum", "sum", "best", "most")):
            sides: dict[str, Aggregate] = {"desc": "maximum", "asc": "minimum"}
            named: dict[str, Aggregate] = {"minimum": "minimum", "maximum": "maximum", "sum": "sum"}
            aggregate = sides.get(cue.argument) or named.get(cue.kind, "average")
            draft.use(before)
        else:
            draft.assumptions.append("the days are averaged")
        draft.use(i, first, second, *(n for n in (owner, _owner(draft, second)) if n is not None))
        if draft.pieces[link].option is not None:
            draft.use(link)
        unit = next(iter(duration.hints), "")
        draft.mention(start.table, end.table)
        wanted = Wanted(aggregate=aggregate, attribute=start, until=end, unit=unit)
        ranks = highest if aggregate == "average" else _has
        if before is None or not ranks(draft, before, wanted):
            draft.wanted.append(wanted)
        draft.use(*(j for j, _ in draft.cues("average") if draft.pieces[j].span.text.lower() == "on average"))


def _has(draft: Draft, extreme: int, wanted: Wanted) -> bool:
    """ "the customer with the longest time from A to B": who has it, rather than how long it is."""
    said = draft.word(extreme - 1) if draft.word(extreme - 1) != "the" else draft.word(extreme - 2)
    return said in _HAVING and first_by(draft, extreme, wanted, descending=wanted.aggregate == "maximum")


_HAVING = frozenset(("with", "has", "have", "had", "takes", "take", "took"))


def _moment_behind(draft: Draft, link: int) -> int | None:
    """The place of the second moment, though nothing else goes by its word: "between rental and return"."""
    places = range(link + 1, min(link + 4, len(draft.pieces)))
    return next((n for n in places if moment_of(draft, n) is not None), None)


def _owner(draft: Draft, at: int | None) -> int | None:
    """The table behind "the start date of the project", which says no more than the column."""
    place = draft.after(at, plain_max=2) if at is not None else None
    date, table = draft.open(at), draft.open(place)
    if at is None or place is None or draft.pieces[at + 1].span.text.lower() != "of":
        return None
    moment = moment_of(draft, at) if isinstance(table, ToTable) else None
    own = moment is not None and isinstance(table, ToTable) and moment.table == table.entity.name
    return place if own and table != date else None


def spans_of_time(draft: Draft) -> None:
    """ "average shipping time by country": from the day of the order to the day of shipping."""
    for i, piece in enumerate(draft.pieces):
        option, words = piece.option, piece.span.text.lower().split()
        if piece.used or not _is_date(option) or len(words) < 2 or words[-1] not in ("time", "duration"):
            continue
        assert isinstance(option, ToColumn), "only columns hold dates"
        start = likeliest_date(draft.entity_of(option.attribute))
        if option.strength >= _NAMED or start is None or start == option.attribute or start.role != "date":
            continue
        cues = [n for n in range(i) if draft.cue_at(n, "average", "minimum", "maximum", "best")]
        said = draft.cue_at(cues[-1], "average", "minimum", "maximum", "best") if cues else None
        sides: dict[str, Aggregate] = {"minimum": "minimum", "maximum": "maximum", "desc": "maximum", "asc": "minimum"}
        aggregate = sides.get(said.kind) or sides.get(said.argument, "average") if said else "average"
        draft.use(i, *cues[-1:])
        draft.mention(option.attribute.table)
        draft.wanted.append(Wanted(aggregate=aggregate, attribute=start, until=option.attribute))


def _done(draft: Draft, at: int) -> None:
    """ "how many days does it take to ship an order": from the day an order was placed to the day of shipping."""
    place = draft.after(at, plain_max=2)
    if place is not None and draft.cue_at(place, "average"):
        draft.use(place)
        place = draft.after(place, plain_max=2)
    if place is None:
        return
    ends = [o.attribute for o in draft.pieces[place].span.options if _is_date(o) and isinstance(o, ToColumn)]
    words = name_stems(draft.pieces[place].span.text)
    subject = draft.after(place, plain_max=1)
    option = draft.open(subject)
    if not ends and isinstance(option, ToTable):
        ends = [a for a in option.entity.dates if a.role == "date" and set(words) & {w[: len(words[0])] for w in a.own}]
    if not ends:
        return
    table = option.entity if isinstance(option, ToTable) and option.entity.name == ends[0].table else None
    entity = table or draft.schema.entities[ends[0].table]
    start = likeliest_date(entity)
    if start is None or start == ends[0] or start.role != "date":
        return
    draft.use(at, place)
    if table is not None and subject is not None:
        draft.use(subject)
    draft.use(*(i for i, _ in draft.cues("average")))
    draft.mention(entity.name)
    draft.wanted.append(Wanted(aggregate="average", attribute=start, until=ends[0]))


def _link(draft: Draft, at: int | None) -> int | None:
    """The word between two dates."""
    if at is None:
        return None
    places = range(at + 1, min(at + 3, len(draft.pieces)))
    return next((n for n in places if draft.pieces[n].span.text.lower() in _LINKS), None)


def _is_date(option: object) -> bool:
    return isinstance(option, ToColumn) and option.attribute.role == "date"


def firsts(draft: Draft) -> None:
    """ "when did each customer last order", "the first order date of each customer", "when was the latest order"."""
    asked = bool(draft.pieces) and draft.pieces[0].span.text.lower().split()[:1] == ["when"]
    each = any(cue.argument == "each" for _, cue in draft.cues("group"))
    for i, piece in enumerate(draft.pieces[:-1]):
        side = _SIDES.get(piece.span.text.lower())
        if side is None or piece.used or not (asked or each):
            continue
        place = draft.after(i, plain_max=1)
        option = draft.open(place)
        if asked and (done := traded(draft.schema, draft.word(i + 1))) is not None:
            place, option = i + 1, ToTable(entity=done, strength=1.0)  # "when did Ada last buy something"
        dated = next((n for n in range(max(i - 3, 0), i) if draft.pieces[n].span.text.lower() in _DAYS), None)
        when = any(draft.pieces[n].span.text.lower() == "when" for n in range(max(i - 3, 0), i))
        attribute = _date_of(draft, option, asked=asked or when or dated is not None)
        if attribute is None or place is None:
            continue
        following = draft.after(place, plain_max=0)
        beside = draft.open(following)
        if isinstance(option, ToTable) and isinstance(beside, ToColumn) and beside.attribute.role == "date":
            attribute, place = beside.attribute, following or place
        draft.use(i, place, *([] if dated is None else [dated]))
        piece.option = None  # "first" is no column here, whatever goes by it
        draft.mention(attribute.table)
        draft.wanted.append(Wanted(aggregate=side, attribute=attribute))
        return


_DAYS = frozenset(("date", "day", "dates"))


def _date_of(draft: Draft, option: object, *, asked: bool) -> Attribute | None:
    if isinstance(option, ToColumn) and option.attribute.role == "date":
        return option.attribute
    entity: Entity | None = option.entity if isinstance(option, ToTable) else None
    if entity is None or not asked:
        return None
    return likeliest_date(entity)
