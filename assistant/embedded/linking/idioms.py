"""Set phrases of the office, put as what they ask for: "how are we doing this year?" is revenue against the year before.

Such phrases name neither figure nor rows: what they speak of is what the business sells (`Linker.sold`). A question that
says a thing in full is never changed here, and what was taken for granted is said with the answer.
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from assistant.embedded.linking import buying, dealings
from assistant.embedded.linking.both_of import both_of
from assistant.embedded.linking.business import BOUND, CURRENCY, Business, business_of
from assistant.embedded.linking.counted_rows import counted
from assistant.embedded.linking.each_one import of_each_one
from assistant.embedded.linking.front_runners import named_plainly
from assistant.embedded.linking.lending import lent
from assistant.embedded.linking.mixes import mixed
from assistant.embedded.linking.own_deeds import own_deed
from assistant.embedded.linking.taking_time import taking_time
from assistant.embedded.words.lexicon import name_stems, stem
from assistant.embedded.words.vocabulary import STOP_WORDS

if TYPE_CHECKING:
    from assistant.embedded.linking.linker import Linker

_RANKING = re.compile(
    r"^(?:show (?:me )?|give me )?(?:the |our |a )?(?:(?P<who>[\w ]+?) ranking|ranking (?:of|for) (?:the |our |all )?(?P<whose>[\w ]+?))"
    r" (?:by|based on|according to) (?P<rest>.+)$",
    re.IGNORECASE,
)
_TIME = r"(?:this|last|next|current|previous|past|in|on|since|during|over|for|so far|yesterday|today|ytd|year to date|q[1-4]\b)"
_UNIT = r"(?:days?|weeks?|months?|quarters?|years?)"


def plain(question: str, linkers: Iterable[Linker]) -> tuple[str, str]:
    """A question with its set phrase put plainly, and what was taken for granted in it; unchanged where it has none."""
    known = list(linkers)
    text, lately = _lately(_SO_FAR.sub("", " ".join(question.split()).rstrip("?!. ")))
    if (since := _not_since(text)) != text:
        return since, lately
    if (parts := mixed(text, known)) is not None:
        return parts[0], lately or parts[1]
    if (each := of_each_one(text, known)) is not None:
        return each
    if (both := both_of(text, known)) != text:
        return both, lately
    if (told := lent(text, known) or taking_time(text, known) or own_deed(text, known)) is not None:
        return told
    if (ranking := _RANKING.match(text)) is not None and not any(linker.has(stem("ranking")) for linker in known):
        return f"rank {ranking['who'] or ranking['whose']} by {ranking['rest']}", ""
    if (told := _reasons(text, known) or _origins(text, known)) is not None:
        return told
    if (named := named_plainly(text, known)) is not None:
        return named
    if (listed := counted(text, known)) != text:
        return listed, lately
    found = business_of(known)
    plainly = question if not (lately or _SO_FAR.search(question)) else text
    if found is None:
        return plainly, lately
    business, linker = found
    for deed in (*dealings.PHRASES, *buying.PHRASES):
        if (put := deed(text, business, linker)) is not None:
            return put
    for phrase in (_doing, _overview, _best_period, _value_of_one, _worth):
        if (put := phrase(text, business)) is not None:
            return put
    return plainly, lately


# --- how things are going ---

_DOING = re.compile(
    r"^(?:so |and |hi |hello )*how(?:'s| is| are| were| was| did| do| have| has)? (?:(?:the |our )?business|we|the company|(?:our )?sales"
    r"|things)(?: been| looking)?(?: (?:doing|do|going|go|gone|done|perform(?:ing|ed)?|run(?:ning)?|look(?:ing)?))?(?P<rest>(?: .*)?)$",
    re.IGNORECASE,
)
_COMPARED = re.compile(r"\b(?:vs|versus|compared|than|against|by|per)\b", re.IGNORECASE)


def _doing(text: str, business: Business) -> tuple[str, str] | None:
    match = _DOING.match(text)
    if match is None:
        return None
    rest = match["rest"].strip()
    if rest and not re.match(rf"{_TIME}\b|compared|vs|versus|with|to", rest, re.IGNORECASE):
        return None
    said = f"“{text[: len(text) - len(rest)].strip()}” is told by {business.figure}"
    if not rest or rest.lower() in ("this year", "so far", "so far this year", "ytd", "year to date"):
        return f"{business.figure} this year vs last year", said
    if _COMPARED.search(rest):
        return f"{business.figure} {rest}", said
    return f"compare {business.figure} {rest} with the same period last year", said


_OVERVIEW = re.compile(
    r"^(?:please |can you |could you )*(?:(?:give|show|get|send) (?:me |us )?)?(?:an? |the )?(?:quick |short |brief )?"
    r"(?:overview|rundown|snapshot|picture) (?:of|on|over|about) (?:our |the )?(?P<rest>.+)$",
    re.IGNORECASE,
)


def _overview(text: str, business: Business) -> tuple[str, str] | None:
    """ "an overview of sales last quarter": the figure itself; of a table it is a description."""
    match = _OVERVIEW.match(text)
    if match is None or stem(match["rest"].split()[0].lower()) not in {
        stem("sales"),
        stem("revenue"),
        stem("turnover"),
    }:
        return None
    return match["rest"], ""


# --- the best of times ---

_END = r"(?P<end>best|worst|strongest|weakest|busiest|quietest|slowest)"
_PERIOD = r"(?P<period>day of the week|weekday|day|week|month|quarter|year)"
_BEST = re.compile(
    r"^(?:what(?:'s|s| is| was| were)? |which (?:is|was) |when (?:is|was) |show (?:me )?)?(?:our |the |my )?"
    rf"{_END} {_PERIOD}"
    r"(?: (?:for|in terms of|by) (?P<figure>(?!the (?:last|past)|last|this|\d)[a-z -]+?))?(?: ever| of all time| so far)?"
    rf"(?P<rest>(?: {_TIME}\b.*)?)$",
    re.IGNORECASE,
)
_WHICH_WAS = re.compile(
    rf"^(?:which|what) {_PERIOD}(?P<rest> (?:in|of) \d{{4}}| (?:this|last) \w+)?"
    rf" (?:is|was|has been) (?:the |our )?{_END}(?: one)?$",
    re.IGNORECASE,
)
_LOW = ("worst", "weakest", "quietest", "slowest")
_COUNTED = {"busiest": "the most", "quietest": "the fewest", "slowest": "the fewest"}


def _best_period(text: str, business: Business) -> tuple[str, str] | None:
    if (told := _WHICH_WAS.match(text)) is not None:
        rest = (told["rest"] or "").replace(" of ", " in ")
        text = f"{told['end']} {told['period']}{rest}"  # "which month of 2011 was the weakest"
    match = _BEST.match(text)
    if match is None:
        return None
    end, period = match["end"].lower(), match["period"].lower().replace("day of the week", "weekday")
    rest = re.sub(r"\b(?:ever|of all time|so far)\b", "", match["rest"] or "").strip()
    if end in _COUNTED and not match["figure"]:
        asked = f"{_COUNTED[end]} {business.many}"
    else:
        asked = f"the {'lowest' if end in _LOW else 'highest'} {match['figure'] or business.figure}"
    said = "" if match["figure"] else f"“{end} {match['period'].lower()}” is the one with {asked}"
    return f"which {period} had {asked} {rest}".strip(), said


# --- what one is worth ---

_STATISTIC = r"(?:median|distribution|histogram|spread|outliers?|quartiles?|percentile|variance|deviation|unusual)"


def _value_of_one(text: str, business: Business) -> tuple[str, str] | None:
    """ "median order value", "distribution of order sizes": the figure of each of the rows that are sold."""
    named = rf"(?:{re.escape(business.one)}|basket|cart) (?:value|size|amount|total)s?\b"
    if not re.search(rf"\b{_STATISTIC}\b", text, re.IGNORECASE):
        return None
    put = re.sub(rf"\b{named}", f"{business.figure} per {business.one}", text, count=1, flags=re.IGNORECASE)
    found = re.search(rf"\b{named}", text, re.IGNORECASE)
    return (put, f"“{found[0]}” is {business.figure} per {business.one}") if found else None


_OF_ROWS = re.compile(r"\b(?:average|mean|total|sum|median|highest|lowest|share|percentage)\b", re.IGNORECASE)


def _worth(text: str, business: Business) -> tuple[str, str] | None:
    """ "orders over 1000 euros": what is compared is what each was sold for."""
    pattern = re.compile(
        rf"\b{re.escape(business.many)} (?:of |worth |with |for )?(?P<sign>{BOUND}|exceeding)"
        rf" (?P<mark>[€$£])?(?P<number>\d[\d.,]*k?)(?P<unit> ?[€$£]| {CURRENCY}\b)?(?=$| {_TIME}\b| by\b| per\b)",
        re.IGNORECASE,
    )
    found = pattern.search(text)
    if found is None or not business.apart or _OF_ROWS.search(text[: found.start()]):
        return None
    sign = "over" if found["sign"].lower() == "exceeding" else found["sign"]
    put = f"{business.many} with {business.figure} {sign} {found['number']}"
    said = f"{found['number']} is compared with the {business.figure} of each {business.one}"
    return f"{text[: found.start()]}{put}{text[found.end() :]}", said


# --- what needs no business ---

_SO_FAR = re.compile(
    r"\b so far(?= (?:this|in|ytd)\b)|(?<=this (?:year|week)) so far\b|(?<=this month) so far\b", re.IGNORECASE
)
_LATELY = re.compile(r" (?:lately|of late|these days)$", re.IGNORECASE)


def _lately(text: str) -> tuple[str, str]:
    """ "our revenue lately": up to today, which is said."""
    if not _LATELY.search(text):
        return text, ""
    return _LATELY.sub(" in the last 90 days", text), "“lately” is taken for the last 90 days"


_NOT_SINCE = re.compile(
    r"(?P<denied>\b(?:haven'?t|hasn'?t|(?:have|has) (?:not|never))\b(?: [\w'-]+){1,4}?) (?:in|within) (?:over |more than |at least )?"
    rf"(?:the )?(?P<count>\d+|an?|one|two|three|four|six|nine|twelve) (?P<unit>{_UNIT})$",
    re.IGNORECASE,
)


def _not_since(text: str) -> str:
    """ "who haven't ordered in 6 months" looks back from today."""
    return _NOT_SINCE.sub(lambda m: f"{m['denied']} in the last {_count(m['count'])} {m['unit']}", text)


def _count(word: str) -> str:
    return "1" if word.lower() in ("a", "an", "one") else word


_WHY = re.compile(r"^(?:and |so )?why (?:do|did|does|are|were|was|is|have|has)\b(?P<rest>.+)$", re.IGNORECASE)
_REASONS = frozenset(name_stems("reason cause"))


def _reasons(text: str, linkers: Iterable[Linker]) -> tuple[str, str] | None:
    """ "why do customers return products?": by the reason that each of these rows has, where all words name their tables."""
    match = _WHY.match(text)
    if match is None:
        return None
    said = {stem(word) for word in match["rest"].lower().split() if word not in STOP_WORDS and word not in _PASSED}
    for linker in linkers:
        entities = linker.schema.entities.values()
        named = {part for entity in entities for part in entity.stems}
        for entity in entities:
            reasons = [a for a in entity.attributes.values() if _REASONS & set(a.own) and not a.is_number]
            if len(reasons) == 1 and said and set(entity.stems) <= said <= named:
                return (
                    f"number of {entity.many} by {reasons[0].words}",
                    f"“why” is told by the {reasons[0].words} that each has",
                )
    return None


_FROM_WHERE = re.compile(
    r"^where (?:do|did) (?:most (?:of )?)?(?:our |the |all )*(?P<rows>[a-z]+s) come from$", re.IGNORECASE
)
_PLACES = ("country", "region", "state", "city", "town")


def _origins(text: str, linkers: Iterable[Linker]) -> tuple[str, str] | None:
    """ "where do our guests come from?": how many from each country, where their rows have one."""
    found = _FROM_WHERE.match(text)
    if found is None:
        return None
    for linker in linkers:
        said = stem(found["rows"].lower())
        entities = linker.schema.entities.values()
        named = [e for e in entities if e.stems == (said,)] or [
            e for e in entities if any(a.own == (said,) and a.role == "text" for a in e.attributes.values())
        ]
        held = [a for name in _PLACES for e in named for a in e.attributes.values() if stem(name) in a.own]
        if len(named) == 1 and held:
            return f"number of {named[0].many} by {held[0].words}", f"where they come from is told by {held[0].words}"
    return None


_PASSED = frozenset(("people", "they", "so", "many", "much", "often", "our", "us", "being", "been"))
