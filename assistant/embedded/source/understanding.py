"""How a catalog is understood: what is guessed of its tables and columns from names, kinds and profiles.

Three things are guessed: what a column is for (its role), which numbers may be added up, and the columns by which
people call a row (its label). The values that hold what was guessed are in `schema`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from assistant.data.identity import identifiers, like_key, named_in
from assistant.embedded.source.clock import Clock, as_seconds, clock_of
from assistant.embedded.source.notation import YEARS, Notation, as_date, month_notation_of, notation_of
from assistant.embedded.source.schema import (
    ADDS_UP,
    DOES_NOT_ADD,
    UNITS,
    Attribute,
    Edge,
    Entity,
    Role,
    Schema,
    known_of,
    lines_of,
    table_id,
    unnumbered,
)
from assistant.embedded.words.lexicon import is_short, name_stems, name_words, shortens, singular, spoken, stem
from assistant.embedded.words.thesaurus import other_words
from assistant.embedded.words.vocabulary import word_set

if TYPE_CHECKING:
    from assistant.data.catalog import Catalog, Column, Table

_NAMING = frozenset(("company", "full", "display", "user", "common", "official", "team"))
_FLAGS = tuple(frozenset(pair) for pair in (("0", "1"), ("y", "n"), ("yes", "no"), ("true", "false"), ("t", "f")))
_TRUE = frozenset(("1", "y", "yes", "true", "t"))


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
    nouns = _nouns([table.name for table in tables])
    for table in tables:
        entity = _entity(ids[table.schema, table.name], table, references, nouns[table.name], catalog.dialect)
        if len(tables) == 1:
            plain = spoken(table.name) == singular(spoken(table.name))
            entity = replace(entity, nameless=plain or lines_of(entity))
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


_LAYERS = frozenset(("ref", "dim", "fact", "fct", "tbl", "stg", "all"))
"""What stands before or behind a table's name and says nothing of its rows."""
_ALIKE_MIN = 3
"""From how many tables on a word that all of their names begin with says nothing of any."""


def _nouns(names: Sequence[str]) -> dict[str, str]:
    """What tables are called by their rows: `dim_customer` and, where all begin so, `mkt_customer` hold customers."""
    cut = {name: name_words(name) for name in names}
    firsts = {words[0] if len(words) > 1 else "" for words in cut.values()}
    shared = len(names) >= _ALIKE_MIN and len(firsts) == 1 and "" not in firsts
    found: dict[str, str] = {}
    for name, words in cut.items():
        if len(words) > 1 and (words[0] in _LAYERS or shared):
            found[name] = "_".join(words[1:])
        elif len(words) > 1 and words[-1] in _LAYERS:
            found[name] = "_".join(words[:-1])
        else:
            found[name] = name
    plain = [singular(spoken(noun)) for noun in found.values()]
    return {name: noun if plain.count(singular(spoken(noun))) == 1 else name for name, noun in found.items()}


def _entity(name: str, table: Table, references: set[tuple[str, str]], called: str, dialect: str) -> Entity:
    stems = name_stems(called)
    attributes: dict[str, Attribute] = {}
    key = tuple(table.primary_key) or _inferred_key(table)
    prefix = _prefix(table)
    dated = any(column.kind in ("date", "datetime") or notation_of(column) for column in table.columns)
    for column in table.columns:
        referring = (name, column.name) in references
        notation = None
        if dialect == "sqlite" and not referring:
            months = None if dated else month_notation_of(column)
            notation = notation_of(column) or months or clock_of(column, called)
        attributes[column.name] = _attribute(
            name, stems, table, column, reference=referring, prefix=prefix, key=key, notation=notation
        )
    plain = [a for a in attributes.values() if a.role not in ("key", "reference")]
    only_keys = all(attributes[k].role == "reference" for k in key or attributes if k in attributes)
    bridge = len(table.foreign_keys) >= 2 and only_keys and not any(a.role in ("text", "number") for a in plain)
    return Entity(
        name=name,
        called=called,
        stems=stems,
        attributes=attributes,
        key=key,
        label=_label(
            stems,
            attributes,
            key or _telling(attributes, table.rows),
            events=len(table.foreign_keys) > 0 and any(a.is_time for a in plain),
            rows=table.rows or 0,
        ),
        table=table,
        bridge=bridge,
        noun=_noun(key or _telling(attributes, table.rows), attributes),
    )


def _noun(key: tuple[str, ...], attributes: Mapping[str, Attribute]) -> str:
    """What rows are called that are told apart by a number of their own: an order, by `Order No.`."""
    if len(key) != 1 or attributes[key[0]].role == "reference":
        return ""
    return unnumbered(key[0])


