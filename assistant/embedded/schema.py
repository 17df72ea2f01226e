"""A source as the analyst sees it: tables and columns with their stems, what names a row, and what a column is for.

Built from a catalog once and then only read. It guesses three things from names, kinds and profiles: the columns by
which people call a row (its label), which numbers may be added up, and which date a table is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from assistant.embedded.lexicon import name_stems, name_words, plural, singular, spoken, stem
from assistant.embedded.vocabulary import word_set

if TYPE_CHECKING:
    from assistant.data.catalog import Catalog, Column, Table

Role = Literal["key", "reference", "number", "text", "date", "year", "flag", "other"]

_ADDS_UP = frozenset(
    stem(word)
    for word in word_set(
        """amount total quantity cost revenue sales sale spend spent freight profit income budget units unit hours hour
        minutes seconds milliseconds bytes population visits clicks impressions points goals votes refund payment tax
        fee shipping subtotal salary expense stock count number value worth donation fund attendance passengers seats
        employees sold paid refunded loss gain"""
    )
)
_DOES_NOT_ADD = frozenset(
    stem(word)
    for word in word_set(
        """price rate rating score age percent ratio share average year level rank size height weight length width
        latitude longitude temperature discount margin satisfaction grade gpa duration distance version month day
        stars star speed"""
    )
)
_CODES_FROM = 100
_NAMING = frozenset(("company", "full", "display", "user", "common", "official", "team"))
_FLAGS = (frozenset({"0", "1"}), frozenset({"y", "n"}), frozenset({"yes", "no"}), frozenset({"true", "false"}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """A column, understood."""

    table: str
    name: str
    role: Role
    stems: tuple[str, ...]
    own: tuple[str, ...]
    adds_up: bool
    true_value: str | int | bool | None = None
    column: Column

    @property
    def words(self) -> str:
        """The name as people say it."""
        return spoken(self.name)

    @property
    def is_number(self) -> bool:
        """Whether it can be added up, averaged or compared."""
        return self.role == "number"

    @property
    def as_text(self) -> bool:
        """Whether it is a number that its source holds as text."""
        return self.role == "number" and self.column.kind == "text"

    @property
    def is_amount(self) -> bool:
        """Whether "how many" may be asked of it: a number that is no measure such as an age or a price, and no code."""
        measured = self.as_text or self.is_code or _DOES_NOT_ADD & set(self.own)
        return self.adds_up or (self.is_number and not measured)

    @property
    def is_code(self) -> bool:
        """Whether its numbers stand for something, such as people: whole, none is low, and nothing says they add up."""
        low = self.column.profile.low if self.column.profile else None
        whole = self.column.kind == "integer" and not self.adds_up and not _DOES_NOT_ADD & set(self.own)
        return whole and isinstance(low, int) and low >= _CODES_FROM

    @property
    def is_time(self) -> bool:
        """Whether it places a row in time."""
        return self.role in ("date", "year")

    @property
    def always_known(self) -> bool:
        """Whether no row is without it, as far as all were looked at."""
        profile = self.column.profile
        return profile is not None and not profile.sampled and profile.nulls == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A table, understood. `label` are the columns that name a row for people, `key` those that tell rows apart."""

    name: str
    stems: tuple[str, ...]
    attributes: Mapping[str, Attribute]
    key: tuple[str, ...]
    label: tuple[str, ...]
    table: Table
    bridge: bool = False
    nameless: bool = False

    @property
    def one(self) -> str:
        """A row of it, as people say it: "order line"; just "row", where the table's name says nothing of its rows."""
        if self.nameless:
            return "row"
        return singular(spoken(_bare(self.name)))

    @property
    def many(self) -> str:
        """Its rows, as people say it: "order lines"."""
        return plural(self.one)

    @property
    def dates(self) -> tuple[Attribute, ...]:
        """Its columns that place a row in time."""
        return tuple(a for a in self.attributes.values() if a.is_time)


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
        return exact or next((e for n, e in self.entities.items() if low in (n.lower(), _bare(n).lower())), None)

    def referred(self, attribute: Attribute) -> Entity | None:
        """The table that a single-column key refers to."""
        edge = next((e for e in self.edges.get(attribute.table, ()) if e.left_columns == (attribute.name,)), None)
        return self.entities[edge.right] if edge and attribute.role == "reference" and not edge.many else None

    @cached_property
    def attributes(self) -> tuple[Attribute, ...]:
        """Every column of every table."""
        return tuple(a for e in self.entities.values() for a in e.attributes.values())


def _bare(name: str) -> str:
    return name.rpartition(".")[2]


def table_id(table: Table) -> str:
    """What a table is called here: its name, after its schema's if it stands in one."""
    return f"{table.schema}.{table.name}" if table.schema else table.name


