"""Rows named among figures: in "revenue, orders and average price by region" the orders are counted."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from assistant.embedded.linking.options import ToMetric
from assistant.embedded.source.schema import repeats
from assistant.embedded.words.lexicon import name_stems, stem
from assistant.embedded.words.vocabulary import word_set

if TYPE_CHECKING:
    from assistant.embedded.linking.linker import Linker

_LIST = re.compile(
    r"^(?P<lead>(?:(?:please |can you |could you )*(?:show|list|give|compare|get)(?: me| us)? )?(?:the |our )?)"
    r"(?P<items>[a-z][^.;?:]*?(?:,|\band\b|&|\bplus\b)[^.;?:]*?)"
    r"(?P<rest>,? (?:by|per|for (?:each|every)|in each|broken down) .+)$",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"(,? (?:and|plus) (?:the |our )?|,? & |, (?:the |our )?)")
_FIGURE = re.compile(
    r"^(?:average|avg|mean|total|sum of|number of|count of|highest|lowest|maximum|minimum|median)\b", re.IGNORECASE
)


_PER_TIME = re.compile(
    r"\b(?:average|avg|mean) (?P<rows>[a-z]+(?: [a-z]+)?) (?:per|a|each) (?P<unit>hour|day|week|month|quarter|year)\b",
    re.IGNORECASE,
)
_PER_ONE = re.compile(
    r"\b(?:average|avg|mean) (?P<rows>[a-z]+s) per (?P<unit>(?!hour|day|week|month|quarter|year)[a-z]+)\b",
    re.IGNORECASE,
)
_MONEY = frozenset(
    stem(word)
    for word in word_set("payment donation expense sale salary fee deposit withdrawal contribution cost price bill")
)
"""Rows that are an amount themselves, so that an average of them is no number of them."""


def counted(text: str, linkers: Iterable[Linker]) -> str:
    """The question with "number of" before such rows; unchanged where nothing in the list is a figure.

    Rows per period are counted, too, and rows per somebody: "average orders per day", "average orders per customer".
    """
    known = list(linkers)
    for pattern in (_PER_TIME, _PER_ONE):
        per = pattern.search(text)
        if per is None or (pattern is _PER_ONE and stem(per["rows"].lower()) in _MONEY):
            continue
        if any(_are_rows(per["rows"], linker) or _are_named(per["rows"], linker) for linker in known):
            return f"{text[: per.start()]}average number of {per['rows']} per {per['unit']}{text[per.end() :]}"
    found = _LIST.match(text)
    if found is None:
        return text
    for linker in known:
        parts = _BETWEEN.split(found["items"])
        names = parts[::2]
        if len(names) > 1 and any(_is_figure(name, linker) for name in names):
            parts[::2] = [f"number of {name}" if _are_rows(name, linker) else name for name in names]
            return f"{found['lead']}{''.join(parts)}{found['rest']}"
    return text


def _are_named(name: str, linker: Linker) -> bool:
    """Whether these are many of what a file names in its lines: customers, orders by their number."""
    named = (
        a for a in linker.schema.attributes if a.role in ("text", "key") and repeats(a, linker.schema.entities[a.table])
    )
    return any(a.things == name.lower() != a.words for a in named) and not _is_figure(name, linker)


def _is_figure(name: str, linker: Linker) -> bool:
    return bool(_FIGURE.match(name)) or any(isinstance(o, ToMetric) for o in linker.names(name_stems(name)))


def _are_rows(name: str, linker: Linker) -> bool:
    """Whether these are many of a table's rows, and nothing that the company has defined."""
    many = any(entity.many == name.lower() and entity.one != name.lower() for entity in linker.schema.entities.values())
    return many and not _is_figure(name, linker)
