"""What to show, said behind what it is of: "customers in Oslo, names only", "open orders - how many?".

The wish becomes a sentence of its own, which the reader knows. Only words that name columns of the data are taken for
one, so that "revenue by region, month" is never cut.
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
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
_SHOWN = re.compile(
    r"^(?:please |also |and )*(?:show|list|give|return|display|tell|name(?!s?(?:$|[ ]?[,;+&/]| (?:and|or|plus|with|only)\b))|find|get)\b",
    re.IGNORECASE,
)
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
    r"[\s,;.(–—-]*(?:\b(?:with )?(?:no|without|minus|avoiding|leaving out|omitting|skipping) (?:any |the )?"
    r"(?:repeats?|repetitions?|repeating|duplicates?|duplicated? \w+|doubles|dupes)"
    r"|\bduplicates? (?:removed|excluded|dropped|left out)|\b(?:only )?unique (?:ones|values)(?: only)?)\)?$",
    re.IGNORECASE,
)
_EACH_ONCE = re.compile(
    r"[\s,;.?!–—-]+(?:please )?(?:(?:list|show|give)(?: me)? )?"
    r"each (?P<what>\w+(?: \w+){0,2}?)(?: (?:listed|shown|just|only))* once$",
    re.IGNORECASE,
)
_LISTING = re.compile(
    r"^(?:(?:please |can you |could you )*(?:show|list|give|name|find|get|display|return|tell)(?: me| us)? )?"
    r"(?:all )?(?:of )?(?:the )?",
    re.IGNORECASE,
)
_NOUNS = frozenset(("name", "one", "item", "value", "entry", "result", "row", "record", "person"))
"""What may be each once though it is no more than what was asked for: "leaders of teams from Kiel, each name once"."""
_ALONG = re.compile(
    r",? (?:along|together) with (?P<that>that|its|their|the(?: same| corresponding)?) (?P<wish>[\w ]+)$", re.IGNORECASE
)
_COLUMNS_OF = re.compile(
    r"^(?P<columns>(?:(?:show|list|give|find|get|display|return|tell)(?: me| us)? |what (?:is|are) )?(?P<named>[\w ,]+?))"
    r"(?P<rows> (?:of|for) (?:the |all |each |every |our )?[\w ]+? (?:whose|with|that|who|which|where|having|from|in) .+)$",
    re.IGNORECASE,
)
_WITH_THE = re.compile(
    r"(?P<head>\w) with the (?!(?:max|min|average|mean|total|sum|top|most|least)[a-z]*\b)(?P<columns>[\w ]+?)$",
    re.IGNORECASE,
)
_EACH_WITH = re.compile(
    r"^(?:(?:show|list|give)(?: me)? )?(?:each|every) (?P<rows>[a-z]+) with (?:the |their |its |his |her )?"
    r"(?!(?:max|min|average|mean|total|sum|top|most|least|number|count)[a-z]*\b)(?P<columns>[a-z][\w ]*?)$",
    re.IGNORECASE,
)
_BY_NAME = re.compile(
    r"^(?P<ask>(?:show|list|give|name|find|get|display|return|tell)(?: me| us)? )?(?:all )?(?:of )?(?:the )?(?P<rows>[a-z]+)"
    r"(?P<of>(?:(?! by\b| order).)*?)(?P<mark>,?) by name$",
    re.IGNORECASE,
)
_PER = re.compile(r"^(?P<rows>[a-z]+(?: [a-z]+)?) (?:per|for each|for every) ", re.IGNORECASE)
_ROW_COUNT = re.compile(
    r"^(?:show )?(?:the )?(?P<rows>[a-z]+) count(?P<rest>(?: (?:by|per|for|in|of|at|and)\b.*)?)$", re.IGNORECASE
)
_ASKED = re.compile(r"^(?:what|which|who|whose|how|where|when|is|are|do|does|did)\b", re.IGNORECASE)


def in_front(question: str, schemas: Iterable[Schema]) -> str:
    """The question with the wish at its end as a sentence of its own; unchanged where it has none."""
    text = question.strip().rstrip("?.! ")
    if (each := _EACH_ONCE.search(text)) is not None:
        if each["what"].lower() in _NOUNS and " of " in text[: each.start()]:
            return _different(text[: each.start()])
        return f"{text[: each.start()]}. Show the different {each['what']}s."
    if (put := _beside(text, schemas)) is not None:
        return put
    own = _EACH_WITH.match(text)
    if own is not None and _is_listed(own["rows"], schemas) and _wish(own["columns"], _columns(schemas), after="with"):
        return f"show each {own['rows']} and {own['columns']}"
    theirs = _WITH_THE.search(text)
    if theirs is not None and _wish(theirs["columns"], _columns(schemas), after="with"):
        text = question = f"{text[: theirs.end('head')]} with their {theirs['columns']}"
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
        per = _PER.match(head)
        if wish and once is None and per is not None and _is_table(per["rows"], schemas):
            return f"number of {head}. Show the {wish}."
        if wish and not _COUNTED.match(head):
            return f"{_in_order(head, known, schemas)}. Show the {'different ' if once is not None else ''}{wish}."
    if once is not None:
        return _different(text)
    counted = _ROW_COUNT.match(text)
    if counted is None or not _is_table(counted["rows"], schemas):
        return question
    return f"number of {plural(counted['rows'])}{counted['rest']}"


def _beside(text: str, schemas: Iterable[Schema]) -> str | None:
    """ "the name of the shop with the lowest rent, along with that rent", "all shops by name"."""
    along, named = _ALONG.search(text), _BY_NAME.match(text)
    if along is None and named is None:
        return None
    known = _columns(schemas)
    if along is not None and (wish := _wish(along["wish"], known, after="with")):
        of = _COLUMNS_OF.match(text[: along.start()])
        if of is not None and _wish(of["named"], known, after="of"):
            return f"{of['columns']} and {wish}{of['rows']}"
    if named is not None and (named["mark"] or named["ask"]) and _is_table(named["rows"], schemas):
        return f"the names of the {named['rows']}{named['of']}"
    return None


def _different(text: str) -> str:
    """ "names of customers, no duplicates" are the different names."""
    last = re.search(
        r"[?.!;] (?:please )?(?P<verb>show |give |list )(?:me )?(?:the )?(?P<what>[^.?!;]+)$", text, re.IGNORECASE
    )
    if last is not None:
        return f"{text[: last.start() + 1]} Show the different {_EACH.sub('', last['what'])}."
    if _ASKED.match(text):
        return text
    lead = _LISTING.match(text)
    at = lead.end() if lead is not None else 0
    return f"{text[:at]}different {text[at:]}"


_EACH = re.compile(r"^(?:each|every|all|their|its|your) (?:of )?(?:the )?", re.IGNORECASE)


def _in_order(head: str, columns: Collection[str], schemas: Iterable[Schema]) -> str:
    """ "shows by launch date, names only": where names alone are wished for, that is an order."""
    by = _BY.match(head)
    if by is None or not _is_table(by["rows"], schemas):
        return head
    named = [part for word in re.findall(r"\w+", by["what"].lower()) for part in name_stems(word)]
    return f"{by['rows']} sorted by {by['what']}" if all(part in columns for part in named) else head


_BY = re.compile(r"^(?:the |all |our )*(?P<rows>[a-z]+(?: [a-z]+)?) by (?P<what>[\w ]+)$", re.IGNORECASE)


def _is_table(rows: str, schemas: Iterable[Schema]) -> bool:
    """Whether a word alone names a table."""
    return any(tuple(e.stems) == tuple(name_stems(rows)) for schema in schemas for e in schema.entities.values())


def _is_listed(rows: str, schemas: Iterable[Schema]) -> bool:
    """ "each player": whether a word names a table with a column that is called so as well."""
    stems = tuple(name_stems(rows))
    tables = [e for schema in schemas for e in schema.entities.values() if tuple(e.stems) == stems]
    return any(tuple(a.stems) == stems for e in tables for a in e.attributes.values())


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
    number = "number of " if "number" in columns else ""
    wish = re.sub(r"\bhow many (?=\w+(?:,| and |$))", number, wish, flags=re.IGNORECASE)
    words = re.findall(r"[\w']+", re.sub(r"\bnumber of\b", "", wish.lower()))
    named = [part for word in words if word not in _SMALL for part in name_stems(word.removesuffix("'s"))]
    if not named or not all(part in columns or part in _NAMING for part in named):
        return ""
    if after == "," and not (_NAMING & set(named) or _ALONE.search(tail)):
        return ""
    return re.sub(r"^(?:the|their|its|his|her|all|each) ", "", wish, flags=re.IGNORECASE)
