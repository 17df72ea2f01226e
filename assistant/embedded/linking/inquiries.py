"""Columns asked for by small questions of their own: "what is it called and how is it described?".

They are put as the columns that they ask for: "Show the name and the description". Every one of them must be known to ask
for a column that the data has, else the question is left as it is.
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from assistant.embedded.source.schema import Attribute, Schema
from assistant.embedded.words.lexicon import name_stems, root, stem

_IT = r"(?:it|they|he|she|that|this|those|these|each(?: one| of them)?|(?:the|that|each) (?P<whose>\w+))"
_WHAT_OF = r"(?P<of>(?!(?:it|they|he|she|that|this|those|these|there|we|you|i)\b).+?)"
_IS, _DO = r"(?:is|are|was|were)", r"(?:do|does|did)"
_SITS = r"(?:in|on|at|from|to|with|by|of|under|for|have|belong to|come from)"
_ADJECTIVES = r"(?P<adjective>old|tall|long|heavy|expensive|wide|deep|high|fast|big|large)"
_PATTERNS = (
    rf"(?P<called>what) {_IS} <it> (?:called|named)",
    rf"how {_IS} <it> (?P<described>described)",
    rf"(?:which|what) (?P<noun>[\w ]+?) (?:{_IS}|{_DO}) <it> (?:\w+ )?{_SITS}",
    rf"how {_ADJECTIVES} {_IS} <it>",
    rf"how much {_DO} <it> (?P<measured>cost|weigh|earn)",
    rf"how (?:many|much) (?P<amount>[\w ]+?) {_DO} <it> have",
    rf"where {_DO} <it> (?P<start>leave|depart|start|begin|come|originate|set out|take off)(?: from)?",
    rf"where {_DO} <it> (?P<end>go|arrive|end|land|head|finish|fly|travel)(?: to| at| up)?",
    rf"(?P<place>where) {_IS} <it>(?: located| based| situated)?",
    rf"(?P<place>where) {_DO} <it> (?:live|stand|sit|work)",
    rf"when {_IS} <it> (?P<done>\w+)",
    rf"when {_DO} <it> (?P<does>\w+)(?: (?:the|its|their|his|her) \w+)?",
)
_OF_IT = (
    *(re.compile(f"^{p.replace('<it>', _IT)}$", re.IGNORECASE) for p in _PATTERNS),
    re.compile(r"^(?:what|who) (?:is|are|was|were) (?:its|their|his|her) (?P<noun>[\w ]+)$", re.IGNORECASE),
)
_OF_ROWS = tuple(re.compile(f"^{p.replace('<it>', _WHAT_OF)}$", re.IGNORECASE) for p in _PATTERNS)
_CALLED = {
    "called": ("name", "title"),
    "described": ("description",),
    "cost": ("price", "cost", "fee"),
    "weigh": ("weight",),
    "earn": ("salary", "wage", "pay", "income"),
    "start": ("origin", "source", "departure", "start"),
    "end": ("destination", "arrival", "target", "end"),
    "place": ("location", "city", "town", "place", "address", "country"),
    "old": ("age",),
    "tall": ("height",),
    "long": ("length", "duration", "distance"),
    "heavy": ("weight",),
    "expensive": ("price", "cost"),
    "wide": ("width",),
    "deep": ("depth",),
    "high": ("height", "elevation", "altitude"),
    "fast": ("speed",),
    "big": ("size", "area"),
    "large": ("size", "area"),
}
"""What the columns are called that such words ask for, the likeliest first."""
_NEXT = re.compile(
    r"(?:\s*[,;:.?!]\s+|\s+[-–—]+\s+|\s+)(?:and (?:also )?)?(?=(?:what|which|who|when|where|how)\b)", re.IGNORECASE
)
_MARKED = re.compile(r"[,;:.?!–—-]|\band\b", re.IGNORECASE)
_FOR = re.compile(r"^(?:for|of|take|about|regarding) (?=\w)", re.IGNORECASE)
_WORD = re.compile(r"^(?:what|which|who|whose|when|where|how|is|are|do|does|did|was|were|has|have)\b", re.IGNORECASE)
_ASKS_MORE = re.compile(r"[,;:.?!–—-] (?:and )?(?:what|which|who|when|where|how)\b", re.IGNORECASE)
_MOST_GO = re.compile(
    rf"^where {_DO} (?P<most>the (?:most|fewest|least)|most) (?P<rows>\w+) (?:(?P<start>leave|depart|start|come)(?: from)?|(?P<end>go|arrive|land|head)(?: to)?)$",
    re.IGNORECASE,
)


def as_columns(question: str, schemas: Iterable[Schema]) -> str:
    """The question with small questions at its end put as the columns that they ask for; else unchanged."""
    known = list(schemas)
    text = question.strip().rstrip("?.! ")
    if (most := _MOST_GO.match(text)) is not None:
        end = _first_known(_CALLED["start" if most["start"] else "end"], known)
        return f"which {end} has the {most['most'].split()[-1]} {most['rows']}" if end else question
    head, asked = _cut(text, known)
    if not asked or _ASKS_MORE.search(head):
        return question
    for pattern in _OF_ROWS:
        if (first := pattern.match(head)) is not None and (column := _column(first, known)):
            return f"the {_listed([column, *asked])} of {first['of']}"
    if not _WORD.match(head):
        return f"{_FOR.sub('', head)}. Show the {_listed(asked)}."
    if re.match(r"(?:which|what) (?!is\b|are\b|was\b|were\b)|who\b", head, re.IGNORECASE) and "name" not in asked:
        return f"{head}. Show the {_listed(['name', *asked])}."
    return question


def _cut(text: str, schemas: Sequence[Schema]) -> tuple[str, list[str]]:
    """What stands before the small questions, and the columns that these ask for."""
    asked: list[str] = []
    while True:
        for place in reversed(list(_NEXT.finditer(text))):
            if place.start() == 0 or not _MARKED.search(place[0]):
                continue
            inquiry = text[place.end() :]
            found = (p.match(inquiry) for p in _OF_IT)
            column = next((c for match in found if match is not None and (c := _column(match, schemas))), "")
            if column:
                asked.insert(0, column)
                text = text[: place.start()]
                break
            if len(inquiry.split()) > _LONG:
                return text, asked
        else:
            return text, asked


_LONG = 10
"""How many words such a small question has at the most."""


def _listed(columns: Sequence[str]) -> str:
    *others, last = dict.fromkeys(columns)
    return f"{', '.join(others)} and {last}" if others else last


def _column(found: re.Match[str], schemas: Sequence[Schema]) -> str:
    """The name of the column that a small question asks for; empty where the data has none."""
    said = {name: value.lower() for name, value in found.groupdict().items() if value}
    if "noun" in said:
        return said["noun"] if _is_named(said["noun"], schemas) else ""
    if "amount" in said:
        amounts = (a for a in _columns(schemas) if a.is_number and set(name_stems(said["amount"])) <= set(a.stems))
        return next((said["amount"] for _ in amounts), "")
    if done := said.get("done") or said.get("does"):
        return _day_of(done, said.get("whose", ""), schemas)
    kind = said.get("adjective") or said.get("measured") or next(name for name in _CALLED if name in said)
    return _first_known(_CALLED[kind], schemas)


def _columns(schemas: Iterable[Schema]) -> Iterable[Attribute]:
    return (a for schema in schemas for e in schema.entities.values() for a in e.attributes.values())


def _is_named(noun: str, schemas: Sequence[Schema]) -> bool:
    """Whether a column or a table is called so."""
    stems = set(name_stems(noun))
    tables = (e for schema in schemas for e in schema.entities.values())
    return any(stems <= {*a.stems, *a.own} for a in _columns(schemas)) or any(set(e.stems) == stems for e in tables)


def _first_known(names: Iterable[str], schemas: Sequence[Schema]) -> str:
    """The first of these names that a column has as its own."""
    own = {part for a in _columns(schemas) for part in a.own}
    return next((name for name in names if stem(name) in own), "")


def _day_of(verb: str, whose: str, schemas: Sequence[Schema]) -> str:
    """The one date that is named by a verb, and by what that was done to: "when was it founded", "the claim made"."""
    deed = root(stem(verb))
    days = [a for a in _columns(schemas) if a.is_time and deed in {root(part) for part in a.own}]
    days = [day for day in days if stem(whose) in day.own] or days
    return days[0].words if days and len({day.words for day in days}) == 1 else ""
