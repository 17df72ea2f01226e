"""What the words of a follow-up tell before they are read: that something before is meant, and how they change it.

English phrases only; what they name is read by the same clauses as a question's words.
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import cast

from assistant.embedded.meaning import Grain
from assistant.embedded.words.lexicon import plural, tokens
from assistant.embedded.words.vocabulary import NUMBER_WORDS, number_said

_CUES = re.compile(
    r"^(?:(?:and|only|just|but|now|no|or|then|also|instead|same|actually|rather|what about|how about)\b|show (?:it|this|that|them|me that|all)"
    r"|make (?:it|that)|(?:sort(?:ed)?|order(?:ed)? by|ranked? by|without|excluding|exclude|except|ignore)\b|as |in |by |per |top |bottom "
    r"|first |last |for |since |until |(?:break|split|group|limit|drop|remove|delete|clear|reset|undo|add|include|plus|plot|draw|use|with)\b|from |not "
    r"|all |any |both |(?:the )?(?:day|week|month|quarter|year) (?:before|after)|(?:one|a) (?:day|week|month|quarter|year) (?:earlier|before|later)|(?:which|what|who)(?: one)? (?:is|was|are|has|had|did|sold) (?:the )?(?:best|worst|highest|lowest|most|least|largest|smallest|top|bottom)(?: one)?[?.! ]*$|(?:the |show )?(?:the )?(?:next|following|previous|top|bottom|first|last) |(?:go )?back$|undo|ever$|overall|ascending|descending|reverse|alphabetical|the other way|i meant?|between |before |after |over |above |below |under )"
    r"|\b(?:instead|too|as well|again|only|please use|rather|first|overall)\s*[?.!]*$|^(?:it|that|this|them)\b|\bof the (?:first|second|third|last|top)(?: one)?[?.! ]*$|\binstead of\b|^compare (?:both|them|these|the two)\b",
    re.IGNORECASE,
)
_LOOSE = re.compile(
    r"^(?:(?:show |list )?(?:me )?(?:the )?(?:top|bottom|first|last)|not (?!by\b|the\b|for\b|in\b|from\b|only\b)\w+(?= \w)|plot|draw|sort(?:ed)? (?!by\b|it\b|them\b|in\b)|group|drop|use|(?:for|in|of) (?:each|every) [\w ]+[, ](?:the|show|list|count|average|total|number)|in which|in what|from which|before|after) ",
    re.IGNORECASE,
)
_STRICT = re.compile(
    r"^(?:(?:for|in|of|with|over|across|from) (?:all|any)\b(?! \w+,)|(?:and|or|but|no|now|then|also|only|just|without|exclud(?:e|ing)|except|ignore|not|instead|same"
    r"|drop|remove|delete|clear|reset|undo|add|include|plus|by|per|as|both|from|alphabetical(?:ly)?|(?:show )?(?:the )?(?:next|following|previous)|(?:go )?back|sort(?:ed)? by|order(?:ed)? by|i meant?|actually|ascending|descending)\b)"
    r"|\b(?:instead|too|as well|again)\s*[?.!]*$",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"\b(?:how (?:many|much|long|often|old)|what (?:is|are|was|were|did|do|does)|list|give me|find|count|tell me)\b"
    r"|^(?:(?:and|but|so|or|then|now)\b[\s,]*)*(?:which|who|whose|where|when)\b",
    re.IGNORECASE,
)
_WITH_ORDER = re.compile(
    r"^\w+(?: [\w'’-]+){2,},? (?:the )?(?:\w+est|best|worst|most \w+|least \w+) first\W*$", re.IGNORECASE
)
"""A request with the order in which it is wanted: "average price by shop, highest first"."""
_LENGTH_MAX = 14


def is_follow_up(question: str) -> bool:
    """Whether the words say that something before is meant."""
    text = question.strip()
    return bool(_CUES.search(text)) and len(tokens(text)) <= _LENGTH_MAX


def may_stand_alone(question: str) -> bool:
    """Whether the words that say so may as well begin a question of its own: "top 5 customers by revenue"."""
    text = question.strip()
    if _WITH_ORDER.match(text) and not _CUES.match(text):
        return True
    return bool(_LOOSE.search(text)) or (bool(_REQUEST.search(text)) and not _GOES_ON.match(text))


def only_continues(question: str) -> bool:
    """Whether the words say nothing without what was before: "without the south", "by month too"."""
    text = question.strip()
    return is_follow_up(text) and bool(_STRICT.search(text)) and not _REQUEST.search(text)


def needs_more(question: str) -> bool:
    """Whether the words go on from something, and ask for nothing of their own."""
    return is_follow_up(question) and not may_stand_alone(question) and not _REQUEST.search(question)


def of_each(question: str) -> str:
    """ "how many orders does each have?" as what it asks for: "their number of orders"."""
    match = _EACH.match(question.strip())
    return f"and their number of {match['x']}" if match else question


def of_the_one(question: str, group: str) -> str:
    """ "which month was the best?", "highest month" after figures by month, as "which one is the best"."""
    match = _OF_GROUP.match(question.strip())
    said = (match["a"] or match["b"]).lower() if match else ""
    named = any(name == said or name.endswith(f" {said}") for name in (group, plural(group)))
    return f"which one is the {match['x'] or match['y']}" if match and named else question


def says_whose(question: str) -> bool:
    """Whether something of what is there is asked for: "their emails", "and their number of orders"."""
    return bool(_WHOSE.match(question.strip()))


_WHOSE = re.compile(
    r"^(?:(?:and|also|plus|now|then|please|show|list|give|with|include|including|add|tell|what (?:is|are|was|were)|me)\b[\s,]*)*"
    r"(?:their|its|his|her) ",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"(?:and|but|or|so|also|now|then|only|just|instead|same|what about|how about|no|not|i meant?|actually|as|show)\b",
    re.IGNORECASE,
)
_N = r"(?P<n>\d+|" + "|".join(NUMBER_WORDS) + ")"
_HIGH = r"(?:most (?:frequent|common|popular|often)|highest|largest|biggest|greatest|most expensive|most|best|top|longest|oldest|strongest|newest|latest)"
_LOW = r"(?:least (?:frequent|common|popular|often)|lowest|smallest|least|fewest|worst|shortest|youngest|weakest|bottom|cheapest|earliest)"
_POLITE = (
    r"(?:please|can you|could you|would you|i want(?: to see)?|i would like(?: to see)?|let me see|show me|give me|make (?:it|that|this)"
    r"|show (?:it|this|that|them)|it should be|should be|that is wrong|that's wrong|wrong|keep|so|ok|okay|then|now|display(?: it| them)?)"
)
_LEADING = re.compile(rf"^(?:{_POLITE}\b[\s,:]*)+", re.IGNORECASE)
_TRAILING = re.compile(r"[\s,]*\b(?:please|thanks|then|now|again|instead|rather|though|as before)\s*$", re.IGNORECASE)
_CORRECTING = re.compile(
    r"^(?:(?:no\b(?=,| i\b| not\b| by\b| only\b)|sorry|oops|i meant?|actually|rather)[\s,:]*)+", re.IGNORECASE
)
_ADDING = re.compile(r"^(?:and|plus|or)\b[\s,]*(?=.)", re.IGNORECASE)
_ALSO = re.compile(
    r"^(?:and )?(?:also|add|include|including|plus|or|together with)\b[\s,]*|[\s,]*\b(?:too|as well|also)\s*$",
    re.IGNORECASE,
)
_SWAPPING = re.compile(
    r"^(?:(?:and )?(?:what|how) about|(?:the )?same(?: thing| question| figures?| numbers?)?(?: again)?(?: but)?(?= (?:for|with|in|by|per|as)\b)|(?:and |now )?for)\b\s*",
    re.IGNORECASE,
)
_ABOUT = re.compile(r"^(?:and )?(?:what|how) about\b|^(?:the )?same\b|^now for\b", re.IGNORECASE)
_BESIDE = re.compile(
    r"^(?:and |also |plus |show |list |with |give |tell |me |include |including |add |what (?:is|are|was|were) )*(?:their|its|his|her)\b\s*|^(?:and |show )?with(?: the)?\b\s*|^(?:include|including|add)(?: the)?\b\s*",
    re.IGNORECASE,
)
_INSTEAD_OF = re.compile(r"\s+instead of .*$", re.IGNORECASE)
_EACH = re.compile(
    r"^(?:and |so )?how many (?P<x>[\w ]+?) (?:does|do|did|has|have|are there (?:in|for|per|of)|were there (?:in|for|per|of)) "
    r"(?:each|every one)(?: one)?(?: of (?:them|these|those))?(?: (?:have|has|had|get|got|place|placed|own))?[?.! ]*$",
    re.IGNORECASE,
)
_OF_GROUP = re.compile(
    rf"^(?:(?:and|so|but|only|just|show|me) )*(?:(?:which|what) (?P<a>[\w ]+?) (?:is|are|was|were|has|have|had|got|did|does|do|with|sold) (?:the )?(?P<x>{_HIGH}|{_LOW})"
    rf"|(?:the |which is the |what is the |what was the |which was the )?(?P<y>{_HIGH}|{_LOW}) (?P<b>[\w ]+?))(?: ones?| values?| figures?)?[?.! ]*$",
    re.IGNORECASE,
)
_BUT = re.compile(r"^not (?:the |an? |by )?[\w ]+?,? but (?:rather )?", re.IGNORECASE)
_AND_VALUE = re.compile(
    r"^and (?!(?:the|what|how|in|for|by|of|on|at|since|until|last|this|which|who|now|only|then|from|with|their|its|a|an)\b)",
    re.IGNORECASE,
)
"""Without a question mark "and France" adds it; "and France?" asks the same of France."""
_FURTHER = re.compile(
    r"^(?:break|split|broken|divide|drill)\b(?: (?:it|this|that|them|these))?(?: (?:down|up|out))?\s*(?:into (?=\w))?",
    re.IGNORECASE,
)
_NOISE = re.compile(
    r"\b(?:only|just|(?:group|plot|draw|sort|limit|restrict(?:ed)?|order) (?:it|this|that|them)(?= (?:by|to|as|in)\b)(?: to)?|limit(?:ed)? to|restrict(?:ed)? to"
    r"|the results?|(?<=by )the|but|use)\b",
    re.IGNORECASE,
)
_ROWS = r"(?: (?:rows?|results?|lines?|entries|records|values?|ones?|of (?:them|these|those)))?"
_FIRST = re.compile(rf"^(?:first |limit (?:it )?(?:to )?|the first |the )?{_N}{_ROWS}$", re.IGNORECASE)
_EXTREME = re.compile(
    rf"^(?:the )?(?:{_N} (?P<a>{_HIGH}|{_LOW})|(?P<b>{_HIGH}|{_LOW}) {_N.replace('?P<n>', '?P<m>')}){_ROWS}$",
    re.IGNORECASE,
)
_ONE = re.compile(
    rf"^(?:(?:which|what|who)(?: one)?(?: of (?:them|these|those))? (?:is|was|are|were|has|had|did|does|do|sold|sells?) )?(?:the )?(?P<side>{_HIGH}|{_LOW})(?: (?:one|of (?:them|these|all)))?$",
    re.IGNORECASE,
)
_SHIFTED = re.compile(
    r"^(?:(?:for|in|of|and|during) )*(?:the )?(?:(?:previous|prior|preceding|next|following) (?P<a>day|week|month|quarter|year)|(?P<b>day|week|month|quarter|year) (?:before|after)(?: that)?|(?:one|a) (?P<c>day|week|month|quarter|year) (?:earlier|before|later))$",
    re.IGNORECASE,
)
_YEAR_BEFORE = re.compile(
    r"^(?:(?:for|in|of|and|during) )*(?:the )?same (?:day|week|month|quarter|period|time|months|days)(?: in| of)? (?:last year|(?:the )?(?:previous|prior) year|(?:the|a|one) year (?:before|earlier|ago))$",
    re.IGNORECASE,
)
_NEXT = re.compile(r"\b(?:next|following|after|later)\b", re.IGNORECASE)
_ADJECTIVE = re.compile(
    r"\b(?:longest|shortest|oldest|youngest|most expensive|cheapest|newest|latest|earliest)\b", re.IGNORECASE
)
_SORTED = r"(?:sort(?:ed)?|order(?:ed)?|rank(?:ed)?)?(?: (?:it|them|this|that|from|by))?"
_DESCENDING = re.compile(
    rf"^{_SORTED} ?(?:in )?(?:the )?(?:descending(?: order)?|desc|{_HIGH}(?: values?| ones?)? (?:first|on top|to {_LOW})|high to low|from high to low|largest to smallest)$",
    re.IGNORECASE,
)
_ASCENDING = re.compile(
    rf"^{_SORTED} ?(?:in )?(?:the )?(?:ascending(?: order)?|asc|{_LOW}(?: values?| ones?)? (?:first|on top|to {_HIGH})|low to high|from low to high|smallest to largest)$",
    re.IGNORECASE,
)
_REVERSED = re.compile(
    r"^(?:(?:in|sort(?:ed)?|order(?:ed)?|turn|flip|and)? ?(?:it |them )?(?:in )?)(?:the )?(?:other way (?:a?round)|reversed?(?: the)?(?: order)?|opposite(?: order)?|upside down|a?round)(?: order)?$",
    re.IGNORECASE,
)
_BY_NAME = re.compile(
    rf"^{_SORTED} ?(?:in )?(?:alphabetical(?:ly)?(?: order)?|by (?:the )?names?|a to z|a-z)$", re.IGNORECASE
)
_SHARE = re.compile(
    r"^(?:as|in)?(?: an?| the)? ?(?:percentages?|percents?|%|shares?|proportions?|parts?)(?: (?:of|by)(?: (?:the|all))? ?(?:grand )?(?:total|whole|sum|all|overall))?$|^relative(?: to the (?:total|whole))?$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A follow-up without the words that only tie it to what was before, and what these say.

    `adds`: something is added, "and the profit"; `also`: whatever is named is added, "the west too". `swaps`: one thing
    takes the place of another, "what about returns?"; `beside`: it is shown beside what is there, "with their city";
    `further`: what is there is broken down, "split by channel". `first` is how many are shown, those that share the
    first place with `tied`; `descending` is how they are ordered, by what an `adjective` speaks of, if one was said;
    `reverse`: the other way round. `shift` is a step in time: "the month before".
    """

    text: str
    adds: bool = False
    also: bool = False
    swaps: bool = False
    instead: bool = False
    includes: bool = False
    beside: bool = False
    further: bool = False
    by_name: bool = False
    reverse: bool = False
    descending: bool | None = None
    adjective: str = ""
    first: int | None = None
    tied: bool = False
    shift: tuple[Grain, int] | None = None
    share: bool = False

    @property
    def says_all(self) -> bool:
        """Whether nothing else is said."""
        return self.text == ""


