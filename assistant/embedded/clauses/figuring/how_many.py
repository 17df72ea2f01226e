"""What "how many" and "the number of" count: rows, the values of a column, or a number that holds a count already."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft, Misfit
from assistant.embedded.clauses.figuring.totals import held_number, numbers_rows
from assistant.embedded.clauses.wanted import FilterWanted, Wanted, kind_said
from assistant.embedded.linking.naming import ROW_WORDS
from assistant.embedded.linking.options import ToColumn, ToMetric, ToTable, ToTerm, ToValue, is_flag
from assistant.embedded.source.schema import Attribute, Entity, repeats
from assistant.embedded.words.cues import Cue
from assistant.embedded.words.lexicon import is_past, name_words, singular
from assistant.embedded.words.vocabulary import GENDERS


def counted(draft: Draft, at: int) -> list[Wanted]:
    """Read what a count that begins at a piece counts, and use its pieces; nothing where it counts nothing named."""
    rows = at + 1 < len(draft.pieces) and draft.pieces[at + 1].span.text.lower() in ROW_WORDS
    target = draft.after(at, plain_max=5 if rows else 2)  # "how many rows are there in customers"
    text = draft.pieces[at].span.text.lower()
    distinct = any(word in text for word in ("different", "distinct", "unique"))
    skipped: list[int] = []
    while target is not None and draft.cue_at(target, "distinct", "sum"):
        distinct = distinct or draft.cue_at(target, "distinct") is not None
        skipped.append(target)
        target = draft.after(target)
    values: list[int] = []
    while target is not None and (_qualifies(draft, target) or (values and _goes_on(draft, target, values[-1]))):
        values.append(target)  # "how many rock tracks": the value is a filter and stays for its own clause
        target = draft.after(target, plain_max=0)
    if target is not None and isinstance(draft.open(target), ToColumn) and _has_between(draft, at, target):
        return []  # "how many of them have a fee": what has it is counted
    if target is not None and (held := _held_behind(draft, target)) is not None:
        skipped.append(target)
        target = held
    option = draft.open(target)
    if rows and target is None:
        raise Misfit("The rows of which table? Please name it.", weight=8)
    kind = _kind_of_row(draft, at, values) if option is None and values else None
    if kind is not None:
        draft.use(at)
        return [Wanted(aggregate="count", entity=draft.entity_of(kind))]
    if target is None or option is None:
        return []
    kind = kind_said(option, target) if is_flag(option) and draft.touches(at, target) else None
    if isinstance(option, ToColumn) and kind is not None:
        draft.use(at, target)  # "how many managers are there": the column says who is one
        draft.filters.append(kind)
        return [Wanted(aggregate="count", entity=draft.entity_of(option.attribute))]
    if isinstance(option, ToColumn) and not distinct and (answer := _yes(option.attribute)) is not None:
        draft.use(at, target)  # "how many people would stay", where some said maybe
        draft.filters.append(FilterWanted(option.attribute, "=", (answer,), piece=target))
        return [Wanted(aggregate="count", entity=draft.entity_of(option.attribute))]
    numbered = isinstance(option, ToColumn) and _numbers_some(draft, target, option.attribute)
    wanted = _count_of(draft, option, distinct=distinct or numbered, total="total" in text.split())
    if isinstance(option, ToColumn) and not distinct and _is_what_was_done(draft, target):
        wanted = [Wanted(aggregate="count", entity=draft.entity_of(option.attribute))]
    if isinstance(option, ToColumn) and not distinct and _is_of_its_value(draft, target, option):
        wanted = [Wanted(aggregate="count", entity=draft.entity_of(option.attribute))]
    if not wanted and isinstance(option, ToColumn) and _asks_kinds(draft, target, option.attribute):
        wanted = [Wanted(aggregate="distinct", attribute=option.attribute)]
    if wanted:
        draft.use(at, *skipped)
        if not isinstance(option, ToTerm):
            draft.use(target)
        if isinstance(option, ToTable):
            _name_behind(draft, target, option.entity)
            wanted += _counted_too(draft, target, option.entity)
        elif isinstance(option, ToColumn) and wanted[0].aggregate == "sum":
            wanted += _summed_too(draft, target, option.attribute)
    return wanted


def _yes(attribute: Attribute) -> str | None:
    """How a column of answers says yes, where there are others than yes and no."""
    answers = {value.lower(): value for value in attribute.known_values}
    few = attribute.role == "text" and len(answers) <= _ANSWERS_MAX
    return answers.get("yes") if few and "no" in answers else None


_ANSWERS_MAX = 5


def _asks_kinds(draft: Draft, at: int, attribute: Attribute) -> bool:
    """ "how many grades are there", "how many sections does each course have", where the column numbers them."""
    behind = [piece.span.text.lower() for piece in draft.pieces[at + 1 : at + 3]]
    several = draft.pieces[at].span.text.lower().endswith("s")
    return several and (behind == ["are", "there"] or attribute.as_text)


def _numbers_some(draft: Draft, at: int, attribute: Attribute) -> bool:
    """ "the number of seasons", where a column called season numbers them from 1 on, each in many rows."""
    text, profile = draft.pieces[at].span.text.lower(), attribute.column.profile
    one = singular(text) != text and name_words(attribute.name)[-1] == singular(text)
    if not one or attribute.adds_up or profile is None or attribute.column.kind != "integer":
        return False
    rows = draft.entity_of(attribute).table.rows or 0
    return profile.low == 1 and profile.high == profile.distinct and rows >= _IN_MANY_ROWS * profile.distinct


_IN_MANY_ROWS = 3


def _summed_too(draft: Draft, at: int, attribute: Attribute) -> list[Wanted]:
    """ "the number of home and guest points": the number behind as well."""
    link, place = at + 1, at + 2
    other = draft.open(place)
    if not draft.cue_at(link, "and") or not isinstance(other, ToColumn):
        return []
    if not other.attribute.is_amount or other.attribute.table != attribute.table:
        return []
    draft.use(link, place)
    return [Wanted(aggregate="sum", attribute=other.attribute)]


def _kind_of_row(draft: Draft, at: int, values: list[int]) -> Attribute | None:
    """ "how many engineers are there": a plural right behind, the noun itself, though it is a value of their column."""
    text, option = draft.pieces[values[-1]].span.text.lower(), draft.pieces[values[-1]].option
    if not isinstance(option, ToValue) or values[0] != at + 1 or not (text.endswith("s") or text in GENDERS):
        return None
    return None if option.attribute.name in draft.entity_of(option.attribute).label else option.attribute


def _has_between(draft: Draft, at: int, target: int) -> bool:
    return any(piece.span.text.lower() in ("have", "has", "had") for piece in draft.pieces[at + 1 : target])


def _held_behind(draft: Draft, at: int) -> int | None:
    """ "how many house rooms", where each house has a number of rooms: the number stands behind its table.

    So does "the number of people injured", where an accident has such a number, whoever the people are.
    """
    following = draft.after(at, plain_max=2)
    named, held = draft.open(at), draft.open(following)
    if following is None or not isinstance(named, ToTable) or not isinstance(held, ToColumn):
        return None
    between = {piece.span.text.lower() for piece in draft.pieces[at + 1 : following]}
    if _is_done(draft, following) and held.attribute.is_number and between <= _DOERS:
        return following
    own = held.attribute.table == named.entity.name and held.attribute.is_amount
    return following if own and draft.touches(at, following) else None


def _is_done(draft: Draft, at: int) -> bool:
    return is_past(draft.pieces[at].span.text.lower())


_DOERS = frozenset(("they", "he", "she", "it", "were", "was", "are", "is", "been", "have", "has", "had", "who", "that"))


def number_held(draft: Draft, at: int) -> tuple[int, ...]:
    """The places of a number of each row that a count at a place speaks of: "the number of credits", "of people
    injured"; none where rows are counted.
    """
    target = draft.after(at, plain_max=1) if draft.cue_at(at, "count") else None
    if target is None:
        return ()
    held = _held_behind(draft, target)
    places = (target,) if held is None else (target, held)
    option = draft.open(places[-1])
    return places if isinstance(option, ToColumn) and option.attribute.is_number else ()


def _is_of_its_value(draft: Draft, at: int, option: ToColumn) -> bool:
    """ "how many tickets of type bug": the column says what kind of rows are counted."""
    following = draft.after(at, plain_max=0)
    value = draft.open(following)
    own = isinstance(value, ToValue) and value.attribute == option.attribute
    return own and " of " in f" {draft.pieces[at].span.text.lower()} "


def _is_what_was_done(draft: Draft, at: int) -> bool:
    """ "the number of films directed by each director": what is counted is the films."""
    text = draft.pieces[at].span.text.lower().split()
    following = draft.pieces[at + 1].option if at + 1 < len(draft.pieces) else None
    return len(text) > _AGENT_WORDS and text[-1] == "by" and isinstance(following, Cue) and following.kind == "group"


_AGENT_WORDS = 2


def _name_behind(draft: Draft, at: int, entity: Entity) -> None:
    """ "how many car models", where a car is called by its model: the rows are counted, by their name."""
    following = draft.after(at, plain_max=0)
    option = draft.open(following)
    if following is None or not isinstance(option, ToColumn) or not draft.touches(at, following):
        return
    if option.attribute.table == entity.name and option.attribute.name in entity.label:
        draft.use(following)


def _counted_too(draft: Draft, at: int, entity: Entity) -> list[Wanted]:
    """ "how many customers and stores are there": the second table is counted as well."""
    link = draft.after(at, plain_max=0)
    place = draft.after(link, plain_max=0) if link is not None and draft.cue_at(link, "and") else None
    other = draft.open(place)
    if place is None or link is None or not isinstance(other, ToTable) or other.entity == entity:
        return []
    draft.use(link, place)
    draft.mention(other.entity.name)
    return [Wanted(aggregate="count", entity=other.entity)]


def _goes_on(draft: Draft, at: int, before: int) -> bool:
    """ "low and high priority tickets": a further value, or the column that they are of."""
    if draft.cue_at(at, "and", "or"):
        following = draft.after(at, plain_max=0)
        return following is not None and isinstance(draft.open(following), ToValue)
    option, value = draft.open(at), draft.open(before)
    return isinstance(option, ToColumn) and isinstance(value, ToValue) and option.attribute == value.attribute


def _qualifies(draft: Draft, at: int) -> bool:
    """A value, flag or term before the table that is counted."""
    option = draft.open(at)
    if isinstance(option, ToValue):
        return True
    adjective = isinstance(option, ToTerm) or (isinstance(option, ToColumn) and option.attribute.role == "flag")
    return adjective and isinstance(draft.open(draft.after(at, plain_max=0)), ToTable)


def _shared_name(entity: Entity) -> Attribute | None:
    """ "how many different sports", where rows without an own key say who does which: their name."""
    name = entity.attributes[entity.label[0]] if len(entity.label) == 1 else None
    plain = name is not None and name.role == "text" and name.name not in entity.key and not _keyed(entity)
    return name if name is not None and plain and repeats(name, entity) else None


def _keyed(entity: Entity) -> bool:
    return len(entity.key) == 1 and entity.attributes[entity.key[0]].role == "key"


def _count_of(draft: Draft, option: object, *, distinct: bool, total: bool) -> list[Wanted]:
    match option:
        case ToTable():
            held = None if distinct else held_number(option.entity)
            if held is not None:
                return [Wanted(aggregate="sum", attribute=held)]
            if distinct and (name := _shared_name(option.entity)) is not None:
                return [Wanted(aggregate="distinct", attribute=name)]
            return [Wanted(aggregate="count", entity=option.entity, distinct=distinct)]
        case ToMetric():
            return [Wanted(metric=option.metric)]
        case ToTerm() if option.term.table:
            entity = draft.schema.find_entity(option.term.table)
            return [Wanted(aggregate="count", entity=entity)] if entity else []
        case ToColumn() if option.attribute.is_number and not distinct and (total or not option.attribute.is_code):
            counts = option.attribute.is_amount or total
            if counts and not numbers_rows(draft.entity_of(option.attribute), option.attribute):
                return [Wanted(aggregate="sum", attribute=option.attribute)]
            return []
        case ToColumn():
            attribute = option.attribute
            entity = draft.entity_of(attribute)
            if attribute.role == "key" and entity.key == (attribute.name,):
                return [Wanted(aggregate="count", entity=entity)]
            if attribute.role == "flag" and not distinct:
                return []
            return [Wanted(aggregate="distinct", attribute=attribute)]
        case _:
            return []
