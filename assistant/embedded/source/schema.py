"""A source as the analyst sees it: tables and columns with their stems, what names a row, and what a column is for.

Built from a catalog once (`understanding`) and then only read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from assistant.embedded.source.listed import parts_of
from assistant.embedded.words.lexicon import fold, name_words, plural, singular, spelt_out, spoken, stem
from assistant.embedded.words.vocabulary import word_set

if TYPE_CHECKING:
    from assistant.data.catalog import Column, Table
    from assistant.embedded.source.clock import Clock
    from assistant.embedded.source.notation import Notation

Role = Literal["key", "reference", "number", "text", "date", "year", "flag", "other"]

ADDS_UP = frozenset(
    stem(word)
    for word in word_set(
        """amount total quantity cost revenue sales sale spend spent freight profit income budget units unit hours hour
        minutes seconds milliseconds bytes population visits clicks impressions points goals votes refund payment tax
        fee shipping subtotal salary expense stock count number value worth donation fund attendance passengers seats
        employees sold paid refunded commission fine premium bonus tip charge deposit withdrawal debit credit earnings
        tonnage headcount loss gain downloads followers subscribers views viewers visitors listeners copies
        spectators inhabitants residents consumption production emissions kwh mwh eur usd gbp chf"""
    )
)
"""Stems in the names of numbers that may be added up."""
DOES_NOT_ADD = frozenset(
    stem(word)
    for word in word_set(
        """price rate rating score age percent ratio share average year level rank size height weight length width
        latitude longitude temperature discount margin satisfaction grade gpa duration distance version month day
        stars star speed"""
    )
)
"""Stems in the names of numbers that may not."""
UNITS = frozenset(
    stem(word)
    for word in word_set(
        """dollar usd eur euro gbp million billion thousand km kilometer kilometre mile meter metre m cm mm inch ft feet
        kg g lb pound ton litre liter mph kmh kph f c celsius fahrenheit second millisecond minute hour mb gb kb mib gib
        kib byte kwh mwh wh kw mw chf sqm m2 m3 l ml"""
    )
)
"""Stems of units at the end of a column's name."""
_CODES_FROM = 100
REPORTS = stem("report")
ABOVE_AT_WORK = frozenset(stem(w) for w in ("manager", "boss", "supervisor", "superior", "leader", "head", "chief"))
"""What the one above is called at work."""
_CALENDARS = frozenset(stem(word) for word in ("date", "calendar", "day", "time"))
NUMBER_MARKS = ",$€£%"
"""What may stand in a number that is written for people."""
_YEARS = (1700, 2100)
"""Between which numbers are taken for years where nothing says what they measure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """A column, understood. `notation` says how text holds its dates, where that is not ISO text, or its durations."""

    table: str
    name: str
    role: Role
    stems: tuple[str, ...]
    own: tuple[str, ...]
    adds_up: bool
    true_value: str | int | bool | None = None
    column: Column
    notation: Notation | Clock | None = None

    @property
    def words(self) -> str:
        """The name as people say it."""
        return spoken(self.name)

    @property
    def things(self) -> str:
        """What its values are, as people say it: orders, of an "order no", which numbers them."""
        numbered = unnumbered(self.name) if self.role in ("text", "key", "reference") else ""
        return plural(numbered or self.words)

    @property
    def is_number(self) -> bool:
        """Whether it can be added up, averaged or compared."""
        return self.role == "number"

    @property
    def as_text(self) -> bool:
        """Whether it is a number that its source holds as text."""
        return self.role == "number" and self.column.kind == "text"

    @property
    def marks(self) -> str:
        """What stands in its numbers that are held as text and is no part of them: "1,250.00", "$ 5"."""
        known = "".join(str(value) for value in known_of(self.column)) if self.as_text else ""
        return "".join(mark for mark in NUMBER_MARKS if mark in known)

    @property
    def has_blanks(self) -> bool:
        """Whether some of the numbers that are held as text are but empty."""
        return self.as_text and any(not str(value).strip() for value in known_of(self.column))

    @property
    def is_amount(self) -> bool:
        """Whether "how many" may be asked of it: a number that is no measure such as an age or a price, and no code."""
        measured = self.as_text or self.is_code or DOES_NOT_ADD & set(self.own)
        return self.adds_up or (self.is_number and not measured)

    @property
    def is_code(self) -> bool:
        """Whether its numbers stand for something, such as people: whole, none is low, and nothing says they add up."""
        low = self.column.profile.low if self.column.profile else None
        whole = self.column.kind == "integer" and not self.adds_up and not DOES_NOT_ADD & set(self.own)
        return whole and isinstance(low, int) and low >= _CODES_FROM

    @property
    def holds_years(self) -> bool:
        """Whether its numbers are years by all that is known of them, whatever it is called: "launch"."""
        profile = self.column.profile
        measured = self.adds_up or DOES_NOT_ADD & set(self.own)
        if self.role != "number" or measured or profile is None or profile.low is None or profile.high is None:
            return self.role == "year"
        try:
            low, high = float(str(profile.low)), float(str(profile.high))
        except ValueError:
            return False
        return _YEARS[0] <= low <= high <= _YEARS[1] and low.is_integer() and high.is_integer()

    @property
    def is_time(self) -> bool:
        """Whether it places a row in time."""
        return self.role in ("date", "year")

    @property
    def known_values(self) -> tuple[str, ...]:
        """The texts that are known to be in it."""
        profile = self.column.profile
        if profile is None or self.column.kind != "text":
            return ()
        if profile.values is not None:
            return tuple(profile.values)
        return tuple(value for value, _ in profile.top if isinstance(value, str))

    @property
    def settled_by(self) -> str:
        """The column of its table that numbers what rows belong to and of which this is told: an order, its freight."""
        profile = self.column.profile
        return profile.settled_by if profile is not None else ""

    @property
    def always_known(self) -> bool:
        """Whether no row is without it, as far as all were looked at."""
        profile = self.column.profile
        return profile is not None and not profile.sampled and profile.nulls == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A table, understood. `label` are the columns that name a row for people, `key` those that tell rows apart.

    It is `called` by its name without what says nothing of its rows: the "dim" of `dim_customer`, or what all tables of
    its source begin with. The `noun` is what its rows are by their key alone: orders, by their order number.
    """

    name: str
    called: str
    stems: tuple[str, ...]
    attributes: Mapping[str, Attribute]
    key: tuple[str, ...]
    label: tuple[str, ...]
    table: Table
    bridge: bool = False
    nameless: bool = False
    noun: str = ""

    @property
    def one(self) -> str:
        """A row of it, as people say it: "order line"; just "row", where the table's name says nothing of its rows."""
        if self.nameless:
            return self.noun or "row"
        return singular(spoken(self.called))

    @property
    def many(self) -> str:
        """Its rows, as people say it: "order lines"."""
        return plural(self.one)

    @property
    def dates(self) -> tuple[Attribute, ...]:
        """Its columns that place a row in time."""
        return tuple(a for a in self.attributes.values() if a.is_time)

    @property
    def is_calendar(self) -> bool:
        """Whether its rows are days, which the rows of other tables refer to."""
        named = len(self.stems) == 1 and self.stems[0] in _CALENDARS
        return named and any(a.role == "date" for a in self.attributes.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """A key followed in one direction; `many` means one row of `left` may meet several of `right`."""

    left: str
    left_columns: tuple[str, ...]
    right: str
    right_columns: tuple[str, ...]
    many: bool
    inferred: bool
    optional: bool = False


@dataclass(frozen=True)
class Schema:
    """All of one source."""

    source: str
    dialect: str
    entities: Mapping[str, Entity]
    edges: Mapping[str, tuple[Edge, ...]] = field(repr=False)

    @property
    def is_one_table(self) -> bool:
        """Whether there is but one table, as in a file: what rows are of has none of its own."""
        return len(self.entities) == 1

    def attribute(self, table: str, column: str) -> Attribute:
        """The column's understanding."""
        return self.entities[table].attributes[column]

    def find(self, table: str, column: str) -> Attribute | None:
        """A column by names whose case may differ, as people and knowledge files write them."""
        entity = self.find_entity(table)
        if entity is None:
            return None
        return next((a for name, a in entity.attributes.items() if name.lower() == column.lower()), None)

    def find_entity(self, table: str) -> Entity | None:
        """A table by a name whose case or schema prefix may differ."""
        low = table.lower()
        exact = self.entities.get(table)
        return exact or next((e for n, e in self.entities.items() if low in (n.lower(), bare(n).lower())), None)

    def children(self, entity: Entity) -> list[Entity]:
        """The tables whose rows belong to rows of another, each of them once."""
        return [
            self.entities[name] for name in dict.fromkeys(e.right for e in self.edges.get(entity.name, ()) if e.many)
        ]

    def tied(self, bridge: Entity, ends: Collection[str]) -> str:
        """What the rows of a bridge are for one of its two ends: a category's film categories are films."""
        beyond = {e.right for e in self.edges.get(bridge.name, ()) if not e.many} if bridge.bridge else set[str]()
        others = [self.entities[name] for name in beyond if name not in ends]
        return others[0].many if len(beyond) == 2 and len(others) == 1 and len(bridge.key) == 2 else bridge.many

    def referred(self, attribute: Attribute) -> Entity | None:
        """The table that a single-column key refers to."""
        edge = next((e for e in self.edges.get(attribute.table, ()) if e.left_columns == (attribute.name,)), None)
        return self.entities[edge.right] if edge and attribute.role == "reference" and not edge.many else None

    @cached_property
    def nouns(self) -> Mapping[str, Entity]:
        """For a table, the one that the noun of its name is called, and that it ties in: guests, of hut guests."""
        found: dict[str, Entity] = {}
        for entity in self.entities.values():
            near = (self.entities[edge.right] for edge in self.edges.get(entity.name, ()) if not edge.many)
            shorter = (e for e in near if len(e.stems) < len(entity.stems))
            noun = next((e for e in shorter if entity.stems[-len(e.stems) :] == e.stems), None)
            if noun is not None:
                found[entity.name] = noun
        return found

    @cached_property
    def ends(self) -> tuple[tuple[Attribute, Entity], ...]:
        """The columns by which a row refers more than once to another table, as a match to its teams, and that."""
        referring = [(a, e) for a in self.attributes if (e := self.referred(a)) is not None]
        several = Counter((a.table, e.name) for a, e in referring)
        return tuple((a, e) for a, e in referring if several[a.table, e.name] > 1)

    @cached_property
    def superiors(self) -> tuple[tuple[Attribute, Attribute], ...]:
        """The columns by which a row names another of its own table, as a manager, with the column that they name."""
        return tuple(
            (entity.attributes[key.columns[0]], entity.attributes[key.target_columns[0]])
            for entity in self.entities.values()
            for key in entity.table.foreign_keys
            if key.table == entity.table.name and key.schema in (None, entity.table.schema)
            if len(key.columns) == 1 and key.columns != key.target_columns
        )

    def above(self, attribute: Attribute) -> tuple[Attribute, ...]:
        """What names the row of its own table that a row refers to by a column, as its manager, and is no key."""
        named = any(column == attribute for column, _ in self.superiors)
        entity = self.entities[attribute.table]
        return tuple(entity.attributes[name] for name in entity.label) if named and entity.label != entity.key else ()

    @cached_property
    def spellings(self) -> Mapping[tuple[str, str, str], tuple[str, ...]]:
        """By table, column and value: all the ways in which it is written, where there are several: José, jose."""
        found: dict[tuple[str, str, str], tuple[str, ...]] = {}
        for attribute in self.attributes:
            alike: dict[str, list[str]] = {}
            for value in attribute.known_values:
                alike.setdefault(fold(value), []).append(value)
            for values in alike.values():
                if len(values) > 1:
                    found |= {(attribute.table, attribute.name, value): tuple(values) for value in values}
        return found

    @cached_property
    def listed(self) -> Mapping[tuple[str, str], frozenset[str]]:
        """By table and column: the parts that its texts are lists of, where they are lists."""
        texts = (a for a in self.attributes if a.role == "text")
        return {(a.table, a.name): parts for a in texts if (parts := parts_of(a.known_values))}

    @cached_property
    def attributes(self) -> tuple[Attribute, ...]:
        """Every column of every table."""
        return tuple(a for e in self.entities.values() for a in e.attributes.values())


def repeats(attribute: Attribute, entity: Entity) -> bool:
    """Whether rows share what a column holds, so that it names something other than the row: an order, of its lines."""
    profile, rows = attribute.column.profile, entity.table.rows
    return profile is not None and rows is not None and profile.distinct + profile.nulls < rows


def lines_of(entity: Entity) -> bool:
    """Whether its rows are not what it is called, but say something of it: readings, in a file of sensors by name."""
    named = [a for a in entity.attributes.values() if a.role == "text" and a.stems == entity.stems]
    return not entity.key and any(repeats(a, entity) for a in named)


def unnumbered(name: str) -> str:
    """What a column numbers by its name, as people say it: an order, by `Order No.`; nothing where it only numbers."""
    words = name_words(name)
    while words and words[-1] in _NUMBERED:
        words = words[:-1]
    return " ".join(words)


_NUMBERED = frozenset(("id", "no", "number", "nr", "num", "nbr", "key", "cd", "code", "sn", "ref", "pk"))


def works(entity: Entity) -> bool:
    """Whether each row is somebody who works here."""
    return spelt_out(entity.stems[-1]) in _WORKING or entity.stems[-1] in _WORKING


_WORKING = frozenset(form for word in ("employee", "staff", "worker", "emp") for form in (word, stem(word)))


def known_of(column: Column) -> tuple[object, ...]:
    """What is known of a column's values: all of them or the most frequent ones, the lowest and the highest."""
    profile = column.profile
    if profile is None:
        return ()
    seen = (*(profile.values or ()), *(value for value, _ in profile.top or ()), profile.low, profile.high)
    return tuple(value for value in seen if value is not None)


def bare(name: str) -> str:
    """A table's name without its schema's."""
    return name.rpartition(".")[2]


def table_id(table: Table) -> str:
    """What a table is called here: its name, after its schema's if it stands in one."""
    return f"{table.schema}.{table.name}" if table.schema else table.name


def column_label(schema: Schema, attribute: Attribute) -> str:
    """A column as people say it; one with a name that every table has is called with its table's."""
    entity = schema.entities[attribute.table]
    if attribute.words in ("name", "title", "code", "type", "description", "status"):
        return f"{entity.one} {attribute.words}"
    return attribute.words


def called_above(attribute: Attribute) -> str:
    """What the row is called that a row refers to in its own table: "manager", where the column is `ReportsTo`."""
    return "manager" if REPORTS in attribute.stems else attribute.words.removesuffix(" id")
