"""What the rows of a table are worth, where the question names only the rows: sales, expenses, donations."""

from __future__ import annotations

from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.words.lexicon import stem
from assistant.embedded.words.vocabulary import word_set

WORTH = frozenset(("amount", "total", "valu", "value", "price", "sum", "cost"))
"""What a number is called that says what a row is worth."""
_OFF = frozenset(("discount", "tax", "refund"))
"""What is said of an amount that is not what a row is worth."""
_MONEY = frozenset(
    stem(word)
    for word in word_set(
        """sale sales expense expenses cost costs donation donations budget spend spending revenue income turnover
        payroll earnings expenditure takings proceeds"""
    )
)


def worths_of(entity: Entity) -> list[Attribute]:
    """The numbers that say what a row is worth."""
    numbers = [a for a in entity.attributes.values() if a.is_number]
    return [a for a in numbers if WORTH & set(a.own) and not _OFF & set(a.own)]


def worth_of(entity: Entity) -> Attribute | None:
    """The one column that says what a row is worth and that may be added up."""
    found = [a for a in worths_of(entity) if a.adds_up]
    return found[0] if len(found) == 1 else None


def is_money(stems: tuple[str, ...]) -> bool:
    """Whether a noun says money rather than things that are counted: expenses, sales, a budget."""
    return stems[-1] in _MONEY


def only_amount(entity: Entity) -> Attribute | None:
    """The one number of a table that may be added up."""
    found = [a for a in entity.attributes.values() if a.adds_up]
    return found[0] if len(found) == 1 else None
