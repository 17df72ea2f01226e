"""Rows beyond a limit of their own: "projects over budget", "items below minimum stock", "courses over capacity".

What is held against the limit is the one figure of the rows that belong to each: what they cost, how much there is of
it, or how many they are. What has no such rows at all is left out, which is said.
"""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.naming.adjectives import tables_in_question
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.linking.options import ToColumn, ToNumber
from assistant.embedded.meaning import Operator
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.source.worth import is_money, only_amount, worth_of
from assistant.embedded.words.lexicon import stem

_LIMITS = frozenset(stem(word) for word in ("budget", "limit", "allowance"))
_BOUNDS = frozenset(stem(word) for word in ("maximum", "minimum", "capacity", "safety", "reorder", "level", "allowed"))
_SIGNS: dict[str, Operator] = {">": ">", ">=": ">=", "<": "<", "<=": "<="}


def own_limits(draft: Draft) -> None:
    """Compare what belongs to each row with the row's own number, where no number is said."""
    for i, cue in draft.cues("compare"):
        place, operator = draft.after(i, plain_max=1), _SIGNS.get(cue.argument)
        option = draft.open(place)
        if place is None or operator is None or cue.hints or not isinstance(option, ToColumn):
            continue
        limit = option.attribute
        if isinstance(draft.open(draft.after(place, plain_max=1)), ToNumber) or not limit.is_number:
            continue
        if (
            tables_in_question(draft)[:1] != [limit.table]
            or draft.wanted
            or draft.groups
            or not draft.content_before(i)
        ):
            continue
        figure = _held_against(draft, limit)
        if figure is None:
            continue
        entity = draft.entity_of(limit)
        draft.use(i, place)
        draft.subject = draft.subject or entity
        figure.per, figure.context = Wanted(aggregate="sum", attribute=limit), True
        draft.assumptions.append(f"{limit.words} is compared with all that belongs to each {entity.one} that has any")
        draft.having.append((figure, operator, 1.0))
        return


def _held_against(draft: Draft, limit: Attribute) -> Wanted | None:
    """The figure of the rows that belong to one, where one alone may be meant."""
    children = draft.schema.children(draft.entity_of(limit))
    if _LIMITS & set(limit.own):
        amounts = [a for e in children if is_money(e.stems) and (a := worth_of(e) or only_amount(e)) is not None]
        return Wanted(aggregate="sum", attribute=amounts[0]) if len(amounts) == 1 else None
    if not _BOUNDS & set(limit.own):
        return None
    words = set(limit.own) - _BOUNDS
    numbers = [a for e in children for a in _numbers(e) if words & set(a.own)]
    numbers = numbers or [a for e in children if words & set(e.stems) for a in _numbers(e) if _QUANTITY & set(a.own)]
    if numbers:
        return Wanted(aggregate="sum", attribute=numbers[0]) if len(numbers) == 1 else None
    counted = [e for e in children if words & set(e.stems)] or (children if not words else [])
    return Wanted(aggregate="count", entity=counted[0]) if len(counted) == 1 else None


_QUANTITY = frozenset(stem(word) for word in ("quantity", "hand", "pieces"))


def _numbers(entity: Entity) -> list[Attribute]:
    return [a for a in entity.attributes.values() if a.is_number]
