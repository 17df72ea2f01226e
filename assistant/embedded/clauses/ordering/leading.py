"""Clauses about what has the most of something: "the store with the most orders", "who bought the fewest items"."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft, Group, Misfit
from assistant.embedded.clauses.figuring.totals import held_number
from assistant.embedded.clauses.naming.counting import parent_of
from assistant.embedded.clauses.ordering.by_default import default_figure
from assistant.embedded.clauses.ordering.commonest import (
    commonest_members,
    done_to,
    names_of,
    names_row,
    often,
    rank_by,
)
from assistant.embedded.clauses.ordering.deeds import most_active, most_done, most_rows
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.linking.options import ToColumn, ToMetric, ToPeriod, ToTable, ToTerm, ToValue, is_flag
from assistant.embedded.source.schema import DOES_NOT_ADD, Attribute, Entity
from assistant.embedded.words.lexicon import is_past, stem
from assistant.embedded.words.vocabulary import word_set

_SURE = 0.9


def most(draft: Draft, at: int, descending: bool) -> None:
    """Rank what has the most, or the fewest, by what it has; an own number needs no ranking."""
    if often(draft, at, descending) or most_rows(draft, at, descending) or most_active(draft, at, descending):
        return
    target = draft.after(at)
    option = draft.open(target)
    before = draft.open(at - 1) if at > 0 else None
    said_before = isinstance(before, ToMetric)  # "spent the most in 2025", "... in Italy"
    if isinstance(before, ToMetric) and isinstance(option, ToTable) and target is not None:
        apart = draft.pieces[target].span.start > draft.pieces[at].span.end
        if apart and draft.schema.find_entity(before.metric.table) == option.entity:
            draft.use(target)  # "spends the most on marketing", which is what the figure is about
            _most_of_before(draft, at, descending)
            return
    if target is None or isinstance(option, ToPeriod) or (said_before and not isinstance(option, ToTable | ToColumn)):
        _most_of_before(draft, at, descending)
        return
    if isinstance(option, ToTable) and _amount(draft, at, option.entity, descending):
        return
    if isinstance(option, ToColumn) and _is_quality(draft, at, target, option.attribute):
        draft.use(at, target)
        draft.order.append((option.attribute, descending))
        draft.keep_extreme()
        return
    if done_to(draft, at, target, descending):
        return
    valued: list[Attribute] = []
    while target is not None and isinstance(option, ToValue | ToColumn):
        if isinstance(option, ToColumn) and option.attribute not in valued and not _is_state_of(draft, target):
            break
        valued.append(option.attribute)  # "the most high priority tickets": a value and its column
        target = draft.after(target, plain_max=0)
        option = draft.open(target)
    if target is None:
        _most_of_kind(draft, at, valued, descending)
        return
    wanted: Wanted | Attribute | None = None
    asked = is_asked(draft, at)
    subject = subject_before(draft, at, target, counted=option.entity if isinstance(option, ToTable) else None)
    if isinstance(option, ToTable):
        held = held_number(option.entity)  # "the most degrees", where rows hold how many there are
        wanted = Wanted(aggregate="sum", attribute=held, context=True) if held is not None else None
        wanted = wanted or Wanted(aggregate="count", entity=option.entity, context=True)
    elif isinstance(option, ToTerm) and option.term.table:
        wanted = Wanted(aggregate="count", entity=draft.schema.find_entity(option.term.table), context=True)
    elif isinstance(option, ToMetric):
        wanted = Wanted(metric=option.metric, context=True)
    elif isinstance(option, ToColumn) and option.attribute.is_number:
        if isinstance(subject, Entity) and subject.name == option.attribute.table:
            wanted = option.attribute
        elif subject is not None or option.attribute.adds_up:
            several = draft.pieces[target].span.text.lower().endswith("s")
            own = set(option.attribute.own)
            amount = option.attribute.adds_up or bool(_AMOUNTS & own) or not DOES_NOT_ADD & own
            summed = several or amount  # "the most points", "the most weight", but "the most satisfied"
            wanted = Wanted(aggregate="sum" if summed else "average", attribute=option.attribute, context=True)
    elif isinstance(option, ToColumn) and draft.pieces[at].span.end == draft.pieces[target].span.start:
        wanted = _how_many(draft, option.attribute)
    if wanted is None:
        return
    if subject is None:
        raise Misfit(
            f"It is not clear which rows have “{draft.pieces[at].span.text} {draft.pieces[target].span.text}”.",
            weight=3,
        )
    if isinstance(wanted, Wanted) and wanted.entity is not None and wanted.entity == subject:
        raise Misfit(f"Each of the {wanted.entity.many} is one: counted by what?", weight=3)
    if isinstance(wanted, Attribute) and not asked:
        draft.wanted.append(Wanted(aggregate="maximum" if descending else "minimum", attribute=wanted))
        draft.use(at, target)
        return
    draft.use(at)
    if not isinstance(option, ToTerm):
        draft.use(target)
    if isinstance(wanted, Attribute):
        draft.order.append((wanted, descending))
        draft.keep_extreme()
    else:
        rank_by(draft, subject, wanted, descending)


_AMOUNTS = frozenset(
    stem(word) for word in ("weight", "mass", "distance", "duration", "time", "area", "volume", "length")
)


def _most_of_kind(draft: Draft, at: int, kinds: list[Attribute], descending: bool) -> None:
    """ "who reported the most bugs", where a bug is a kind of issue: the issues of that kind are counted."""
    rows = draft.entity_of(kinds[0]) if kinds else None
    subject = subject_before(draft, at, at, counted=rows) if rows is not None else None
    if rows is None or subject is None or subject == rows or kinds[0].name in rows.label:
        return
    draft.use(at)
    rank_by(draft, subject, Wanted(aggregate="count", entity=rows, context=True), descending)


def _is_quality(draft: Draft, at: int, target: int, attribute: Attribute) -> bool:
    """ "the most costly products", where each product has a cost: those rows, and not the figure."""
    behind = draft.after(target, plain_max=0)
    rows = draft.open(behind)
    said = draft.pieces[at].span.text.lower().split()[-1] in _DEGREES and draft.touches(at, target)
    adjective = draft.pieces[target].span.text.lower().endswith(_ADJECTIVES)
    return (
        said and adjective and attribute.is_number and isinstance(rows, ToTable) and attribute.table == rows.entity.name
    )


_DEGREES = ("most", "least")
_ADJECTIVES = ("y", "ed", "ive", "ous", "ful", "able", "al", "ant", "ent")


def _is_state_of(draft: Draft, at: int) -> bool:
    """ "the most reopened tickets": a yes-or-no column says which of the rows behind it are counted."""
    rows = draft.open(draft.after(at, plain_max=0))
    return is_flag(draft.open(at)) and isinstance(rows, ToTable) and draft.touches(at, draft.after(at, plain_max=0))


def _how_many(draft: Draft, attribute: Attribute) -> Wanted:
    """ "the most tickets", where each row names its ticket; "in the most countries": how many different ones.

    Raises:
        Misfit: there is but one of them, so that none has most.
    """
    profile = attribute.column.profile
    if attribute.role == "flag" or (profile is not None and profile.distinct == 1 and not profile.sampled):
        raise Misfit(f"The most of what? “{attribute.words}” does not tell rows apart.", weight=4)
    entity = draft.entity_of(attribute)
    if entity.key == (attribute.name,) or names_row(draft, attribute):
        return Wanted(aggregate="count", entity=entity, context=True)
    return Wanted(aggregate="distinct", attribute=attribute, context=True)


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
    if commonest_members(draft, at, descending) or most_done(draft, at, descending):
        return
    place = draft.before(at, plain_max=1)
    option = draft.open(place)
    if place is None or not isinstance(option, ToMetric):
        _gave_most(draft, at, descending)
        return
    subject = subject_before(draft, place, at)
    if subject is not None:
        draft.use(at, place)
        rank_by(draft, subject, Wanted(metric=option.metric, context=True), descending)


def _gave_most(draft: Draft, at: int, descending: bool) -> None:
    """ "who gave the most", "which rep brought in the most": by what it comes to, where one amount says it."""
    verbs = {piece.span.text.lower() for piece in draft.pieces[max(at - 2, 0) : at]}
    place = next((i for i in range(at) if isinstance(draft.open(i), ToTable)), None)
    subject = draft.open(place)
    if place is None or not isinstance(subject, ToTable) or not verbs & _GIVING or draft.groups or draft.ranked:
        return
    figure = default_figure(draft, subject.entity)
    if figure is not None:
        figure.context = True
        draft.use(at, place)
        rank_by(draft, subject.entity, figure, descending)


_GIVING = word_set(
    """gave give gives donated donate paid pay pays brought brings bring earned earns generated generates contributed
    raised bought buys"""
)


def subject_before(draft: Draft, at: int, avoid: int, counted: Entity | None = None) -> Group | None:
    """What is ranked: the last table or column before the superlative, else the first after what it counts.

    A column that names the rows of a table stands for them, unless these rows are `counted` by it.
    """
    if draft.ranked is not None:
        return draft.ranked
    if draft.groups:
        return None
    order = [*range(at - 1, -1, -1), *range(avoid + 1, len(draft.pieces))]
    order.sort(key=lambda i: _is_verb_like(draft, i))  # "the student participating in": the student is ranked
    if at and _is_done(draft, at - 1):
        draft.use(at - 1)
        order.remove(at - 1)
    for i in order:
        option = draft.open(i)
        if _says_value(draft, i) or is_flag(option):
            continue
        if isinstance(option, ToTable) and option.entity == counted and i < at and _is_deed(draft, i):
            draft.use(i)  # "which painter painted the most paintings"
            continue
        if isinstance(option, ToTable) and i < at and _is_theirs(draft, i, option.entity):
            draft.use(i)  # "the singer whose songs are in the most lists"
            draft.mention(option.entity.name)
            continue
        if isinstance(option, ToTable):
            one = counted is not None and option.entity != counted and parent_of(draft, {option.entity.name}, counted)
            if one and counted is not None and not _tied(draft, option.entity, counted):
                draft.use(i)  # "the cooks who made dishes for the most guests": a dish is for one
                draft.mention(option.entity.name)
                continue
            if names_of(draft, i):
                return option.entity
            draft.use(i)
            return option.entity
        if isinstance(option, ToColumn) and (not option.attribute.is_number or is_which(draft, i)):
            entity = draft.entity_of(option.attribute)
            own = len(entity.key) == 1 or len(entity.label) > 1
            named = (own and option.attribute.name in entity.label) or entity.key == (option.attribute.name,)
            if named and entity != counted:
                return entity
            draft.use(i)
            return option.attribute
    return None


def _is_theirs(draft: Draft, at: int, entity: Entity) -> bool:
    """Whether a table's rows are only those of what is named before: "whose songs", where a singer has several."""
    owners = [p.option.entity for p in draft.pieces[:at] if isinstance(p.option, ToTable)]
    return draft.word(at - 1) == "whose" and bool(owners) and entity in draft.schema.children(owners[-1])


