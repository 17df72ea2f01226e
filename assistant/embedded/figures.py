"""Clauses about figures and groups: what is counted, added up or averaged, by what, over which period's grain."""

from __future__ import annotations

from typing import cast

from assistant.embedded.draft import Draft, Group, Misfit, Piece, Wanted
from assistant.embedded.lexicon import name_stems, singular
from assistant.embedded.linking import ToColumn, ToMetric, ToNumber, ToTable, ToTerm, ToValue
from assistant.embedded.meaning import Aggregate, ChartKind, DatePart, Grain
from assistant.embedded.naming import ROW_WORDS
from assistant.embedded.patterns import REASONS, Cue
from assistant.embedded.runs import KINDS, run_at
from assistant.embedded.schema import Attribute, Entity
from assistant.embedded.totals import amount_of, held_number, numbers_rows, refuse_text, total_of

_GRAINS: dict[str, Grain] = {"day": "day", "week": "week", "month": "month", "quarter": "quarter", "year": "year"}


def unsupported(draft: Draft) -> None:
    """Questions the analyst knows it cannot answer."""
    for _, cue in draft.cues("unsupported"):
        raise Misfit(REASONS[cue.argument], weight=9)


def charts(draft: Draft) -> None:
    """ "as a bar chart"."""
    for i, cue in draft.cues("chart"):
        draft.use(i)
        if cue.argument:
            draft.chart = cast(ChartKind, cue.argument)


_MODIFIERS_MAX = 3


def compounds(draft: Draft) -> None:
    """ "product category", "customer city": the first of two touching nouns only says which one is meant."""
    chained = 0
    for i, piece in enumerate(draft.pieces[:-1]):
        following = draft.pieces[i + 1]
        if piece.used or not isinstance(piece.option, ToTable) or piece.span.end != following.span.start:
            continue
        if _is_verb(piece.span.text):
            continue  # "the most rented film"
        option, entity = following.option, piece.option.entity
        noun = isinstance(option, ToTable) and option.entity is not entity and not _is_verb(following.span.text)
        noun = noun and not _agrees(piece.span.text, following)
        if noun or (isinstance(option, ToColumn) and _belongs(draft, entity, option.attribute)):
            piece.used, piece.option = True, None
            chained += 1
            if chained > _MODIFIERS_MAX:
                raise Misfit("So many names in a row say nothing I can read.", weight=3)


_KINDS = frozenset(("type", "types", "kind", "kinds", "name", "names", "title", "titles"))


def kinds(draft: Draft) -> None:
    """ "colour type", "codes of tour types": beside a text column the word only says again what the column is."""
    for i, piece in enumerate(draft.pieces[1:], 1):
        before = draft.pieces[i - 1]
        if piece.used or not isinstance(piece.option, ToColumn) or not isinstance(before.option, ToColumn):
            continue
        said = before.option.attribute.role == "text" and before.option.strength >= _SURE_COLUMN
        one = singular(before.span.text.lower()) == before.span.text.lower()  # in "codes, names" two are asked for
        if said and one and draft.touches(i - 1, i) and not piece.span.parted and piece.span.text.lower() in _KINDS:
            piece.used, piece.option = True, None
    for i, piece in enumerate(draft.pieces[:-2]):
        of, named = draft.pieces[i + 1].span.text.lower(), draft.pieces[i + 2].option
        if piece.used or of != "of" or not isinstance(piece.option, ToColumn) or not isinstance(named, ToColumn):
            continue
        said = name_stems(piece.span.text)[-1:]
        if named.attribute.role == "text" and named.attribute.stems[-1:] == said:
            piece.used, piece.option = True, None


_SURE_COLUMN = 0.9


def _agrees(several: str, verb: Piece) -> bool:
    """In "members subscribe to" the second word is what the first ones do, though a table is called after it."""
    loose = isinstance(verb.option, ToTable) and verb.option.strength < _LOOSE
    return loose and several.lower().endswith("s") and not verb.span.text.lower().endswith("s")


_LOOSE = 0.8


def _is_verb(text: str) -> bool:
    """In "customers ordered" no noun follows a noun."""
    return text.lower().endswith(("ed", "ing")) or text.lower().split()[0].endswith("ed")


def _belongs(draft: Draft, entity: Entity, attribute: Attribute) -> bool:
    """Whether rows of the table have one such text each, by way of another table."""
    if attribute.role != "text" or attribute.table == entity.name:
        return False
    return (
        any(not edge.many for edge in draft.schema.edges.get(entity.name, ()))
        and attribute.table in draft.schema.entities
    )


