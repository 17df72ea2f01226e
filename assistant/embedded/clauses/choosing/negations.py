"""Clauses about what must not be: "without orders", "never returned", "not from Germany", "but not in 2025"."""

from __future__ import annotations

from typing import cast

from assistant.embedded.clauses.choosing.comparable import whole
from assistant.embedded.clauses.draft import Draft, FilterWanted, Misfit, RelatedWanted
from assistant.embedded.clauses.naming.verbs import traded
from assistant.embedded.linking.options import (
    Option,
    ToColumn,
    ToMetric,
    ToNumber,
    ToPeriod,
    ToTable,
    ToTerm,
    ToText,
    ToValue,
)
from assistant.embedded.meaning import Operator
from assistant.embedded.source.dating import day_for, happens
from assistant.embedded.source.schema import Entity
from assistant.embedded.words.cues import Cue
from assistant.embedded.words.lexicon import is_past, stem
from assistant.embedded.words.vocabulary import TRADE, word_set

_VERBS_MAX = 4
"""How many words may stand between a "not" and what is not to be: "did not pay with cash"."""


def absences(draft: Draft) -> None:
    """ "without orders", "that have no email", "never returned", "without cancelled", "not enrolled in any course"."""
    _deny_nor(draft)
    for i, _ in draft.cues("without"):
        if draft.cue_at(i + 1, "like"):
            continue  # "without the letter z in their names"
        target = _denied_thing(draft, i)
        option = draft.open(target)
        if _denied_before(draft, i, target):
            continue
        if target is None or option is None:
            _never_traded(draft, i)
            continue
        match option:
            case ToTable() if draft.content_before(i):
                _absent(draft, i, target, option.entity)
            case ToMetric() if draft.content_before(i) and (sold := draft.schema.find_entity(option.metric.table)):
                draft.use(i, target)  # "never been sold", where what is sold is a metric
                draft.related.append(RelatedWanted(entity=sold, operator="=", count=0, at=target))
            case ToColumn() if option.attribute.role != "flag" and draft.content_before(i) and option.strength > 0.8:
                if not _negated_beside(draft, i, target, option):
                    draft.use(i, target)
                    draft.filters.append(FilterWanted(option.attribute, "missing", (), piece=target))
            case ToValue() if _has_none_of(draft, i, target, option):
                continue
            case ToColumn() if option.attribute.role != "flag" and not draft.cue_at(target + 1, "compare"):
                if not _negated_beside(draft, i, target, option):
                    _not_done(draft, i, target, option)
            case _:
                _denied(draft, i, target, option)


def _deny_nor(draft: Draft) -> None:
    """ "who neither lead a tour nor come from Ulm": what follows on "nor" must not be either."""
    neither = [i for i, piece in enumerate(draft.pieces) if piece.span.text.lower().endswith("neither")]
    for i, _ in draft.cues("or"):
        if neither and i > neither[0] and draft.pieces[i].span.text.lower() == "nor":
            draft.pieces[i].option = Cue(kind="not")


def _denied_before(draft: Draft, at: int, target: int | None) -> bool:
    """ "lamps that Acme does not make", "but Bo did not visit": who did not do it stands before."""
    option, doer = draft.open(at - 1), draft.open(target)
    leads = draft.pieces[at - 2].span.text.lower() if at > 1 else ""
    if not isinstance(option, ToValue) or not _DOING & set(draft.pieces[at].span.text.lower().split()):
        return False
    if leads not in _RELATIVE or not (doer is None or isinstance(doer, ToTable)):
        return False
    _negated_value(draft, at, at - 1, option)
    if target is not None:
        draft.use(target)
    return True


_RELATIVE = frozenset(("that", "which", "but", "whom", "and"))
_DOING = frozenset(("do", "does", "did", "has", "have", "had"))


