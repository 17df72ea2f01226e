"""Clauses about what must not be: "without orders", "never returned", "not from Germany", "but not in 2025"."""

from __future__ import annotations

from typing import cast

from assistant.embedded.clauses.choosing.comparable import whole
from assistant.embedded.clauses.choosing.denied_values import denied_before, negated_beside, negated_value
from assistant.embedded.clauses.choosing.never_done import CONCERNED, VERBS_MAX, never_traded
from assistant.embedded.clauses.choosing.none_of import has_none_of, none_there
from assistant.embedded.clauses.draft import Draft, Misfit
from assistant.embedded.clauses.wanted import FilterWanted, RelatedWanted
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
from assistant.embedded.linking.states import denied_flag
from assistant.embedded.words.cues import Cue
from assistant.embedded.words.lexicon import is_past


def absences(draft: Draft) -> None:
    """ "without orders", "that have no email", "never returned", "without cancelled", "not enrolled in any course"."""
    _deny_nor(draft)
    for i, _ in draft.cues("without"):
        if draft.cue_at(i + 1, "like"):
            continue  # "without the letter z in their names"
        target = _denied_thing(draft, i)
        option = draft.open(target)
        if denied_before(draft, i, target):
            continue
        loose = isinstance(option, ToColumn) and option.attribute.is_number and option.strength < _LOOSE
        if target is None or option is None or (loose and draft.word(target) in CONCERNED):
            never_traded(draft, i)  # "never produced", although a number is called like it
            continue
        match option:
            case ToTable() if draft.content_before(i):
                none_there(draft, i, target, option.entity)
            case ToMetric() if draft.content_before(i) and (sold := draft.schema.find_entity(option.metric.table)):
                draft.use(i, target)  # "never been sold", where what is sold is a metric
                draft.related.append(RelatedWanted(entity=sold, operator="=", count=0, at=target))
            case ToColumn() if draft.content_before(i) and none_is_zero(option):
                draft.use(i, target)  # "orders with no discount": zero in all of their lines
                draft.filters.append(FilterWanted(option.attribute, "=", (0,), piece=target, every=True))
            case ToColumn() if (
                draft.content_before(i) and _may_be_missing(option) and not _is_deed(draft, target, option)
            ):
                if not negated_beside(draft, i, target, option):
                    draft.use(i, target)
                    draft.filters.append(FilterWanted(option.attribute, "missing", (), piece=target))
            case ToValue() if has_none_of(draft, i, target, option):
                continue
            case ToColumn() if option.attribute.role != "flag" and not draft.cue_at(target + 1, "compare"):
                if not negated_beside(draft, i, target, option):
                    _not_done(draft, i, target, option)
            case _:
                _denied(draft, i, target, option)


def _may_be_missing(option: ToColumn) -> bool:
    """Whether what there is none of is a column, or who a key refers to, which some rows lack: "without a manager"."""
    attribute = option.attribute
    referring = attribute.role == "reference" and not attribute.always_known
    return attribute.role != "flag" and option.strength > (_REFERRING if referring else _NAMED)


def _is_deed(draft: Draft, at: int, option: ToColumn) -> bool:
    """Whether a verb only sounds like a column that no row lacks: "hasn't ordered" lacks no order number."""
    return option.attribute.always_known and is_past(draft.pieces[at].span.text.lower())


_NAMED, _REFERRING = 0.8, 0.5
_LOOSE = 0.6
"""Below which strength a word is but a part of a column's name."""


def _deny_nor(draft: Draft) -> None:
    """ "who neither lead a tour nor come from Ulm": what follows on "nor" must not be either."""
    neither = [i for i, piece in enumerate(draft.pieces) if piece.span.text.lower().endswith("neither")]
    for i, _ in draft.cues("or"):
        if neither and i > neither[0] and draft.pieces[i].span.text.lower() == "nor":
            draft.pieces[i].option = Cue(kind="not")


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
                negated_value(draft, i, following, value)
            elif draft.content_before(i):
                none_there(draft, i, target, option.entity)
        else:
            _denied(draft, i, target, option)


def _denied_thing(draft: Draft, at: int) -> int | None:
    """What stands behind a "not", unless it is a number or something compared with one."""
    if _not_the_number(draft, at):
        return None
    target = _content_after(draft, at)
    option = draft.open(target)
    compared = draft.cue_at(draft.after(target, plain_max=1), "compare", "between") if target is not None else None
    if target is None or (isinstance(option, ToColumn) and compared):
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
            if not negated_beside(draft, at, target, option):
                _not_done(draft, at, target, option)
        case ToTerm():
            draft.use(at, target)
            flag = denied_flag(option.term, draft.schema)
            if flag is not None:  # "with active clients but no inactive ones"
                condition = FilterWanted(flag, "=", (cast(str, flag.true_value),), piece=target, denied=True)
                draft.filters.append(condition)
            else:
                draft.terms.append((option.term, True))
        case ToValue():
            subject = draft.first_table(before=at)
            between = {draft.word(n) for n in range(at + 1, target)}
            if subject is not None and option.attribute.table == subject.name and between & _THINGS:
                raise Misfit(f"I could not tell of what “{option.value}” is.", weight=3)
            negated_value(draft, at, target, option)
        case _:
            return


_THINGS = frozenset(("anything", "something", "goods", "items"))
"""What stands for rows of another kind: who "never bought anything from Kiel" may well be from Kiel."""


def none_is_zero(option: ToColumn) -> bool:
    """Whether having none of a number is a number, too: no row is seen without one, and the least is zero."""
    profile = option.attribute.column.profile
    return option.attribute.is_number and profile is not None and profile.nulls == 0 and profile.low == 0


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
    for place in range(at + 1, min(at + 2 + VERBS_MAX, len(draft.pieces))):
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
