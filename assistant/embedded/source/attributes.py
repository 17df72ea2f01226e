"""How a column is understood: its words without its table's, its role, and whether its numbers may be added up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant.embedded.source.clock import Clock, as_seconds
from assistant.embedded.source.notation import Notation, as_date
from assistant.embedded.source.roles import role_of
from assistant.embedded.source.schema import ADDS_UP, DOES_NOT_ADD, UNITS, Attribute
from assistant.embedded.words.lexicon import is_short, name_stems, name_words, shortens, singular, stem
from assistant.embedded.words.thesaurus import other_words

if TYPE_CHECKING:
    from assistant.data.catalog import Column, Table


def attribute_of(
    table: str,
    table_stems: tuple[str, ...],
    whole: Table,
    column: Column,
    *,
    reference: bool,
    prefix: str,
    key: tuple[str, ...],
    notation: Notation | Clock | None,
) -> Attribute:
    """Understand a column of the table named `table`, whose rows are called by `table_stems`.

    `prefix` is what most of its columns begin with, `reference` whether this one refers to another table, and
    `notation` how its dates or times are written, where it keeps them as text.
    """
    if notation is not None:
        column = as_seconds(column) if isinstance(notation, Clock) else as_date(column, notation)
    stems = tuple(s for s in name_stems(column.name) if s not in ("of", "the")) or name_stems(column.name)
    if stems == ("long",) and any(stem("latitude") in name_stems(other.name) for other in whole.columns):
        stems = (stem("longitude"),)
    own = _own(stems, table_stems, prefix)
    role, true_value = role_of(column, stems, reference, column.name in key, alone=len(key) == 1)
    if role == "number" and any(c.profile is not None and c.profile.settled_by == column.name for c in whole.columns):
        role = "text"  # it numbers what several rows belong to, from whatever number on
    first, last = own[0], own[-1]
    told = {full for word in own for full in ADDS_UP if shortens(word, full) and not other_words((word,))}
    adds_up = role == "number" and (
        bool(ADDS_UP & set(own) or told or _counts(column))
        and last not in DOES_NOT_ADD
        and not (DOES_NOT_ADD & set(own) and last not in ADDS_UP)
    )
    if first == stem("total") != last and role == "number":
        adds_up = last not in _NOT_TOTALLED  # a total price is that of all that was bought at once
    if first in ("unit", "per", "average", "maximum", "minimum") and len(own) > 1 and last not in ("sold", "stock"):
        adds_up = adds_up and last not in ("price", "cost", "pric")
    return Attribute(
        table=table,
        name=column.name,
        role=role,
        stems=stems,
        own=own,
        adds_up=adds_up,
        true_value=true_value,
        column=column,
        notation=notation,
    )


def _counts(column: Column) -> bool:
    """Whether whole numbers, none below zero, say of each row how many there are, by a plural alone: leads, wins."""
    words, profile = name_words(column.name), column.profile
    low = profile.low if profile is not None else None
    several = len(words) == 1 and words[0].endswith("s") and singular(words[0]) != words[0]
    return (
        several and column.kind == "integer" and isinstance(low, int) and low >= 0 and stem(words[0]) not in _NO_COUNTS
    )


_NO_COUNTS = UNITS | frozenset(stem(word) for word in ("days", "weeks", "months", "years", "degrees", "grades", "ids"))
_NOT_TOTALLED = frozenset(stem(word) for word in ("rate", "rating", "percent", "ratio", "share", "average", "rank"))


def _own(stems: tuple[str, ...], table_stems: tuple[str, ...], prefix: str) -> tuple[str, ...]:
    """A column's stems without what only says its table again: `name` for `stu_name` and for `bname` of a bank."""
    own = [s for s in stems if s not in table_stems]
    if set(own) <= UNITS:
        own = list(stems)  # the "Budget (EUR)" of a table of budgets
    if prefix and own[0] == prefix and len(own) > 1:
        del own[0]
    initial = table_stems[0][:1]
    for word in _INITIALED:
        if own in ([stem(f"{initial}{word}")], [initial, stem(word)]) and not is_short(f"{initial}{word}"):
            own = [stem(word)]
    return tuple(own)


_INITIALED = ("name", "id", "title", "number", "code", "type", "location", "phone", "address", "date")
"""What a column may hold whose name begins with the first letter of its table's: `bname` of a bank."""