def understand(catalog: Catalog) -> Schema:
    """Understand a catalog. Views are left aside where there are tables: they would make every word ambiguous."""
    tables = [t for t in catalog.tables if not t.is_view] or list(catalog.tables)
    ids = {(t.schema, t.name): table_id(t) for t in tables}
    by_name: dict[str, str] = {}
    for (_, name), identity in ids.items():
        by_name.setdefault(name, identity)
        by_name[identity] = identity
    references = {(ids[t.schema, t.name], column) for t in tables for key in t.foreign_keys for column in key.columns}
    entities: dict[str, Entity] = {}
    for table in tables:
        entity = _entity(ids[table.schema, table.name], table, references)
        if len(tables) == 1:
            entity = replace(entity, nameless=spoken(table.name) == singular(spoken(table.name)))
        entities[entity.name] = entity
    edges: dict[str, list[Edge]] = {name: [] for name in entities}
    for table in tables:
        left = ids[table.schema, table.name]
        for key in table.foreign_keys:
            right = by_name.get(f"{key.schema}.{key.table}" if key.schema else key.table) or by_name.get(key.table)
            if right is None or right == left or len(key.columns) != len(key.target_columns):
                continue
            unique = set(key.columns) >= set(entities[left].key) and bool(entities[left].key)
            nullable = any(_may_be_missing(c) for c in table.columns if c.name in key.columns)
            there = Edge(
                left=left,
                left_columns=key.columns,
                right=right,
                right_columns=key.target_columns,
                many=False,
                inferred=key.inferred,
                optional=nullable,
            )
            back = Edge(
                left=right,
                left_columns=key.target_columns,
                right=left,
                right_columns=key.columns,
                many=not unique,
                inferred=key.inferred,
                optional=True,
            )
            edges[left].append(there)
            edges[right].append(back)
    return Schema(
        source=catalog.source,
        dialect=catalog.dialect,
        entities=entities,
        edges={name: tuple(found) for name, found in edges.items()},
    )


def _may_be_missing(column: Column) -> bool:
    return column.nullable and (column.profile is None or column.profile.sampled or column.profile.nulls > 0)


def _entity(name: str, table: Table, references: set[tuple[str, str]]) -> Entity:
    stems = name_stems(_bare(name))
    attributes: dict[str, Attribute] = {}
    key = tuple(table.primary_key)
    prefix = _prefix(table)
    for column in table.columns:
        attributes[column.name] = _attribute(
            name, stems, table, column, reference=(name, column.name) in references, prefix=prefix
        )
    plain = [a for a in attributes.values() if a.role not in ("key", "reference")]
    only_keys = all(attributes[k].role == "reference" for k in key or attributes if k in attributes)
    bridge = len(table.foreign_keys) >= 2 and only_keys and not any(a.role in ("text", "number") for a in plain)
    return Entity(
        name=name,
        stems=stems,
        attributes=attributes,
        key=key,
        label=_label(stems, attributes, key, events=len(table.foreign_keys) > 0 and any(a.is_time for a in plain)),
        table=table,
        bridge=bridge,
    )


def _prefix(table: Table) -> str:
    """What most columns of a table begin with, such as `stu` in `stu_gpa`; nothing where they begin differently."""
    firsts = [name_words(column.name)[0] for column in table.columns if len(name_words(column.name)) > 1]
    for word in dict.fromkeys(firsts):
        if firsts.count(word) >= 3 and firsts.count(word) * 2 > len(table.columns):
            return stem(word)
    return ""


def _attribute(
    table: str, table_stems: tuple[str, ...], whole: Table, column: Column, *, reference: bool, prefix: str
) -> Attribute:
    stems = tuple(s for s in name_stems(column.name) if s not in ("of", "the")) or name_stems(column.name)
    own = _own(stems, table_stems, prefix)
    primary = column.name in whole.primary_key
    role, true_value = _role(column, stems, reference, primary, alone=len(whole.primary_key) == 1)
    last = own[-1]
    adds_up = role == "number" and (
        bool(_ADDS_UP & set(own))
        and last not in _DOES_NOT_ADD
        and not (_DOES_NOT_ADD & set(own) and last not in _ADDS_UP)
    )
    if own[0] in ("unit", "per", "average", "maximum", "minimum") and len(own) > 1 and last not in ("sold", "stock"):
        adds_up = adds_up and last not in ("price", "cost", "pric")
    return Attribute(
        table=table,
        name=column.name,
        role=role,
        stems=stems,
        own=own,
        adds_up=adds_up,
        true_value=true_value,
        column=column,
    )


def _own(stems: tuple[str, ...], table_stems: tuple[str, ...], prefix: str) -> tuple[str, ...]:
    """A column's stems without what only says its table again: `name` for `stu_name` and for `bname` of a bank."""
    own = [s for s in stems if s not in table_stems] or list(stems)
    if prefix and own[0] == prefix and len(own) > 1:
        del own[0]
    initial = table_stems[0][:1]
    for word in ("name", "id", "title"):
        if own == [f"{initial}{word}"]:
            own = [stem(word)]
    return tuple(own)


