"""When something happened, by the noun for it: the delivery of a parcel, a signup, the order itself."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.linking.options import ToColumn, ToTable
from assistant.embedded.source.dating import is_foreseen, likeliest_date
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.words.lexicon import name_stems, stem
from assistant.embedded.words.vocabulary import word_set

_SURE = 0.9
_ROOT = 5
"""How many first letters a noun and the verb for it share at least: delivery and delivered."""
_ENDS = frozenset(
    stem(word)
    for word in word_set(
        "end ended finish finished close closed complete completed out until to arrived arrival returned"
    )
)


_STARTS = frozenset(stem(word) for word in ("start", "started", "begin", "began"))


def moment_of(draft: Draft, at: int | None) -> Attribute | None:
    """The date that a word speaks of: by its name, by the verb for the noun, or that of the table's rows."""
    option = draft.open(at)
    if at is None:
        return None
    if isinstance(option, ToColumn):
        if option.attribute.role == "date":
            return option.attribute
        said = draft.pieces[at].span.text
        return _called(draft, said) if option.strength < _SURE else None  # "shipment", though there is a ship address
    if isinstance(option, ToTable) and option.strength > _SURE:
        return likeliest_date(option.entity)
    called = _called(draft, draft.pieces[at].span.text)
    if called is None and isinstance(option, ToTable):
        return likeliest_date(option.entity)
    return called


def _called(draft: Draft, noun: str) -> Attribute | None:
    """The one date that is called by the verb for a noun, in the tables spoken of if there are any."""
    said = name_stems(noun)[-1:]
    dates = [a for e in draft.schema.entities.values() for a in e.dates if a.role == "date"]
    found = [a for a in dates if said and any(alike(said[0], word) for word in a.own)]
    spoken = [a for a in found if a.table in draft.mentioned] or found
    return spoken[0] if len(spoken) == 1 else None


def called_like(rows: Entity, verb: str) -> Attribute | None:
    """The one date of some rows that is called like a verb: "to ship", of `shipped_on`."""
    found = [a for a in rows.dates if a.role == "date" and any(alike(stem(verb), word) for word in a.own)]
    return found[0] if len(found) == 1 else None


def alike(noun: str, verb: str) -> bool:
    """Whether a noun is that of a verb: delivery and delivered, shipment and shipped."""
    base = noun.removesuffix("ment")  # shipment and shipped
    if noun == verb or (base != noun and verb.startswith(base)):
        return True
    return len(verb) >= _ROOT and noun[:_ROOT] == verb[:_ROOT]


def start_and_end(draft: Draft, at: int) -> tuple[Attribute, Attribute] | None:
    """From when to when something lasts, by its noun: up to the day it names, or from its rows' start to their end."""
    option = draft.open(at)
    if isinstance(option, ToTable):
        called = _called(draft, draft.pieces[at].span.text) if option.strength <= _SURE else None
        end, lasting = called or likeliest_date(option.entity), lasting_of(option.entity)
        if called is None and (lasting is not None or option.strength > _SURE):
            return lasting
    else:
        end = moment_of(draft, at)
    if end is not None:
        start = since(draft.entity_of(end), end)
        return (start, end) if start is not None else None
    pairs = [pair for entity in draft.schema.entities.values() if (pair := lasting_of(entity)) is not None]
    return pairs[0] if len(pairs) == 1 else None


def lasting_of(entity: Entity) -> tuple[Attribute, Attribute] | None:
    """The first day and the last of the rows of a table that last for some time."""
    ends = [a for a in entity.dates if a.role == "date" and a.own[-1] not in ("in",) and _ENDS & set(a.own)]
    if not ends:
        return _under_way(entity)
    if len(ends) != 1:
        return None
    start = since(entity, ends[0])
    return (start, ends[0]) if start is not None else None


def _under_way(entity: Entity) -> tuple[Attribute, Attribute] | None:
    """The departure and the arrival of a trip; of a guest's stay the arrival comes first, which the days tell."""
    dates = [a for a in entity.dates if a.role == "date" and not is_foreseen(a)]
    left, came = ([a for a in dates if words & set(a.own)] for words in (_LEAVING, _COMING))
    if len(left) != 1 or len(came) != 1:
        return None
    pair = (left[0], came[0])
    first, last = sorted(pair, key=lambda a: str(a.column.profile.low if a.column.profile else ""))
    return (first, last)


_LEAVING = frozenset(stem(word) for word in ("departed", "departure", "left", "leaving", "pickup"))
_COMING = frozenset(stem(word) for word in ("arrived", "arrival", "returned", "return", "dropoff"))


def since(entity: Entity, end: Attribute) -> Attribute | None:
    """Since when rows are what they are, until the end: the other half of a pair, or the day that they began."""
    twin = [a for a in entity.dates if a.own[:-1] == end.own[:-1] and a != end and a.own[:-1]]  # check in, check out
    if len(twin) == 1:
        return twin[0]
    others = [a for a in entity.dates if a.role == "date" and a != end and not is_foreseen(a)]
    starts = [a for a in others if _STARTS & set(a.own)]
    if len(starts) == 1:
        return starts[0]
    likeliest = likeliest_date(entity)
    if likeliest in others:
        return likeliest
    return others[0] if len(others) == 1 else None
