"""Definitions that a question brings along: "What is the margin by region, where margin is price minus cost?".

What is said of a word that the question itself uses is cut off, and read like prose of the knowledge base.
"""

from __future__ import annotations

import re

from assistant.embedded.words.lexicon import name_stems

_IS = r"(?:is (?:defined|calculated|computed|measured) as|is given by|stands for|means|refers to|equals|=|is)"
_NAME = r"(?P<name>(?:[A-Za-z][\w%-]*)(?: [\w%-]+){0,3}?)"
_TAIL = re.compile(
    rf"(?:[,;:(]\s*(?:where|with|assuming|given that|and)|\(|[.?!;]\s+(?:Here|Note that|Note:|Where|Assume that)?,?)\s*"
    rf"(?:the |a |an )?{_NAME}\s+{_IS}\s+(?P<body>[^?!]+?)\s*[.?!)]*\s*$"
)
_DEFINED = re.compile(
    r"^(?P<asked>(?:what (?:is|was|are|were)|show|return|list|give(?: me)?) (?:the )?(?P<name>[\w-]+(?: [\w-]+){0,2}?)"
    r" (?:of|by|per|for|in|from) [^,;?]+?)[,;]? \(?(?:which is |which are |i\.e\.,? )?"
    r"(?:defined|calculated|computed|measured) as (?:the |an? )?(?P<body>[^?!]+?)\)?[.?!]*$",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"^(?P<asked>[^?]+\?)\s+(?P<rest>(?:Return|Show|List|Give|Include|Display|Report)\b[^?]*)$", re.DOTALL
)
_VERBS = frozenset(
    ("what", "which", "who", "how", "show", "list", "return", "give", "find", "there", "it", "this", "that")
)


_COMPUTED = r"(?!where )[A-Za-z][\w-]*(?: [\w-]+)? (?:times|plus|minus) (?:the )?[A-Za-z][\w-]*(?: [\w-]+)??"
_SPELT_OUT = re.compile(
    r"(?P<name>(?:[A-Za-z][\w-]+ )?[A-Za-z][\w-]+)(?:,? \(|, )"
    r"(?:i\.?e\.?,? |that is,? |meaning |calculated as |defined as )?(?:the )?"
    rf"(?P<body>{_COMPUTED})(?:\)|,|(?= (?:by|per|for) )|(?=[?.]))"
)
_WHERE = re.compile(
    rf",? (?:where|with) (?:the |a )?(?P<name>[\w-]+) (?:is|equals|means|=) (?:the )?(?P<body>{_COMPUTED})(?=[?.,]|$)"
)
_LEADING = frozenset(("total", "average", "the", "sum", "of", "is", "highest", "lowest", "overall"))


def spelt_out(question: str) -> str:
    """The question with what computes a figure in the place of its name: "value (quantity times price)"."""
    told = _WHERE.search(question)
    if told is not None and re.search(rf"\btotal (?:\w+ )?{re.escape(told['name'])}\b", question, re.IGNORECASE):
        asked = f"{question[: told.start()]}{question[told.end() :]}"
        return re.sub(rf"\b{re.escape(told['name'])}\b", told["body"], asked, count=1)
    match = _SPELT_OUT.search(question)
    if match is None:
        return question
    first = match["name"].rpartition(" ")[0]
    kept = f"{first} " if first.lower() in _LEADING else ""
    return f"{question[: match.start()]}{kept}{match['body']}{question[match.end() :]}"


def cut(question: str) -> tuple[str, str]:
    """The question without the definition at its end, and the definition as a sentence; empty where there is none."""
    if (defined := _DEFINED.match(question.strip())) is not None:
        return f"{defined['asked']}?", f"{defined['name']} is {defined['body']}."
    match = _TAIL.search(question)
    if match is None and (sentences := _REQUEST.match(question.strip())) is not None:
        asked, stated = cut(sentences["asked"])  # "..., where density is population by area? Return the name"
        return (f"{asked} {sentences['rest']}", stated) if stated else (question, "")
    if match is None:
        return question, ""
    asked, name = question[: match.start()].strip(), match["name"].strip()
    words = set(name_stems(name))
    if words & _VERBS or not words <= set(name_stems(asked)) or not match["body"].strip():
        return question, ""
    body = re.sub(r"^(?:the|a|an) ", "", match["body"].strip())
    if re.match(r"(?:not |at (?:least|most) |over |under |above |below |more |less |greater |between |\d|['\"])", body):
        return question, ""  # "where the status is not open": a condition, which defines nothing
    return f"{asked.rstrip(',;:( ')}?", f"{name} is {match['body'].strip()}."