def _role(
    column: Column, stems: tuple[str, ...], reference: bool, primary: bool, alone: bool
) -> tuple[Role, str | int | bool | None]:
    if stems[-1] == "year" and column.kind in ("integer", "number") and not (primary and alone) and _years(column):
        return "year", None  # also where it is a part of a key: "courses of the autumn of 2024"
    if reference and not (primary and alone):
        return "reference", None
    if column.kind == "boolean":
        return "flag", True
    profile = column.profile
    sexes = {"sex", "gender"} & set(stems)
    if profile and profile.values and len(profile.values) <= 2 and not sexes:
        values = {v.lower() for v in profile.values}
        if any(len(values & flag) == len(values) and values & {"1", "y", "yes", "true"} for flag in _FLAGS):
            return "flag", next(v for v in profile.values if v.lower() in ("1", "y", "yes", "true"))
    if (
        not sexes
        and profile
        and column.kind == "integer"
        and profile.distinct <= 2
        and (profile.low, profile.high) == (0, 1)
    ):
        return "flag", 1
    if column.kind in ("date", "datetime"):
        return "date", None
    if primary and (stems[-1] == "id" or column.kind in ("integer", "number")):
        return "key", None
    if column.kind in ("integer", "number"):
        if stems[-1] in ("id", "code", "zip", "phone", "number") and stems[-1] != "number":
            return "text" if stems[-1] != "id" else "key", None
        return "number", None
    if column.kind == "text" and _numeric_text(column, stems):
        return "number", None
    if column.kind == "text":
        return ("year" if stems[-1] == "year" and _years(column) else "text"), None
    return "other", None


def _numeric_text(column: Column, stems: tuple[str, ...]) -> bool:
    """Whether a text column holds measurements: numbers by all that is known of it, and by its name."""
    profile = column.profile
    if profile is None or set(stems) & _CODES:
        return False
    if profile.distinct < _DISTINCT_MIN and not set(stems) & (_ADDS_UP | _DOES_NOT_ADD):
        return False
    seen = [*(profile.values or ()), *(value for value, _ in profile.top or ()), profile.low, profile.high]
    texts = [str(value) for value in seen if value is not None]
    return bool(texts) and all(_PLAIN_NUMBER.fullmatch(text) for text in texts)


_DISTINCT_MIN = 3
_PLAIN_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,8})(?:\.\d+)?")
_CODES = frozenset(
    stem(word)
    for word in word_set(
        """id code zip postcode phone number no year date month day key version ref isbn fax mobile name title detail
        description address label"""
    )
)


def _years(column: Column) -> bool:
    if column.profile is None or column.profile.low is None or column.profile.high is None:
        return True
    try:
        return 1000 <= float(str(column.profile.low)) <= float(str(column.profile.high)) <= 2200
    except ValueError:
        return False


def _label(
    table_stems: tuple[str, ...], attributes: Mapping[str, Attribute], key: tuple[str, ...], *, events: bool
) -> tuple[str, ...]:
    """The columns that name a row: `name`, `title`, first and last name, else the first text, else the key.

    Rows of `events` (they have a date and belong to something) are called by their key rather than by a foreign name.
    """
    usable = [a for a in attributes.values() if a.role in ("text", "key")]
    texts = [a for a in usable if a.role == "text"]

    def pick(candidates: Iterable[Attribute]) -> tuple[str, ...] | None:
        return next(((a.name,) for a in candidates), None)

    own = {"".join(a.own): a.name for a in texts}
    first = next((own[n] for n in ("firstnam", "firstname", "forenam", "givennam") if n in own), None)
    last = next((own[n] for n in ("lastnam", "lastname", "familynam") if n in own), None)
    named = (
        pick(a for a in texts if a.stems == ("name",) or a.own == ("name",))
        or pick(a for a in texts if a.stems == table_stems and not _is_shared(a, attributes, key))
        or ((first, last) if first and last else None)
        or pick(a for a in texts if a.own in (("title",), ("titl",)))
        or pick(a for a in texts if a.stems[-1] == "name" and a.stems[0] in _NAMING)
        or pick(a for a in texts if a.stems[-1] == "name" and len(a.stems) <= 3 and not events)
        or pick(
            a for a in texts if set(a.stems) & {"description", "detail", "label"} and set(a.stems) & set(table_stems)
        )
        or pick(a for a in texts if a.own in (("description",), ("detail",), ("label",), ("cod",), ("code",)))
        or ((last,) if last else None)
    )
    if named:
        return named
    if len(key) == 1:
        return key
    return pick(texts) or key or tuple(list(attributes)[:1])


def _is_shared(attribute: Attribute, attributes: Mapping[str, Attribute], key: tuple[str, ...]) -> bool:
    """Whether a text says of which kind a row is, and the key, a text itself, names it: "city type" of cities."""
    if len(key) != 1 or attributes[key[0]].column.kind != "text":
        return False
    kinds, names = attribute.column.profile, attributes[key[0]].column.profile
    return kinds is not None and names is not None and 2 * kinds.distinct <= names.distinct


def column_label(schema: Schema, attribute: Attribute) -> str:
    """A column as people say it; one with a name that every table has is called with its table's."""
    entity = schema.entities[attribute.table]
    if attribute.words in ("name", "title", "code", "type", "description", "status"):
        return f"{entity.one} {attribute.words}"
    return attribute.words
