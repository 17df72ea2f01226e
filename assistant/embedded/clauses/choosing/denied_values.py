"""Clauses about a value that must not be: "not from Germany", "excluding status cancelled", "but Bo did not visit"."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.wanted import FilterWanted
from assistant.embedded.linking.options import ToColumn, ToTable, ToValue


def denied_before(draft: Draft, at: int, target: int | None) -> bool:
    """ "lamps that Acme does not make", "but Bo did not visit": who did not do it stands before."""
    option, doer = draft.open(at - 1), draft.open(target)
    leads = draft.pieces[at - 2].span.text.lower() if at > 1 else ""
    if not isinstance(option, ToValue) or not _DOING & set(draft.pieces[at].span.text.lower().split()):
        return False
    if leads not in _RELATIVE or not (doer is None or isinstance(doer, ToTable)):
        return False
    negated_value(draft, at, at - 1, option)
    if target is not None:
        draft.use(target)
    return True


_RELATIVE = frozenset(("that", "which", "but", "whom", "and"))
_DOING = frozenset(("do", "does", "did", "has", "have", "had"))


def negated_beside(draft: Draft, at: int, target: int, option: ToColumn) -> bool:
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
    negated_value(draft, at, following, value)
    return True


def _is_again(draft: Draft, at: int, option: ToColumn) -> bool:
    other = draft.open(at)
    return isinstance(other, ToColumn) and other.attribute == option.attribute


def negated_value(draft: Draft, at: int, target: int, option: ToValue) -> None:
    """ "not from Germany", "without cancelled orders": the value is what must not be."""
    draft.use(at, target)
    before = draft.before(at, plain_max=2)
    beside = draft.open(before)
    broken = before is not None and draft.cue_at(draft.before(before, plain_max=1), "group")  # "per town except Ulm"
    if before is not None and isinstance(beside, ToColumn) and beside.attribute == option.attribute and not broken:
        draft.use(before)
    behind = draft.open(target + 1) if draft.touches(target, draft.after(target, plain_max=0)) else None
    parted = target + 1 < len(draft.pieces) and draft.pieces[target + 1].span.parted
    if isinstance(behind, ToColumn) and behind.attribute == option.attribute and not parted:
        draft.use(target + 1)  # "never worked the night shift"
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
