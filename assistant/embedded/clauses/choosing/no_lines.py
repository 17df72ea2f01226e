"""What the lines of a file tell nothing of: "customers without orders in 2026", "products not sold this year".

Neither customers nor orders have a table there: a customer is known by the lines that name him, and an order by its
number. Those are meant of whose lines none is so.
"""

from __future__ import annotations

from assistant.embedded.clauses.choosing.negations import none_is_zero
from assistant.embedded.clauses.choosing.never_done import CONCERNED, denied_between, two_periods
from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.wanted import FilterWanted, PeriodWanted, RelatedWanted
from assistant.embedded.dates import Period, describe
from assistant.embedded.linking.options import ToColumn, ToPeriod, ToTable, ToValue
from assistant.embedded.meaning import Operator
from assistant.embedded.source.numbered import numbering, numbers
from assistant.embedded.source.schema import Attribute, Entity, repeats
from assistant.embedded.words.lexicon import is_past, stem
from assistant.embedded.words.vocabulary import TRADE

_SO_FAR = frozenset(("been", "ever", "yet", "any", "an", "a", "single"))
_AT_ALL = frozenset(("anything", "something", "at", "all", "yet", "again", "any", "more"))
_DEEDS = frozenset(stem(word) for word in (*TRADE, "buy", "bought", "sell", "sold", "ordered", "purchased"))


def no_lines(draft: Draft) -> None:
    """No line of those that name one thing: a thing is asked for, and what it has or does is denied."""
    for i, _ in draft.cues("without", "nothing"):
        nothing = draft.cue_at(i, "nothing") is not None
        thing = thing_before(draft, i) or (thing_before(draft, i - 1) if nothing else None)
        if thing is None:
            continue
        rows = draft.entity_of(thing)
        if nothing:
            done = [i - 1] if is_deed(draft, i - 1, rows) else []
            _none(draft, thing, i, [i, *done], [])
            continue
        if draft.word(i).split()[-1] in CONCERNED - _SO_FAR:  # "has not bought", the verb with its denial
            _none(draft, thing, i, [i], [])
            continue
        at = i + 1
        while at + 1 < len(draft.pieces) and draft.word(at) in _SO_FAR:
            at += 1
        kind, noun = draft.open(at), draft.after(at, plain_max=1)
        said = isinstance(kind, ToValue) and kind.attribute.table == rows.name
        if isinstance(kind, ToValue) and said and noun is not None and is_noun(draft, noun, rows):
            condition = FilterWanted(kind.attribute, "=", (kind.value,), kind.known, at)
            _none(draft, thing, noun, [i, at, noun], [condition])
        elif isinstance(kind, ToColumn) and kind.attribute.table == rows.name and none_is_zero(kind):
            _none(draft, thing, at, [i, at], [FilterWanted(kind.attribute, ">", (0,), piece=at)])  # "never discounted"
        elif is_noun(draft, at, rows) or is_deed(draft, at, rows):
            _none(draft, thing, at, [i, at], [])


def lines_of_periods(draft: Draft) -> None:
    """ "customers who ordered in 2024 but not in 2025", "in both 2024 and 2025": lines of one period each."""
    if (found := two_periods(draft)) is None:
        return
    first, second = found
    absent = denied_between(draft, first, second)
    both = next((i for i, _ in draft.cues("both") if i < first), None)
    deed = next((n for n in range(first) if is_past(draft.word(n)) and thing_before(draft, n) is not None), None)
    thing = thing_before(draft, deed) if deed is not None else None
    if (
        deed is None
        or thing is None
        or (absent is None and both is None)
        or not is_deed(draft, deed, draft.entity_of(thing))
    ):
        return
    draft.use(deed, first, second, *(i for i in (absent, both) if i is not None))
    draft.use(*(i for i, _ in draft.cues("and", "with", "which") if i < second))
    for at, denied in ((first, False), (second, absent is not None)):
        option = draft.pieces[at].option
        assert isinstance(option, ToPeriod), "both are periods"
        operator: Operator = "=" if denied else ">="
        count = 0 if denied else 1
        rows = draft.entity_of(thing)
        draft.related.append(RelatedWanted(rows, operator, count, at, period=option.period, shared=thing))
    draft.distinct = True


