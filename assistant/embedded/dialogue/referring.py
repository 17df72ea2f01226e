"""Words that stand for the rows of the answer before: "which of them", "how many are they?", "who wrote it?", "their".

What they say by their form alone; what the rows are called is put in their place, and the rest is read as any question.
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from assistant.embedded.meaning import Meaning
from assistant.embedded.words.lexicon import sentence_of

_THEM = r"(?:them|these|those|they)"
_LEAD = r"^(?:(?:and|but|so|now|ok|okay|please|then|also)\b[\s,]*)*"
_ALL = re.compile(
    rf"{_LEAD}(?:(?:show|give|see)(?: me| us)? (?:the|that|this) list|(?:show|list|give|tell|display|print|get|name|see)(?: me| us)? (?:all of )?{_THEM}(?: all| to me)?"
    rf"|(?:who|which(?: ones)?|what) (?:are|is|were|was) (?:{_THEM}|it|that)|who|which ones|list|list all|name all"
    rf"|(?:(?:show|list|give|only|just|what are)(?: me)? )*(?:the|their) names?)$",
    re.IGNORECASE,
)
_DETAILS = re.compile(
    rf"{_LEAD}(?:(?:show|list|give|see|with)(?: me)? )?(?:(?:the|all|more|full|further|some) )*(?:(?:details?|columns|fields|information|info)(?: (?:about|of|on|for) (?:{_THEM}|it))?|everything about (?:{_THEM}|it))$",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    rf"{_LEAD}(?:(?:how many|count)(?: (?:are|is|were|was) (?:there|{_THEM}|that|it)| {_THEM}| rows?(?: (?:are there|is that))?| in (?:total|all))?(?: in (?:total|all))?|(?:what is |show )?(?:the |their )?(?:number|count))$",
    re.IGNORECASE,
)
_COUNTED_BY = re.compile(
    rf"{_LEAD}(?:how many|(?:the )?number|count)(?: are there| of {_THEM})? (?P<by>(?:per|by|in each|for each) .+)$",
    re.IGNORECASE,
)
_SO_MANY = re.compile(
    rf"{_LEAD}how many (?P<x>[\w ]+?) (?:is|are|was|were) (?:that|it|this|those|they|these)(?: in (?:total|all))?$",
    re.IGNORECASE,
)
_FURTHEST = re.compile(
    rf"{_LEAD}(?:(?:only|just|show|list|give|me)\b ?)*(?:(?:which|what|who)(?: ones?)?(?: of {_THEM})? (?:is|are|was|were) )?the (?P<x>(?:most|least) \w+|\w{{2,}}est|best|worst)(?: ones?)?(?: of {_THEM})?$",
    re.IGNORECASE,
)
_OF_THEM = re.compile(r"\bof (?:all )?(?:them|these|those)\b(?! \w+ (?:and|or)\b)", re.IGNORECASE)
_SUBJECT = re.compile(
    r"\b(?P<verb>do|does|did|have|has|had|are|were|is|was|can|could|will) (?:they|these|those)\b", re.IGNORECASE
)
_OBJECT = re.compile(r"\b(?:them|they)\b", re.IGNORECASE)
_NAMED = re.compile(
    rf"{_LEAD}(?P<ask>(?:show|list|give|display|count|how many|which|what|who|are|do|did|only|just)\b.*?\b)?(?:these|those) (?P<noun>(?!over|above|below|under|with|without|from|in|for|of|that|who|which|by|more|less)\w+)",
    re.IGNORECASE,
)
_BARE = re.compile(
    rf"{_LEAD}(?P<ask>how many|which|who)(?: ones)? (?P<rest>(?:are|were|have|had|has|is|was|(?:did|do|does)(?:n't| not)|live|lives|come|comes|ordered|bought|paid|cost|costs|earn|earns|rated)\b(?! there\b| we\b| our\b| the\b| each\b| every\b).+)$",
    re.IGNORECASE,
)
_WHICH_THINGS = re.compile(rf"{_LEAD}(?:which|what) (?P<x>(?!ones?$|else$)\w+(?: \w+)?)$", re.IGNORECASE)
_WHO = re.compile(rf"{_LEAD}who (?P<does>\w+)", re.IGNORECASE)
_DOING = re.compile(
    rf"{_LEAD}who (?P<rest>(?:\w+ed|spent|spends|spend|rents|buys|sells|sold|made|makes|got|gets|gave|works|took)\b .+)$",
    re.IGNORECASE,
)
_IT_DOES = re.compile(
    rf"{_LEAD}(?P<before>(?:which|who|whose|what|where|when|how|(?:in|from|on|by|to|with) (?:which|what|where))\b.*?\b(?:is|was|does|did|has|had|were|are) )(?:it|he|she)\b(?! takes?\b)(?P<after>.*)$",
    re.IGNORECASE,
)
_DONE_TO_IT = re.compile(
    rf"{_LEAD}(?P<before>(?:which|who|what|how many|list|show)\b.* )(?:it|him|her)(?P<after>)$", re.IGNORECASE
)
_EACH = re.compile(
    rf"{_LEAD}(?P<before>(?:how much|how often|how long|what|when|where) (?:did|does|do|has|have|had|is|was)) each(?: one)?(?: of {_THEM})? (?P<rest>(?:spend|spent|pay|paid|order|buy|bought|cost|have|had|earn|make|made|sell|sold|take|took|bring|generate|get|receive|rent|use|return|last|weigh|owe|contribute|come|start|sign|join|live|work)\b.*)$",
    re.IGNORECASE,
)
_THEIR = re.compile(
    rf"{_LEAD}(?:(?:show|list|give|what (?:is|are)|tell)(?: me)? )?(?:their|its|his|her) (?P<x>.+)$", re.IGNORECASE
)
_HOW_MANY = re.compile(rf"{_LEAD}(?:how many|count|what (?:share|percentage|part))\b", re.IGNORECASE)


def about_same_rows(question: str) -> bool:
    """Whether the words ask about what the answer before was about."""
    text = _bare(question)
    if _CHANGED.match(text):
        return False
    if (
        _ALL.match(text)
        or _DETAILS.match(text)
        or _COUNTED.match(text)
        or _COUNTED_BY.match(text)
        or _SO_MANY.match(text)
        or _of_them(text)
        or _BARE.match(text)
        or _DOING.match(text)
        or _EACH.match(text)
    ):
        return True
    return bool(_SUBJECT.search(text) or _NAMED.match(text) or _refers(text))


def things_asked(question: str) -> str:
    """What "which products?" asks for, where nothing else is said."""
    match = _WHICH_THINGS.match(_bare(question))
    return match["x"].lower() if match else ""


def of_the_one(question: str, previous: Meaning) -> bool:
    """Whether the words ask something of the one that was found: "which album is it on?", "who wrote it?"."""
    one = previous.limit == 1 and not previous.within
    text = _bare(question)
    return one and not _CHANGED.match(text) and bool(_IT_DOES.match(text) or _DONE_TO_IT.match(text))


def asks_extreme(question: str, previous: Meaning) -> bool:
    """Whether the words ask for the one of a list, or of those counted, that goes furthest: "which is the cheapest?"."""
    return not previous.dimensions and not previous.order and _FURTHEST.match(_bare(question)) is not None


def asks_who(question: str) -> bool:
    """Whether the words ask who did something, of people before or of anybody: "who ordered in 2025?"."""
    text = _bare(question)
    return bool(_BARE.match(text) or _DOING.match(text)) and _WHO.match(text) is not None


def doing_word(question: str) -> str:
    """What is done by whoever is asked for."""
    match = _WHO.match(_bare(question))
    return match["does"].lower() if match else ""


def asks_for_rows(question: str) -> bool:
    """Whether the rows themselves are asked for, or how many they are, so that nothing else need be said of them."""
    text = _bare(question)
    return bool(_ALL.match(text) or _NAMED.match(text) or _COUNTED.match(text) or _SO_MANY.match(text))


def asks_how_many(question: str) -> bool:
    """Whether a number of rows is asked for, or a part of them."""
    return _HOW_MANY.match(_bare(question)) is not None


def in_full(question: str, *, one: str, many: str, names: Sequence[str], tables: Collection[str]) -> str:
    """The question with what the rows are called in the place of the word that stands for them.

    Args:
        question: What was asked of them.
        one: What one of the rows is called.
        many: What several are called.
        names: The columns that name a row.
        tables: What the rows of each table are called.
    """
    text = _bare(question)
    if _ALL.match(text):
        return f"list the {many}"
    if _DETAILS.match(text):
        return f"all information about the {many}"
    if match := _COUNTED_BY.match(text):
        return f"how many {many} {match['by']}"
    if _COUNTED.match(text):
        return f"how many {many} are there"
    if match := _SO_MANY.match(text):
        return f"how many {match['x']} are there"
    if match := _THEIR.match(text):
        if names and match["x"].lower() in tables:
            return f"{match['x']} and {', '.join(names)} of the {many}"
        return f"{', '.join(names)} and {match['x']} of the {many}" if names else f"{match['x']} of the {many}"
    if match := _IT_DOES.match(text) or _DONE_TO_IT.match(text):
        return f"{match['before']}the {one}{match['after']}"
    if match := _FURTHEST.match(text):
        return f"which {one} is the {match['x']}"
    text = re.sub(_LEAD, "", text, flags=re.IGNORECASE)
    if match := _of_them(text):
        after = text[match.end() :]
        named = re.match(rf"\s+(?:{re.escape(many)}|{re.escape(one)})\b", after, re.IGNORECASE)
        return f"{text[: match.start()]}{many}{after[named.end() :] if named else after}"
    if match := _NAMED.match(text):
        return re.sub(r"\b(?:these|those) ", "the ", text, count=1, flags=re.IGNORECASE)
    if match := _EACH.match(text):
        return f"{match['before']} each {one} {match['rest']}"
    if match := _DOING.match(text):
        return f"which {many} {match['rest']}"
    if match := _BARE.match(text):
        return f"{'which' if match['ask'].lower() == 'who' else match['ask']} {many} {match['rest']}"
    text = _SUBJECT.sub(rf"\g<verb> the {many}", text)
    return _OBJECT.sub(f"the {many}", text)


def _of_them(text: str) -> re.Match[str] | None:
    """ "how many of them", early in the question, so that nothing in it can be what it means."""
    match = _OF_THEM.search(text)
    return match if match is not None and len(text[: match.start()].split()) <= _EARLY + 2 else None


def _refers(text: str) -> bool:
    """Whether "them" stands early, so that nothing in the question can be what it means."""
    match = _OBJECT.search(text)
    if match is None:
        return False
    before = text[: match.start()].lower().split()
    asks = _ASKING.match(text) is not None and "and" not in before[1:]
    last = match.end() == len(text) and "and" not in before
    return len(before) <= (_EARLY_ASKED if asks or last else _EARLY)


_ASKING = re.compile(rf"{_LEAD}(?:which|what|how many|how much|who|where|when)\b", re.IGNORECASE)
_EARLY, _EARLY_ASKED = 2, 6
_CHANGED = re.compile(
    rf"{_LEAD}(?:(?:sort|order|rank|group|plot|draw|split|break|limit|reverse|compare|divide|add up|sum|chart) {_THEM}\b"
    rf"|(?:show|list|display|give)(?: me)? {_THEM} (?:as|by|per|in|sorted|ordered|with|without|for|from)\b)",
    re.IGNORECASE,
)
"""The answer itself is to be shown otherwise."""


def _bare(question: str) -> str:
    return re.sub(r"[\s,]+(?:please|thanks|again|then|exactly)$", "", sentence_of(question), flags=re.IGNORECASE)
