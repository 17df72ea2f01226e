"""What tables, columns, metrics and terms may be called in a question, and how sure each way of calling them is.

A name is given as its stems with a strength: 1.0 for the name itself, less for its parts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from assistant.embedded.source.dating import likeliest_date
from assistant.embedded.source.schema import (
    ABOVE_AT_WORK,
    REPORTS,
    UNITS,
    Attribute,
    Entity,
    Schema,
    bare,
    lines_of,
    repeats,
    unnumbered,
)
from assistant.embedded.words.lexicon import is_past, name_stems, name_words, stem
from assistant.embedded.words.vocabulary import word_set

if TYPE_CHECKING:
    from knowledge.documents import Metric, Term

Names = Iterable[tuple[tuple[str, ...], float]]
ROW_WORDS = ("rows", "records", "entries")
"""What the rows of any table may be called."""
ADJECTIVE = 0.95
"""The strength of a term that goes by its adjective alone."""


def table_names(entity: Entity, *, alone: bool = False, taken: Collection[tuple[str, ...]] = ()) -> Names:
    """What a table may be called. Where it stands `alone` in its source, "rows" are its rows.

    What other tables are called is `taken`: the details of a festival are festivals, unless these have their own table.
    """
    stems, whole = entity.stems, name_stems(bare(entity.name))
    if whole != stems:
        yield whole, 1.0  # `dim_customer` as it is written
    told = stems[:-1] if stems[-1] in _TELLING else ()
    if told and not any(other[-len(told) :] == told for other in taken):
        yield told, 0.95
    noun = name_stems(entity.noun) if entity.noun else ()
    if noun and noun != stems[-len(noun) :] and noun not in taken:
        yield noun, _BY_KEY
    if alone:
        for word in ROW_WORDS:
            yield name_stems(word), 0.95
    kinds = any(a.stems == stems and entity.label != (a.name,) for a in entity.attributes.values())
    held = any(a.role == "number" and _without_unit(a.own) == stems for a in entity.attributes.values())
    hardly = (entity.bridge and len(stems) > 1) or lines_of(entity)
    yield stems, 0.7 if hardly else 0.9 if (kinds and len(stems) > 1) or held else 1.0
    if (said := tuple(s for s in stems if s not in ("of", "the"))) not in (stems, ()):
        yield said, 1.0
    if "and" in stems[1:-1]:
        link = stems.index("and", 1)
        yield (*stems[:link], "or", *stems[link + 1 :]), 1.0  # each row is an author or a tutor
        yield from ((part, 0.9) for part in (stems[:link], stems[link + 1 :]) if part not in taken)
    place = next((n for n, word in enumerate(stems[:-1]) if n and word in _LEADING), None)
    if place is not None:
        yield stems[:place], 0.9  # "orders_to_ship" are orders
    if len(stems) > 1:
        yield ("".join(stems),), 0.95
        if _is_done(name_words(entity.called)[-1]):
            yield stems[:-1], 0.7 if stems[:-1] in taken else 0.8  # "payments_made"; what is made is no table
        elif place is None or stems[place] == "of":  # but what is for rent is no rental
            shared = entity.bridge and any(other[-1:] == stems[-1:] and other != stems for other in taken)
            yield (stems[-1],), 0.56 if shared else 0.62
            yield stems[1:], 0.57 if shared else 0.7  # the amenities of dorms before "dorm has amenity"
        if stems[0] != stems[-1]:
            yield (stems[0],), 0.5
        ends = (stems[0], stems[-1])
        if len(stems) == _THREE and place is None and not entity.bridge and ends not in taken:
            yield ends, 0.7  # a web accelerator is a web client accelerator


_THREE = 3
_BY_KEY = 0.96
"""How surely rows are what their key numbers: orders, where each has an order number."""


def _is_done(word: str) -> bool:
    """Whether a word says what was done with the rows of a table: made, received."""
    return word in _DONE or (is_past(word) and len(word) > _SHORT)


_DONE = word_set("made sold held taken given sent bought paid won lost done seen kept left spent written")
_SHORT = 4
LEAVING = frozenset(stem(word) for word in word_set("termination terminated term exit resigned resignation departure"))
"""What the day is called on which somebody left."""
_TELLING = frozenset(stem(word) for word in word_set("detail info information data list master header table"))
"""Behind the noun of its rows these say no more in a table's name than that it is a table."""
_LEADING = frozenset(("for", "of", "in", "to", "by", "with", "at", "on", "from", "per"))
"""Behind these a table's name only says which of its nouns are meant."""


