"""What to show, said behind what it is of: "customers in Oslo, names only", "open orders - how many?".

The wish becomes a sentence of its own, which the reader knows. Only words that name columns of the data are taken for
one, so that "revenue by region, month" is never cut.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from assistant.embedded.source.schema import Schema
from assistant.embedded.words.lexicon import name_stems, plural, stem

_PART = re.compile(r"\s+[-–—]+\s+|[:;.?!]\s+|,\s+")
_NAMING = frozenset(stem(word) for word in ("name", "id", "title", "code", "email", "phone", "description", "address"))
_SMALL = frozenset(
    (
        "and", "plus", "with", "of", "a", "an", "the", "its", "their", "his", "her", "your",
        "each", "that", "both", "as", "well", "for", "to", "them", "it",
    )
)  # fmt: skip
_ALONE = re.compile(r"^(?:just|only)\b|\b(?:only|just|will do|is enough|are enough|is fine|are fine)$", re.IGNORECASE)
_LEAD = re.compile(r"^(?:and |also |please |pls |just |only |with |showing |including )+", re.IGNORECASE)
_SHOWN = re.compile(r"^(?:please |also |and )*(?:show|list|give|return|display|tell|name|find|get)\b", re.IGNORECASE)
_TRAIL = re.compile(
    r"[\s,]+(?:please|pls|thanks|only|just|too|as well|will do|(?:is|are) (?:enough|fine))$", re.IGNORECASE
)
_HOW_MANY = re.compile(
    r"^(?:and )?(?:how many(?: (?:is that|are there|are they|of (?:them|those)|in total|in all|altogether|overall))*"
    r"|count only|just the count)$",
    re.IGNORECASE,
)
_CALLED = re.compile(r"^(?:and )?what(?:'s| is| are) (?:it|they|he|she|that) called$", re.IGNORECASE)
_COUNTED = re.compile(r"^(?:how (?:many|much)|(?:the )?(?:total )?number of|count)\b", re.IGNORECASE)
_ONCE = re.compile(
    r"[\s,;.(–—-]*(?:\b(?:with )?(?:no|without|minus|avoiding) (?:any )?"
    r"(?:repeats?|repetitions?|repeating|duplicates?|duplicated? \w+|doubles|dupes)"
    r"|\bduplicates? (?:removed|excluded|dropped|left out)|\b(?:only )?unique (?:ones|values)(?: only)?)\)?$",
    re.IGNORECASE,
)
_EACH_ONCE = re.compile(
    r"[\s,;.?!–—-]+(?:(?:list|show|give)(?: me)? )?each (?P<what>\w+)(?: (?:listed|shown|just|only))* once$",
    re.IGNORECASE,
)
_LISTING = re.compile(
    r"^(?:(?:please |can you |could you )*(?:show|list|give|name|find|get|display|return|tell)(?: me| us)? )?"
    r"(?:all )?(?:of )?(?:the )?",
    re.IGNORECASE,
)
_ROW_COUNT = re.compile(
    r"^(?:show )?(?:the )?(?P<rows>[a-z]+) count(?P<rest>(?: (?:by|per|for|in|of|at|and)\b.*)?)$", re.IGNORECASE
)
_ASKED = re.compile(r"^(?:what|which|who|whose|how|where|when|is|are|do|does|did)\b", re.IGNORECASE)


def in_front(question: str, schemas: Iterable[Schema]) -> str:
    """The question with the wish at its end as a sentence of its own; unchanged where it has none."""
    text = question.strip().rstrip("?.! ")
    if (each := _EACH_ONCE.search(text)) is not None:
        return f"{text[: each.start()]}. Show the different {each['what']}s."
    once = _ONCE.search(text)
    text = text[: once.start()].rstrip("?.! ") if once is not None else text
    known: frozenset[str] | None = None
    for part in _PART.finditer(text):
        head, tail = text[: part.start()].strip(), text[part.end() :].strip()
        if not head or not tail:
            continue
        if _HOW_MANY.match(tail) and not _ASKED.match(head):
            return f"how many {head}"
        if _CALLED.match(tail):
            return f"{head}. Show the name."
        known = _columns(schemas) if known is None else known
        wish = _wish(tail, known, after=text[part.start() : part.end()].strip())
        if wish and not _COUNTED.match(head):
            return f"{head}. Show the {'different ' if once is not None else ''}{wish}."
    if once is not None:
        return _different(text)
    counted = _ROW_COUNT.match(text)
    if counted is None or not _is_table(counted["rows"], schemas):
        return question
    return f"number of {plural(counted['rows'])}{counted['rest']}"


def _different(text: str) -> str:
    """ "names of customers, no duplicates" are the different names."""
    last = re.search(r"[?.!;] (?P<verb>show |give |list )(?:me )?(?:the )?(?P<what>[^.?!;]+)$", text, re.IGNORECASE)
    if last is not None:
        return f"{text[: last.start() + 1]} Show the different {last['what']}."
    if _ASKED.match(text):
        return text
    lead = _LISTING.match(text)
    at = lead.end() if lead is not None else 0
    return f"{text[:at]}different {text[at:]}"


def _is_table(rows: str, schemas: Iterable[Schema]) -> bool:
    """Whether a word alone names a table."""
    return any(tuple(e.stems) == tuple(name_stems(rows)) for schema in schemas for e in schema.entities.values())


def _columns(schemas: Iterable[Schema]) -> frozenset[str]:
    """The stems of all words in names of columns."""
    entities = [entity for schema in schemas for entity in schema.entities.values()]
    return frozenset(part for e in entities for a in e.attributes.values() for part in a.own)


def _wish(tail: str, columns: Collection[str], *, after: str) -> str:
    """The columns that the end of a question wishes for; empty where it is something else."""
    if _SHOWN.match(tail):
        return ""  # a sentence of its own already
    wish = _LEAD.sub("", tail)
    for _ in range(2):
        wish = _TRAIL.sub("", wish)
    wish = re.sub(r"\s*[+&/]\s*|,? (?:along )?with (?:the |their |its )?", " and ", wish)
    words = re.findall(r"[\w']+", wish.lower())
    named = [part for word in words if word not in _SMALL for part in name_stems(word.removesuffix("'s"))]
    if not named or not all(part in columns or part in _NAMING for part in named):
        return ""
    if after == "," and not (_NAMING & set(named) or _ALONE.search(tail)):
        return ""
    return re.sub(r"^(?:the|their|its|his|her|all|each) ", "", wish, flags=re.IGNORECASE)
