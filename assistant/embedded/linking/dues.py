"""What rows are called by their dates and amounts: late, overdue, unpaid; who left and who is still here.

Each state is a condition in SQL on the rows' own table, with all the words that say it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from assistant.embedded.linking.naming import LEAVING
from assistant.embedded.linking.persons import is_person
from assistant.embedded.source.dating import is_foreseen, likeliest_date
from assistant.embedded.source.schema import Attribute, Entity, Schema
from assistant.embedded.sql.tables import literal, written
from assistant.embedded.words.lexicon import name_words, stem
from assistant.embedded.words.vocabulary import word_set

Said = tuple[tuple[str, ...], str]
"""The words that say a state, and its condition."""
OVER = {
    "closed": ("open",), "closing": ("open",), "discontinued": ("active", "current"),
    "terminated": ("active", "current"), "termination": ("active", "current"),
    "ended": ("active", "current", "ongoing"), "end": ("ongoing",), "expired": ("active", "valid"),
    "resigned": ("active", "current"), "left": ("active", "current"), "leaving": ("active", "current"),
    "retired": ("active",), "shipped": ("unshipped",), "delivered": ("undelivered",), "delivery": ("undelivered",),
    "returned": ("unreturned",), "return": ("unreturned",), "paid": ("unpaid",), "resolved": ("unresolved", "open"),
    "completed": ("unfinished", "incomplete"), "finished": ("unfinished",), "cancelled": ("active",),
    "canceled": ("active",), "solved": ("unsolved", "open"), "fixed": ("unfixed", "open"), "repaired": ("open",),
    "settled": ("unsettled", "open"), "approved": ("unapproved",), "converted": ("unconverted",),
    "answered": ("unanswered",), "churned": ("active",), "removed": ("installed", "active"),
    "cleared": ("uncleared", "active", "open"), "term": ("active", "current"), "exit": ("active", "current"),
}  # fmt: skip
"""What the first word of a date's name says has happened, and what those are called to whom it has not."""


def gone_or_here(entity: Entity, schema: Schema) -> Iterator[Said]:
    """Who left and who is still here, where people have a day on which that ended."""
    ends = [a for a in entity.attributes.values() if a.role == "date" and _ENDED & set(a.own) and not a.always_known]
    if len(ends) != 1 or not is_person(entity):
        return
    column = written(ends[0].name, schema.dialect)
    yield _GONE, f"{column} IS NOT NULL"
    yield _HERE, f"{column} IS NULL"


_ENDED = LEAVING | frozenset(stem(word) for word in ("end", "ended", "left", "leaving", "cancelled", "quit", "gone"))
_GONE = (
    *("former", "gone", "quit", "resigned", "have left", "has left", "who left", "no longer with us", "no longer here"),
    *("no longer employed", "no longer working", "no longer active", "no longer working here"),
)
_HERE = (
    *("current", "active", "employed", "remaining", "still with us", "still here", "still employed", "still active"),
    *("still working", "still works", "still work", "still working here", "still works here", "still work here"),
    *("currently employed", "currently active", "currently working"),
)


def late(entity: Entity, schema: Schema, today: date) -> Iterator[Said]:
    """What is late or on time, where one date tells when something is due and another one when it was done.

    Overdue is what is due and not yet done, or late where that is always known.
    """
    due = [a for a in entity.attributes.values() if a.role == "date" and is_foreseen(a)]
    if len(due) != 1:
        return
    planned = written(due[0].name, schema.dialect)
    passed = f"{planned} < '{today.isoformat()}'"
    met = _met(entity, due[0])
    kinds = [(_OVERDUE, f"{still} AND {passed}") for still in _still_open(entity, met, schema)]
    if met is not None:
        then = written(met.name, schema.dialect)
        kinds = [
            (("late", "delayed"), f"{then} > {planned}"),
            (("on time", "punctual", "in time"), f"{then} <= {planned}"),
            *kinds,
        ]
    yield from kinds


_OVERDUE = ("overdue", "past due", "running late", "behind schedule")


def _met(entity: Entity, due: Attribute) -> Attribute | None:
    """The date on which was done what was due on another one."""
    done = [a for a in entity.attributes.values() if a.role == "date" and _is_done(a)]
    roots = {word[:_ROOT] for word in due.stems}
    alike = [a for a in done if {word[:_ROOT] for word in a.stems} & roots - _DAYS]
    return next(iter(alike or sorted(done, key=_when_done)), None)


def _still_open(entity: Entity, met: Attribute | None, schema: Schema) -> Iterator[str]:
    """The condition that something was not done yet: there is no day of it, no yes to it, or something is owed."""
    if met is not None:
        yield f"{written(met.name, schema.dialect)} IS NULL"
        return
    flags = [a for a in entity.attributes.values() if a.role == "flag" and _ends(a)]
    if len(flags) == 1:
        yield f"{written(flags[0].name, schema.dialect)} <> {literal(flags[0].true_value)}"
    elif not flags and (owed := owed_of(entity)) is not None:
        yield " < ".join(written(a.name, schema.dialect) for a in owed)


def owing(entity: Entity, schema: Schema) -> Iterator[Said]:
    """What is paid and what is not, where a row says how much there was to pay and how much was paid."""
    owed = owed_of(entity)
    if owed is None:
        return
    paid, total = (written(a.name, schema.dialect) for a in owed)
    yield ("unpaid", "outstanding", "open"), f"{paid} < {total}"
    yield ("paid", "settled", "fully paid"), f"{paid} >= {total}"


