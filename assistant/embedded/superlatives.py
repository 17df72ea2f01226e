"""Clauses about extremes: "the highest price", "the most orders", "the cheapest product", "the most common genre"."""

from __future__ import annotations

from assistant.embedded.comparing import hinted, tables_in_question
from assistant.embedded.draft import Draft, Group, Misfit, Wanted
from assistant.embedded.figures import measure_at
from assistant.embedded.lexicon import PEOPLE, name_words
from assistant.embedded.linking import ToColumn, ToMetric, ToTable, ToTerm, ToValue
from assistant.embedded.meaning import Aggregate
from assistant.embedded.patterns import Cue
from assistant.embedded.schema import Attribute, Entity

_TOP_DEFAULT = 10
_SURE = 0.9


def superlatives(draft: Draft) -> None:
    """ "the highest price", "the most orders", "the cheapest product", "the most common genre"."""
    for i, cue in draft.cues("common"):
        _common(draft, i, cue.argument == "desc")
    for i, cue in draft.cues("most"):
        _most(draft, i, cue.argument == "desc")
    for i, cue in draft.cues("best"):
        if not draft.pieces[i].used:
            _best(draft, i, cue.argument, cue.hints)


def _common(draft: Draft, at: int, descending: bool) -> None:
    target = draft.after(at)
    option = draft.open(target)
    if target is None:
        raise Misfit("The most common what? I found no column for it.", weight=3)
    if isinstance(option, ToColumn) and not option.attribute.is_number:
        draft.use(at, target)
        counted = _other_entity(draft, option.attribute.table, target) or draft.entity_of(option.attribute)
        _rank_by(draft, option.attribute, Wanted(aggregate="count", entity=counted, context=True), descending)
    elif isinstance(option, ToTable):
        other = _other_entity(draft, option.entity.name, target)
        if other is None:
            raise Misfit(
                f"“{draft.pieces[at].span.text}” counted by what? Say, for instance, “with the most orders”.", weight=4
            )
        draft.use(at, target)
        _rank_by(draft, option.entity, Wanted(aggregate="count", entity=other, context=True), descending)


def _other_entity(draft: Draft, table: str, at: int) -> Entity | None:
    for i, piece in enumerate(draft.pieces):
        if i != at and not piece.used and isinstance(piece.option, ToTable) and piece.option.entity.name != table:
            draft.use(i)
            return piece.option.entity
    return None


def _rank_by(draft: Draft, group: Group, wanted: Wanted, descending: bool) -> None:
    draft.ranked = group
    draft.order.append((wanted, descending))
    draft.keep_extreme()


def _most_times(draft: Draft, at: int, descending: bool) -> bool:
    """ "the movie that is rated most times", "ordered the greatest number of times": how many rows there are of it."""
    text = draft.pieces[at + 1].span.text.lower() if at + 1 < len(draft.pieces) else ""
    if text not in ("times", "time", "often", "frequently"):
        return False
    named = [
        (i, p.option.entity) for i, p in enumerate(draft.pieces[:at]) if isinstance(p.option, ToTable) and not p.used
    ]
    if isinstance(draft.ranked, Entity) and named:  # "which 3 products were returned most often"
        draft.use(at, named[-1][0])
        _rank_by(draft, draft.ranked, Wanted(aggregate="count", entity=named[-1][1], context=True), descending)
        return True
    if not named:
        return False
    place, subject = named[0]
    events = [(i, e) for i, e in named[1:] if e is not subject] or [(place, e) for e in _only_child(draft, subject)]
    if not events:
        return False
    draft.use(at, events[-1][0])
    if not _names_of(draft, place):
        draft.use(place)
    _rank_by(draft, subject, Wanted(aggregate="count", entity=events[-1][1], context=True), descending)
    return True


def _only_child(draft: Draft, entity: Entity) -> list[Entity]:
    """The one table whose rows belong to rows of another, where there is one alone."""
    children = [edge.right for edge in draft.schema.edges.get(entity.name, ()) if edge.many]
    return [draft.schema.entities[children[0]]] if len(children) == 1 else []