def newcomers_of_lines(draft: Draft) -> None:
    """ "new customers this year": those whom no line before it names."""
    for i, piece in enumerate(draft.pieces[:-1]):
        option = draft.open(i + 1)
        said = [
            (n, p.option.period) for n, p in enumerate(draft.pieces) if isinstance(p.option, ToPeriod) and not p.used
        ]
        if piece.used or piece.option is not None or piece.span.text.lower() not in _NEW or len(said) != 1:
            continue
        place, period = said[0]
        start = period.start
        if not isinstance(option, ToColumn) or start is None or not is_thing(draft, option.attribute):
            continue
        thing = option.attribute
        before = Period(start=None, end=start, label=describe(None, start))
        draft.use(i, place, *([i + 1] if draft.word(i - 1) in _THEIRS else []))
        draft.periods.append(PeriodWanted(period, at=place))
        rows = draft.entity_of(thing)  # as their owner, so that further conditions do not bind the time before
        draft.related.append(RelatedWanted(rows, "=", 0, i, period=before, shared=thing, owner=rows))
        draft.distinct = True
        draft.assumptions.append(f"new are {thing.things} that no row {before.label} names")


_NEW = frozenset(("new", "first-time"))
_THEIRS = frozenset(("from", "of", "by", "to", "with", "for"))
"""What stands before those whose figure is asked for: "revenue from new customers"."""


def thing_before(draft: Draft, at: int) -> Attribute | None:
    """The one column that is asked for, of a table whose rows it does not tell apart; none where a table is named."""
    named = [p.option for p in draft.pieces[:at] if isinstance(p.option, ToColumn | ToTable) and not p.used]
    if len(named) != 1 or not isinstance(named[0], ToColumn):
        return None
    return named[0].attribute if is_thing(draft, named[0].attribute) else None


def is_thing(draft: Draft, attribute: Attribute) -> bool:
    """Whether a column names something that several rows of a file, which is a table alone, speak of: no order of its
    lines.
    """
    rows = draft.entity_of(attribute)
    alone = draft.schema.is_one_table and attribute.name not in rows.key and attribute != numbering(rows)
    return alone and attribute.role == "text" and repeats(attribute, rows)


def is_noun(draft: Draft, at: int, rows: Entity) -> bool:
    """ "orders", where a column numbers them, or the file's own name; or "hours", of which each line has some."""
    option = draft.open(at) if at < len(draft.pieces) else None
    if isinstance(option, ToTable):
        return option.entity == rows
    if isinstance(option, ToColumn) and option.attribute.table == rows.name and option.attribute.adds_up:
        return option.attribute.always_known and not none_is_zero(option)
    return number_at(draft, at, rows) is not None and not is_past(draft.word(at))


def number_at(draft: Draft, at: int, rows: Entity) -> Attribute | None:
    """The column that numbers what the word names, by noun or by verb: the order number, of "ordered"."""
    option = draft.open(at)
    if not isinstance(option, ToColumn) or option.attribute.table != rows.name:
        return None
    return option.attribute if numbers(option.attribute) and repeats(option.attribute, rows) else None


def is_deed(draft: Draft, at: int, rows: Entity) -> bool:
    """ "ordered", "sold", "used": what was done, and no state that lines are in."""
    word = draft.word(at)
    option = draft.open(at)
    if isinstance(option, ToValue) or not (is_past(word) or word in CONCERNED or stem(word) in _DEEDS):
        return False
    if isinstance(option, ToColumn):
        named = option.attribute.table == rows.name and stem(word) in (*option.attribute.stems, *_DEEDS)
        return named and (option.attribute.role != "date" or option.attribute.always_known)
    return word in CONCERNED or stem(word) in _DEEDS


def _none(draft: Draft, thing: Attribute, at: int, said: list[int], filters: list[FilterWanted]) -> None:
    behind = range(at + 1, min(at + 4, len(draft.pieces)))
    draft.use(*said, *(n for n in behind if draft.word(n) in _AT_ALL and draft.open(n) is None))
    draft.related.append(RelatedWanted(draft.entity_of(thing), "=", 0, at, filters, shared=thing))
    draft.distinct = True
