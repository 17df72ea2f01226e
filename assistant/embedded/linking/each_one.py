"""What one of something has or is worth, in set words: "orders per head", "items per order", "customer lifetime value".

None of these words names what the data holds; each is put as the figure that it stands for, which is said.
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from assistant.embedded.linking.options import Option, ToColumn, ToMetric
from assistant.embedded.linking.persons import buys
from assistant.embedded.source.schema import repeats
from assistant.embedded.words.lexicon import name_stems, singular, stem

if TYPE_CHECKING:
    from assistant.embedded.linking.linker import Linker


def of_each_one(text: str, linkers: Iterable[Linker]) -> tuple[str, str] | None:
    """The question put plainly, and what was taken for granted; None where it has no such words."""
    known = list(linkers)
    for phrase in (
        _contained,
        _per_head,
        _items_of_one,
        _lifetime_value,
        _how_old,
        _spent_on_one,
        _most_per_one,
        _overall,
    ):
        if (put := phrase(text, known)) is not None:
            return put
    return None


_PER_HEAD = re.compile(r"\b(?:per|a) head\b|\bper capita\b", re.IGNORECASE)
_HEADS = ("employee", "staff", "customer", "client", "member", "user", "guest", "patient", "student", "person")


def _per_head(text: str, linkers: Iterable[Linker]) -> tuple[str, str] | None:
    """ "orders per head": a head is somebody, and no manager: who works here, else who is served."""
    if not _PER_HEAD.search(text):
        return None
    named = [word for word in _HEADS for linker in linkers if _is_table(word, linker) or _is_column(word, linker)]
    return (_PER_HEAD.sub(f"per {named[0]}", text), f"a head is one {named[0]}") if named else None


_ITEMS = re.compile(
    r"\b(?:the |our )?(?:average|avg|mean) (?:number of )?(?P<what>items|pieces|units|articles)"
    r" (?:per|in an?|in each|for each) (?P<one>order|sale|invoice|purchase|receipt)\b",
    re.IGNORECASE,
)


def _items_of_one(text: str, linkers: Iterable[Linker]) -> tuple[str, str] | None:
    """ "average items per order": how many pieces there are of all, where the lines of an order say how many."""
    found = _ITEMS.search(text)
    if found is None:
        return None
    for linker in linkers:
        what, one = found["what"].lower(), found["one"].lower()
        counts = [a for a in linker.schema.attributes if "quantity" in a.own and a.adds_up]
        lines = [a for a in counts if stem(one) in linker.schema.entities[a.table].stems]
        counts = [a for a in lines or counts if len(a.own) == 1] or lines or counts
        known = _is_table(singular(what), linker) or _is_column(singular(what), linker)
        if known or len(counts) != 1:
            continue
        words = counts[0].words
        put = f"ratio of {words} to {one}s" if _is_table(one, linker) else f"average {words} per {one}"
        return text[: found.start()] + put + text[found.end() :], f"{what} are told by {words}"
    return None


_CONTAINED = re.compile(
    r"^how (?:much|many(?: (?:items|pieces|units|articles))?) (?:does|do|did) (?:an?|the|our) (?:typical |average |normal |usual )?(?P<one>order|sale|invoice|purchase|receipt)"
    r" (?:contain|hold|have|include|consist of)(?: on average)?$",
    re.IGNORECASE,
)


def _contained(text: str, linkers: Iterable[Linker]) -> tuple[str, str] | None:
    """ "how much does a typical order contain"."""
    found = _CONTAINED.match(text)
    return _items_of_one(f"average number of items per {found['one'].lower()}", linkers) if found is not None else None


_PER_SALE = re.compile(
    r"\b(?P<does>(?:does|do|did) )?(?:(?:spends?|spent|brings? in|brought in|makes|made|earns|earned|generates|generated)(?: us)? (?:the )?(?P<end>most|least)(?: money)?"
    r"|(?P<side>(?:the )?(?:highest|lowest|most|least|best)) (?:average )?(?P<figure>[a-z]+)) (?:per|for each|for every|with each) (?P<one>[a-z]+)\b",
    re.IGNORECASE,
)
_SPENT_PER_SALE = re.compile(
    r"^how much (?:(?:does|do|did) (?:an?|the|our) (?:typical |average )?(?:[a-z]+) (?:spend|pay)(?: with us)? (?:per|on each|on every|for each|on an?|for an?|in an?)"
    r" (?P<one>[a-z]+)|is (?:an?|the|our) (?:typical |average )(?P<of>[a-z]+) worth)(?: on average)?(?P<rest>(?: (?:by|per|in|this|last|from)\b.*)?)$",
    re.IGNORECASE,
)


def _spent_on_one(text: str, linkers: Iterable[Linker]) -> tuple[str, str] | None:
    """ "which country spends the most per order", "how much does a customer spend per order": what an order is worth."""
    ranked, asked = _PER_SALE.search(text), _SPENT_PER_SALE.match(text)
    one = (asked["one"] or asked["of"]) if asked is not None else ranked["one"] if ranked is not None else ""
    for linker in linkers if one else ():
        value = f"average {one.lower()} value"
        if not any(isinstance(o, ToMetric) for o in linker.names(name_stems(value))) or linker.sold is None:
            continue
        said = f"what is spent per {one.lower()} is told by the {value}"
        if asked is not None:
            return f"{value}{asked['rest']}", said
        assert ranked is not None, "it is asked for otherwise"
        if ranked["figure"] and not any(_is_sold(o, linker) for o in linker.names(name_stems(ranked["figure"]))):
            continue
        end = (ranked["end"] or ranked["side"]).lower().removeprefix("the ")
        put = f"the {'lowest' if end in ('least', 'lowest') else 'highest'} {value}"
        verb = "has " if ranked["end"] else ""
        return f"{text[: ranked.start()]}{verb}{put}{text[ranked.end() :]}", said
    return None


_MOST_PER_ONE = re.compile(
    r"^(?P<lead>(?:which|what) [a-z]+(?: [a-z]+)?|[a-z]+(?: [a-z]+)?) (?P<verb>has|have|had|with|gets?|places?) (?:the )?(?P<end>most|fewest|least|(?:highest|lowest) number of) (?P<what>[a-z]+s) per (?P<one>[a-z]+)$",
    re.IGNORECASE,
)


def _most_per_one(text: str, linkers: Iterable[Linker]) -> tuple[str, str] | None:
    """ "which country has the most orders per customer": how many one has; nothing is ranked for each of them."""
    found = _MOST_PER_ONE.match(text)
    if found is None or not buys(found["one"]):
        return None
    side = "highest" if found["end"].lower() in ("most", "highest number of") else "lowest"
    put = f"{found['lead']} with the {side} average number of {found['what']} per {found['one']}"
    return put, f"{found['what']} per {found['one']} are how many one has on average"


_GRADED = frozenset(stem(word) for word in ("csat", "satisfaction", "rating", "score", "grade"))
_OVERALL = re.compile(
    r"^(?:what(?:'s| is)|how (?:high|good|low|bad) is) our (?:overall |average )?(?P<what>[a-z]+(?: [a-z]+)?)(?P<rest>(?: (?:by|per|in|this|last)\b.*)?)$",
    re.IGNORECASE,
)


def _overall(text: str, linkers: Iterable[Linker]) -> tuple[str, str] | None:
    """ "what is our customer satisfaction": its average, where each of many rows says how good something was."""
    found = _OVERALL.match(text)
    if found is None:
        return None
    for linker in linkers:
        named = linker.names(name_stems(found["what"]))
        numbers = [o.attribute for o in named if isinstance(o, ToColumn) and o.attribute.is_number]
        entity = linker.schema.entities[numbers[0].table] if numbers else None
        alone = len(named) == len(numbers) == 1 and bool(_GRADED & set(numbers[0].own))
        if alone and entity is not None and repeats(numbers[0], entity):
            return f"average {found['what']}{found['rest']}", f"“{found['what']}” is told by its average"
    return None


def _is_sold(option: Option, linker: Linker) -> bool:
    return isinstance(option, ToMetric) and option.metric == linker.sold


_LIFETIME = re.compile(
    r"\b(?:the |our )?(?:average )?(?:(?P<who>customer|client|member|user) )?(?:lifetime value|ltv)\b"
    r"(?: (?:of|per|by) (?:an? |our )?customers?)?|\b(?:the |our )?(?:average )?clv\b",
    re.IGNORECASE,
)


def _lifetime_value(text: str, linkers: Iterable[Linker]) -> tuple[str, str] | None:
    """ "customer lifetime value": what was sold to each so far, on average; nothing is said of what is to come."""
    found = _LIFETIME.search(text)
    if found is None:
        return None
    for linker in linkers:
        who = (found["who"] or "customer").lower()
        metric = linker.sold
        if metric is not None and (_is_table(who, linker) or _is_column(who, linker)):
            put = f"average {metric.name} per {who}"
            return text[: found.start()] + put + text[found.end() :], f"“{found[0]}” is {metric.name} per {who} so far"
    return None


_HOW_OLD = re.compile(
    r"^how old (?:are|is) (?:all |our |the )*(?P<rows>[\w -]+?)(?: on average| typically| usually| by now| today)*$"
    r"|^how long have (?:all |our |the )*(?P<these>[\w -]+?) been (?P<state>open|running|active|going|pending|waiting)"
    r"(?: for)?(?: on average| typically| usually| now| so far)*$",
    re.IGNORECASE,
)


def _how_old(text: str, linkers: Iterable[Linker]) -> tuple[str, str] | None:
    """ "how old are our open tickets": how old they are on average, where dates tell when they began."""
    found = _HOW_OLD.match(text)
    if found is None:
        return None
    rows = found["rows"] or found["these"]
    for linker in linkers:
        named = [e for e in linker.schema.entities.values() if stem(rows.split()[-1]) == e.stems[-1]]
        if len(named) != 1 or not any(isinstance(o, ToMetric) for o in linker.names(_average_age(named[0].many))):
            continue
        state = f"{found['state']} " if found["state"] and found["state"].lower() not in rows.lower().split() else ""
        return f"average age of {state}{rows}", "how old they are is told on average"
    return None


def _average_age(rows: str) -> tuple[str, ...]:
    return name_stems(f"average age of {rows}")


def _is_table(word: str, linker: Linker) -> bool:
    """Whether a table goes by the very word."""
    return any(entity.stems == (stem(word),) for entity in linker.schema.entities.values())


def _is_column(word: str, linker: Linker) -> bool:
    """Whether a column of texts goes by the very word."""
    return any(a.own == (stem(word),) and a.role == "text" for a in linker.schema.attributes)
