"""Rows listed by their names: "the clerks in Kiel, by first and last name" shows these, and breaks nothing down.

Only a list of rows is meant: a figure by name is one for each name, and "by last name" alone is an order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from assistant.embedded.linking.linker import Linker
from assistant.embedded.linking.options import ToTable
from assistant.embedded.words.lexicon import name_stems

_PART = r"(?:first|last|full|middle|given|family|personal|sur)"
_BY_NAME = re.compile(
    rf"^(?P<rows>.+?)(?P<comma>,?) by (?:their )?(?P<names>{_PART}(?: ?names?)?(?:(?:,| and|, and) {_PART})* ?names?"
    rf"(?:(?:,| and|, and) {_PART} ?names?)*|names?)(?P<rest> (?:in|sorted|ordered) .*)?$",
    re.IGNORECASE,
)
_FIGURE = re.compile(
    r"\b(?:number of|counts?|total|sum|how|sort(?:ed)?|order(?:ed)? by|rank(?:ed)?|group(?:ed)?|by|then)\b"
    r"|^(?:\w+ )?(?:average|mean|share|highest|lowest|most|top|revenue|sales)\b",
    re.IGNORECASE,
)
_CHOSEN = re.compile(r"^\w+s (?:that|which|who|whose) ", re.IGNORECASE)
"""What is chosen so is rows, by whatever word they go: "firms that export, by name"."""
_LEAD = re.compile(
    r"^(?:(?:please|can you|could you|show|list|give|name|find|get|tell|me|us|all|the|our|every|each) )+", re.I
)


def by_name(question: str, linkers: Iterable[Linker]) -> str:
    """The question with the names as a wish of its own; unchanged where no rows are listed by them."""
    found = _BY_NAME.match(question.strip().rstrip("?.! "))
    if found is None or _FIGURE.search(_LEAD.sub("", found["rows"])):
        return question
    several = " and " in found["names"].lower() or "," in found["names"]
    listed = found["comma"] or _LEAD.match(question)
    if not several and not (found["names"].lower() in ("name", "names") and listed):
        return question
    if _CHOSEN.match(_LEAD.sub("", found["rows"])) and found["comma"]:
        return f"{found['rows']}. Show the {found['names']}{found['rest'] or ''}."
    words = re.findall(r"[\w']+", _LEAD.sub("", found["rows"]).lower())
    stems = [name_stems(word) for word in words[:_HEAD_MAX]]
    if not any(isinstance(o, ToTable) for linker in linkers for said in stems for o in linker.names(said)):
        return question
    return f"{found['rows']}. Show the {found['names']}{found['rest'] or ''}."


_HEAD_MAX = 3
"""Among how many of the first words the noun of the rows stands."""