def column_names(attribute: Attribute, entity: Entity) -> Names:
    """What a column may be called."""
    stems, own = attribute.stems, attribute.own
    table = entity.stems
    yield stems, 1.0
    compound = len(stems) > 1
    if parts := _ONE_WORD.get("".join(own)):
        yield parts, 0.97
    if compound:
        yield ("".join(stems),), 0.97
    if own != stems:
        yield own, 0.6 if own == ("number",) else 0.93
        if not set(table) & set(stems):
            yield (*table, *own), 0.93  # the "trade price" of `trd_px`
    elif not set(table) & set(stems) and len(stems) <= 2:
        yield (*table, *stems), 1.0
        if len(table) > 1:
            yield (table[-1], *stems), 0.9
    rows = name_stems(entity.noun) if entity.noun else ()
    if attribute.role == "number" and compound and stems[-1] in _SUMS and own == stems[-1:] and stems[:-1] != rows:
        yield stems[:-1], 0.86  # the budget, of `budget_amount` of monthly budgets
    if attribute.role == "number" and len(own) == 1 and len(table) > 1 and own[0] not in table:
        yield (*own, table[-1]), 0.8  # the close price, of daily prices
    if own != stems and attribute.name.lower().endswith("ed"):
        yield tuple(reversed(stems)), 0.9  # the amount claimed, of claims, is the claimed amount
    if own[-1] in _FULLER:
        yield (*own, _FULLER[own[-1]]), 0.95
    if own == stems and own[-1] in _BY_METHOD and attribute.role == "text":
        yield from (((*own, word), 0.9) for word in _METHODS)
    if compound and "no" in stems:
        yield tuple("number" if word == "no" else word for word in stems), 1.0
    if not compound and _numbers(attribute.name.lower(), table):
        yield ("number",), 0.85
        yield (*table, "number"), 1.0
    if compound and stems[-1] == "by":  # "directed_by": the director
        yield from (((f"{own[0]}{ending}",), 0.85) for ending in ("or", "er", ""))
    numbered = any("id" in entity.attributes[name].stems for name in entity.key)
    if (attribute.role == "key" or not numbered) and compound and stems[-1] == "id":
        yield ("id",), 0.8  # its own key, or the only number that rows known by a name have
    if attribute.role == "date":
        yield from ((stem_of, 0.97) for word in own if (stem_of := _PARTED.get(word)))
    if _gathers(attribute, entity):
        yield name_stems(unnumbered(attribute.name)), _HARDLY if _named_beside(attribute, entity) else _BY_NUMBER
    if len(own) > 1 and attribute.role in ("number", "text") and (bare := _without_unit(own)):
        yield bare, 0.95
        if len(bare) > 2:
            yield bare[1:], 0.7
    if len(own) > 1:
        head = own[1:]
        planned = own[0] in _PLANNED and any(a.own[1:] == head for a in entity.attributes.values() if a != attribute)
        yield head, _partial(head, entity) * (_RATHER_DONE if planned else 1.0)
        if own[:-1] != _UNIT:  # units are pieces, and hardly what one of them costs
            yield own[:-1], _by_name(attribute, entity) if own[-1] == "name" and attribute.role == "text" else 0.68
        if len(own) > 2:
            if own[-1] == "name" and entity.label == (attribute.name,):
                yield (*table, own[-2]), 0.85  # "phone models", where phones are called by a hardware model name
            yield (own[-1],), 0.6
            yield (own[0],), 0.55
            yield (own[0], own[-1]), 0.7
        yield tuple(reversed(own)), 0.9
    if len(stems) > 2 and attribute.role == "text" and stems[-1] in (_CODES if own == stems else _GENERIC):
        yield stems[:-1], 0.86
    if attribute.role == "date" and own[-1:] in (("date",), ("time",), ("at",), ("on",)) and len(own) > 1:
        yield own[:-1], 0.8
    if attribute.role == "date" and LEAVING & set(own):
        yield (stem("left"),), 0.85  # "who left this year"
    if attribute.role == "date" and compound and stems[-1] in _MOMENTS:
        yield (*stems[:-1], stem("date")), 0.93
    if attribute.role == "date" and likeliest_date(entity) == attribute:
        yield (stem("date"),), 0.75
    if entity.label == (attribute.name,) and attribute.role == "text":
        yield ("name",), 0.85
        yield (*table, "name"), 0.88
        if not any(_TITLE in a.stems for a in entity.attributes.values()):
            yield (_TITLE,), 0.75
            yield (*table, _TITLE), 0.85
    if len(entity.label) == 2 and attribute.name == entity.label[0]:
        yield ("first", "and", "last", "name"), 0.86
        yield ("first", "name", "and", "last", "name"), 0.86
    if len(entity.label) == 2 and attribute.name in entity.label:
        strength = 0.86 if attribute.name == entity.label[0] else 0.5
        yield ("name",), strength
        yield (*table, "name"), strength
        yield ("full", "name"), strength
    words = name_stems(attribute.name)
    if words != stems:
        yield words, 1.0


