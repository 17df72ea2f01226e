"""How long a deed takes and who takes longest, in set words: "which topics take longest to close", "who ships fastest".

Told by the days that the rows have for it (`deed_days`); what was taken for granted is said.
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from assistant.embedded.linking.deed_days import DeedDays, are_of, days_of, only_days
from assistant.embedded.linking.options import EXACT, ToColumn, ToTable
from assistant.embedded.linking.persons import doers, serves
from assistant.embedded.source.numbered import numbers
from assistant.embedded.words.lexicon import singular, stem
from assistant.embedded.words.vocabulary import word_set

if TYPE_CHECKING:
    from assistant.embedded.linking.linker import Linker

_ROWS = r"(?P<rows>[a-z]+(?: [a-z]+)?)"
_END = r"(?:the )?(?P<end>longest|shortest|least|most|fastest|quickest|slowest|most quickly|most slowly)(?: time)?"
_DEED = r"(?P<deed>(?!have\b|has\b|do\b|be\b)[a-z]+(?: back)?)"
_WHEN = r"(?P<rest>(?: (?:in|this|last|since|during|for|by|per)\b.*)?)"
_AVERAGE = r"(?: (?:on average|usually|typically|normally|generally))?"
_TAKING = re.compile(
    rf"^(?:which|what) {_ROWS} (?:takes?|took|needs?|needed|(?:is|are|was|were)) (?:us )?{_END} (?:to (?:be |get )?|at |in ){_DEED}"
    rf"(?P<what> (?!in\b|this\b|last\b|since\b|during\b|for\b|by\b|per\b)[\w ]+?)??{_WHEN}$",
    re.IGNORECASE,
)
_DOING_BY, _DOING_BY_TWO = (
    re.compile(
        rf"^(?:(?:which|what) (?P<rows>{rows})|who) {_DEED}(?P<what> (?:the |an? |our |their )?[a-z]+)??"
        rf" (?:the )?(?P<end>fastest|quickest|slowest|most quickly|most slowly)(?: on average)?{_WHEN}$",
        re.IGNORECASE,
    )
    for rows in ("[a-z]+", "[a-z]+ [a-z]+")
)
_BEING = re.compile(
    rf"^(?:(?:which|what) {_ROWS} (?:is|are|was|were)|who (?:is|are|was|were) (?:the |our )?(?P<of>fastest|quickest|slowest) (?P<who>[a-z]+))"
    rf"(?(of)| (?:our )?{_END})(?: ones?)?{_WHEN}$",
    re.IGNORECASE,
)
_HOW_LONG = re.compile(
    rf"^how (?:long|many days|much time) (?:does|do|did) (?P<each>it|(?:(?:the|our|all|an?|each|every)(?: of (?:the|our))? )*[a-z]+(?: [a-z]+)?){_AVERAGE} (?:take|need){_AVERAGE}(?: us| (?P<whom>(?!to\b|on\b)[a-z]+))? to (?:be |get )?{_DEED}"
    rf"(?P<what> (?!in\b|this\b|last\b|since\b|during\b|for\b|by\b|per\b)[\w ]+?)??(?: on average)?{_WHEN}$",
    re.IGNORECASE,
)
_AVERAGE_TIME = re.compile(
    r"^(?P<lead>(?:(?:what(?:'s| is| was)|show(?: me)?|give me|tell me|the|our) )*)(?:average|avg|mean|typical|usual) (?:time|number of days|days)"
    rf"(?: it takes| taken| needed| required)?(?: us)? to (?:be |get )?{_DEED}(?P<what> (?!in\b|this\b|last\b|since\b|during\b|for\b|by\b|per\b)[\w ]+?)??{_WHEN}$",
    re.IGNORECASE,
)
_HOW_FAST = re.compile(
    rf"^how (?:fast|quickly|soon|slowly) (?:do|does|did|are|is|were|was) (?P<each>we|they|it|(?:(?:the|our|all|an?|each|every) )*[a-z]+)(?: (?:usually|typically))? (?:get )?{_DEED}"
    rf"(?P<what> (?!in\b|this\b|last\b|since\b|during\b|for\b|by\b|per\b)[\w ]+?)??(?P<whom>\b)?(?: on average)?{_WHEN}$",
    re.IGNORECASE,
)
_NOUN_TIME = re.compile(
    r"^(?P<lead>(?:(?:what(?:'s| is| was)|show(?: me)?|the|our) )*)(?:average|avg|mean|typical) (?P<deed>[a-z]+) times?(?P<what>\b)(?P<rest>(?: (?:in|this|last|since|for|by|per)\b.*)?)$",
    re.IGNORECASE,
)
_TOOK_MORE = re.compile(
    r"^(?P<lead>.+?) (?:that |which )?(?:have |has )?(?:takes?|took|taken|needed) (?P<bound>more than|over|longer than|less than|under|at least|at most|up to)"
    rf" (?P<count>\d+|an?|one|two|three) (?P<unit>days?|weeks?) to (?:be |get )?{_DEED}{_WHEN}$",
    re.IGNORECASE,
)
_LONGEST = re.compile(
    r"^(?:(?:which|what) (?P<rows>[a-z]+) (?:was|is|ran|runs|lasted|lasts|took|takes) (?:for )?(?:the )?|(?:(?:what|which) (?:is|was) )?(?:the |our )?)(?P<end>longest|shortest)(?(rows)(?: time)?| (?P<of>[a-z]+))$"
    r"|^how (?:long|many days) (?:do|does|did) (?:the |our |an? )*(?P<lasting>[a-z]+) (?:run|last|go on)(?: for)?(?: on average| usually| typically)?(?P<rest>(?: (?:by|per)\b.*)?)$",
    re.IGNORECASE,
)
_LONG = frozenset(("longest", "most", "slowest", "most slowly"))
_NOT_DEEDS = word_set("is are was were has have had does did takes took grew grow grows growing sold sells sell")
_TIMES = word_set("hour day weekday week month quarter year")
_EACH = word_set("each every different various")
_SMALL = word_set("a an the our all of one") | _EACH


def taking_time(text: str, linkers: Iterable[Linker]) -> tuple[str, str] | None:
    """The question put plainly, and what was taken for granted; None where no date tells of what was done."""
    known = list(linkers)
    for pattern, put in _PHRASES:
        found = pattern.match(text)
        if found is None:
            continue
        for linker in known:
            if (plain := put(found, linker)) is not None:
                return plain
    return None


def _ranked(found: re.Match[str], linker: Linker) -> tuple[str, str] | None:
    """ "which topics take longest to close", "which agent closes tickets fastest", "who ships fastest"."""
    rows = found["rows"] or ""
    if found["deed"].lower() in _NOT_DEEDS or rows.lower() in _TIMES:
        return None
    days = days_of(found["deed"], linker, rows)
    of = _of_rows(found["what"], days, linker) if days is not None else None
    if days is None or of is None:
        return None
    who = rows or "who"
    if not rows and len(named := doers(found["deed"], days.rows, linker.schema)) == 1:
        who = named[0]
    return _first(who, found["end"], days, of + found["rest"])


def _fastest(found: re.Match[str], linker: Linker) -> tuple[str, str] | None:
    """ "which shipper is the slowest", "who is the fastest agent": by the one deed that there is."""
    rows = found["rows"] or found["who"]
    if singular(rows.lower()) in _TIMES or (linker.sold is not None and not serves(rows)):
        return None  # the slowest products are those that sell worst
    days = only_days(rows, linker)
    if days is None or any(a.is_number and _TELLING & set(a.own) for a in days.rows.attributes.values()):
        return None
    return _first(rows, found["end"] or found["of"], days, found["rest"])


_TELLING = frozenset(stem(word) for word in ("speed", "velocity", "pace", "duration", "time"))


def _first(who: str, end: str, days: DeedDays, rest: str) -> tuple[str, str]:
    side = "highest" if end.lower() in _LONG else "lowest"
    link = "has" if who == "who" else "with"
    return f"{who} {link} the {side} average {days.words}{rest}", f"{days.told}, on average"


def _how_long(found: re.Match[str], linker: Linker) -> tuple[str, str] | None:
    """ "how long does each shipper take to deliver", "how long does it take to close a ticket"."""
    subject = [word for word in found["each"].split() if word.lower() not in _SMALL]
    who = " ".join(subject).lower() if subject not in (["it"], ["we"], ["they"]) else ""
    days = days_of(found["deed"], linker, who)
    if days is None:
        return None
    each = bool(_EACH & set(found["each"].lower().split())) and are_of(who, days.rows, linker)
    of = f" by {singular(who)}" if each else _of_rows(who, days, linker)
    of = of + further if of is not None and (further := _of_rows(found["what"], days, linker)) is not None else None
    whose = f" for {found['whom']}" if found["whom"] else ""
    return (f"average {days.words}{of}{whose}{found['rest']}", f"{days.told}, on average") if of is not None else None


def _average_time(found: re.Match[str], linker: Linker) -> tuple[str, str] | None:
    """ "average time to close by priority"."""
    days = days_of(found["deed"], linker)
    of = _of_rows(found["what"], days, linker) if days is not None else None
    if days is None or of is None:
        return None
    return f"{found['lead']}average {days.words}{of}{found['rest']}", days.told


def _noun_time(found: re.Match[str], linker: Linker) -> tuple[str, str] | None:
    """ "average delivery time", where no date is called so, and none of the columns holds it."""
    noun = stem(found["deed"].lower())
    if any(noun in a.stems or (a.is_number and _TELLING & set(a.own)) for a in linker.schema.attributes):
        return None
    return _average_time(found, linker)


def _longest(found: re.Match[str], linker: Linker) -> tuple[str, str] | None:
    """ "longest campaign", "how long do campaigns run on average": from the day they begin to the day they end."""
    rows = (found["rows"] or found["of"] or found["lasting"]).lower()
    days = days_of("end", linker, rows) or days_of("return", linker, rows)
    named = [days.rows.one, *(days.rows.attributes[name].words for name in days.rows.label)] if days else []
    if days is None or singular(rows) not in named or (days.rows.one != singular(rows) and days.end.own[0] != "end"):
        return None  # of what is lent it is the loan that lasts
    if any(a.is_number and _TELLING & set(a.own) for a in days.rows.attributes.values()):
        return None
    if found["lasting"]:
        return f"average {days.words}{found['rest']}", f"{days.told}, on average"
    time = f"time between {days.start.words} and {days.end.words}"
    return f"{singular(rows)} with the {found['end'].lower()} {time}", days.told


def _took_more(found: re.Match[str], linker: Linker) -> tuple[str, str] | None:
    """ "how many orders took more than 10 days to ship"."""
    days = days_of(found["deed"], linker)
    if days is None or not _are_rows(found["lead"].split()[-1], days):
        return None
    bound = found["bound"].lower().replace("longer", "more").replace("up to", "at most")
    when = f"{days.end.words} {bound} {found['count']} {found['unit']} after {days.start.words}"
    return f"{found['lead']} with {when}{found['rest']}", days.told


def _of_rows(what: str | None, days: DeedDays, linker: Linker) -> str | None:
    """What further words say of the rows: nothing, of "a ticket"; which ones, of "urgent tickets"; else None."""
    words = [word for word in (what or "").split() if word.lower() not in _SMALL]
    if not words:
        return ""
    if len(words) == 1:
        return "" if _are_rows(words[0], days) or _is_thing(words[0], linker) else None
    if _are_rows(words[-1], days):
        return f" for {' '.join(words)}"
    return f" {' '.join(words[1:])}" if _are_rows(words[0], days) and words[1].lower() in _LINKS else None


_LINKS = word_set("to from in of with for by")


def _are_rows(words: str, days: DeedDays) -> bool:
    """Whether words name what the deed is done with: the rows of the table, or what a file's lines are numbered by."""
    said = stem(singular(words.lower()).split()[-1])
    numbered = (a.things for a in days.rows.attributes.values() if numbers(a))
    return said in {days.rows.stems[-1], *(stem(singular(noun).split()[-1]) for noun in numbered)}


def _is_thing(word: str, linker: Linker) -> bool:
    """Whether a word names a kind of things, and not one of them: "to return a film"."""
    named = [o for o in linker.names((stem(word.lower()),)) if o.strength > EXACT]
    return any(isinstance(o, ToTable) or (isinstance(o, ToColumn) and o.attribute.role == "text") for o in named)


Put = Callable[[re.Match[str], "Linker"], "tuple[str, str] | None"]
_PHRASES: tuple[tuple[re.Pattern[str], Put], ...] = (
    (_TAKING, _ranked),
    (_DOING_BY, _ranked),
    (_DOING_BY_TWO, _ranked),
    (_BEING, _fastest),
    (_HOW_LONG, _how_long),
    (_AVERAGE_TIME, _average_time),
    (_TOOK_MORE, _took_more),
    (_HOW_FAST, _how_long),
    (_NOUN_TIME, _noun_time),
    (_LONGEST, _longest),
)
