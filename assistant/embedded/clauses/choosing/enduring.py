"""How long rows must last where two dates tell: "treatments that lasted more than 90 days", "took over 5 days to ship".

From the date that a row begins to the date that it ends or to the one that the verb names; days are whole days.
"""

from __future__ import annotations

from typing import cast

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.naming.moments import called_like, lasting_of, since
from assistant.embedded.clauses.wanted import FilterWanted
from assistant.embedded.linking.options import ToColumn, ToNumber, ToTable
from assistant.embedded.meaning import Operator
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.words.lexicon import stem
from assistant.embedded.words.vocabulary import DAYS, word_set

_PARTS = {"hour": 1 / 24, "minut": 1 / 1440, "minute": 1 / 1440}
_SAYING = frozenset(("duration", "length"))
_SIGNS = {"older": ">", "younger": "<"}
_LASTING = _SAYING | word_set("valid active open effective available running ongoing lasting long")
_VERBS = frozenset(("lasted", "last", "lasts", "took", "take", "takes"))
_BEFORE_MAX, _SAID_MAX = 4, 3


def enduring(draft: Draft) -> None:
    """Compare the days between two dates of the rows that are spoken of with a number."""
    for i, cue in draft.cues("compare"):
        number, operator = draft.after(i, plain_max=0), _SIGNS.get(cue.argument, cue.argument)
        option = draft.open(number)
        if number is None or number + 1 >= len(draft.pieces) or not isinstance(option, ToNumber):
            continue
        unit = stem(draft.pieces[number + 1].span.text.lower().split()[0])
        days = DAYS.get(unit) or _PARTS.get(unit)
        if days is None or operator not in (">", ">=", "<", "<=", "=") or _is_compared(draft, i):
            continue
        named = [p.option.entity for p in reversed(draft.pieces[:i]) if isinstance(p.option, ToTable)]
        rows = next((entity for entity in named if _spell(draft, entity, number + 1)[0] is not None), None)
        spell, used = _spell(draft, rows, number + 1) if rows is not None else (None, [])
        if rows is None or spell is None or _holds_lengths(rows):
            continue
        start, end = spell
        if unit in _PARTS and {start.column.kind, end.column.kind} != {"datetime"}:
            continue
        draft.use(i, number, number + 1, *used, *_saying(draft, i))
        draft.pieces[number + 1].option = None
        draft.mention(rows.name)
        draft.assumptions.append(f"the time is that from {start.words} to {end.words}")
        held = float(option.number * days) if unit in _PARTS else int(option.number * days)
        draft.filters.append(FilterWanted(end, cast(Operator, operator), (), piece=number, other=start, days=held))


def _is_compared(draft: Draft, at: int) -> bool:
    """Whether a column stands before the comparison: it is what has so many days."""
    before = draft.before(at, plain_max=2)
    option = draft.open(before)
    if before is not None and draft.pieces[before].span.text.lower() in _VERBS:
        draft.pieces[before].used, draft.pieces[before].option = True, None
        return False
    return isinstance(option, ToColumn) and (option.attribute.is_number or option.attribute.is_time)


def _spell(draft: Draft, rows: Entity, unit: int) -> tuple[tuple[Attribute, Attribute] | None, list[int]]:
    """From when to when rows last: to the deed behind "to", else from their start to their end."""
    words = [piece.span.text.lower().split()[-1] for piece in draft.pieces]
    near = range(unit + 1, min(unit + _BEFORE_MAX, len(words)))
    place = next((n for n in near if words[n - 1] in ("to", "be") and words[n] != "be"), None)
    end = called_like(rows, words[place]) if place is not None and "to" in words[unit : unit + 2] else None
    if end is not None and place is not None:
        start = since(rows, end)
        return ((start, end) if start is not None else None), [place]
    return lasting_of(rows), []


def _saying(draft: Draft, at: int) -> list[int]:
    """ "valid for more than", "with a duration of over": words that only say that something lasts."""
    near = range(max(at - _SAID_MAX, 0), at)
    return [n for n in near if draft.pieces[n].option is None and draft.pieces[n].span.text.lower() in _LASTING]


def _holds_lengths(rows: Entity) -> bool:
    """Whether a column of the rows says how long they last."""
    return any(a.is_number and set(a.own) & (_SAYING | set(DAYS) | set(_PARTS)) for a in rows.attributes.values())
