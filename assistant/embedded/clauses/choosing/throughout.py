"""What holds for all that something has: "customers with only paid bills", "all of whose lamps cost over 50".

There is a row for which it holds and none for which it does not; where there can be but one, it is a plain condition.
"""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft, Misfit
from assistant.embedded.clauses.wanted import FilterWanted
from assistant.embedded.linking.options import ToNumber, ToPeriod, ToTable
from assistant.embedded.meaning import OPPOSITE

_WHOSE = frozenset(("whose", "their", "its", "his", "her"))
_IN_WHICH = frozenset(("in", "for", "at", "on", "where"))
_EVERY = frozenset(("every", "each", "all"))


def every_one(draft: Draft) -> None:
    """Note where the words say that something holds for all, before "every" and "nothing" are read otherwise."""
    for i in range(1, len(draft.pieces)):
        if draft.word(i) in ("only", "solely", "exclusively"):
            said = draft.open(i) is None and not isinstance(draft.open(i + 1), ToNumber)
        elif draft.word(i) == "nothing" and draft.word(i + 1) in ("but", "except"):
            said = True
        else:
            said = draft.word(i) in _EVERY and _of_what_is_had(draft, i)
        if said and any(isinstance(p.option, ToTable) for p in draft.pieces[:i]):
            draft.throughout.append(i)
            if draft.word(i) in ("nothing", "every", "each"):
                draft.pieces[i].used, draft.pieces[i].option = True, None


def _of_what_is_had(draft: Draft, at: int) -> bool:
    """ "all of whose bills", "whose every bill", "whose bills are all", "in which every bill"."""
    before, behind = draft.word(at - 1), [draft.word(n) for n in (at + 1, at + 2)]
    if before == "whose" or (before == "which" and draft.word(at - 2) in _IN_WHICH) or before == "where":
        return draft.word(at) != "all" or isinstance(draft.open(at + 1), ToTable)
    if draft.word(at) != "all":
        return False
    if behind[0] in _WHOSE or (behind[0] == "of" and behind[1] in _WHOSE):
        return True
    owned = [n for n in range(max(0, at - 3), at) if isinstance(draft.pieces[n].option, ToTable)]
    return bool(owned) and draft.word(owned[-1] - 1) in _WHOSE


def all_there_are(draft: Draft) -> None:
    """ "customers who ordered from every shop": not from one shop or another, which no reading could tell apart.

    Raises:
        Misfit: so it is said.
    """
    last = len(draft.pieces) - 1
    rows, named = draft.open(last), [i for i, p in enumerate(draft.pieces[:last]) if isinstance(p.option, ToTable)]
    every = last - 2 if draft.word(last - 1) in ("the", "our") else last - 1
    if not isinstance(rows, ToTable) or not named or every <= named[0] or draft.word(every) not in ("every", "all"):
        return
    relative = [i for i in range(named[0] + 1, every - 1) if draft.word(i).split()[0] in ("who", "that", "which")]
    if not relative or draft.pieces[named[0]].option == rows or draft.cues("count", "sum", "average", "most", "best"):
        return
    if draft.word(every) == "all" and draft.word(every - 1) in ("in", "of", "on", "across", "at", "for"):
        return  # "in all shops" may be but in any of them
    raise Misfit(f"Those that have to do with each and every one of the {rows.entity.many} I cannot find.", weight=7)


def throughout(draft: Draft) -> None:
    """The condition behind such words is one on all rows."""
    for i in draft.throughout:
        behind = sorted((f for f in draft.filters if f.piece > i), key=lambda f: f.piece)
        if not behind:
            _in_one_period(draft, i)
            continue
        bound = behind[0]
        rows = _rows_meant(draft, i, bound)
        if rows is not None and not _is_of(draft, rows, bound):
            raise Misfit(f"I could not tell of what all the {rows} are.", weight=1)
        if bound.operator not in OPPOSITE or bound.denied or bound.side is not None:
            raise Misfit("What holds for all of them is more than I can read here.", weight=5)
        if any(f is not bound and f.attribute.table == bound.attribute.table for f in behind):
            raise Misfit("Several conditions on all of them are more than I can read.", weight=5)
        bound.every = True


def _rows_meant(draft: Draft, at: int, bound: FilterWanted) -> str | None:
    """The table that is named between the words and the condition, or right behind it."""
    named = [p.option.entity.name for p in draft.pieces[at + 1 : bound.piece + 2] if isinstance(p.option, ToTable)]
    before = draft.pieces[at - 2 : at] if draft.word(at) == "all" else []
    named += [p.option.entity.name for p in before if isinstance(p.option, ToTable)]
    return named[0] if named else None


def _is_of(draft: Draft, rows: str, bound: FilterWanted) -> bool:
    """Whether a condition is on a table, or on the one row that each of its rows belongs to, and not on whose it is."""
    subject = draft.first_table(before=bound.piece)
    if subject is not None and subject.name == bound.attribute.table != rows:
        return False
    edges = draft.schema.edges.get(rows, ())
    return bound.attribute.table == rows or any(e.right == bound.attribute.table and not e.many for e in edges)


def _in_one_period(draft: Draft, at: int) -> None:
    """ "customers who only ordered in 2024", "who ordered only in 2024": what was done was done then, or never."""
    following = draft.pieces[at + 1].option if at + 1 < len(draft.pieces) else None
    for related in draft.related:
        then = isinstance(following, ToPeriod) and related.period == following.period
        if related.period is not None and (related.at > at or then):
            related.every = True
    for period in draft.periods:
        period.every = period.every or period.at > at