def _most(draft: Draft, at: int, descending: bool) -> None:
    if _most_times(draft, at, descending):
        return
    target = draft.after(at)
    option = draft.open(target)
    if target is None:
        _most_of_before(draft, at, descending)
        return
    if isinstance(option, ToTable) and _amount(draft, at, option.entity, descending):
        return
    if isinstance(option, ToTable) and _most_done(draft, at, target, option.entity, descending):
        return
    values: list[int] = []
    while isinstance(option, ToValue) and target is not None:
        values.append(target)
        target = draft.after(target, plain_max=0)
        option = draft.open(target)
    if target is None:
        return
    wanted: Wanted | Attribute | None = None
    subject = _subject_before(draft, at, target)
    if isinstance(option, ToTable):
        wanted = Wanted(aggregate="count", entity=option.entity, context=True)
    elif isinstance(option, ToTerm) and option.term.table:
        wanted = Wanted(aggregate="count", entity=draft.schema.find_entity(option.term.table), context=True)
    elif isinstance(option, ToMetric):
        wanted = Wanted(metric=option.metric, context=True)
    elif isinstance(option, ToColumn) and option.attribute.is_number:
        if isinstance(subject, Entity) and subject.name == option.attribute.table:
            wanted = option.attribute
        elif option.attribute.adds_up:
            wanted = Wanted(aggregate="sum", attribute=option.attribute, context=True)
    if wanted is None:
        return
    if subject is None:
        raise Misfit(
            f"It is not clear which rows have “{draft.pieces[at].span.text} {draft.pieces[target].span.text}”.",
            weight=3,
        )
    draft.use(at)
    if not isinstance(option, ToTerm):
        draft.use(target)
    if isinstance(wanted, Attribute):
        draft.order.append((wanted, descending))
        draft.keep_extreme()
    else:
        _rank_by(draft, subject, wanted, descending)


def _most_done(draft: Draft, at: int, target: int, events: Entity, descending: bool) -> bool:
    """ "the most rented film", "most ordered products": what was done to it is counted."""
    place = draft.after(target, plain_max=0)
    head = draft.open(place)
    if not draft.pieces[target].span.text.lower().endswith("ed") or place is None or not isinstance(head, ToTable):
        return False
    draft.use(at, target, place)
    _rank_by(draft, head.entity, Wanted(aggregate="count", entity=events, context=True), descending)
    return True


def _amount(draft: Draft, at: int, entity: Entity, descending: bool) -> bool:
    """ "the largest amount of invoices", where an invoice has an amount: that of one, not how many there are."""
    if not draft.pieces[at].span.text.lower().endswith("amount of") or draft.content_before(at):
        return False
    amount = next((a for a in entity.attributes.values() if a.own == ("amount",) and a.is_number), None)
    if amount is None:
        return False
    draft.use(at)
    draft.wanted.append(Wanted(aggregate="maximum" if descending else "minimum", attribute=amount))
    return True


def _most_of_before(draft: Draft, at: int, descending: bool) -> None:
    """ "which customer spent the most": the figure stands before."""
    place = draft.before(at, plain_max=1)
    option = draft.open(place)
    if place is None or not isinstance(option, ToMetric):
        return
    subject = _subject_before(draft, place, at)
    if subject is not None:
        draft.use(at, place)
        _rank_by(draft, subject, Wanted(metric=option.metric, context=True), descending)


def _subject_before(draft: Draft, at: int, avoid: int) -> Group | None:
    """What is ranked: the last table or column before the superlative, else the first after what it counts."""
    if draft.ranked is not None:
        return draft.ranked
    if draft.groups:
        return None
    order = [*range(at - 1, -1, -1), *range(avoid + 1, len(draft.pieces))]
    order.sort(key=lambda i: _is_verb_like(draft, i))  # "the student participating in": the student is ranked
    for i in order:
        option = draft.open(i)
        if isinstance(option, ToTable):
            if _names_of(draft, i):
                return option.entity
            draft.use(i)
            return option.entity
        if isinstance(option, ToColumn) and not option.attribute.is_number:
            entity = draft.entity_of(option.attribute)
            if option.attribute.name in entity.label:
                return entity
            draft.use(i)
            return option.attribute
    return None


def _is_verb_like(draft: Draft, at: int) -> bool:
    option, text = draft.pieces[at].option, draft.pieces[at].span.text.lower()
    loose = isinstance(option, ToTable | ToColumn) and option.strength < _SURE
    return loose and (text.endswith(("ing", "ed")) or not isinstance(option, ToTable))


def _names_of(draft: Draft, at: int) -> bool:
    """ "the name of the customer with": the table is accounted for by the listing clause."""
    before = draft.before(at, plain_max=2)
    return before is not None and isinstance(draft.open(before), ToColumn)