def _inferred_key(table: Table) -> tuple[str, ...]:
    """What tells the rows of a table without a declared key apart, and is named or placed like its key."""
    found = identifiers(table)[:1]
    own = [c for c in found if like_key(c.name) and (c is table.columns[0] or named_in(c.name, table))]
    return tuple(column.name for column in own)


def _prefix(table: Table) -> str:
    """What most columns of a table begin with, such as `stu` in `stu_gpa`; nothing where they begin differently."""
    firsts = [name_words(column.name)[0] for column in table.columns if len(name_words(column.name)) > 1]
    for word in dict.fromkeys(firsts):
        if firsts.count(word) >= 3 and firsts.count(word) * 2 > len(table.columns):
            return stem(word)
    return ""


def _attribute(
    table: str,
    table_stems: tuple[str, ...],
    whole: Table,
    column: Column,
    *,
    reference: bool,
    prefix: str,
    key: tuple[str, ...],
    notation: Notation | Clock | None,
) -> Attribute:
    if notation is not None:
        column = as_seconds(column) if isinstance(notation, Clock) else as_date(column, notation)
    stems = tuple(s for s in name_stems(column.name) if s not in ("of", "the")) or name_stems(column.name)
    if stems == ("long",) and any(stem("latitude") in name_stems(other.name) for other in whole.columns):
        stems = (stem("longitude"),)
    own = _own(stems, table_stems, prefix)
    role, true_value = _role(column, stems, reference, column.name in key, alone=len(key) == 1)
    first, last = own[0], own[-1]
    told = {full for word in own for full in ADDS_UP if shortens(word, full) and not other_words((word,))}
    adds_up = role == "number" and (
        bool(ADDS_UP & set(own) or told or _counts(column))
        and last not in DOES_NOT_ADD
        and not (DOES_NOT_ADD & set(own) and last not in ADDS_UP)
    )
    if first == stem("total") != last and role == "number":
        adds_up = last not in _NOT_TOTALLED  # a total price is that of all that was bought at once
    if first in ("unit", "per", "average", "maximum", "minimum") and len(own) > 1 and last not in ("sold", "stock"):
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
        notation=notation,
    )


def _counts(column: Column) -> bool:
    """Whether whole numbers, none below zero, say of each row how many there are, by a plural alone: leads, wins."""
    words, profile = name_words(column.name), column.profile
    low = profile.low if profile is not None else None
    several = len(words) == 1 and words[0].endswith("s") and singular(words[0]) != words[0]
    return (
        several and column.kind == "integer" and isinstance(low, int) and low >= 0 and stem(words[0]) not in _NO_COUNTS
    )


_NO_COUNTS = UNITS | frozenset(stem(word) for word in ("days", "weeks", "months", "years", "degrees", "grades", "ids"))
_NOT_TOTALLED = frozenset(stem(word) for word in ("rate", "rating", "percent", "ratio", "share", "average", "rank"))


def _own(stems: tuple[str, ...], table_stems: tuple[str, ...], prefix: str) -> tuple[str, ...]:
    """A column's stems without what only says its table again: `name` for `stu_name` and for `bname` of a bank."""
    own = [s for s in stems if s not in table_stems]
    if set(own) <= UNITS:
        own = list(stems)  # the "Budget (EUR)" of a table of budgets
    if prefix and own[0] == prefix and len(own) > 1:
        del own[0]
    initial = table_stems[0][:1]
    for word in _INITIALED:
        if own in ([stem(f"{initial}{word}")], [initial, stem(word)]) and not is_short(f"{initial}{word}"):
            own = [stem(word)]
    return tuple(own)


_INITIALED = ("name", "id", "title", "number", "code", "type", "location", "phone", "address", "date")
"""What a column may hold whose name begins with the first letter of its table's: `bname` of a bank."""


def _role(
    column: Column, stems: tuple[str, ...], reference: bool, primary: bool, alone: bool
) -> tuple[Role, str | int | bool | None]:
    says_year = stems[-1] == "year" or (stems[0] == "year" and column.profile is not None)  # `year_published`
    if says_year and column.kind in ("integer", "number") and _years(column):
        return "year", None  # also where it is the key, or a part of it: "courses of the autumn of 2024"
    if reference and not (primary and alone):
        return "reference", None
    if column.kind == "boolean":
        return "flag", True
    profile = column.profile
    sexes = {"sex", "gender"} & set(stems)
    if profile and profile.values and len(profile.values) <= 2 and not sexes:
        values = {v.lower() for v in profile.values}
        if any(len(values & flag) == len(values) and values & _TRUE for flag in _FLAGS):
            return "flag", next(v for v in profile.values if v.lower() in _TRUE)
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
        return ("text" if len(stems) > 1 and stems[-1] in _RUNNING and _runs_on(column) else "number"), None
    if column.kind == "text" and _numeric_text(column, stems):
        return "number", None
    if column.kind == "text":
        return ("year" if stems[-1] == "year" and _years(column) else "text"), None
    return "other", None