def _gathers(attribute: Attribute, entity: Entity) -> bool:
    """Whether a column numbers what several rows belong to: the order of its lines, in a file of both."""
    noun = unnumbered(attribute.name)
    named = noun not in ("", attribute.words, entity.one)
    return named and attribute.role in ("text", "key") and repeats(attribute, entity)


def _by_name(attribute: Attribute, entity: Entity) -> float:
    """How surely somebody is meant by his name: before his number, where a file tells both and no two share a name."""
    numbers = (a for a in entity.attributes.values() if _gathers(a, entity))
    return _BY_NAME if any(_named_beside(a, entity) == attribute for a in numbers) else _NAMED


def _named_beside(number: Attribute, entity: Entity) -> Attribute | None:
    """The column that names what another one numbers, each by a name of its own: customer names beside their ids."""
    for other in entity.attributes.values():
        own, theirs = number.column.profile, other.column.profile
        if other.stems[-1:] == ("name",) and other.stems[:-1] == number.stems[:-1] and own and theirs:
            return other if own.distinct == theirs.distinct else None
    return None


_NAMED, _BY_NUMBER, _BY_NAME, _HARDLY = 0.82, 0.92, 0.95, 0.6
"""How surely things are what a name names, and what a number tells apart: orders, by their order number."""
_UNIT = (stem("unit"),)
_SUMS = UNITS | frozenset(stem(word) for word in word_set("amount value total sum"))
"""What may stand behind the name of a sum and says no more."""
_BY_METHOD = frozenset(stem(word) for word in ("payment", "shipping", "delivery", "shipment"))
_METHODS = tuple(stem(word) for word in ("method", "type", "mode", "option"))
"""What may be said behind the name of a column that tells how it is done: the payment method, of `Payment`."""
_PLANNED = frozenset(stem(word) for word in word_set("est estimated planned plan target expected forecast projected"))
_RATHER_DONE = 0.85
"""How much less sure it is that hours without more are the planned ones, where the actual ones are known."""


def _numbers(name: str, table: tuple[str, ...]) -> bool:
    """Whether a name in one word is short for the number of its table's rows: `flno` of flights, `custno`."""
    ending = next((e for e in _NUMBER_ENDS if name.endswith(e)), "")
    first = name.removesuffix(ending)
    return bool(ending) and len(first) > 1 and any(word.startswith(first) for word in table)


_NUMBER_ENDS = ("no", "num", "nr", "nbr")


def above_names(attribute: Attribute) -> Names:
    """What a column may be called by which a row names the one above it in its own table."""
    if {REPORTS, *ABOVE_AT_WORK} & set(attribute.stems):
        yield from (((word,), _ABOVE) for word in ABOVE_AT_WORK if word not in attribute.stems)


def end_names(attribute: Attribute, referred: Entity) -> Names:
    """What a column may be called by which a row names one of two things of one kind: "home team name"."""
    said = tuple(word for word in attribute.stems if word not in ("id", "code", "cod", "no"))
    if len(said) > 1 and said[-len(referred.stems) :] == referred.stems and len(referred.label) == 1:
        yield (*said, "name"), _END


