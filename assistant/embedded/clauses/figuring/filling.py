"""How full something is: "how full were our flights?", "occupancy by hall", "how full is each course?".

What is held is a number of the rows that belong to what has the room, such as passengers, or how many such rows there
are. Where each of these rows has the room anew, as each flight has all seats of its plane, it counts for every one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.linking.options import ToColumn, ToTable
from assistant.embedded.meaning import PERCENT
from assistant.embedded.source.dating import day_of, likeliest_date
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.sql.tables import qualified
from assistant.embedded.words.lexicon import stem
from assistant.embedded.words.vocabulary import word_set

if TYPE_CHECKING:
    from knowledge.documents import Metric

_SAYING = word_set("occupancy utilization utilisation")
_STATES = word_set("full occupied filled")
_ROOM = frozenset(stem(word) for word in ("capacity", "seats", "places"))
_MOST = stem("maximum")
_HELD = frozenset(
    stem(word)
    for word in word_set("passengers attendance attendees guests visitors spectators audience participants occupants")
)


def filling(draft: Draft) -> None:
    """Divide what is held by the room that there is, in percent."""
    at = asked_at(draft)
    first = draft.before(at, plain_max=1) if at is not None else None
    if at is None or draft.wanted or (first is not None and draft.cue_at(first, "best", "maximum", "minimum")):
        return  # "which hall has the highest occupancy" is read where it is ranked
    if (figure := fullness(draft, at)) is not None:
        draft.wanted.append(figure)


def asked_at(draft: Draft) -> int | None:
    """Where it is asked how full something is."""
    return next((i for i in range(len(draft.pieces)) if _asks(draft, i)), None)


def fullness(draft: Draft, at: int) -> Wanted | None:
    """What is held over the room that there is, where one of each may be meant; the words that say it are used."""
    rooms = [(a, held) for a in _rooms(draft) if (held := _held(draft, a)) is not None]
    if len(rooms) != 1:
        return None
    room, figure = rooms[0]
    draft.use(at)
    draft.pieces[at].option = None
    for i, piece in enumerate(draft.pieces):
        own = isinstance(piece.option, ToColumn) and piece.option.attribute == room
        average = i < at and draft.cue_at(i, "average") is not None
        grouped = i > 0 and draft.cue_at(i - 1, "group", "which") is not None
        if own or average or (not grouped and _is_near(draft, room, i)):
            draft.use(i)
    draft.mention(room.table)
    return figure


def _asks(draft: Draft, at: int) -> bool:
    said = draft.word(at).split()
    if not said or draft.pieces[at].used:
        return False
    return said[-1] in _SAYING or (said[-1] in _STATES and "how" in (*said, draft.word(at - 1)))


def _is_near(draft: Draft, room: Attribute, at: int) -> bool:
    option = draft.pieces[at].option
    return isinstance(option, ToTable) and option.entity.name in _near(draft, room)


def _rooms(draft: Draft) -> list[Attribute]:
    """The numbers that say how much there is room for, of the tables that are spoken of if there are any."""
    numbers = [a for a in draft.schema.attributes if a.is_number and (_ROOM & set(a.own) or a.own[:1] == (_MOST,))]
    named = {p.option.entity.name for p in draft.pieces if isinstance(p.option, ToTable)}
    named |= {p.option.attribute.table for p in draft.pieces if isinstance(p.option, ToColumn)}
    return [room for room in numbers if _near(draft, room) & named] or numbers


def _near(draft: Draft, room: Attribute) -> set[str]:
    return {room.table, *(entity.name for entity in draft.schema.children(draft.entity_of(room)))}


def _held(draft: Draft, room: Attribute) -> Wanted | None:
    """What is held, over the room; none where more than one thing may be meant."""
    children = draft.schema.children(draft.entity_of(room))
    words = set(room.own) - {_MOST} - _ROOM
    numbers = [a for e in children for a in e.attributes.values() if a.is_number and (_HELD | words) & set(a.own)]
    per = Wanted(aggregate="sum", attribute=room)
    if len(numbers) == 1:
        rows = draft.entity_of(numbers[0])
        if likeliest_date(rows) is not None and _HELD & set(numbers[0].own):
            draft.assumptions.append(f"how full is told by {numbers[0].words} in percent of {room.words}")
            return Wanted(metric=_each_time(draft, rows, numbers[0], room))
        return Wanted(aggregate="sum", attribute=numbers[0], per=per, unit=PERCENT)
    meant = [e for e in children if words & set(e.stems)] or children
    if numbers or len(meant) != 1:
        return None
    return Wanted(aggregate="count", entity=meant[0], per=per, unit=PERCENT)


def _each_time(draft: Draft, rows: Entity, held: Attribute, room: Attribute) -> Metric:
    from knowledge.documents import Metric

    over, under = (qualified(attribute, draft.schema.dialect) for attribute in (held, room))
    return Metric(
        name="occupancy",
        definition=f"{held.words} in percent of the {room.words} of all {rows.many}",
        expression=f"100.0 * SUM({over}) / NULLIF(SUM({under}), 0)",
        table=rows.name,
        date_column=day_of(rows),
        joins=(room.table,),
        unit_symbol="%",
    )
