"""What earns, in set words, put as what it asks for: what brings in the least, how each store did, whether we grow.

Such words name neither figure nor rows: the figure is that of what the business sells. What was taken for granted is
said. What those who buy do is in `buying`.
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re
from typing import TYPE_CHECKING

from assistant.embedded.linking.business import BOUND, CURRENCY, Business, Phrase, Put
from assistant.embedded.linking.options import ToColumn, ToMetric
from assistant.embedded.words.lexicon import name_stems, stem

if TYPE_CHECKING:
    from assistant.embedded.linking.linker import Linker


_MONEY = r"(?:money|revenue|sales|income|cash|turnover)"
_BRINGS = r"(?:brings?|brought|pulls?|pulled|rakes?|raked|takes?|took)(?: us)? in"
_EARNS = (
    rf"(?:{_BRINGS} (?:the )?(?P<end>most|least)(?: {_MONEY})?"
    rf"|(?:makes?|made|earns?|earned|generates?|generated)(?: us| for us)? (?:the )?(?P<best>most|least) {_MONEY})(?: for us)?"
)
_BEHIND = r"(?=\s*$|[,.?!;]|\s(?:this|last|in|on|since|during|over|so far|by|per|for|from|of)\b)"
_EARNING = re.compile(rf"\b(?P<that>that |which |who )?{_EARNS}{_BEHIND}", re.IGNORECASE)
_ASKED = re.compile(r"^(?:which|what|who)\b", re.IGNORECASE)
_BOTH_ENDS = re.compile(
    rf"^(?:which|what) (?P<rows>[\w ]+?) {_EARNS},? and (?:which|what)(?: one)?(?: (?:\w+ ){{0,3}})?(?:the )?(?:most|least)(?: {_MONEY})?$",
    re.IGNORECASE,
)


def _earning(text: str, business: Business, linker: Linker) -> Put | None:
    """ "the categories that bring in the least", "which region makes us the most money, and which the least"."""
    both = _BOTH_ENDS.match(text)
    if both is not None:
        return f"{business.figure} by {both['rows']}", f"it is told by {business.figure}"
    found = _EARNING.search(text)
    if found is None or found.start() == 0:
        return None
    end = "highest" if (found["end"] or found["best"]).lower() == "most" else "lowest"
    verb = "has" if _ASKED.match(text) and not found["that"] else "with"
    said = f"“{found[0].removeprefix(found['that'] or '').strip()}” is told by {business.figure}"
    return f"{text[: found.start()]}{verb} the {end} {business.figure}{text[found.end() :]}", said


_EARNS_BOUND = re.compile(
    rf"\b(?:that |which |who )?{_BRINGS} (?P<sign>{BOUND}) (?P<number>[€$£]?\d[\d.,]*k?)(?: ?[€$£]| {CURRENCY}\b)?{_BEHIND}",
    re.IGNORECASE,
)


def _earning_bound(text: str, business: Business, linker: Linker) -> Put | None:
    """ "which categories bring in under 100000"."""
    found = _EARNS_BOUND.search(text)
    if found is None or found.start() == 0:
        return None
    put = f"{_ASKED.sub('', text[: found.start()]).strip()} with {business.figure} {found['sign']} {found['number']}"
    return f"{put}{text[found.end() :]}", f"what they bring in is told by {business.figure}"


_LOSING = re.compile(
    r"^(?:(?:which|what|show|list|find|give)(?: me)?(?: the| our)? )?(?P<rows>[\w ]+?) (?:that |which )?(?:lose|loses|lost|are losing|is losing|make a loss|makes a loss|are (?:unprofitable|loss-making|in the red))(?: us)?(?: money)?(?P<rest>(?: (?:in|this|last|since|during) .*)?)$"
    r"|^(?:(?:which|what|show|list|find|give)(?: me)?(?: the| our)? )?(?:unprofitable|loss-making|money-losing) (?P<such>[\w ]+?)(?P<then>(?: (?:in|this|last|since|during) .*)?)$",
    re.IGNORECASE,
)


def _losing(text: str, business: Business, linker: Linker) -> Put | None:
    """ "which products lose money": those whose profit, all together, is below zero."""
    found = _LOSING.match(text)
    options = linker.names((stem("profit"),))
    if found is None or not any(
        isinstance(o, ToMetric) or (isinstance(o, ToColumn) and o.attribute.adds_up) for o in options
    ):
        return None
    rows = found["rows"] or found["such"]
    total = "" if any(isinstance(o, ToMetric) for o in options) else "total "
    put = f"{rows} with a {total}profit below 0{found['rest'] or found['then'] or ''}"
    return put, f"who loses money has a {total}profit below 0"


_DID = re.compile(
    r"^how (?:did|do|does|is|are|was|were|have|has) (?:each(?: of)?|every|all|our|the)(?: (?:of )?(?:our|the))?(?: different| various| individual)? (?P<rows>[\w ]+?)"
    r" (?:do|doing|done|perform|performing|performed|sell|selling|compare)(?P<rest>(?: .*)?)$",
    re.IGNORECASE,
)


def _doing_of_each(text: str, business: Business, linker: Linker) -> Put | None:
    """ "how did each employee do by quarter?": the figure by employee, and by quarter."""
    found = _DID.match(text)
    if found is None:
        return None
    named = linker.names(name_stems(found["rows"]))
    kinds = [o for o in named if not isinstance(o, ToColumn) or o.attribute.role in ("text", "flag")]
    if not kinds or stem(found["rows"]) in {stem(word) for word in ("sales", "business", "things", "figures")}:
        return None
    rest = re.sub(r"^ (?:by|per) ", " and ", found["rest"])
    return f"{business.figure} by {found['rows']}{rest}", f"how they did is told by {business.figure}"


_MADE = re.compile(
    r"^(?:what|how much)(?: money| revenue)? (?:did|does|do|has|have) (?:we|(?P<each>each|every)(?: of our| of the)?|(?:all )?(?:our|the)) ?(?P<rows>[a-z]+(?: [a-z]+)?)??"
    r" (?:earn|earned|make|made|take in|taken in|bring in|brought in|turn over|sell for)(?: us)?(?P<rest>(?: (?:in|this|last|since|during|over|by|per|so far|from|between)\b.*)?)$",
    re.IGNORECASE,
)


def _made(text: str, business: Business, linker: Linker) -> Put | None:
    """ "what did we earn in the second quarter", "how much did each store make last year"."""
    found = _MADE.match(text)
    if found is None or (found["rows"] and not linker.names(name_stems(found["rows"]))):
        return None
    by = f" by {found['rows']}" if found["rows"] else ""
    return f"{business.figure}{by}{found['rest']}", f"what was earned is told by {business.figure}"


_HERE_AND_THERE = re.compile(
    r"^(?:how much|what) (?:did|do|have) we (?:sell|sold|make|made|earn|earned) (?:in|to) (?P<one>(?:the )?[\w ]+?),?"
    r" (?:compared (?:to|with)|vs\.?|versus|against) (?:in |to )?(?P<other>(?:the )?[\w ]+)$",
    re.IGNORECASE,
)


def _sold_here_and_there(text: str, business: Business, linker: Linker) -> Put | None:
    """ "how much did we sell in the usa compared to canada?"."""
    found = _HERE_AND_THERE.match(text)
    if found is None:
        return None
    put = f"compare {business.figure} in {found['one']} with {found['other']}"
    return put, f"what was sold is told by {business.figure}"


_PERIOD = r"(?:(?:the )?(?:this|last|previous|past) \w+|q[1-4](?: \d{4})?|\d{4}|(?:the )?(?:first|second) half(?: of \d{4})?|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*(?: \d{4})?|(?:to|yester)day)"
_BETTER = re.compile(
    rf"^(?:so )?(?:was|is|were|did) (?:our )?(?P<one>{_PERIOD}) (?:any |much |a )?(?:better|worse|stronger|weaker|busier|quieter)(?: (?:month|year|quarter|week|day))?(?: for us)? than (?P<other>{_PERIOD})$",
    re.IGNORECASE,
)


def _better(text: str, business: Business, linker: Linker) -> Put | None:
    """ "was November better than October?"."""
    found = _BETTER.match(text)
    if found is None:
        return None
    put = f"compare {business.figure} in {found['one']} with {found['other']}"
    return put, f"which of them was better is told by {business.figure}"


_ALL_COMPARED = re.compile(r"^compare (?:all )?(?:of )?(?:the|our|all) (?P<rows>[a-z]+s)$", re.IGNORECASE)


def _all_compared(text: str, business: Business, linker: Linker) -> Put | None:
    """ "compare the regions": by what was sold in each."""
    found = _ALL_COMPARED.match(text)
    if found is None or not linker.names(name_stems(found["rows"])):
        return None
    return f"{business.figure} by {found['rows']}", f"they are compared by {business.figure}"


_GROWING = re.compile(
    r"^(?:so |and )?(?:are|is) (?:we|(?:the |our )?(?:business|company|sales)) (?:still )?(?:growing|shrinking|declining|getting (?:bigger|smaller|better|worse)|on the way up|doing better)(?: over time| lately)?$",
    re.IGNORECASE,
)


def _growing(text: str, business: Business, linker: Linker) -> Put | None:
    """ "are we growing?"."""
    if not _GROWING.match(text):
        return None
    return f"is there a trend in {business.figure}", f"it is told by {business.figure}"


_RELY = re.compile(
    r"^(?:which|what) (?P<rows>[\w ]+?) (?:do we|are we|we) (?:most )?(?:depend|rely|dependent|reliant) ?(?:on |upon )?(?:the )?(?:most|mostly)?(?: on)?(?P<rest>(?: (?:this|last|in) .*)?)$",
    re.IGNORECASE,
)


def _relied_on(text: str, business: Business, linker: Linker) -> Put | None:
    """ "which supplier do we depend on most": the one whose goods sell for most."""
    found = _RELY.match(text)
    if found is None:
        return None
    said = f"on whom the business depends is told by {business.figure}"
    return f"{found['rows']} with the highest {business.figure}{found['rest']}", said


_PART_OF = re.compile(
    r"\b(?P<of>as an? (?:percentage|percent|share|fraction|proportion|%) of|(?:percentage|percent|share|proportion|%) of) (?:the |our |total )*"
    r"(?P<one>[a-z]+) (?:value|amount|worth|volume|totals?)s?\b(?P<rest>(?: (?:by|per|in|for|this|last) .*)?)$",
    re.IGNORECASE,
)


def _part_of_sold(text: str, business: Business, linker: Linker) -> Put | None:
    """ "freight as a percentage of order value": of what the orders were sold for."""
    found = _PART_OF.search(text)
    if found is None or stem(found["one"]) != stem(business.one):
        return None
    put = f"{text[: found.start()]}{found['of']} {business.figure}{found['rest']}"
    return put, f"what the {business.many} are worth is told by {business.figure}"


_SEASONAL = re.compile(
    r"^(?:is|are) (?:there )?(?:any |a |some )?(?:seasonality|seasonal patterns?|seasonal effects?|seasons?) (?:in|to|of) (?:our |the )?(?P<figure>[a-z ]+)$"
    r"|^(?:how seasonal is|is|are) (?:our |the )?(?P<of>[a-z ]+?)(?<!how)(?: seasonal)?$",
    re.IGNORECASE,
)


def _seasonal(text: str, business: Business, linker: Linker) -> Put | None:
    """ "is there seasonality in sales?": the months of all years, which show it where it is there."""
    found = _SEASONAL.match(text)
    if found is None or "season" not in text.lower():
        return None
    figure = found["figure"] or found["of"]
    named = [o.metric.name for o in linker.names(name_stems(figure)) if isinstance(o, ToMetric)]
    if name_stems(figure) in (name_stems("sales"), name_stems("business")):
        named = [business.figure]  # a file of sales is called so as well
    said = "a season shows as months that are high or low every year; whether it is more than chance is not tested"
    return (f"{named[0]} by month", said) if named else None


_REDUCED = re.compile(
    r"^(?:do|does|did) (?:we|people|customers|clients) (?:sell|buy|order|purchase) (?:any )?more (?:when|with|if|at|thanks to)(?: (?:there is|there's|we give|we offer|they get))?(?: an?| any| the)? (?P<what>discounts?|rebates?|reductions?)(?: is given)?$"
    r"|^(?:do|does|did) (?:our |the )?(?P<which>discounts?|rebates?|reductions?) (?:help|work|pay off|sell more|(?:increase|boost|raise|lift) (?:our )?(?:sales|quantit(?:y|ies)))$",
    re.IGNORECASE,
)


def _sold_reduced(text: str, business: Business, linker: Linker) -> Put | None:
    """ "do we sell more with a discount?": whether the quantity of a line goes with its discount."""
    found = _REDUCED.match(text)
    metric = linker.sold
    entity = linker.schema.find_entity(metric.table) if metric is not None else None
    if found is None or entity is None:
        return None
    numbers = [a for a in entity.attributes.values() if a.is_number]
    sold, off = ([a for a in numbers if word in a.own] for word in ("quantity", "discount"))
    if len(sold) != 1 or len(off) != 1:
        return None
    put = f"does {sold[0].words} depend on {off[0].words}"
    return put, f"how much is sold is told by the {sold[0].words} of each of the {entity.many}"


PHRASES: tuple[Phrase, ...] = (
    _seasonal,
    _sold_reduced,
    _earning,
    _earning_bound,
    _losing,
    _sold_here_and_there,
    _doing_of_each,
    _made,
    _better,
    _all_compared,
    _growing,
    _relied_on,
    _part_of_sold,
)