_TITLE = stem("title")
"""What a name may be called where nothing else is a title."""
_ABOVE = 0.85
_END = 0.97
_FULLER = {"email": "address", "phone": "number", "fax": "number", "zip": "code"}
"""What people add to the name of what a column holds."""
_ONE_WORD = {"lastnam": ("last", "name"), "lastname": ("last", "name"), "firstnam": ("first", "name")}
"""Names of people that databases write in one word and people in two."""

_PARTED = {stem(f"{verb}{end}"): (stem(verb), end) for verb, end in (
    ("log", "in"), ("log", "out"), ("log", "on"), ("sign", "up"), ("sign", "in"), ("sign", "out"), ("check", "in"),
    ("check", "out"), ("take", "off"), ("drop", "off"), ("pick", "up"), ("clock", "in"), ("clock", "out"),
)}  # fmt: skip
"""Nouns for moments, and the verbs that they are made of: who logged in had a login."""
_MOMENTS = frozenset((stem("time"), stem("timestamp"), stem("datetime"), "at", "on"))
"""Ends of the names of dates that people call dates: `trade_ts`, `ordered_at`."""
_GENERIC = frozenset(
    ("number", "name", "dat", "date", "id", "cod", "code", "description", "detail", "address", "amount")
)

_CODES = frozenset(("cod", "code"))


def _without_unit(own: tuple[str, ...]) -> tuple[str, ...]:
    """A name without the unit at its end: `length_meters`, `price_in_dollar`."""
    if own[-1] not in UNITS or len(own) == 1:
        return ()
    return own[:-2] if own[-2] in ("in", "per") and len(own) > 2 else own[:-1]


def _partial(head: tuple[str, ...], entity: Entity) -> float:
    """How well a name's last words stand for it: badly, if they are "number" or "name" and others end alike."""
    if len(head) != 1 or not _GENERIC & set(head):
        return 0.72
    alike = sum(1 for a in entity.attributes.values() if a.stems[-1:] == head)
    return 0.6 if alike == 1 else 0.45


def linked_stems(name: str) -> tuple[str, ...]:
    """The stems of a name as questions are linked by: without "of" and "the"."""
    return tuple(name_stem for name_stem in name_stems(name) if name_stem not in ("of", "the")) or name_stems(name)


def _document_names(name: str, also: Iterable[str], *, partial: bool) -> Names:
    stems = name_stems(name)
    yield stems, 1.0
    for other in also:
        yield name_stems(other), 0.97
    if partial and len(stems) > 1:
        yield (stems[-1],), 0.78
        if len(stems) > 2:
            yield stems[1:], 0.8


def term_names(term: Term, schema: Schema) -> Names:
    """The term's names, with its table's name spelt out ("open ticket": "open support ticket"), and its adjective."""
    yield from _document_names(term.name, term.synonyms, partial=False)
    entity = schema.find_entity(term.table or "")
    stems = name_stems(term.name)
    if entity is None or len(stems) < 2 or stems[-1] not in entity.stems:
        return
    if stems[-1:] != entity.stems:
        yield (*stems[:-1], *entity.stems), 1.0
    if equality(term.sql or "") is None:
        yield stems[:-1], ADJECTIVE
        if (linked := linked_stems(term.name))[:-1] != stems[:-1]:
            yield linked[:-1], ADJECTIVE  # "out of stock": small words inside are not looked up
        if stems[-len(entity.stems) :] == entity.stems and len(stems) > len(entity.stems) > 1:
            yield stems[: -len(entity.stems)], ADJECTIVE  # "late", of a late rent payment


def equality(sql: str) -> tuple[str, str] | None:
    """The column and the value of a condition that says nothing else; it adds nothing to the value itself."""
    match = re.fullmatch(r"(?P<column>[\w.\"`]+)\s*=\s*'(?P<value>[^']*)'", sql.strip())
    return (match["column"].rpartition(".")[2].strip('"`'), match["value"]) if match else None


def metric_names(metric: Metric) -> Names:
    """What a metric may be called: its name, its synonyms, the last words of its name."""
    yield from _document_names(metric.name, metric.synonyms, partial=True)


def prose_names(metric: Metric) -> Names:
    """What a metric that prose defines may be called: its whole names alone."""
    yield linked_stems(metric.name), 1.0
    for other in metric.synonyms:
        yield linked_stems(other), 0.97
