"""How many and how much, said in other words, put plainly: "three events or more", "a revenue of 100 to 150", "pre 2000".

Each rule changes words alone and never what is asked for; the rules for what is said around a question are in `sayings`.
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re

from assistant.embedded.words.rewriting import compiled, rewritten

_N = r"(?:\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|fifty|a hundred)"
_THAN = r"(?:more than|over|above|at least|fewer than|less than|under|below|at most|exactly)"
_YEAR = r"(?:1[5-9]|20)\d\d"
_EACH = r"(?:in|from|at|on|for|of|to|by) each(?: one| of (?:them|these|those))?"
_ENDS = r"(?=[\s,.;?!]|$)"

_RULES: tuple[tuple[str, str], ...] = (
    # bounds
    (rf"\b(?P<n>{_N}) (?P<what>[a-z]+s|people|children) or (?P<more>more|fewer|less)\b(?! than)", r"\g<n> or \g<more> \g<what>"),
    (r"\b(?:with|having|has|have|had) (?:just|only|but) (?:a single|one|a) (?=[a-z])", "with exactly one "),
    (rf"(?<!ratio )(?<!odds )(?<!scale )\b(?P<is>is|are|was|were|of) (?P<low>\d[\d.,]*) (?:to|-|–) (?P<high>\d[\d.,]*){_ENDS}", r"\g<is> between \g<low> and \g<high>"),
    (rf"\b(?P<of>ids?|numbers?|prices?|ages?|codes?|amounts?) from (?!{_YEAR}\b)(?P<low>\d[\d.,]*) (?:to|-|–|through) (?P<high>\d[\d.,]*)", r"\g<of> between \g<low> and \g<high>"),
    (rf"\bpre[- ](?P<year>{_YEAR}) (?P<what>[a-z]+)", r"\g<what> before \g<year>"),
    (rf"\bpost[- ](?P<year>{_YEAR}) (?P<what>[a-z]+)", r"\g<what> after \g<year>"),
    # averages
    (rf"\b(?:that|which|who) average (?P<than>{_THAN}) (?P<n>{_N}) (?P<what>[a-z][\w ]*?)(?=[,.;?!]|$)", r"with \g<than> \g<n> \g<what> on average"),
    (rf"\b(?:where|with which|in which|at which|for which) on average (?P<than>{_THAN}) (?P<n>{_N}) (?P<what>[a-z]+) (?:are|is|were|was) (?P<how>[a-z]+)\b", r"with \g<than> \g<n> \g<what> \g<how> on average"),
    (r"\bhow many (?P<what>[a-z][\w ]*?) (?:are|were|is|was) there on average\b", r"what is the average number of \g<what>"),
    (rf"\bwhose (?P<what>[a-z][\w ]*?) averages (?P<than>{_THAN}) (?=\W?\d)", r"whose average \g<what> is \g<than> "),
    # of each
    (rf"^(?:in|at|on|from|to)? ?which (?P<group>[a-z][\w ]*?) (?:are|is|were) (?:the |our |all )*(?P<rows>[a-z][\w ]*?),? and how many (?:of them )?(?:are there |are |were there )?{_EACH}(?=\W*$)", r"number of \g<rows> by \g<group>"),
    (rf"^which (?P<group>[a-z]+?) do (?P<some>(?:{_N}|{_THAN})[\w ]*?) (?:come from|belong to|live in|work in|sit in),? and how many(?: (?:of them|are there|are))*(?: {_EACH})?(?=\W*$)", r"\g<group> with \g<some> and the number of them"),
    (rf",? (?:keeping|showing|listing|counting|taking|with) only (?:the |those )?[a-z]+ (?:that |which |where |from which |in which )?(?:(?:has|have|had|with) )?(?P<than>{_THAN}) (?P<n>{_N}) (?P<what>[a-z]+)(?: (?:comes?|lives?|belongs?|works?|is|are|was|were)(?: (?:from|in|to|at|there))?)?(?=\W*$)", r", only those with \g<than> \g<n> \g<what>"),
    # what it costs
    (r"^(?P<one>.*\b(?:cheapest|dearest|priciest|costliest|most expensive|least expensive|most costly)\b.*?),? and (?:what|how much) (?:it|that|they) costs?(?=\W*$)", r"\g<one> and what is it"),
    (r"(?<=\w),? and (?:what|how much) (?:it|that|they) costs?(?=\W*$)", " and the price"),
    (r"\b(?:longest|highest|largest|biggest|greatest) and (?:the )?(?:shortest|lowest|smallest|fewest) number of(?= \w)", "maximum and minimum number of"),
    # deeds and lacks
    (r"\b(?P<who>who|that|which) (?:have |has )?(?:takes?|took|taken|participated?s?) (?:part )?in no (?P<what>[a-z]+)(?: at all)?\b", r"\g<who> did not participate in any \g<what>"),
    (r"\b(?:takes?|taken|took) part in\b", "participated in"),
    (r"\black(?:s)? (?:an? |any )?(?=\w)", "have no "),
    (r"\b(?:deal|deals|dealt|dealing) with\b", "handled"),
)  # fmt: skip
_COMPILED = compiled(_RULES)
_BESIDE_COUNT = re.compile(
    r"^(?P<rows>[a-z][\w ]*?) (?P<by>by|per|for each|for every|in each) (?P<group>[a-z][\w ]*?)(?:,|:| -) "
    r"(?:the )?(?:count|number|how many)(?:,? (?:and|with|plus) (?:the )?(?P<also>[\w ]+))?\W*$",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"\b(?:number|count|total|sum|average|mean|share|how|most|least|top|best)\b", re.IGNORECASE)


def reckoned(text: str) -> str:
    """The question with what is counted, compared and lacking put plainly."""
    text = rewritten(text, _COMPILED)
    beside = _BESIDE_COUNT.match(text)
    if beside is None or _FIGURE.search(beside["rows"]):
        return text
    also = (beside["also"] or "").strip()
    told = f" with the {also}" if also and also.lower() != beside["group"].lower() else ""
    return f"number of {beside['rows']} {beside['by']} {beside['group']}{told}"
