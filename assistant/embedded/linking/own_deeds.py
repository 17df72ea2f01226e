"""Who does most of what a table's rows are: "which customer rents the most", where each row is a rental.

The verb is that of the rows, or of what a file's lines are numbered by. Whoever does it is named, or told by the verb.
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from assistant.embedded.linking.deed_days import are_of
from assistant.embedded.linking.persons import doers
from assistant.embedded.source.dating import happens
from assistant.embedded.source.numbered import Sale, sale_number
from assistant.embedded.words.lexicon import root, singular, stem
from assistant.embedded.words.vocabulary import word_set

if TYPE_CHECKING:
    from assistant.embedded.linking.linker import Linker
    from assistant.embedded.source.schema import Entity

_END = r"(?P<more>the )?(?P<end>most|least)(?: often| frequently| times)?"
_WHEN = r"(?P<rest>(?: (?:in|this|last|since|during|on|from)\b.*)?)"
_OUT = r"(?: out)?"
_WHO = re.compile(
    rf"^(?:(?:which|what) (?P<rows>[a-z]+(?: (?!(?:is|are|was|were|gets?|got|has|have)\b)[a-z]+)?)|who) (?:(?P<be>is|are|was|were|gets?|got|has been|have been) )?(?P<deed>(?!the\b|out\b)[a-z]+){_OUT} {_END}{_WHEN}$",
    re.IGNORECASE,
)
_WHEN_MOST = re.compile(
    r"^(?:in |on |at )?(?:which|what) (?P<part>hour|time of (?:the )?day|weekday|day of the week|day|week|month|quarter|year) (?:do|does|did|are|is|were|was) (?P<who>people|customers|clients|members|guests|we|they|users|[a-z]+s)"
    rf" (?P<deed>[a-z]+){_OUT}(?: [a-z]+s)? {_END}{_WHEN}$",
    re.IGNORECASE,
)
_BUSY = re.compile(
    r"^(?:(?:what|which) (?:is|was) |when (?:is|was) )?(?:the |our )?(?P<end>busiest|quietest) (?P<part>hour(?: of the day)?|time of (?:the )?day|day of the week|weekday|day|week|month|quarter|year)(?: of the year)?"
    rf"{_WHEN}$|^(?:what|which) (?P<part2>hour|time of day|day of the week|weekday|day|week|month|quarter|year) (?:is|was) (?:the |our )?(?P<end2>busiest|quietest)$",
    re.IGNORECASE,
)
_ENDINGS = ("", "e", "al", "ing", "ment", "ion", "ation")
_TRADING = {
    **dict.fromkeys(("sell", "sells", "sold"), "sold"),
    **dict.fromkeys(("buy", "buys", "bought", "purchase", "purchases", "purchased"), "bought"),
}
"""Deeds of trade, as they are asked of what was done."""
_NOT_DEEDS = word_set("is are was were has have had does did do cost costs used grew grow grows earn earns")


def own_deed(text: str, linkers: Iterable[Linker]) -> tuple[str, str] | None:
    """The question put plainly, and what was taken for granted; None where no rows are what the verb says."""
    who, when, busy = _WHO.match(text), _WHEN_MOST.match(text), _BUSY.match(text)
    for linker in linkers:
        if busy is not None and (put := _busiest(busy, linker)) is not None:
            return put
        if when is not None and (put := _when(when, linker)) is not None:
            return put
        if who is not None and (put := _who(who, linker)) is not None:
            return put
    return None


def _who(found: re.Match[str], linker: Linker) -> tuple[str, str] | None:
    """ "which customer rents the most", "who sold the most in 2017", "which category is rented most"."""
    deed, rows = found["deed"].lower(), found["rows"] or ""
    if deed in _NOT_DEEDS:
        return None
    if deed in _TRADING:
        return _trading(found, linker)
    events = _events(deed, linker) or (_told_so(deed, linker) if found["be"] else None)
    if events is None:
        return None
    entity, many = events
    named = [rows, rows.rpartition(" ")[2]] if rows else doers(deed, entity, linker.schema)
    named = [name for name in dict.fromkeys(named) if are_of(name, entity, linker)]
    if not named or (not rows and len(named) != 1):
        return None
    end = "the most" if found["end"].lower() == "most" else "the fewest"
    said = "" if rows else f"who is meant is told by {named[0]}"
    return f"which {named[0]} has {end} {many}{found['rest']}", said


def _trading(found: re.Match[str], linker: Linker) -> tuple[str, str] | None:
    """ "who sold the most", "which customer buys the most": whose deed that is, where a file names somebody."""
    entity = linker.schema.find_entity(linker.sold.table) if linker.sold is not None else None
    if entity is None or not linker.schema.is_one_table or found["be"]:
        return None  # in a database it is told by its tables
    named = [found["rows"]] if found["rows"] else doers(found["deed"], entity, linker.schema)
    if len(named) != 1 or not are_of(named[0], entity, linker):
        return None
    put = f"which {named[0]} {_TRADING[found['deed'].lower()]} the {found['end'].lower()}{found['rest']}"
    return put, "" if found["rows"] else f"who is meant is told by {named[0]}"


def _when(found: re.Match[str], linker: Linker) -> tuple[str, str] | None:
    """ "what hour do people rent the most"."""
    events = _events(found["deed"].lower(), linker)
    if events is None:
        return None
    part = _period(found["part"])
    end = "the most" if found["end"].lower() == "most" else "the fewest"
    return f"which {part} had {end} {events[1]}{found['rest']}", ""


def _busiest(found: re.Match[str], linker: Linker) -> tuple[str, str] | None:
    """ "busiest hour", of a file of rows that happen: the one with the most of them."""
    happening = [entity for entity in linker.schema.entities.values() if happens(entity)]
    if not linker.schema.is_one_table or len(happening) != 1:
        return None
    many = Sale.by_lines(happening[0]).many
    end = (found["end"] or found["end2"]).lower()
    most = "the most" if end == "busiest" else "the fewest"
    put = f"which {_period(found['part'] or found['part2'])} had {most} {many}{found['rest'] or ''}"
    return put, f"“{end}” is the one with {most} {many}"


def _period(said: str) -> str:
    part = said.lower()
    return "hour" if part.startswith(("time", "hour")) else "weekday" if part.startswith("day of") else part


def _events(deed: str, linker: Linker) -> tuple[Entity, str] | None:
    """The rows that are what a verb says, and what these are called as many; of orders, the lines that number them."""
    found: list[tuple[Entity, str]] = []
    for entity in linker.schema.entities.values():
        number = sale_number(entity)
        if number is not None and _is_of(deed, stem(Sale.numbered(number).one)):
            found.append((entity, Sale.numbered(number).many))
        elif _is_of(deed, entity.stems[-1]) and len(entity.stems) == 1 and entity.dates:
            found.append((entity, entity.many))
    return found[0] if len(found) == 1 else None


def _told_so(deed: str, linker: Linker) -> tuple[Entity, str] | None:
    """ "which category gets reopened the most": the rows of which a yes-or-no column says it."""
    flags = [a for a in linker.schema.attributes if a.role == "flag" and a.stems == (stem(deed),)]
    if len(flags) != 1:
        return None
    entity = linker.schema.entities[flags[0].table]
    return entity, f"{entity.many} that were {flags[0].words}"


def _is_of(deed: str, noun: str) -> bool:
    """Whether a noun is that of a verb: rental and rents, booking and booked."""
    said = root(stem(singular(deed)))
    return len(said) > _SHORT and noun.startswith(said) and noun[len(said) :] in _ENDINGS


_SHORT = 2
