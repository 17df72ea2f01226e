"""Nouns for what comes first or last in a business, put as what they ask for: bestsellers, slow movers, big spenders.

They name neither the rows nor the figure. What is sold is what the lines with a price and a quantity refer to, and who
spends are those who buy; where more than one thing may be meant, the words stay as they are.
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from assistant.embedded.linking.persons import buyers, is_person
from assistant.embedded.source.schema import Entity, Schema
from assistant.embedded.words.lexicon import name_stems, stem

if TYPE_CHECKING:
    from assistant.embedded.linking.linker import Linker

SEVERAL = 10
"""How many are shown of several, where no number is said."""
_LEAD = r"(?:who|what) (?:are|is|were|was) |show (?:me )?|list |give me "
_SELLERS = re.compile(
    rf"^(?:{_LEAD})?(?:all |our |the |my )*(?P<lead>top )?(?P<count>\d+ )?(?:top |our )?"
    r"(?P<noun>(?P<end>best|top|hot|good|fast|slow|worst|poor|weak)?[- ]?(?:seller|mover)s?|shelf[- ]warmers?)(?P<rest> .*)?$",
    re.IGNORECASE,
)
_SPENDERS = re.compile(
    rf"^(?:{_LEAD})?(?:all |our |the |my )*(?:top )?(?P<count>\d+ )?(?P<end>top|biggest|big|highest|high|best|largest)?[- ]?"
    r"(?P<noun>spenders?)(?P<rest> .*)?$",
    re.IGNORECASE,
)
_EACH = re.compile(r"^ (?:by|per|(?:in|for|of) each|for every) (?P<kind>.+)$", re.IGNORECASE)
_LAST = ("slow", "worst", "poor", "weak")
_QUANTITY = frozenset(stem(word) for word in ("quantity", "qty"))
_PRICE = frozenset(stem(word) for word in ("price", "amount", "total"))


def named_plainly(text: str, linkers: Iterable[Linker]) -> tuple[str, str] | None:
    """The question with its noun put plainly, and what was taken for granted; None where it has no such noun."""
    sellers, spenders = _SELLERS.match(text), _SPENDERS.match(text)
    sold = sellers is not None and (sellers["lead"] or sellers["end"] or "warmer" in sellers["noun"].lower())
    for linker in linkers if sold or spenders else ():
        if (
            sellers
            and sold
            and (goods := goods_of(linker.schema)) is not None
            and not linker.names(name_stems(sellers["noun"]))
        ):
            return _selling(sellers, goods)
        if spenders and linker.sold is not None and len(found := buyers(linker.schema)) == 1:
            return _spending(spenders, found[0], linker.sold.name)
    return None


def _selling(match: re.Match[str], goods: Entity) -> tuple[str, str]:
    rest, noun = match["rest"] or "", match["noun"].strip().lower()
    end = "worst" if (match["end"] or "").lower() in _LAST or "warmer" in noun else "best"
    each = _EACH.match(rest)
    if each is not None and not match["count"]:
        return f"{end} selling {goods.one} in each {each['kind']}", ""
    count = match["count"] or (f"{SEVERAL} " if noun.endswith("s") else "")
    named = goods.many if count else goods.one
    said = f"“{noun}” are the {goods.many} that sell {end}" if noun.endswith("s") else ""
    return f"{count}{end} selling {named}{rest}", said


def _spending(match: re.Match[str], people: Entity, figure: str) -> tuple[str, str] | None:
    rest = match["rest"] or ""
    if match["end"] is None and match["count"] is None:
        return None
    if not match["noun"].lower().endswith("s"):
        return f"{people.one} with the highest {figure}{rest}", ""
    return f"top {(match['count'] or str(SEVERAL)).strip()} {people.many} by {figure}{rest}", ""


def goods_of(schema: Schema) -> Entity | None:
    """What is sold: the one kind of named things that the lines with a price and a quantity refer to."""
    found: dict[str, Entity] = {}
    for entity in schema.entities.values():
        words = {word for a in entity.attributes.values() if a.is_number for word in a.own}
        if not (_QUANTITY & words and _PRICE & words):
            continue
        near = (schema.entities[edge.right] for edge in schema.edges.get(entity.name, ()) if not edge.many)
        found |= {other.name: other for other in near if _is_named_thing(other)}
    return next(iter(found.values())) if len(found) == 1 else None


def _is_named_thing(entity: Entity) -> bool:
    """Whether rows have a name and no day, and are nobody: products, not orders, customers or months."""
    dated = any(attribute.role == "date" for attribute in entity.attributes.values())
    return bool(set(entity.label) - set(entity.key)) and not (dated or entity.is_calendar or is_person(entity))