def _has_none_of(draft: Draft, at: int, target: int, option: ToValue) -> bool:
    """ "without a credit card", where cards have a type: there should be no such row."""
    behind = draft.after(target, plain_max=0)
    rows = draft.open(behind)
    has = _POSSESSING & set(draft.pieces[at].span.text.lower().split())
    if behind is None or not has or not isinstance(rows, ToTable) or rows.entity.name != option.attribute.table:
        return False
    if any(isinstance(p.option, ToTable) and p.option.entity == rows.entity for p in draft.pieces[:at]):
        return False
    if not draft.content_before(at):
        return False
    draft.use(at, target, behind)
    draft.mention(rows.entity.name)
    condition = FilterWanted(option.attribute, "=", (option.value,), option.known, target)
    draft.related.append(RelatedWanted(rows.entity, "=", 0, behind, [condition]))
    return True


_POSSESSING = frozenset(("without", "no", "zero", "lacking", "have", "has", "had", "having"))


def negations(draft: Draft) -> None:
    """ "not", "except", "excluding" before a value, term or flag, or before what there should be none of."""
    for i, _ in draft.cues("not"):
        target = _denied_thing(draft, i)
        option = draft.open(target)
        if target is None or option is None:
            continue
        if isinstance(option, ToTable):
            following = draft.after(target, plain_max=1)
            value = draft.open(following)
            if following is not None and isinstance(value, ToValue):
                draft.mention(option.entity.name)
                draft.use(target)
                _negated_value(draft, i, following, value)
            elif draft.content_before(i):
                _absent(draft, i, target, option.entity)
        else:
            _denied(draft, i, target, option)


def _denied_thing(draft: Draft, at: int) -> int | None:
    """What stands behind a "not", unless it is a number or something compared with one."""
    if _not_the_number(draft, at):
        return None
    target = _content_after(draft, at)
    option = draft.open(target)
    if target is None or (isinstance(option, ToColumn) and draft.cue_at(draft.after(target, plain_max=1), "compare")):
        return None
    return target


def _denied(draft: Draft, at: int, target: int, option: Option) -> None:
    """A flag, a term or a value that must not be."""
    match option:
        case ToColumn() if option.attribute.role == "flag":
            draft.use(at, target)
            draft.filters.append(
                FilterWanted(option.attribute, "!=", (cast(str, option.attribute.true_value),), piece=target)
            )
        case ToColumn():
            if not _negated_beside(draft, at, target, option):
                _not_done(draft, at, target, option)
        case ToTerm():
            draft.use(at, target)
            draft.terms.append((option.term, True))
        case ToValue():
            _negated_value(draft, at, target, option)
        case _:
            return


def _not_done(draft: Draft, at: int, target: int, option: ToColumn) -> None:
    """ "orders not finished yet", "never paid out": there is no day on which it was done, or nothing of it."""
    attribute, profile = option.attribute, option.attribute.column.profile
    word, behind = draft.pieces[target].span.text.lower(), draft.after(target, plain_max=2)
    if not (is_past(word) or word in _DONE) or isinstance(draft.open(behind), ToValue | ToPeriod | ToNumber):
        return
    nulls = profile is not None and profile.nulls > 0
    if nulls and attribute.role in ("date", "text", "reference"):
        condition = FilterWanted(attribute, "missing", (), piece=target)
    elif attribute.is_number and profile is not None and profile.low == 0:
        condition = FilterWanted(attribute, "=", (0,), piece=target)
    else:
        return
    draft.use(at, target)
    draft.mention(attribute.table)
    draft.subject = draft.subject or (None if _named_before(draft, at) else draft.entity_of(attribute))
    draft.filters.append(condition)


_DONE = frozenset(("paid", "sent", "done", "left", "built", "sold", "given"))


def _named_before(draft: Draft, at: int) -> bool:
    return any(isinstance(piece.option, ToTable) for piece in draft.pieces[:at])


def _negated_beside(draft: Draft, at: int, target: int, option: ToColumn) -> bool:
    """ "not from the country of France", "excluding status cancelled": the column says whose value it is.

    So it does in two words, "not from the city with the code HKG".
    """
    following, said = draft.after(target, plain_max=2), [target]
    while following is not None and (draft.cue_at(following, "with") or _is_again(draft, following, option)):
        said.append(following)
        following = draft.after(following, plain_max=2)
    value = draft.open(following)
    if following is None or not isinstance(value, ToValue) or value.attribute != option.attribute:
        return False
    draft.use(*said)
    _negated_value(draft, at, following, value)
    return True


