"""Which date of a table says when its rows happened, where the question does not."""

from __future__ import annotations

from assistant.embedded.source.schema import Attribute, Entity, Schema
from assistant.embedded.words.lexicon import name_words, stem
from assistant.embedded.words.vocabulary import word_set

_OWN_DAY = 2.0
_DATE_WORDS = {"order": 2.0, "creat": 1.6, "created": 1.6, "placed": 1.5, "start": 1.2, "open": 1.5, "opened": 1.5}
_SAID_WORDS = frozenset(
    stem(word) for word in word_set("filed reported received submitted requested registered issued")
)
"""What says that a date is one on which something became known here, which comes before when it was caused."""
_SAID = 0.5
_MADE_WORDS = frozenset(
    stem(word) for word in word_set("built founded established constructed inception opened installed")
)
"""What says that a date is one on which a thing came to be, which tells nothing of what is done with it."""
_LATE_WORDS = frozenset(("updat", "update", "modifi", "modified", "chang", "load", "import", "sync"))
_OTHER_WORDS = frozenset(
    ("requir", "due", "clos", "closed", "end", "ship", "shipp", "deliv", "birth", "expir", "expiry", "discontinu")
)
_FORESEEN = frozenset(
    stem(word) for word in ("promised", "planned", "expected", "scheduled", "estimated", "target", "deadline")
)
"""What says that a date is one on which something should happen, not that it did."""
_ROOT_MIN = 4


def likeliest_date(entity: Entity) -> Attribute | None:
    dates = sorted(entity.dates, key=lambda a: -date_rank(a, entity))
    return dates[0] if dates and date_rank(dates[0], entity) >= 0 else None


def going_by(date: Attribute, entity: Entity) -> str:
    """What is said where time could go by other dates of a table as well."""
    return f"time goes by the {date.words} of {entity.many}"


def day_of(entity: Entity) -> str | None:
    """The name of that date with its table's, as metrics have it."""
    date = likeliest_date(entity)
    return f"{entity.name}.{date.name}" if date is not None else None


def day_for(schema: Schema, entity: Entity) -> Attribute | None:
    """The date of a table's rows: its own, else that of a calendar it refers to, else the likeliest that it has."""
    if (own := likeliest_date(entity)) is not None:
        return own
    near = (schema.entities[edge.right] for edge in schema.edges.get(entity.name, ()) if not edge.many)
    dated = [(other, date) for other in near if (date := likeliest_date(other)) is not None]
    dated.sort(key=lambda found: (not found[0].is_calendar, -date_rank(found[1], found[0])))
    return dated[0][1] if dated else None


def happens(entity: Entity) -> bool:
    """Whether the rows of a table are events with a day of their own: orders have one, customers only signed up."""
    date = likeliest_date(entity)
    return date is not None and date_rank(date, entity) >= _OWN_DAY and stem("since") not in date.stems


def has_days(entity: Entity) -> bool:
    """Whether its rows are counted by a date of their own: events are, and what is noted of other rows, as damages."""
    noted = any(a.role == "reference" for a in entity.attributes.values())
    return happens(entity) or (noted and likeliest_date(entity) is not None)


def date_rank(attribute: Attribute, entity: Entity) -> float:
    """How likely a date is what a row is about; below zero: never, unless it is named."""
    stems = set(attribute.stems)
    rank = 1.0
    if stems & set(entity.stems) or any(_done(word, entity) for word in stems):
        rank += 2.0
    if attribute.stems == ("date",):
        rank += 1.8
    if stems & _SAID_WORDS:
        rank += _SAID
    rank += max((_DATE_WORDS.get(word, 0.0) for word in stems), default=0.0)
    if stems & _LATE_WORDS:
        return -1.0
    if is_birth(attribute.name):
        rank -= 1.5
    if stems & (_OTHER_WORDS | _FORESEEN):
        rank -= 0.6
    if attribute.role == "year":
        rank -= 0.2
    profile = attribute.column.profile
    if profile and entity.table.rows:
        rank -= profile.nulls / max(entity.table.rows, 1)
    return rank


def is_made(attribute: Attribute) -> bool:
    """Whether a date tells when a thing came to be: built, founded."""
    return bool(set(attribute.stems) & _MADE_WORDS)


def is_foreseen(attribute: Attribute) -> bool:
    """Whether a date is one on which something should happen: promised, due."""
    return bool(set(attribute.stems) & (_FORESEEN | {"due", "requir"}))


def _done(word: str, entity: Entity) -> bool:
    """Whether a date is called like what its rows are of: shipments are shipped, bookings booked."""
    return len(word) >= _ROOT_MIN and entity.stems[-1].startswith(word)


def is_birth(name: str) -> bool:
    """Whether a date is called like the day somebody was born."""
    return any(word.startswith("birth") or word in ("born", "dob") for word in name_words(name))