def wish_of(question: str) -> Wish:
    """Take a follow-up's connecting words for what they say."""
    text = re.sub(r"[\s?!.,;:]+$", "", " ".join(question.split()))
    text = _LEADING.sub("", text)
    text = _CORRECTING.sub("", text) or text
    also = bool(_ALSO.search(text)) or ("?" not in question and bool(_AND_VALUE.match(text)))
    text = _INSTEAD_OF.sub("", _BUT.sub("", text))
    adds = also or bool(re.match(r"(?:and|plus|or)\b", text, re.IGNORECASE))
    swaps = bool(_ABOUT.match(text))
    text = _TRAILING.sub("", _TRAILING.sub("", text)) or text
    beside = bool(_BESIDE.match(text))
    text = _BESIDE.sub("", text) if beside else _ALSO.sub("", text)
    further = bool(_FURTHER.match(text))
    text = _FURTHER.sub("", text)
    text = _ADDING.sub("", _LEADING.sub("", text))
    if re.match(r"(?:and )?(?:what|how) about\b|(?:the )?same\b", text, re.IGNORECASE):
        text = _SWAPPING.sub("for ", text)
    text = " ".join(_NOISE.sub(" ", text).split())
    text = re.sub(r"^(?:show |in |as )*(?:a )?table(?: form)?$", "as a table", text, flags=re.IGNORECASE)
    if adds and text.lower() in _GRAINS:
        text = f"by {text}"
    text = re.sub(r"^(?:the )?(?:top|bottom)$", lambda m: f"{m[0]} 1", text, flags=re.IGNORECASE)
    instead = bool(re.search(r"\b(?:instead|rather|i meant?)\b", question, re.IGNORECASE))
    includes = bool(re.match(r"(?:and |also )*includ(?:e|ing)\b", question.strip(), re.IGNORECASE))
    base = Wish(
        text=text, instead=instead, includes=includes, adds=adds, also=also, swaps=swaps, beside=beside, further=further
    )
    return _ordered(base) or base