def _is_again(draft: Draft, at: int, option: ToColumn) -> bool:
    other = draft.open(at)
    return isinstance(other, ToColumn) and other.attribute == option.attribute


def _absent(draft: Draft, at: int, target: int, entity: Entity) -> None:
    """What there is none of. In "not enrolled in any course" and "no devices in stock" several tables name it."""
    subject = next((p.option.entity for p in draft.pieces[:at] if isinstance(p.option, ToTable)), None)
    chain = [(target, entity)]
    while (place := _past_by(draft, draft.after(chain[-1][0], plain_max=2))) is not None:
        option = draft.open(place)
        between = {p.span.text.lower() for p in draft.pieces[chain[-1][0] + 1 : place]}
        if not isinstance(option, ToTable) or not (between <= _LEADING or option.entity == chain[-1][1]):
            break
        chain.append((place, option.entity))
    draft.use(at, *(place for place, _ in chain))
    draft.mention(*(e.name for _, e in chain))
    place, absent = next(((n, e) for n, e in chain if e != subject), chain[0])
    for n, further in chain:
        owned = any(e.right == further.name and not e.many for e in draft.schema.edges.get(absent.name, ()))
        if further not in (subject, absent) and not owned:
            place, absent = n, further
    draft.related.append(RelatedWanted(entity=absent, operator="=", count=0, at=place))
    _absent_too(draft, chain[-1][0], subject)


def _absent_too(draft: Draft, at: int, subject: Entity | None) -> None:
    """ "neither tours nor lectures", "without tours or lectures": there is none of the further rows as well."""
    link = draft.after(at, plain_max=0)
    place = draft.after(link, plain_max=3) if link is not None and draft.cue_at(link, "or") else None
    option = draft.open(place)
    if link is None or place is None or not isinstance(option, ToTable) or option.entity == subject:
        return
    draft.use(link, place)
    draft.mention(option.entity.name)
    draft.related.append(RelatedWanted(entity=option.entity, operator="=", count=0, at=place))
    _absent_too(draft, place, subject)


def _past_by(draft: Draft, at: int | None) -> int | None:
    """ "not employed by any company": the table behind the "by", which groups nothing here."""
    if at is None or not draft.cue_at(at, "group") or draft.pieces[at].span.text.lower() != "by":
        return at
    following = draft.after(at, plain_max=1)
    if not isinstance(draft.open(following), ToTable):
        return at
    draft.use(at)
    return following


_LEADING = frozenset(("in", "any", "a", "an", "the", "of", "for", "from", "to", "at", "with", "all", "on", "by"))
"""Small words between two tables of which the second says more of the first: "enrolled in a course"."""


def _never_traded(draft: Draft, at: int) -> None:
    """ "products that were never sold", "never used", "customers who never bought anything": no name is like the verb.

    What was done may be a word of the denial itself ("never bought") or the one behind it ("never gave").
    """
    if not draft.content_before(at):
        return
    said = draft.pieces[at].span.text.lower().split()
    behind = draft.pieces[at + 1] if at + 1 < len(draft.pieces) else None
    word = behind.span.text.lower() if behind is not None and not isinstance(behind.option, ToPeriod) else ""
    entity = traded(draft.schema, word) or traded(draft.schema, said[-1])
    done = word in _CONCERNED or any(text in _CONCERNED for text in said)
    if entity is None and done:
        entity = _only_child(draft, at, word)
    if entity is None:
        return
    further = [p.span.text.lower() for p in draft.pieces[at + 1 : at + 4]]
    draft.use(at, *(at + 1 + n for n, text in enumerate(further) if text == word or text in _ANYTHING))
    draft.related.append(RelatedWanted(entity=entity, operator="=", count=0, at=at + 1))