def grains(draft: Draft) -> None:
    """ "per month", "monthly", "by year and quarter", "over time"."""
    for i, cue in draft.cues("grain"):
        draft.use(i)
        grain = _GRAINS[cue.argument]
        if grain not in draft.grains:
            draft.grains.append(grain)
        link = draft.after(i, plain_max=0)
        place = draft.after(link, plain_max=1) if link is not None and draft.cue_at(link, "and") else None
        group = _groupable(draft, place, each=False) if place is not None else None
        if group is not None and link is not None and place is not None and place == link + 1:
            draft.use(link, place)  # "by month and region"
            _add_group(draft, group)
        text = draft.pieces[i].span.text.lower()
        if "time" in text or "trend" in text:
            draft.assumptions.append(f"“{text}” is shown by month")


def parts(draft: Draft) -> None:
    """ "by weekday", "per hour of the day"."""
    for i, cue in draft.cues("part"):
        if not cue.argument.endswith("asked"):
            draft.use(i)
            draft.parts.append(cast(DatePart, cue.argument))


def groups(draft: Draft) -> None:
    """ "by region", "per store and category", "for each customer"."""
    for i, cue in draft.cues("group"):
        at = draft.after(i)
        if cue.argument == "by" and at == i + 1 and draft.cue_at(at, "group"):
            draft.use(i)  # "by each"
            continue
        if cue.argument == "by" and isinstance(draft.open(at), ToValue):
            draft.use(i)  # "orders by London customers": who it is by
            continue
        if cue.argument == "by" and i + 1 < len(draft.pieces) and _counts_agents(draft.pieces[i + 1].option):
            draft.use(i)  # "tours ordered by at least two customers"
            continue
        if _is_over_all(draft, i):
            draft.use(i)  # "the average age across all customers": of all together
            continue
        if cue.argument == "by" and at is not None and _is_agent(draft, i, at):
            draft.use(i)
            continue
        if at is not None and draft.cue_at(at, "distinct"):
            draft.use(at)
            at = draft.after(at)
        found: list[int] = []
        while at is not None:
            group = _groupable(draft, at, each=cue.argument == "each")
            if group is None:
                break
            found.append(at)
            follow = draft.after(at, plain_max=0)
            beyond = draft.open(follow)
            touching = draft.touches(at, follow)
            if (
                touching
                and isinstance(beyond, ToColumn)
                and isinstance(group, Entity)
                and beyond.attribute.table == group.name
            ):
                at = follow  # "by product type": the column, not the table
                continue
            _add_group(draft, group)
            if cue.argument == "by" and draft.pieces[at].span.text.lower().endswith("s"):
                draft.agents.append(group)  # "requested by customers": who does it, if it is about customers anyway
            follow = draft.after(at, plain_max=1)
            if follow is None:
                break
            if draft.cue_at(follow, "and"):
                after_and = draft.after(follow, plain_max=1)
                if draft.cue_at(after_and, "group"):
                    after_and = draft.after(cast(int, after_and), plain_max=1)
                if after_and is None or _groupable(draft, after_and, each=False) is None:
                    break
                found.append(follow)
                if draft.cue_at(after_and - 1, "group"):
                    found.append(after_and - 1)
                at = after_and
            elif draft.touches(at, follow) and _groupable(draft, follow, each=False):
                at = follow
            else:
                break
        if found or _asks_on(draft, i):
            draft.use(i, *found)


def _asks_on(draft: Draft, at: int) -> bool:
    """ "For each, tell me ...", "for each of them": of each of what was spoken of."""
    text = draft.pieces[at].span.text.lower()
    following = [piece.span.text.lower() for piece in draft.pieces[at + 1 : at + 3]]
    return text.startswith("for each") and at > 0 and bool(_AGAIN & set(following))


_AGAIN = frozenset(("them", "those", "these", "tell", "show", "list", "give", "return", "find", "report", "also"))


def _counts_agents(option: object) -> bool:
    return isinstance(option, ToNumber) or (isinstance(option, Cue) and option.kind == "compare")


def _is_over_all(draft: Draft, at: int) -> bool:
    words = [piece.span.text.lower() for piece in draft.pieces[at : at + 2]]
    return words == ["across", "all"]


