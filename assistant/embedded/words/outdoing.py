"""What outdoes all others, said as what it is: "more ships than any other company" is "the most ships".

Only what says "other" is put so; "older than any clerk" compares with rows of another kind.
"""

from __future__ import annotations

import re

from assistant.embedded.words.vocabulary import STOP_WORDS

_ADJECTIVES = (
    "larg|great|bigg|high|long|short|old|young|tall|cheap|heavi|light|small|strong|weak|low|deep|wid|fast|slow|new|earli"
    "|lat|rich|poor|busi|hott|cold|warm"
)
_OTHERS = re.compile(
    rf"\b(?:(?:an?|the) )?(?P<degree>more|fewer|less|better|worse|(?:{_ADJECTIVES})er)\b"
    r"(?P<what>(?: (?!than\b)[\w'-]+){0,4})"
    r" than (?:(?:any|every|all|all the|any of the) others?\b(?: (?P<noun>[\w-]+))?|(?:any|every)(?:body|one) else)",
    re.IGNORECASE,
)
_UTMOST = {"more": "most", "fewer": "fewest", "less": "least", "better": "best", "worse": "worst"}


def utmost(question: str) -> str:
    """The question with what is more than that of any other put as the most there is."""
    return _OTHERS.sub(_put, question)


def _put(match: re.Match[str]) -> str:
    degree, noun = match["degree"].lower(), match["noun"] or ""
    most = _UTMOST.get(degree) or f"{degree.removesuffix('er')}est"
    behind = f" {noun}" if noun.lower() in STOP_WORDS else ""
    return f"the {most}{match['what']}{behind}"