_CONCERNED = word_set(
    """used involved assigned included chosen selected taken needed linked bought buy sold made make placed had received
    gave given give done got helped help attended attend visited visit came come been here participated performed
    produced contacted touched worked"""
)
"""What is said of a thing that rows of another table speak of, whatever these are called."""
_ANYTHING = frozenset(("anything", "anyone", "at", "all", "before", "yet", "ever", "here", "back", "something"))


def _only_child(draft: Draft, at: int, word: str) -> Entity | None:
    """The one table whose rows belong to those that were named, or the one of them whose rows are events or ties."""
    subject = next((p.option.entity for p in draft.pieces[:at] if isinstance(p.option, ToTable)), None)
    edges = draft.schema.edges.get(subject.name, ()) if subject is not None else ()
    children = [draft.schema.entities[name] for name in dict.fromkeys(edge.right for edge in edges if edge.many)]
    if len(children) > 1:
        children = [child for child in children if child.bridge or happens(child)]
    behind = draft.after(at + (1 if word else 0), plain_max=_VERBS_MAX)
    timed = behind is not None and isinstance(draft.pieces[behind].option, ToPeriod)
    if len(children) != 1 or not (behind is None or timed):
        return None
    child = children[0]
    draft.assumptions.append(f"“{draft.pieces[at].span.text} {word}”".replace(" ”", "”") + f" means: no {child.many}")
    return child


def _not_the_number(draft: Draft, at: int) -> bool:
    """ "whose age is not 20"."""
    following, before = draft.after(at, plain_max=1), draft.before(at, plain_max=1)
    number, beside = draft.open(following), draft.open(before)
    if following is None or before is None or not isinstance(number, ToNumber) or not isinstance(beside, ToColumn):
        return False
    if not (beside.attribute.is_number or beside.attribute.role == "year"):
        return False
    draft.use(at, following, before)
    draft.filters.append(FilterWanted(beside.attribute, "!=", (whole(number.number),), piece=following))
    return True


def _content_after(draft: Draft, at: int) -> int | None:
    """The first thing of the data after a "not", over verbs and small words."""
    for place in range(at + 1, min(at + 2 + _VERBS_MAX, len(draft.pieces))):
        option = draft.open(place)
        if place == at + 1 and _is_verb(draft, place):
            draft.use(place)
            continue
        if isinstance(option, ToTable | ToColumn | ToValue | ToTerm | ToMetric | ToText):
            return place
        if isinstance(option, ToNumber) or (isinstance(option, Cue) and option.kind not in ("with", "group", "like")):
            return None  # "did not give 4 stars": what is not to be is the number
    return None


def _is_verb(draft: Draft, at: int) -> bool:
    """ "have not released any albums", "has not built a mill": a word before an article and a table, or before a value
    of its own table, says what is done, whatever it names besides.
    """
    option = draft.pieces[at].option
    written = isinstance(option, ToValue) and draft.pieces[at].span.text == str(option.value)
    following = draft.after(at, plain_max=2)
    done_by = draft.cue_at(following, "group") is not None and draft.pieces[at + 1].span.text.lower() == "by"
    if following is not None and done_by:
        following = draft.after(following, plain_max=1)  # "never used by any shop"
    if not isinstance(option, ToColumn | ToValue) or written or (option.strength > _SURE_NOUN and not done_by):
        return False
    thing = draft.open(following)
    between = {p.span.text.lower() for p in draft.pieces[at + 1 : following]} - {"by"}
    if isinstance(option, ToColumn) and not between and isinstance(thing, ToValue):
        return thing.attribute.table == option.attribute.table and thing.attribute != option.attribute
    return isinstance(thing, ToTable) and bool(between) and between <= _ARTICLES


_ARTICLES = frozenset(("a", "an", "any", "the"))
_SURE_NOUN = 0.9