_RUNNING = frozenset(("no", "nr", "number"))
_RUNS_FROM = 100
"""From which number on one that is given to things in turn is no count of anything."""


def _runs_on(column: Column) -> bool:
    """Whether numbers are given in turn, as to orders: whole ones, each about once or in every line of an order."""
    profile = column.profile
    if column.kind != "integer" or profile is None or profile.distinct < _MANY:
        return False
    low, high = profile.low, profile.high
    return (
        isinstance(low, int) and isinstance(high, int) and low >= _RUNS_FROM and high - low < _GAPS * profile.distinct
    )


_GAPS = 2


def _numeric_text(column: Column, stems: tuple[str, ...]) -> bool:
    """Whether a text column holds measurements: numbers or nothing by all that is known of it, and by its name."""
    profile = column.profile
    if profile is None or set(stems) & _CODES:
        return False
    if profile.distinct < _DISTINCT_MIN and not set(stems) & (ADDS_UP | DOES_NOT_ADD):
        return False
    texts = [text for value in known_of(column) if (text := str(value).strip())]
    return bool(texts) and all(_PLAIN_NUMBER.fullmatch(text) for text in texts)


_DISTINCT_MIN = 3
_PLAIN_NUMBER = re.compile(r"-?[$€£]? ?-?(?:0|[1-9]\d{0,8}|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d+)? ?[%€]?")
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
        return YEARS[0] <= float(str(column.profile.low)) <= float(str(column.profile.high)) <= YEARS[1]
    except ValueError:
        return False


def _label(
    table_stems: tuple[str, ...], attributes: Mapping[str, Attribute], key: tuple[str, ...], *, events: bool, rows: int
) -> tuple[str, ...]:
    """The columns that name a row: `name`, `title`, first and last name, else the first text, else the key.

    Rows of `events` (they have a date and belong to something) are called by their key rather than by a foreign name,
    and so are `rows` of which many share a text: the lines of a file with the customer's name.
    """
    usable = [a for a in attributes.values() if a.role in ("text", "key")]
    texts = [a for a in usable if a.role == "text"]
    called = name_stems(noun) if (noun := _noun(key, attributes)) else ()
    single = [a for a in texts if not (key and (_repeats(a, rows) or _is_lacking(a, rows)))]

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
        or pick(a for a in texts if called and a.stems == (*called, "name"))
        or pick(a for a in texts if a.stems[-1] == "name" and key == (a.name,))
        or pick(a for a in single if a.stems[-1] == "name" and a.stems[0] in _NAMING)
        or pick(a for a in single if a.stems[-1] == "name" and len(a.stems) <= 3 and not events)
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


def _telling(attributes: Mapping[str, Attribute], rows: int | None) -> tuple[str, ...]:
    """The column that numbers the rows of a table without a declared key: the order number of a file."""
    for attribute in attributes.values():
        profile = attribute.column.profile
        once = profile is not None and rows is not None and profile.distinct == rows and not profile.nulls
        if once and attribute.stems[-1] in _NUMBERING and rows and rows >= _MANY:
            return (attribute.name,)
    return ()


_NUMBERING = frozenset(("id", "no", "number", "nr", "key", "cod", "code"))
_MANY = 20
"""From how many rows on what they repeat, or never repeat, tells what it is."""


def _repeats(attribute: Attribute, rows: int) -> bool:
    """Whether many rows share the text, so that it says what they belong to rather than which they are."""
    profile = attribute.column.profile
    return rows >= _MANY and profile is not None and _SHARED * (profile.distinct or 0) <= rows


def _is_lacking(attribute: Attribute, rows: int) -> bool:
    """Whether some rows lack the text, so that it says what belongs to them: the tenant's name, of empty rooms."""
    profile = attribute.column.profile
    return rows >= _MANY and profile is not None and not profile.sampled and _LACKED * profile.nulls > rows


_LACKED = 20
_SHARED = 4


def _is_shared(attribute: Attribute, attributes: Mapping[str, Attribute], key: tuple[str, ...]) -> bool:
    """Whether a text says of which kind a row is, and the key, a text itself, names it: "city type" of cities."""
    if len(key) != 1 or attributes[key[0]].column.kind != "text":
        return False
    kinds, names = attribute.column.profile, attributes[key[0]].column.profile
    return kinds is not None and names is not None and 2 * kinds.distinct <= names.distinct
