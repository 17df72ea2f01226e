"""What people call a row: the columns that name it, and the noun for rows that only a number tells apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from assistant.embedded.source.schema import Attribute, unnumbered
from assistant.embedded.words.lexicon import name_stems

_NAMING = frozenset(("company", "full", "display", "user", "common", "official", "team"))


def label_of(
    table_stems: tuple[str, ...], attributes: Mapping[str, Attribute], key: tuple[str, ...], *, events: bool, rows: int
) -> tuple[str, ...]:
    """The columns that name a row: `name`, `title`, first and last name, else the first text, else the key.

    Rows of `events` (they have a date and belong to something) are called by their key rather than by a foreign name,
    and so are `rows` of which many share a text: the lines of a file with the customer's name.
    """
    usable = [a for a in attributes.values() if a.role in ("text", "key")]
    texts = [a for a in usable if a.role == "text"]
    called = name_stems(noun) if (noun := noun_of(key, attributes)) else ()
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


def telling(attributes: Mapping[str, Attribute], rows: int | None) -> tuple[str, ...]:
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


def noun_of(key: tuple[str, ...], attributes: Mapping[str, Attribute]) -> str:
    """What rows are called that are told apart by a number of their own: an order, by `Order No.`."""
    if len(key) != 1 or attributes[key[0]].role == "reference":
        return ""
    return unnumbered(key[0])