def _negated_value(draft: Draft, at: int, target: int, option: ToValue) -> None:
    """ "not from Germany", "without cancelled orders": the value is what must not be."""
    draft.use(at, target)
    before = draft.before(at, plain_max=2)
    beside = draft.open(before)
    if before is not None and isinstance(beside, ToColumn) and beside.attribute == option.attribute:
        draft.use(before)
    draft.filters.append(FilterWanted(option.attribute, "!=", (option.value,), option.known, target))
    link, following = draft.after(target, plain_max=0), None
    while link is not None and draft.cue_at(link, "or", "and"):
        following = draft.after(link, plain_max=1)
        other = draft.open(following)
        if following is None or not isinstance(other, ToValue) or other.attribute != option.attribute:
            break
        draft.use(link, following)
        draft.filters.append(FilterWanted(other.attribute, "!=", (other.value,), other.known, following))
        link = draft.after(following, plain_max=0)


def _only_event(draft: Draft, entity: Entity) -> Entity | None:
    """The one kind of rows of a table that have a day and say what its rows did; what was traded first."""
    edges = draft.schema.edges.get(entity.name, ())
    children = [draft.schema.entities[name] for name in dict.fromkeys(e.right for e in edges if e.many)]
    events = [e for e in children if day_for(draft.schema, e) is not None]
    traded_ = [e for e in events if _SALES & set(e.stems)]
    found = traded_ if len(traded_) == 1 else events
    if len(found) == 1:
        draft.assumptions.append(f"what {entity.many} did goes by {found[0].many}")
        return found[0]
    return None


def other_periods(draft: Draft) -> None:
    """ "customers who ordered in 2024 but not in 2025", "ordered in both 2024 and 2025": one period each."""
    periods = [i for i, p in enumerate(draft.pieces) if isinstance(p.option, ToPeriod) and not p.used]
    if len(periods) != 2:
        return
    first, second = periods
    tables = [(i, p.option.entity) for i, p in enumerate(draft.pieces[:first]) if isinstance(p.option, ToTable)]
    absent = next((i for i, _ in draft.cues("not", "without") if first < i < second), None)
    if len(tables) == 1 and absent is not None and (done := _only_event(draft, tables[0][1])) is not None:
        tables.append((tables[0][0] + 1, done))  # "donors who gave last year but not this year"
    if len(tables) < 2 or tables[-1][1] == tables[0][1]:
        return
    place, events = tables[-1]
    both = next((i for i, _ in draft.cues("both") if place < i < first), None)
    if absent is None and both is None:
        return
    draft.use(place, first, second, *(i for i in (absent, both) if i is not None))
    draft.use(*(i for i, _ in draft.cues("and", "with", "which") if place < i < second))
    for at, missing in ((first, False), (second, absent is not None)):
        option = draft.pieces[at].option
        assert isinstance(option, ToPeriod), "chosen above"
        operator, count = ("=", 0) if missing else (">=", 1)
        draft.related.append(RelatedWanted(events, cast(Operator, operator), count, at, period=option.period))


_SALES = frozenset(stem(word) for word in TRADE) | {"rental", "booking", "payment"}


def nothing(draft: Draft) -> None:
    """ "customers who bought nothing this year": no row of the one table that holds what people do."""
    for i, _ in draft.cues("nothing"):
        subject = next((p.option.entity for p in draft.pieces[:i] if isinstance(p.option, ToTable)), None)
        edges = draft.schema.edges.get(subject.name, ()) if subject is not None else ()
        events = [draft.schema.entities[e.right] for e in edges if e.many]
        bought = [e for e in events if _SALES & set(e.stems)]
        bought = bought or [e for e in events if happens(e)] or events
        verb = draft.open(i - 1) if i else None
        named = verb.entity if isinstance(verb, ToTable) and verb.entity in events else None
        if named is None and len(bought) != 1:
            raise Misfit("“nothing” of what? Please name it, as in “without orders”.", weight=6)
        entity = named or bought[0]
        draft.use(i, *([i - 1] if named else []))
        draft.assumptions.append(f"“nothing” means no {entity.many}")
        draft.related.append(RelatedWanted(entity, "=", 0, i))