def _is_agent(draft: Draft, by: int, at: int) -> bool:
    """ "founded by the person who", "written by authors from": those who did it, so nothing is broken down."""
    verb = draft.pieces[by - 1].span.text.lower() if by > 0 else ""
    done = verb.endswith(("ed", "en")) or verb in _DONE
    who = draft.pieces[at + 1].span.text.lower().split()[0] if at + 1 < len(draft.pieces) else ""
    several = draft.pieces[at].span.text.lower().endswith("s")
    one = draft.pieces[at - 1].span.text.lower() == "the" and not several
    told = who in ("who", "that", "with", "whose", "which") or (several and who in ("from", "in", "named", "called"))
    return done and (one or several) and told and isinstance(draft.open(at), ToTable)


_DONE = frozenset(
    ("made", "sold", "bought", "sent", "paid", "taught", "led", "held", "won", "run", "built", "drawn", "sung", "kept")
)
"""Verbs in "done by" that end otherwise."""


def _groupable(draft: Draft, at: int, *, each: bool) -> Group | None:
    option = draft.open(at)
    if isinstance(option, ToTable):
        return option.entity
    if isinstance(option, ToColumn):
        attribute = option.attribute
        if not attribute.is_number:
            return attribute
        distinct = attribute.column.profile.distinct if attribute.column.profile else None
        if (not attribute.adds_up and (distinct is None or distinct <= 60)) or (each and distinct and distinct <= 200):
            return attribute
    return None


def _add_group(draft: Draft, group: Group) -> None:
    if isinstance(group, Attribute):
        draft.mention(group.table)
    if group not in draft.groups:
        draft.groups.append(group)


def measure_at(draft: Draft, at: int | None) -> list[Wanted]:
    """Read a figure that begins at a piece ("average price", "number of orders", "net revenue") and use its pieces."""
    if at is None:
        return []
    option = draft.open(at)
    if isinstance(option, ToMetric):
        draft.use(at)
        return [Wanted(metric=option.metric)]
    if isinstance(option, ToColumn) and option.attribute.is_number:
        draft.use(at)
        return [Wanted(attribute=option.attribute)]
    if draft.cue_at(at, "count"):
        return _counted(draft, at)
    if draft.cue_at(at, "average", "sum", "minimum", "maximum", "how_much"):
        return _aggregated(draft, at)
    return []


def _counted(draft: Draft, at: int) -> list[Wanted]:
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
    if target is None or option is None:
        return []
    wanted = _count_of(draft, option, distinct=distinct, total="total" in text.split())
    if isinstance(option, ToColumn) and not distinct and _is_what_was_done(draft, target):
        wanted = [Wanted(aggregate="count", entity=draft.entity_of(option.attribute))]
    if wanted:
        draft.use(at, *skipped)
        if not isinstance(option, ToTerm):
            draft.use(target)
        if isinstance(option, ToTable):
            wanted += _counted_too(draft, target, option.entity)
    return wanted


def _has_between(draft: Draft, at: int, target: int) -> bool:
    return any(piece.span.text.lower() in ("have", "has", "had") for piece in draft.pieces[at + 1 : target])


def _held_behind(draft: Draft, at: int) -> int | None:
    """ "how many house rooms", where each house has a number of rooms: the number stands behind its table."""
    following = draft.after(at, plain_max=0)
    named, held = draft.open(at), draft.open(following)
    if not isinstance(named, ToTable) or not isinstance(held, ToColumn) or not held.attribute.is_amount:
        return None
    return following if held.attribute.table == named.entity.name and draft.touches(at, following) else None


def _is_what_was_done(draft: Draft, at: int) -> bool:
    """ "the number of films directed by each director": what is counted is the films."""
    text = draft.pieces[at].span.text.lower().split()
    following = draft.pieces[at + 1].option if at + 1 < len(draft.pieces) else None
    return len(text) > _AGENT_WORDS and text[-1] == "by" and isinstance(following, Cue) and following.kind == "group"


_AGENT_WORDS = 2


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


def _count_of(draft: Draft, option: object, *, distinct: bool, total: bool) -> list[Wanted]:
    match option:
        case ToTable():
            held = None if distinct else held_number(option.entity)
            if held is not None:
                return [Wanted(aggregate="sum", attribute=held)]
            return [Wanted(aggregate="count", entity=option.entity)]
        case ToMetric():
            return [Wanted(metric=option.metric)]
        case ToTerm() if option.term.table:
            entity = draft.schema.find_entity(option.term.table)
            return [Wanted(aggregate="count", entity=entity)] if entity else []
        case ToColumn() if option.attribute.is_number and not distinct and not option.attribute.is_code:
            counts = option.attribute.is_amount or total
            if counts and not numbers_rows(draft.entity_of(option.attribute), option.attribute):
                return [Wanted(aggregate="sum", attribute=option.attribute)]
            return []
        case ToColumn():
            attribute = option.attribute
            entity = draft.entity_of(attribute)
            if attribute.role == "key" and entity.key == (attribute.name,):
                return [Wanted(aggregate="count", entity=entity)]
            if attribute.role == "flag":
                return []
            return [Wanted(aggregate="distinct", attribute=attribute)]
        case _:
            return []