def _best(draft: Draft, at: int, argument: str, hints: tuple[str, ...]) -> None:
    target = draft.after(at, plain_max=1)
    option = draft.open(target)
    descending = argument == "desc"
    if target is not None and draft.cue_at(target, "and") and not hints:
        _both_ends(draft, at, target)
        return
    if target is not None and draft.cue_at(target, "average", "sum", "count", "most"):
        found = measure_at(draft, target)
        subject = _subject_before(draft, at, target) if found else None
        if not found or subject is None:
            return
        found[0].context = True
        draft.use(at)
        _rank_by(draft, subject, found[0], descending)
        return
    if isinstance(option, ToMetric) and target is not None:
        subject = _subject_before(draft, at, target)
        if subject is None:
            raise Misfit(f"The highest {option.metric.name} of what?", weight=3)
        draft.use(at, target)
        _rank_by(draft, subject, Wanted(metric=option.metric, context=True), descending)
        return
    if isinstance(option, ToColumn) and target is not None and (option.attribute.is_number or option.attribute.is_time):
        attribute = option.attribute
        if attribute.is_time and not hints:
            raise Misfit(f"“{draft.pieces[at].span.text} {draft.pieces[target].span.text}”: by which figure?", weight=4)
        if hints and argument in ("old", "young"):
            descending = _age_direction(attribute, argument)
        draft.use(at, target)
        _by_column(draft, at, attribute, descending)
        return
    tables = tables_in_question(draft)
    if isinstance(option, ToTable):
        tables = [option.entity.name, *tables]
    attribute = hinted(draft, hints, tables) if hints else None
    if attribute is None:
        noun = draft.pieces[target].span.text if target is not None else "one"
        raise Misfit(f"“{draft.pieces[at].span.text} {noun}”: by which figure?", weight=4)
    if argument in ("old", "young"):
        descending = _age_direction(attribute, argument)
        people = PEOPLE & set(name_words(draft.entity_of(attribute).one))
        if people and attribute.is_time and "birth" not in attribute.name.lower():
            raise Misfit(f"I do not know the age of {draft.entity_of(attribute).many}.", weight=4)
    draft.use(at)
    draft.order.append((attribute, descending))
    several = target is not None and draft.pieces[target].span.text.lower().endswith("s")
    if draft.limit is None and several and isinstance(option, ToTable) and option.entity.one != option.entity.many:
        draft.limit = _TOP_DEFAULT
        draft.assumptions.append(f"the first {_TOP_DEFAULT} are shown")
    draft.keep_extreme()
    draft.assumptions.append(f"“{draft.pieces[at].span.text}” goes by {attribute.words}")


def _both_ends(draft: Draft, at: int, link: int) -> None:
    """ "the lowest and highest price"."""
    other = draft.after(link, plain_max=1)
    column = draft.after(other, plain_max=1) if other is not None else None
    option = draft.open(column)
    second = draft.cue_at(other, "best", "maximum", "minimum")
    if other is None or column is None or second is None or not isinstance(option, ToColumn):
        return
    draft.use(at, link, other, column)
    first = draft.pieces[at].option
    for cue in (first, second):
        high = isinstance(cue, Cue) and (cue.argument == "desc" or cue.kind == "maximum")
        draft.wanted.append(Wanted(aggregate="maximum" if high else "minimum", attribute=option.attribute))


def _age_direction(attribute: Attribute, argument: str) -> bool:
    """The oldest has the highest age, but the earliest date of birth."""
    return (argument == "old") == (not attribute.is_time)


def _by_column(draft: Draft, at: int, attribute: Attribute, descending: bool) -> None:
    """The highest value itself, or the row that has it: the row, if a table, a column or "who" was asked for before."""
    asked = (
        any(isinstance(p.option, ToTable | ToColumn) and not p.used for p in draft.pieces[:at])
        or draft.ranked is not None
        or draft.asks_who
    )
    if draft.limit and draft.limit > 1 and not draft.groups and not asked:
        draft.shown.append(attribute)
        draft.order.append((attribute, descending))
        return
    category = _category_before(draft, at, attribute)
    if category is not None and not draft.groups:
        aggregate: Aggregate = "sum" if attribute.adds_up else "average"
        _rank_by(draft, category, Wanted(aggregate=aggregate, attribute=attribute, context=True), descending)
        return
    if draft.groups or (not asked and not draft.asks_which):
        draft.wanted.append(Wanted(aggregate="maximum" if descending else "minimum", attribute=attribute))
        return
    draft.order.append((attribute, descending))
    draft.keep_extreme()


def _category_before(draft: Draft, at: int, attribute: Attribute) -> Attribute | None:
    """ "which topics have the lowest satisfaction": many rows share a topic, so it is the topic's figure."""
    named = [(i, p.option) for i, p in enumerate(draft.pieces[:at]) if not p.used and p.option is not None]
    columns = [(i, o.attribute) for i, o in named if isinstance(o, ToColumn)]
    if len(columns) != 1 or len(named) != 1 or not draft.asks_which:
        return None
    place, category = columns[0]
    profile, rows = category.column.profile, draft.entity_of(category).table.rows
    repeated = profile is not None and bool(rows) and (rows or 0) >= _REPEATED * max(profile.distinct or 1, 1)
    if category.table != attribute.table or category.role != "text" or not repeated:
        return None
    draft.use(place)
    draft.assumptions.append(f"each {category.words} goes by its {attribute.words}, all its rows together")
    return category


_REPEATED = 8
"""From how many rows per value on a column says what kind a row is, rather than which row it is."""
