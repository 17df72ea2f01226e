"""What those who buy do, in set words, put as what they ask for: who bought something, who came back, what they spent.

Who buys is the one table of buyers, and what they buy the rows that have the day of what the business sells.
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re
from typing import TYPE_CHECKING

from assistant.embedded.linking.business import Business, Phrase, Put
from assistant.embedded.linking.front_runners import SEVERAL
from assistant.embedded.linking.options import ToColumn, ToTable
from assistant.embedded.linking.persons import buyers, is_buyer
from assistant.embedded.source.schema import Attribute, Entity, repeats
from assistant.embedded.words.lexicon import name_stems, stem

if TYPE_CHECKING:
    from assistant.embedded.linking.linker import Linker


_LONGEST = re.compile(
    r"^(?:which|what|who)(?: (?:of )?(?:our|the))?(?: (?P<rows>[a-z]+s?))?(?: is the one that| (?:who|that))? (?:has|have|'s|'ve) been (?:with us|buying from us|a (?:customer|client)(?: of ours)?|our (?:customer|client)) (?:for )?(?:the )?(?P<end>longest|shortest)(?: time)?$",
    re.IGNORECASE,
)


def _longest_with_us(text: str, business: Business, linker: Linker) -> Put | None:
    """ "which customer has been with us the longest": who signed up first, else who bought first."""
    found, buyer = _LONGEST.match(text), _who_buys(linker)
    if found is None or buyer is None or not _are(found["rows"] or _one(buyer), buyer, linker):
        return None
    began = [a for a in buyer.dates if _BEGAN & set(a.own)] if isinstance(buyer, Entity) else []
    day = began[0].words if began else f"{business.one} date"
    end = "earliest" if found["end"].lower() == "longest" else "latest"
    return f"{_one(buyer)} with the {end} {day}", f"since when is told by the {end} {day}"


_BEGAN = frozenset(
    stem(word) for word in ("signup", "joined", "registered", "since", "created", "registration", "join")
)


_SPENT = re.compile(
    r"\b(?P<whose>their|his|her|its|each customer's|customers'|customer)(?: (?:total|overall|whole))? (?:spend|spending)\b(?! (?:on|over|more|less|at)\b)",
    re.IGNORECASE,
)


def _spending(text: str, business: Business, linker: Linker) -> Put | None:
    """ "customers from Hamburg with their total spend": what was sold to them."""
    found, buyer = _SPENT.search(text), _buyer(linker)
    if found is None or buyer is None:
        return None
    if any({stem("spend"), stem("spending"), stem("spent")} & set(a.own) for a in buyer.attributes.values()):
        return None
    put = f"{text[: found.start()]}{found['whose']} {business.figure}{text[found.end() :]}"
    return put, f"what they spent is told by {business.figure}"


_BACK = re.compile(
    r"\b(?P<that>that |who |which )?(?:have |has |had )?(?:come|came|comes) back(?: to us| for more| to (?:buy|order)(?: again| more)?)?(?: after (?:their|the|a) first (?:\w+))?$",
    re.IGNORECASE,
)


def _came_back(text: str, business: Business, linker: Linker) -> Put | None:
    """ "how many customers came back after their first order": those with more than one."""
    found = _BACK.search(text)
    if found is None or _who_buys(linker) is None or linker.has(stem("back")):
        return None
    put = f"{text[: found.start()]}{found['that'] or ''}have more than 1 {business.one}"
    return put, f"who came back has more than one {business.one}"


_BOUGHT = re.compile(
    r"\b(?P<that>(?:who|that) )?(?:have |has |had )?(?:bought|purchased|shopped|ordered)(?P<what> (?:something|anything|at all|at least once))?(?: (?:from|with) us)?"
    r"(?=\s*$|\s(?:in|on|since|during|over|this|last|before|after|between|within|yesterday|today|at)\b)",
    re.IGNORECASE,
)
_PLACE_THEN_TIME = re.compile(
    r"^(?P<place> (?:in|at|from) (?!\d|\w+ \d)[\w -]+?) (?P<time>(?:this|last|since|in \d{4}|in the last)\b.*)$",
    re.IGNORECASE,
)
_DENIED = re.compile(r"\b(?:not|never|no|none|nobody|nothing|without)\b|n't\b", re.IGNORECASE)


def _bought_something(text: str, business: Business, linker: Linker) -> Put | None:
    """ "customers who bought something last month": those with orders then."""
    found = _BOUGHT.search(text)
    if found is None or _DENIED.search(text) or found.start() == 0 or _buyer(linker) is None:
        return None
    if found["what"] is None and not found["that"]:
        return None  # "what have they bought last month", "how many did they buy"
    having = "with" if found["that"] or not re.match(r"^(?:which|what|how many)\b", text, re.IGNORECASE) else "have"
    rest = _PLACE_THEN_TIME.sub(r" \g<time>\g<place>", text[found.end() :])  # when they bought, not when they came
    return f"{text[: found.start()]}{having} {business.many}{rest}", ""


_WENT_OUT = re.compile(
    r"\b(?:went|go|goes|gone) out(?= (?:after|before|late|later|on|within|more|by|in|too|today|yesterday|last|this)\b|$)",
    re.IGNORECASE,
)


def _went_out(text: str, business: Business, linker: Linker) -> Put | None:
    """ "orders that went out after the required date": that shipped."""
    if not _WENT_OUT.search(text) or not linker.has(stem("shipped")):
        return None
    return _WENT_OUT.sub("shipped", text), "“went out” is read as shipped"


_LOYAL = re.compile(
    r"\b(?:most (?:loyal|active|frequent|regular)|(?P<best>most (?:valuable|important|profitable))) (?P<who>[a-z]+)\b(?P<rest>(?: (?:in|this|last|since|from|of) .*)?)$",
    re.IGNORECASE,
)


_NUMBERED = re.compile(r"\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twenty)\s*$", re.IGNORECASE)


def _most_loyal(text: str, business: Business, linker: Linker) -> Put | None:
    """ "our ten most loyal customers": those with the most orders; the most valuable are those who spent most."""
    found, buyer = _LOYAL.search(text), _who_buys(linker)
    if found is None or buyer is None or not _are(found["who"], buyer, linker):
        return None
    most = f"the highest {business.figure}" if found["best"] else f"the most {business.many}"
    several = found["who"].lower().endswith("s") and not _NUMBERED.search(text[: found.start()])
    number = f"{SEVERAL} " if several else ""
    put = f"{text[: found.start()]}{number}{found['who']} with {most}{found['rest']}"
    said = found[0].removesuffix(found["rest"])
    return put, f"“{said}” are those with {most}"


_STOPPED = re.compile(
    r"\b(?P<that>who |that )?(?:have |has |had )?(?:stopped|quit) (?:buying|ordering|purchasing|shopping)(?: (?:from|with) us)? (?:after|in|since) (?P<year>(?:19|20)\d\d)$",
    re.IGNORECASE,
)


def _stopped_buying(text: str, business: Business, linker: Linker) -> Put | None:
    """ "customers who stopped ordering after 2016": who ordered until then, and never since."""
    found, buyer = _STOPPED.search(text), _who_buys(linker)
    if found is None or buyer is None:
        return None
    day = f"1 January {int(found['year']) + 1}"
    if isinstance(buyer, Attribute):
        put = f"{text[: found.start()]}{found['that'] or ''}ordered nothing since {day}"
        return put, f"who stopped has no {business.many} since {day}"
    put = f"{text[: found.start()]}{found['that'] or ''}ordered before {day} but not since {day}"
    return put, f"who stopped has no {business.many} since {day}, and has some before"


def _buyer(linker: Linker) -> Entity | None:
    """The one table of those who buy; None where there are several, or none."""
    found = buyers(linker.schema)
    return found[0] if len(found) == 1 else None


def _who_buys(linker: Linker) -> Entity | Attribute | None:
    """The one table of those who buy, or the one column of a file that names them."""
    buyer, schema = _buyer(linker), linker.schema
    if buyer is not None or not schema.is_one_table:
        return buyer
    named = [a for a in schema.attributes if a.role == "text" and is_buyer(a.words)]
    found = [a for a in named if repeats(a, schema.entities[a.table])]
    return found[0] if len(found) == 1 else None


def _one(buyer: Entity | Attribute) -> str:
    return buyer.one if isinstance(buyer, Entity) else buyer.words


def _are(rows: str, buyer: Entity | Attribute, linker: Linker) -> bool:
    """Whether the words name those who buy."""
    options = linker.names(name_stems(rows))
    if isinstance(buyer, Attribute):
        return any(isinstance(o, ToColumn) and o.attribute == buyer for o in options)
    return any(isinstance(o, ToTable) and o.entity == buyer for o in options)


PHRASES: tuple[Phrase, ...] = (
    _longest_with_us,
    _spending,
    _came_back,
    _bought_something,
    _went_out,
    _most_loyal,
    _stopped_buying,
)