def _number_before(draft: Draft, at: int) -> int | None:
    """ "what is the mileage of the drivers on average": what is averaged was named before."""
    options = [(i, draft.open(i)) for i in range(at)]
    return next((i for i, o in reversed(options) if isinstance(o, ToColumn) and o.attribute.is_number), None)


def _aggregated(draft: Draft, at: int) -> list[Wanted]:
    """ "average and maximum price of": several aggregates may share a column, several columns an aggregate."""
    aggregates, used, target, linked = run_at(draft, at)
    if not linked and aggregates[1:] == ["sum"]:
        aggregates = aggregates[:1]  # "the average total number of passengers": of the column that holds totals
    if target is None and draft.pieces[at].span.text.lower() == "on average":
        target = _number_before(draft, at)
    if target is None:
        return []
    numbered = draft.after(target) if draft.cue_at(target, "count") else None
    named = draft.open(numbered)
    if numbered is not None and isinstance(named, ToColumn) and named.attribute.is_number and aggregates != ["sum"]:
        used.append(target)  # "the average number of votes"
        target = numbered
    if draft.cue_at(target, "count") and target not in used:
        if aggregates == ["sum"]:
            draft.use(*used)
            return _counted(draft, target)
        return []
    option = draft.open(target)
    if isinstance(option, ToTable):  # "average track length"
        following = draft.after(target, plain_max=0)
        beyond = draft.open(following)
        if following is not None and isinstance(beyond, ToColumn) and beyond.attribute.table == option.entity.name:
            used.append(target)
            target, option = following, beyond
    if isinstance(option, ToMetric):
        if aggregates in (["sum"], ["average"]) and (
            aggregates == ["sum"] or option.metric.name.lower().startswith("av")
        ):
            draft.use(*used, target)
            return [Wanted(metric=option.metric)]
        return []
    if isinstance(option, ToTable) and aggregates == ["sum"]:
        draft.use(*used, target)
        return [total_of(draft, option.entity)]
    if isinstance(option, ToTable) and (amount := amount_of(option.entity)) is not None:
        draft.use(*used, target)
        draft.assumptions.append(f"the figure of {option.entity.many} is their {amount.words}")
        return [Wanted(aggregate=a, attribute=amount) for a in aggregates]
    refuse_text(option, aggregates)
    found: list[Wanted] = []
    while isinstance(option, ToColumn) and (option.attribute.is_number or _has_extremes(option.attribute, aggregates)):
        found += [Wanted(aggregate=a, attribute=option.attribute) for a in aggregates]
        used.append(target)
        link = draft.after(target, plain_max=1)
        following = draft.after(link, plain_max=1) if link is not None and draft.cue_at(link, "and") else None
        option = draft.open(following)
        if not (isinstance(option, ToColumn) and option.attribute.is_number) or following is None or link is None:
            break
        used.append(link)
        target = following
    if found:
        draft.use(*used)
    return found


def _has_extremes(attribute: Attribute, aggregates: list[Aggregate]) -> bool:
    return attribute.is_time and set(aggregates) <= {"minimum", "maximum"}


def extremes(draft: Draft) -> None:
    """ "the highest, lowest and average cost", "minimum and maximum number of beds": several figures of one column."""
    for i, _ in draft.cues(*KINDS):
        if not draft.pieces[i].used and run_at(draft, i).linked:
            draft.wanted += [w for w in _aggregated(draft, i) if w not in draft.wanted]


def measures(draft: Draft) -> None:
    """Every figure that is asked for outright."""
    for i, _ in draft.cues("sum"):
        if i and draft.pieces[i - 1].span.text.lower() == "in" and (draft.wanted or draft.having or draft.related):
            draft.use(i)  # "more than 40 in total"
    for i in range(len(draft.pieces)):
        option = draft.open(i)
        if isinstance(option, ToMetric) or draft.cue_at(i, "count", "average", "sum", "minimum", "maximum", "how_much"):
            found = measure_at(draft, i)
            draft.wanted += [w for w in found if w not in draft.wanted]
