"""Clauses that hold one kind of rows against another: "clients with more open than settled orders"."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.wanted import FilterWanted, Wanted
from assistant.embedded.linking.options import ToColumn, ToTable, ToValue
from assistant.embedded.source.schema import Entity
from assistant.embedded.words.vocabulary import LESS, MORE

_SMALL = frozenset(
    ("the", "a", "an", "in", "of", "with", "that", "are", "were", "is", "those", "ones", "have", "which")
)


def outnumbering(draft: Draft) -> None:
    """Keep those that have more, or fewer, rows of the first kind than of the second."""
    for i in range(1, len(draft.pieces) - 2):
        than = next((n for n in range(i + 1, len(draft.pieces)) if draft.word(n) in ("than", "than with")), None)
        rows = draft.first_table(before=i)
        if draft.word(i) not in MORE | LESS or than is None or rows is None:
            continue
        one, other = _kind(draft, range(i + 1, than)), _kind(draft, range(than + 1, len(draft.pieces)))
        counted = _counted(draft, i, rows)
        if one is None or other is None or counted is None or one.attribute != other.attribute:
            continue
        if one.attribute.table != counted.name or one.values == other.values:
            continue
        owner = next(n for n, p in enumerate(draft.pieces) if isinstance(p.option, ToTable) and p.option.entity == rows)
        draft.use(owner, *(n for n in range(i, len(draft.pieces)) if draft.pieces[n].option is not None))
        draft.mention(rows.name, counted.name)
        if rows not in draft.groups:
            draft.groups.append(rows)
        first, second = (Wanted(aggregate="count", entity=counted, only=[f], context=True) for f in (one, other))
        draft.having.append((first, ">" if draft.word(i) in MORE else "<", None))
        draft.rival = second
        return


def _counted(draft: Draft, at: int, rows: Entity) -> Entity | None:
    """The one table behind the word, which is not that of the rows themselves."""
    behind = {p.option.entity.name: p.option.entity for p in draft.pieces[at:] if isinstance(p.option, ToTable)}
    return next(iter(behind.values())) if len(behind) == 1 and rows.name not in behind else None


def _kind(draft: Draft, places: range) -> FilterWanted | None:
    """The one value there, if all else says of which rows and of which column it is."""
    found: FilterWanted | None = None
    for n in places:
        option = draft.open(n)
        if isinstance(option, ToValue) and found is None:
            found = FilterWanted(option.attribute, "=", (option.value,), option.known, n)
        elif not (_is_small(draft, n) or isinstance(option, ToTable | ToColumn) or draft.cue_at(n, "with", "which")):
            return None
    named = {o.attribute for n in places if isinstance(o := draft.open(n), ToColumn)}
    return found if found is not None and named <= {found.attribute} else None


def _is_small(draft: Draft, at: int) -> bool:
    return draft.open(at) is None and draft.word(at) in _SMALL