def _is_deed(draft: Draft, at: int) -> bool:
    """Whether a verb stands at a place, though a table is called alike, and something else is there to do it."""
    others = any(isinstance(draft.open(i), ToTable | ToColumn) for i in range(at))
    return others and is_past(draft.word(at))


def _tied(draft: Draft, entity: Entity, counted: Entity) -> bool:
    """ "The ride with the most guests", which has one guest of honour, but many that are booked: these are counted."""
    children = draft.schema.children(entity)
    ties = [c for c in children if any(e.right == counted.name and not e.many for e in draft.schema.edges[c.name])]
    draft.mention(*(tie.name for tie in ties if tie != counted))
    return any(tie != counted for tie in ties)


def _is_done(draft: Draft, at: int) -> bool:
    """ "the city that has hosted the most": a verb, though a column is called alike."""
    option = draft.open(at)
    who = at > 0 and draft.pieces[at - 1].span.text.lower().split()[-1] in _DOING
    loose = isinstance(option, ToColumn | ToValue) and option.strength < _SURE
    return (loose or (who and isinstance(option, ToColumn))) and is_past(draft.pieces[at].span.text.lower())


_DOING = frozenset(("that", "who", "which", "has", "have", "had"))


def _says_value(draft: Draft, at: int) -> bool:
    """ "with the status “open”": a column beside its value only chooses rows."""
    option, following = draft.open(at), draft.open(draft.after(at, plain_max=0))
    return isinstance(option, ToColumn) and isinstance(following, ToValue) and following.attribute == option.attribute


def is_which(draft: Draft, at: int) -> bool:
    """ "which advisor has": a number that says which, not how much."""
    return at > 0 and draft.pieces[at - 1].span.text.lower() in ("which", "what")


def _is_verb_like(draft: Draft, at: int) -> bool:
    option, text = draft.pieces[at].option, draft.pieces[at].span.text.lower()
    loose = isinstance(option, ToTable | ToColumn) and option.strength < _SURE
    return loose and (text.endswith(("ing", "ed")) or text in _DID or not isinstance(option, ToTable))


_DID = word_set(
    "bought sold gave lent wrote made drove taught ran won took got led held sent spent paid rode flew sang"
)


def is_asked(draft: Draft, at: int) -> bool:
    """Whether rows or something of theirs were asked for before a place."""
    named = any(isinstance(p.option, ToTable | ToColumn) and not p.used for p in draft.pieces[:at])
    return named or draft.ranked is not None or draft.asks_who
