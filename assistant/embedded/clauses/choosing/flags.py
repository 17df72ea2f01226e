"""Clauses about yes-or-no columns: "active customers", "billable hours by employee", "with the approval code 0"."""

from __future__ import annotations

from typing import cast

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.wanted import FilterWanted
from assistant.embedded.linking.options import ToColumn, ToNumber, ToTable
from assistant.embedded.source.schema import Attribute
from assistant.embedded.words.cues import Cue
from assistant.embedded.words.lexicon import singular


def flags(draft: Draft) -> None:
    """ "active customers": a yes-or-no column named like an adjective."""
    for i, piece in enumerate(draft.pieces):
        if piece.used or not isinstance(piece.option, ToColumn) or piece.option.attribute.role != "flag":
            continue
        if _is_noun(draft, i) or _is_listed(draft, i):
            continue  # "the names and the payment status of": what it says of each is asked for
        if _says_number(draft, i, piece.option.attribute) or _says_answer(draft, i, piece.option.attribute):
            continue
        beside = (draft.before(i, plain_max=1), draft.after(i, plain_max=1))
        neighbours = [draft.pieces[place].option for place in beside if place is not None]
        of_rows = any(isinstance(n, ToTable) for n in neighbours) or _qualifies_number(draft, i, piece.option.attribute)
        if of_rows or draft.content_before(i) or draft.share:
            draft.use(i)
            attribute = piece.option.attribute
            draft.filters.append(FilterWanted(attribute, "=", (cast(str, attribute.true_value),), piece=i))


def told(draft: Draft) -> None:
    """ "where active is yes", "with acting set to no": the word behind says which of the two it is."""
    for i, piece in enumerate(draft.pieces):
        if piece.used or not isinstance(piece.option, ToColumn) or piece.option.attribute.role != "flag":
            continue
        at = i + 1
        while at < len(draft.pieces) and draft.word(at) in _SET_TO:
            at += 1
        side = _SIDES.get(draft.word(at))
        if side is None:
            continue
        attribute = piece.option.attribute
        draft.use(*range(i, at + 1))
        value = (cast(str, attribute.true_value),)
        draft.filters.append(FilterWanted(attribute, "=" if side else "!=", value, piece=i))


_SET_TO = frozenset(("is", "are", "was", "equals", "equal", "set", "marked", "flagged", "to", "as", "of"))
_SIDES = {**dict.fromkeys(("yes", "true", "y"), True), **dict.fromkeys(("no", "false", "n"), False)}


def _qualifies_number(draft: Draft, at: int, flag: Attribute) -> bool:
    """ "billable hours by employee": right before a number that is added up, it says which of the rows count."""
    behind = draft.pieces[at + 1] if at + 1 < len(draft.pieces) else None
    number = behind.option.attribute if behind is not None and isinstance(behind.option, ToColumn) else None
    if behind is None or number is None or behind.span.parted or number.table != flag.table:
        return False
    return number.adds_up and singular(flag.words) == flag.words


def _is_noun(draft: Draft, at: int) -> bool:
    """Whether a yes-or-no column is said as a noun among the columns asked for."""
    if draft.pieces[at].span.text.lower().split()[-1] not in _STATES:
        return False
    link = draft.before(at, plain_max=1)
    listed = link is not None and draft.cue_at(link, "and") is not None
    return listed or not isinstance(draft.pieces[at - 1].option if at else None, Cue | ToTable)


def _is_listed(draft: Draft, at: int) -> bool:
    """ "the id, name and approval of each drug": behind other columns and before "of" it is one of those asked for."""
    link = draft.before(at, plain_max=1)
    named = draft.pieces[draft.before(link, plain_max=1) or 0].option if link else None
    listed = link is not None and draft.cue_at(link, "and") is not None and isinstance(named, ToColumn)
    return listed and draft.word(at + 1) == "of" and not draft.pieces[at].span.text.lower().endswith("ed")


_STATES = frozenset(("status", "statuses", "state", "flag", "indicator"))


def _says_answer(draft: Draft, at: int, attribute: Attribute) -> bool:
    """ "where approved is no", "insured: yes": the answer itself stands behind the column."""
    place = at + 1
    while draft.word(place) in _BEING:
        place += 1
    said = draft.word(place)
    if said not in _ANSWERS or place - at > _BEING_MAX or (said in _ALSO_DENY and not _ends(draft, place)):
        return False
    profile, text = attribute.column.profile, attribute.column.kind == "text"
    held = (v for v in (profile.values or () if profile is not None and text else ()) if str(v).lower() == said)
    value = next(held, None)
    draft.use(at, place)
    if value is not None:
        draft.filters.append(FilterWanted(attribute, "=", (value,), piece=place))
    else:
        operator = "=" if _ANSWERS[said] else "!="
        draft.filters.append(FilterWanted(attribute, operator, (cast(str, attribute.true_value),), piece=place))
    return True


def _ends(draft: Draft, place: int) -> bool:
    """Whether nothing follows that a "no" could deny: "where approved is no", but not "is no longer"."""
    following = draft.pieces[place + 1 : place + 2]
    return not following or following[0].span.parted or following[0].span.text.lower() in ("and", "or")


_ANSWERS = {"yes": True, "true": True, "no": False, "false": False}
_ALSO_DENY = frozenset(("no",))
_BEING = frozenset(("is", "are", "was", "were", "set", "to", "equals", "marked", "as"))
_BEING_MAX = 4


def _says_number(draft: Draft, at: int, attribute: Attribute) -> bool:
    """ "with the approval code 0": a number behind the column says itself which of its two values is meant."""
    place = draft.after(at, plain_max=1)
    number, profile = draft.open(place), attribute.column.profile
    if place is None or not isinstance(number, ToNumber) or number.number not in (0, 1):
        return False
    value: str | int = int(number.number)
    if attribute.column.kind == "text":
        value = str(value)
        if profile is None or value not in (profile.values or ()):
            return False
    elif attribute.column.kind not in ("integer", "number"):
        return False
    draft.use(at, place)
    draft.filters.append(FilterWanted(attribute, "=", (value,), piece=place))
    return True