def _ordered(wish: Wish) -> Wish | None:
    """A wish that is all about order, number or shares; None where it names anything else."""
    text = re.sub(r"^(?:show|list|give|see) (?:me )?", "", wish.text, flags=re.IGNORECASE)
    if match := _FIRST.match(text):
        number = number_said(match["n"])
        return replace(wish, text="", first=number) if number < _YEARS_FROM else None
    if match := _ONE.match(text):
        return replace(wish, text="", first=1, tied=True, descending=bool(re.fullmatch(_HIGH, match["side"].lower())))
    if match := _EXTREME.match(text):
        side, number = (match["a"] or match["b"]).lower(), number_said(match["n"] or match["m"])
        return replace(wish, text="", first=number, descending=bool(re.fullmatch(_HIGH, side)))
    if match := _SHIFTED.match(text):
        unit = (match["a"] or match["b"] or match["c"]).lower()
        return replace(wish, text="", shift=(cast(Grain, unit), 1 if _NEXT.search(text) else -1))
    if _YEAR_BEFORE.match(text):
        return replace(wish, text="", shift=("year", -1))
    if _BY_NAME.match(text):
        return replace(wish, text="", by_name=True)
    if _DESCENDING.match(text) or _ASCENDING.match(text):
        said = _ADJECTIVE.search(text)
        adjective = said[0].lower() if said else ""
        return replace(wish, text="", descending=bool(_DESCENDING.match(text)), adjective=adjective)
    if _REVERSED.match(text):
        return replace(wish, text="", reverse=True)
    if _SHARE.match(text):
        return replace(wish, text="", share=True)
    return None


_GRAINS = frozenset(("day", "week", "month", "quarter", "year"))
_YEARS_FROM = 1900
"""From which number on it is a year rather than how many."""
