"""What is lent and comes back, in set words: "how long do people keep a film", "customers who still have a book out".

Only where one table says when its rows were handed out and when they were returned. What was taken for granted is said.
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from assistant.embedded.linking.deed_days import are_of
from assistant.embedded.linking.persons import doers
from assistant.embedded.source.dating import likeliest_date
from assistant.embedded.words.lexicon import name_stems, stem

if TYPE_CHECKING:
    from assistant.embedded.linking.linker import Linker
    from assistant.embedded.source.schema import Attribute, Entity

_KEEPING = r"keep|keeps|kept|hold on to|borrow|borrowed|on loan|lent|lent out|rented|rented out"
_KEPT = re.compile(
    rf"^how long (?:do|does|did|are|is|were|was) (?P<said>.*?\b(?:{_KEEPING})\b.*?)"
    r"(?P<rest>(?: (?:by|per|for each|in|this|last) .+)?)$",
    re.IGNORECASE,
)
_OUT = re.compile(
    r"\b(?:(?:(?:that|which|who) )?(?:still )?(?:has|have|had|with) (?:an? |any |some |the |their )?[a-z]+"
    r" (?:that (?:is|are) )?(?:still )?(?:out|on loan|outstanding)"
    r"|(?:(?:that|which) )?(?:(?:is|are) )?(?:still|currently) (?:out|on loan))(?=\W*$)",
    re.IGNORECASE,
)
_KEPT_LONGEST = re.compile(
    r"^(?:(?:which|what) (?P<rows>[a-z]+(?: [a-z]+)?)|who) (?P<verb>keeps?|kept|held on to|holds on to|borrows?|borrowed|rents?|rented)"
    r" (?P<one>an? )?(?:(?:the|our|their|its|his|her) )?[a-z]+(?: out)?(?: for)?(?: the)? (?P<end>longest|shortest)(?: time)?(?: on average)?"
    r"(?P<rest>(?: (?:in|this|last|since|during)\b.*)?)$",
    re.IGNORECASE,
)
_CAME_BACK = re.compile(
    r"\b(?P<be>(?:is|are|was|were|do|does|did|has|have) )?(?:came|come|comes|coming|brought|taken|given|got)"
    r" back(?= (?:within|after|in (?:less|more|under)|late|on time|before|too late)\b)",
    re.IGNORECASE,
)
_DURATION = re.compile(
    r"\b(?P<figure>average|mean|avg|longest|shortest|typical) (?P<rows>[a-z]+) (?:durations?|times?|periods?|lengths?)\b",
    re.IGNORECASE,
)
_BACK = frozenset(stem(word) for word in ("return", "returned", "back"))
_AN_END = re.compile(r"\b(?:at most|at least|longest|shortest)\b", re.IGNORECASE)


def lent(text: str, linkers: Iterable[Linker]) -> tuple[str, str] | None:
    """The question put plainly, and what was taken for granted; None where nothing is lent, or nothing asks of it."""
    kept, out = _KEPT.match(text), _OUT.search(text)
    other = [found for pattern, _ in _PHRASES if (found := pattern.search(text)) is not None]
    for linker in linkers if kept or out or other else ():
        found = [(e, pair) for e in linker.schema.entities.values() if (pair := _handed_out(e)) is not None]
        if len(found) != 1:
            continue
        entity, (start, end) = found[0]
        for pattern, put in _PHRASES:
            match = pattern.search(text)
            if match is not None and (plain := put(match, entity, start, end, linker)) is not None:
                return plain
        if kept is not None and not _AN_END.search(kept["said"]):
            put = f"average days between {start.words} and {end.words}{kept['rest']}"
            return put, f"how long is told by the days from {start.words} to {end.words}, on average"
        if out is not None and out.start():
            before = text[: out.start()].rstrip()
            rows = re.sub(r"^(?:which|what) ", "", before, flags=re.IGNORECASE)
            put = f"{rows} with unreturned {entity.many}"
            return put, f"what is still out are {entity.many} without a {end.words}"
    return None


def _longest(found: re.Match[str], rows: Entity, start: Attribute, end: Attribute, linker: Linker) -> Put | None:
    """ "who kept a film the longest": the longest of all; "which customer keeps films the longest": on average."""
    who = found["rows"] or next(iter(doers("borrow", rows, linker.schema)), "")
    if not who or not are_of(who, rows, linker):
        return None
    once = found["one"] and found["verb"].lower() in ("kept", "held on to", "borrowed", "rented")
    side = "highest" if found["end"].lower() == "longest" else "lowest"
    figure = f"the {found['end'].lower()} time" if once else f"the {side} average days"
    said = f"how long is told by the days from {start.words} to {end.words}{'' if once else ', on average'}"
    return f"{who} with {figure} between {start.words} and {end.words}{found['rest']}", said


def _came_back(found: re.Match[str], rows: Entity, start: Attribute, end: Attribute, linker: Linker) -> Put | None:
    """ "rentals that came back within 5 days": that were returned."""
    be = (found["be"] or "").strip().lower()
    said = f"{found['be'] if be in ('is', 'are', 'was', 'were') else 'were '}returned"
    return f"{found.string[: found.start()]}{said}{found.string[found.end() :]}", f"what came back has a {end.words}"


def _duration(found: re.Match[str], rows: Entity, start: Attribute, end: Attribute, linker: Linker) -> Put | None:
    """ "average rental duration by category": from the day of the rental, unless a number is called so."""
    if name_stems(found["rows"]) != rows.stems or any(_LENGTHS & set(a.stems) for a in linker.schema.attributes):
        return None
    figure = found["figure"] if found["figure"].lower() not in ("typical", "avg") else "average"
    unit = "days" if figure.lower() in ("average", "mean") else "time"
    put = f"{figure} {unit} between {start.words} and {end.words}"
    said = f"the time is that from {start.words} to {end.words}"
    return f"{found.string[: found.start()]}{put}{found.string[found.end() :]}", said


_LENGTHS = frozenset(stem(word) for word in ("duration", "period", "days"))
Put = tuple[str, str]
_PHRASES = ((_KEPT_LONGEST, _longest), (_CAME_BACK, _came_back), (_DURATION, _duration))


def _handed_out(entity: Entity) -> tuple[Attribute, Attribute] | None:
    """From when to when a row was out: its own day, and the one on which it was returned, which some have not."""
    ends = [a for a in entity.dates if a.role == "date" and _BACK & set(a.own)]
    start = likeliest_date(entity)
    if len(ends) != 1 or start is None or start.role != "date" or start == ends[0]:
        return None
    profile = ends[0].column.profile
    return (start, ends[0]) if profile is not None and profile.nulls else None
