"""What a file's lines belong to, told by a number that several of them share: the order of an order line."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.embedded.source.schema import Attribute, Entity, repeats
from assistant.embedded.words.lexicon import plural, singular, stem
from assistant.embedded.words.vocabulary import TRADE

_TRADED = frozenset(stem(word) for word in TRADE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sale:
    """What is sold at once, as one and as many: an order."""

    one: str
    many: str

    @classmethod
    def of(cls, rows: Entity) -> Sale:
        """The rows of a table."""
        return cls(one=rows.one, many=rows.many)

    @classmethod
    def by_lines(cls, rows: Entity) -> Sale:
        """What the rows of a table number, where they are lines of it, else the rows themselves."""
        number = sale_number(rows)
        return cls.of(rows) if number is None else cls.numbered(number)

    @classmethod
    def numbered(cls, number: Attribute) -> Sale:
        """What a column of a file's lines numbers."""
        return cls(one=singular(number.things), many=number.things)


def numbers(attribute: Attribute) -> bool:
    """Whether a column numbers something by its name: an order, by `Order No.`."""
    return attribute.role in ("text", "key") and attribute.things != plural(attribute.words)


def numbering(lines: Entity) -> Attribute | None:
    """The one column that numbers what several lines belong to, rather than to whom or what they refer."""
    found = [a for a in lines.attributes.values() if numbers(a) and repeats(a, lines)]
    found = [a for a in found if any(other.settled_by == a.name for other in lines.attributes.values())] or found
    return found[0] if len(found) == 1 else sale_number(lines)


def settles(number: str, column: str, lines: Entity) -> bool:
    """Whether a thing has one value in a column: its own, or as the customer of an order has one country."""
    seen: set[str] = set()
    while column not in seen:
        if column == number:
            return True
        seen.add(column)
        column = lines.attributes[column].settled_by or column
        if column not in lines.attributes:
            return False
    return False


def sale_number(lines: Entity) -> Attribute | None:
    """The one column that tells to which sale the lines of a file belong: an order number that several share."""
    named = [a for a in lines.attributes.values() if numbers(a) and repeats(a, lines)]
    found = [a for a in named if stem(singular(a.things)) in _TRADED]
    return found[0] if len(found) == 1 else None