def owed_of(entity: Entity) -> tuple[Attribute, Attribute] | None:
    """What was paid of a row and what was to be paid in all; None where there is not one of each."""
    numbers = [a for a in entity.attributes.values() if a.is_number and a.role == "number"]
    paid = [a for a in numbers if _PAID in name_words(a.name)]
    total = [a for a in numbers if a not in paid and set(a.own) & _TO_PAY and not set(a.own) & _PART_OF_IT]
    return (paid[0], total[0]) if len(paid) == len(total) == 1 else None


_PAID = "paid"
_TO_PAY = frozenset(stem(word) for word in word_set("total amount due billed invoiced charge sum"))
_PART_OF_IT = frozenset(stem(word) for word in word_set("tax discount shipping vat refund refunded deposit"))


def in_stock(entity: Entity, schema: Schema) -> Iterator[Said]:
    """What is there and what has run out, where one number of a row says how much is left of it."""
    left = [a for a in entity.attributes.values() if a.is_number and _is_stock(name_words(a.name))]
    if len(left) == 1:
        column = written(left[0].name, schema.dialect)
        yield ("out of stock", "sold out"), f"{column} <= 0"
        yield ("in stock",), f"{column} > 0"


def running_low(entity: Entity, schema: Schema) -> Iterator[Said]:
    """What is to be reordered, where a row says how much is left of it and how much there should be at least."""
    numbers = [(a, set(name_words(a.name))) for a in entity.attributes.values() if a.is_number]
    left = [a for a, words in numbers if _is_stock(list(words))]
    least = [a for a, words in numbers if words & _LEAST and not words & _NO_LEVEL]
    if len(left) == len(least) == 1:
        yield _LOW, f"{written(left[0].name, schema.dialect)} <= {written(least[0].name, schema.dialect)}"


_LEAST = frozenset(("reorder", "minimum", "min", "safety"))
_NO_LEVEL = word_set("order price cost quantity id date days age")
_LOW = (
    *("to reorder", "to be reordered", "need reordering", "needs reordering", "running low", "low on stock"),
    *("low in stock", "low stock", "understocked"),
)


def _is_stock(words: Sequence[str]) -> bool:
    said = set(words)
    return bool(said & _STOCK or {"on", "hand"} <= said) and not said & _NO_STOCK


_STOCK = frozenset(("stock", "inventory"))
_NO_STOCK = word_set("minimum maximum min max safety reorder level value cost price id year status date")


def expiring(entity: Entity, schema: Schema, today: date) -> Iterator[Said]:
    """What has expired and what is still valid, by the one date on which that ends, or ended, or never will."""
    ends = [a for a in entity.attributes.values() if is_expiry(a, today)]
    if len(ends) == 1:
        column = written(ends[0].name, schema.dialect)
        never = "" if ends[0].always_known else f"{column} IS NULL OR "
        yield ("expired", "already expired", "lapsed", "ended"), f"{column} < '{today.isoformat()}'"
        named = {word for a in entity.attributes.values() for word in name_words(a.name)}
        still = tuple(name for name in _VALID if name not in named)  # "the valid from dates" are a column
        begun = _begun(entity, schema, today)
        yield still, f"({never}{column} >= '{today.isoformat()}'){begun}"


def _begun(entity: Entity, schema: Schema, today: date) -> str:
    """That rows have begun, where the one day on which they begin may be one to come; nothing where it cannot."""
    starts = [a for a in entity.attributes.values() if a.role == "date" and name_words(a.name)[0] in _STARTS]
    profile = starts[0].column.profile if len(starts) == 1 else None
    if profile is None or str(profile.high or "") <= today.isoformat():
        return ""
    return f" AND {written(starts[0].name, schema.dialect)} <= '{today.isoformat()}'"


_STARTS = frozenset(("start", "starts", "begin", "begins"))


_VALID = ("active", "current", "valid", "running", "ongoing", "currently active", "still valid", "still active")


def to_come(entity: Entity, schema: Schema, today: date) -> Iterator[Said]:
    """What lies ahead and what is over, where the day on which rows happen may be one to come."""
    day = likeliest_date(entity)
    profile = day.column.profile if day is not None else None
    if day is None or profile is None or day.role != "date" or str(profile.high or "") <= today.isoformat():
        return
    if is_expiry(day, today) or is_foreseen(day):
        return
    column = written(day.name, schema.dialect)
    yield ("upcoming", "future", "coming", "forthcoming"), f"{column} > '{today.isoformat()}'"
    yield ("past",), f"{column} < '{today.isoformat()}'"


def is_expiry(attribute: Attribute, today: date) -> bool:
    """Whether a date tells until when something is good: it expires, is valid to then, or ends on days to come."""
    words, profile = name_words(attribute.name), attribute.column.profile
    if attribute.role != "date" or profile is None:
        return False
    if any(word.startswith("expir") for word in words) or ("valid" in words and _UNTIL & set(words)):
        return True
    return words[0] in ("end", "ends") and str(profile.high or "") > today.isoformat()


_UNTIL = frozenset(("to", "until", "till", "thru", "through"))


_ROOT = 4
_DAYS = frozenset(("date", "dat", "day", "on", "at", "time"))


def _is_done(attribute: Attribute) -> bool:
    """Whether a date tells when something came to its end: delivered, paid, finished."""
    return not is_foreseen(attribute) and _ends(attribute)


def _ends(attribute: Attribute) -> bool:
    return any(word in OVER or word in _ENDS for word in name_words(attribute.name))


_ENDS = word_set(
    """solved fixed arrived arrival actual received payment repaired settled done ship deliver complete finish close pay
    resolve return"""
)


def _when_done(attribute: Attribute) -> bool:
    return any(word in ("closed", "cancelled", "canceled", "shipped") for word in name_words(attribute.name))
