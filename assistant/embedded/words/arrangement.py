"""In which order rows are wanted, said at length, put as an order: "going from the shop with the fewest sales to the one with the most".

Each rule changes words alone and never what is asked for; the rules for what is said around a question are in `sayings`.
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

from assistant.embedded.words.rewriting import compiled, rewritten

_UP = r"(?:smallest|lowest|least|fewest|shortest|lightest|worst)"
_DOWN = r"(?:biggest|highest|largest|greatest|most|longest|heaviest|best)"
_GOING = r"(?:,? (?:going|running|working|sorted|ordered|ranked|listed|arranged|starting))?,?"
_ONE = r"(?:the )?(?:ones?|those|whoever|[a-z]+(?: [a-z]+)?)"
_HAVING = r"(?:with|having|(?:that |which |who )?(?:has|have|had))"
_END = r"(?=[\s,.;?!]|$)"
_FIRST = r"(?:first|on top|at the top|coming first|at the start)"
_SORT = r"^(?:please )?(?:sort|order|rank|arrange) (?P<rows>(?:the |all |our )*[\w ]+?) by (?:the |their |its )?"
_SHOW = r",? (?:and|then) (?:show|give|list|return|display)(?: me| us)? (?:the |their |its )?(?P<what>[\w ,]+?)(?: (?:of|for) each(?: one)?)?(?=\W*$)"

_RULES: tuple[tuple[str, str], ...] = (
    # from the one to the other
    (rf"{_GOING} from {_ONE} {_HAVING} the (?:fewest|least) (?P<what>[a-z][\w ]*?) (?:up |all the way )?to {_ONE} {_HAVING} the most(?: (?P=what))?{_END}", r" in ascending order of the number of \g<what>"),
    (rf"{_GOING} from {_ONE} {_HAVING} the most (?P<what>[a-z][\w ]*?) (?:down |all the way )?to {_ONE} {_HAVING} the (?:fewest|least)(?: (?P=what))?{_END}", r" in descending order of the number of \g<what>"),
    (rf"{_GOING} from {_ONE} {_HAVING} the {_UP} (?P<what>[a-z][\w ]*?) (?:up )?to {_ONE} {_HAVING} the {_DOWN}(?: (?P=what))?{_END}", r" in ascending order of \g<what>"),
    (rf"{_GOING} from {_ONE} {_HAVING} the {_DOWN} (?P<what>[a-z][\w ]*?) (?:down )?to {_ONE} {_HAVING} the {_UP}(?: (?P=what))?{_END}", r" in descending order of \g<what>"),
    (rf",? (?:starting|beginning) with {_ONE} {_HAVING} the {_DOWN} (?P<what>[a-z][\w ]*?)(?=\W*$)", r" in descending order of \g<what>"),
    (rf",? (?:starting|beginning) with {_ONE} {_HAVING} the {_UP} (?P<what>[a-z][\w ]*?)(?=\W*$)", r" in ascending order of \g<what>"),
    (rf",? (?:starting|beginning) with (?:whoever|{_ONE} (?:that|which|who)) (?P<did>[a-z]+ed) the {_DOWN} (?P<what>[a-z]\w*)(?=\W*$)", r" in descending order of the number of \g<what> \g<did>"),
    (rf",? (?:starting|beginning) with (?:whoever|{_ONE} (?:that|which|who)) (?P<did>[a-z]+ed) the {_UP} (?P<what>[a-z]\w*)(?=\W*$)", r" in ascending order of the number of \g<what> \g<did>"),
    (r",? (?:starting |beginning )?from the (?:earliest|oldest|lowest|smallest) (?P<what>[a-z][\w ]*?) (?:on|onwards?|up|upwards?)(?=\W*$)", r" sorted by \g<what>"),
    (r",? (?:starting |beginning )?from the (?:latest|newest|most recent|highest|largest) (?P<what>[a-z][\w ]*?) (?:back|backwards?|down|downwards?)(?=\W*$)", r" in descending order of \g<what>"),
    (r"^(?P<rows>(?!.*\b(?:number|how many|count|total|average|sum|per|each)\b).*?[a-z]),? (?:with )?(?:the )?most (?!populous|numerous|famous|generous)(?P<what>[a-z]+s) first(?=\W*$|,)", r"\g<rows> in descending order of the number of \g<what>"),
    (r"^(?P<rows>(?!.*\b(?:number|how many|count|total|average|sum|per|each)\b).*?[a-z]),? (?:with )?(?:the )?(?:fewest|least) (?!populous|numerous|famous|generous)(?P<what>[a-z]+s) first(?=\W*$|,)", r"\g<rows> in ascending order of the number of \g<what>"),
    (r"^(?P<all>.*\b(?P<x>[a-z]{3,}?)(?:e?s)?\b.*?),? (?:the )?(?P<end>latest|newest|most recent|oldest|earliest) (?P=x) first(?=\W*$)", r"\g<all>, \g<end> first"),
    (r"^(?P<rows>(?!.*\b(?:number|how many|count|total|average|sum)\b).*?[a-z]) by (?:the |their )?(?P<what>[a-z][\w ]*?),? (?:from )?low to high(?=\W*$)", r"\g<rows> in ascending order of \g<what>"),
    (r"^(?P<rows>(?!.*\b(?:number|how many|count|total|average|sum)\b).*?[a-z]) by (?:the |their )?(?P<what>[a-z][\w ]*?),? (?:from )?high to low(?=\W*$)", r"\g<rows> in descending order of \g<what>"),
    # letters
    (r"\b(?P<by>(?:sorted|ordered|listed|arranged|sort|order) (?:them )?by (?:the |their )?[\w ]+?),? (?:from )?a (?:to|-) z(?=[\s,.;?!]|$)", r"\g<by>"),
    (r",? with (?:the |their )?(?P<what>[\w ]+?)(?: (?:running|going|sorted|ordered|listed|arranged))?,? (?:from )?a (?:to|-) z(?=\W*$)", r" in alphabetical order of \g<what>"),
    (r",? with (?:the |their )?(?P<what>[\w ]+?)(?: (?:running|going|sorted|ordered|listed|arranged))?,? (?:from )?z (?:to|-) a(?=\W*$)", r" in descending alphabetical order of \g<what>"),
    (r",? (?:(?:sorted|ordered|listed) )?(?:from )?z (?:to|-) a(?: by)?(?= \w)", " in descending alphabetical order of"),
    (r"(?P<before>,?) (?:(?:sorted|ordered|listed) )?(?:from )?z (?:to|-) a(?=\W*$)", r"\g<before> in descending alphabetical order"),
    (r"\bput (?:them )?in (?:the )?order of\b", "sorted by"),
    # which end comes first
    (rf"{_SORT}how many (?P<by>[\w ]+?) (?:they|it|each(?: one| of them)?) (?:have|has|had),? (?:the )?{_DOWN}(?: ones?)? first{_SHOW}", r"show the \g<what> of \g<rows> in descending order of the number of \g<by>"),
    (rf"{_SORT}how many (?P<by>[\w ]+?) (?:they|it|each(?: one| of them)?) (?:have|has|had)(?:,? (?:the )?{_UP}(?: ones?)? first)?{_SHOW}", r"show the \g<what> of \g<rows> in ascending order of the number of \g<by>"),
    (rf"\b(?P<end>{_UP}|{_DOWN}) (?:values?|ones?|numbers?|figures?) first\b", r"\g<end> first"),
    (rf"^(?P<all>.*\b(?:number of|how many|count)\b.*?),? (?:with |and )?(?:the )?(?:busiest|most active|most frequent|most common|most popular)(?: ones?)? {_FIRST}(?=\W*$)", r"\g<all>, in descending order of the number"),
    (r",? (?:the )?(?:oldest|earliest|lowest|smallest|shortest|cheapest|fewest)(?: ones?)? first,? by (?:the |their )?(?P<what>[a-z][\w ]*?)(?=\W*$)", r" sorted by \g<what>"),
    (r",? (?:the )?(?:latest|newest|most recent|highest|largest|biggest|longest)(?: ones?)? first,? by (?:the |their )?(?P<what>[a-z][\w ]*?)(?=\W*$)", r" in descending order of \g<what>"),
    (r",? (?:and|then),? (?:at|for|with|on|given) (?:an? |the )?(?:equal|same|identical|tied) [a-z][\w ]*?,? (?:in (?:alphabetical|ascending) order of|(?:sorted |ordered )?by) (?:the |their )?(?=\w)", " and then by "),
)  # fmt: skip
_COMPILED = compiled(_RULES)


def arranged(text: str) -> str:
    """The question with the order of its rows put plainly."""
    return rewritten(text, _COMPILED)
