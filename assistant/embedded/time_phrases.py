"""Time phrases: "last quarter", "since March", "in Q3 2024" become half-open ranges of days.

Everything is relative to an injected day. A bare month or quarter without a year is its latest occurrence that has
begun. Nothing here knows columns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise

from assistant.embedded.dates import MONTHS, WEEKDAYS, Period, day_words, describe, month_start, period_start
from assistant.embedded.meaning import Grain
from assistant.embedded.words.lexicon import Token
from assistant.embedded.words.vocabulary import NUMBER_WORDS, number_said

_MONTH = {name: n for n, name in enumerate(MONTHS, 1)} | {name[:3]: n for n, name in enumerate(MONTHS, 1)} | {"sept": 9}
_UNITS: dict[str, Grain] = {
    unit + ending: unit  # pyright: ignore[reportAssignmentType]  # the keys are the grains themselves
    for unit in ("day", "week", "month", "quarter", "year")
    for ending in ("", "s")
}
YEARS_KNOWN = range(1900, 2100)
YEARS_EVER = range(1500, 2100)


@dataclass(frozen=True, slots=True)
class _Words:
    """The words from one place of a question on."""

    words: Sequence[str]
    today: date

    def match(self, pattern: str) -> re.Match[str] | None:
        return re.match(rf"(?:{pattern})(?= |$)", " ".join(self.words))


_ORDINAL_DAY = r"(?P<d>\d{1,2})(?:st|nd|rd|th)?"
_MONTH_NAME = r"(?P<m>" + "|".join(sorted(_MONTH, key=len, reverse=True)) + ")"
_WEEKDAY = r"(?P<d>" + "|".join(WEEKDAYS) + ")"
_NUMBER = r"(?P<n>\d+|" + "|".join(NUMBER_WORDS) + ")"
_UNIT = r"(?P<u>day|week|month|quarter|year)s?"
_QUARTER = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}


def _safe(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _is_year(match: re.Match[str], *, surely: bool) -> bool:
    """Whether four digits are a year; one long ago must be called a year, or stand where only a time can."""
    return int(match["y"]) in (YEARS_EVER if surely or match["said"] else YEARS_KNOWN)


def _point(words: _Words, *, surely: bool = False) -> tuple[Period, int] | None:
    """A day, month, quarter or year by its name; the building brick of longer phrases."""
    today = words.today
    if m := words.match(r"(?P<y>\d{4})-(?P<m>\d\d)"):
        start = date(int(m["y"]), int(m["m"]), 1)
        return _period(start, month_start(start, 1)), 1
    if m := words.match(r"(?P<iso>\d{4}-\d\d-\d\d)"):
        try:
            day = date.fromisoformat(m["iso"])
        except ValueError:
            return None
        return _period(day, day + timedelta(days=1)), 1
    for pattern in (
        rf"(?:the )?{_ORDINAL_DAY} (?:of )?{_MONTH_NAME} (?P<y>\d{{4}})",
        rf"{_MONTH_NAME} (?:the )?{_ORDINAL_DAY} (?P<y>\d{{4}})",
    ):
        if (m := words.match(pattern)) and (day := _safe(int(m["y"]), _MONTH[m["m"]], int(m["d"]))):
            return _period(day, day + timedelta(days=1)), _length(m)
    if (m := words.match(rf"{_MONTH_NAME} (?:of )?(?P<y>\d{{4}})")) and int(m["y"]) in YEARS_KNOWN:
        start = date(int(m["y"]), _MONTH[m["m"]], 1)
        return _period(start, month_start(start, 1)), _length(m)
    if m := words.match(rf"{_MONTH_NAME} (?:of )?(?P<w>last|this) year"):
        start = date(today.year - (m["w"] == "last"), _MONTH[m["m"]], 1)
        return _period(start, month_start(start, 1)), _length(m)
    for pattern in (
        r"q(?P<q>[1-4])(?: (?:of )?(?P<y>\d{4}))?",
        r"(?P<y>\d{4}) q(?P<q>[1-4])",
        r"(?:the )?(?P<q>first|second|third|fourth|1st|2nd|3rd|4th) quarter(?: (?:of )?(?P<y>\d{4}))?",
    ):
        if m := words.match(pattern):
            quarter = _QUARTER.get(m["q"]) or int(m["q"])
            note = ""
            if m["y"]:
                start = date(int(m["y"]), 3 * quarter - 2, 1)
            else:
                start = date(today.year, 3 * quarter - 2, 1)
                start = start if start <= today else date(today.year - 1, 3 * quarter - 2, 1)
                note = f"“Q{quarter}” is taken as {describe(start, month_start(start, 3))}"
            return _period(start, month_start(start, 3), note), _length(m)
    if m := words.match(r"(?:the )?(?P<h>first|second) half (?:of )?(?P<y>\d{4})"):
        start = date(int(m["y"]), 1 if m["h"] == "first" else 7, 1)
        return _period(start, month_start(start, 6)), _length(m)
    if (m := words.match(r"(?:the )?(?P<said>year )?(?P<y>\d{4})")) and _is_year(m, surely=surely):
        start = date(int(m["y"]), 1, 1)
        return _period(start, date(start.year + 1, 1, 1)), _length(m)
    if (m := words.match(_MONTH_NAME)) and m["m"] != "may":
        return _bare_month(m, today)
    if m := words.match(r"(?P<w>today|yesterday)"):
        start = today - timedelta(days=m["w"] == "yesterday")
        return _period(start, start + timedelta(days=1)), 1
    if m := words.match(rf"(?:the )?(?P<w>last|this|past) {_WEEKDAY}(?! (?:of|in))"):
        first = period_start(today, "week") + timedelta(days=WEEKDAYS.index(m["d"]))
        day = first - timedelta(days=7 * (m["w"] != "this" and first >= today))
        return _period(day, day + timedelta(days=1), f"“{m.group(0)}” is {day_words(day)}"), _length(m)
    if m := words.match(
        r"(?:the )?(?P<w>last|this|previous|current|past) (?P<u>week|month|quarter|year|day)(?! (?:of|that|when|any))"
    ):
        grain = _UNITS[m["u"]]
        shift = 0 if m["w"] in ("this", "current") else -1
        start = period_start(today, grain, shift)
        end = period_start(today, grain, shift + 1)
        phrase = f"{'last' if shift else 'this'} {grain}"
        return _period(start, end, f"“{phrase}” is {describe(start, end)}"), _length(m)
    return None


def _bare_month(match: re.Match[str], today: date) -> tuple[Period, int]:
    start = date(today.year, _MONTH[match["m"]], 1)
    start = start if start <= today else date(today.year - 1, start.month, 1)
    end = month_start(start, 1)
    return _period(start, end, f"“{match['m'].title()}” is taken as {describe(start, end)}"), _length(match)


def _period(start: date | None, end: date | None, assumption: str = "") -> Period:
    return Period(start=start, end=end, label=describe(start, end), assumption=assumption)


def _length(match: re.Match[str]) -> int:
    return match.group(0).count(" ") + 1


def _after(words: _Words, taken: int) -> _Words:
    return _Words(words.words[taken:], words.today)


def _opened(words: _Words) -> tuple[Period, int] | None:
    """since / after / before / until / from ... to / between ... and."""
    if m := words.match(r"(?P<w>between|from)"):
        first = _point(_after(words, 1)) or _may(_after(words, 1))
        if first:
            period, taken = first
            rest = _after(words, 1 + taken)
            if link := rest.match("and|to|until|till|through"):
                second = _point(_after(rest, 1)) or _may(_after(rest, 1))
                if second and period.start and second[0].end:
                    start = period.start
                    guessed = "taken as" in period.assumption and second[0].start is not None
                    if guessed and second[0].start and not second[0].assumption:
                        start = start.replace(year=second[0].start.year)
                    if guessed and second[0].start and start > second[0].start:
                        start = date(start.year - 1, start.month, 1)
                    return _period(start, second[0].end), 1 + taken + len(link.group(0).split()) + second[1]
            if m["w"] == "from" and rest.match("on|onwards|onward"):
                return _period(period.start, None, period.assumption), 2 + taken
        return None
    table: tuple[tuple[str, Callable[[Period], Period]], ...] = (
        (r"since|starting(?: in| from)?|beginning(?: in)?", lambda p: _period(p.start, None, p.assumption)),
        (r"on or after|not before", lambda p: _period(p.start, None, p.assumption)),
        (r"(?:later than|after)", lambda p: _period(p.end, None, p.assumption)),
        (r"(?:earlier than|before|prior to)", lambda p: _period(None, p.start, p.assumption)),
        (r"until|till|up to|through|by the end of|on or before", lambda p: _period(None, p.end, p.assumption)),
    )
    for pattern, make in table:
        if m := words.match(pattern):
            taken = _length(m)
            inner = _after(words, taken)
            if inner.match("the (?:start|beginning) of"):
                inner, taken = _after(inner, 4), taken + 4
            point = _point(inner, surely=not m.group(0).startswith(("up", "through"))) or _may(inner)
            if point:
                return make(point[0]), taken + point[1]
    return None


def _may(words: _Words) -> tuple[Period, int] | None:
    """May is a month only after a preposition: "may" alone is mostly a verb."""
    m = words.match(r"(?P<m>may)")
    return _bare_month(m, words.today) if m else None


def _rolling(words: _Words) -> tuple[Period, int] | None:
    """last 30 days, past 6 months, year to date, N days ago, the last 6 months of 2023."""
    today = words.today
    if found := _part(words):
        return found
    if m := words.match(rf"(?:the )?(?:last|past|previous|recent) {_NUMBER} {_UNIT}"):
        n, grain = number_said(m["n"]), _UNITS[m["u"]]
        if grain in ("day", "week"):
            days = n * (7 if grain == "week" else 1)
            start, end = today - timedelta(days=days), today
            note = f"“last {n} {grain}s” ends yesterday"
        else:
            start, end = period_start(today, grain, -n), period_start(today, grain)
            note = f"“last {n} {grain}s” means whole {grain}s: {describe(start, end)}"
        return _period(start, end, note), _length(m)
    return _to_date(words)


def _part(words: _Words) -> tuple[Period, int] | None:
    """The first or the last months of something: "the last 6 months of 2023"."""
    m = words.match(rf"(?:the )?(?P<e>first|last|final)(?: {_NUMBER})? {_UNIT} (?:of|in)")
    whole = _point(_after(words, _length(m))) if m else None
    if m is None or whole is None or whole[0].start is None or whole[0].end is None:
        return None
    n, grain, (start, end) = number_said(m["n"] or "1"), _UNITS[m["u"]], (whole[0].start, whole[0].end)
    if m["e"] == "first":
        end = min(end, _on(start, n, grain))
    else:
        start = max(start, _on(end, -n, grain))
    return _period(start, end, whole[0].assumption), _length(m) + whole[1]


def _on(day: date, n: int, grain: Grain) -> date:
    """So many days, weeks or months on from the first day of a period."""
    if grain in ("day", "week"):
        return day + timedelta(days=n * (7 if grain == "week" else 1))
    return month_start(day, n * {"month": 1, "quarter": 3, "year": 12}[grain])


def _to_date(words: _Words) -> tuple[Period, int] | None:
    """year to date, N days ago."""
    today = words.today
    if m := words.match(r"(?:the )?(?P<u>year|quarter|month) to date|(?P<s>ytd|qtd|mtd)"):
        short: dict[str, Grain] = {"ytd": "year", "qtd": "quarter", "mtd": "month"}
        grain = short[m["s"]] if m["s"] else _UNITS[m["u"]]
        start, end = period_start(today, grain), today + timedelta(days=1)
        return _period(start, end, f"“{grain} to date” is {describe(start, end)}"), _length(m)
    if m := words.match(rf"(?P<w>more than|over|less than|within the last) {_NUMBER} {_UNIT} ago"):
        start = _back(today, number_said(m["n"]), _UNITS[m["u"]])
        period = _period(None, start) if m["w"] in ("more than", "over") else _period(start, None)
        return period, _length(m)
    return None


_DENIED = frozenset(("not", "never", "no", "without", "none", "hasn't", "haven't", "didn't", "don't", "doesn't")) | {
    "hasnt", "havent", "didnt", "dont", "doesnt",
}  # fmt: skip
_DENIED_MAX = 6
"""How many words may stand between a denial and the time for which it holds."""


def _silence(words: _Words) -> tuple[Period, int] | None:
    """ "(have not ordered) for 6 months", "(no orders) in the last 30 days": from that day until now."""
    last = r"(?:last|past|previous)"
    number, unit = _NUMBER.replace("<n>", "<n2>"), _UNIT.replace("<u>", "<u2>")
    m = words.match(
        rf"(?:(?:for|in) (?:over|more than|at least)|for)(?: the {last})? {_NUMBER} {_UNIT}"
        rf"|(?:(?:in|within|during|over) )?(?:the )?{last} {number} {unit}"
    )
    if m is None:
        return None
    start = _back(words.today, number_said(m["n"] or m["n2"]), _UNITS[m["u"] or m["u2"]])
    return _period(start, None, f"“{m.group(0)}” counts back from {day_words(words.today)}"), _length(m)


def _back(today: date, n: int, grain: Grain) -> date:
    if grain in ("day", "week"):
        return today - timedelta(days=n * (7 if grain == "week" else 1))
    months = n * {"month": 1, "quarter": 3, "year": 12}[grain]
    start = month_start(today, -months)
    following = month_start(start, 1)
    return min(start + timedelta(days=today.day - 1), following - timedelta(days=1))


def _unit_before(tokens: Sequence[Token], at: int) -> str:
    """ "this year vs last": the unit of the period that another one stands beside without its own."""
    before = [t.lower for t in tokens[max(at - _BESIDE_MAX, 0) : at]]
    following = tokens[at + 1].lower if at + 1 < len(tokens) else ""
    if tokens[at].lower not in ("last", "previous") or not before or before[-1] not in _BESIDE:
        return ""
    if following and following not in ("by", "per", "for", "in", "of"):
        return ""
    return next((word for this, word in pairwise(before) if this in ("this", "current") and word in _UNITS_SAID), "")


_BESIDE_MAX = 4
_BESIDE = frozenset(("vs", "versus", "and", "to", "than", "against", "or", "with"))
_UNITS_SAID = frozenset(("day", "week", "month", "quarter", "year"))


def time_phrase(tokens: Sequence[Token], at: int, today: date) -> tuple[Period, int] | None:
    """Read a time phrase that begins at a token.

    Returns:
        The period and the number of tokens it takes (its preposition included), or None.
    """
    if tokens[at].kind == "quoted":
        return None
    words = [t.lower if t.kind != "quoted" else "\0" for t in tokens[at : at + 14]]
    view = _Words(words, today)
    denied = any(t.lower in _DENIED for t in tokens[max(at - _DENIED_MAX, 0) : at])
    if found := (_silence(view) if denied else None) or _opened(view) or _rolling(view):
        return found
    if unit := _unit_before(tokens, at):
        beside = _Words(["last", unit], today)
        if found := _rolling(beside) or _point(beside):
            return found[0], 1
    if m := view.match(
        r"in the|during the|for the|over the|within the|in|during|on|for|of|over(?! \d)|throughout|within|from|at"
    ):
        taken = _length(m)
        inner = _after(view, taken)
        surely = m.group(0).startswith(("in", "during"))
        if inner.words and (found := _rolling(inner) or _point(inner, surely=surely) or _may(inner)):
            return found[0], taken + found[1]
        return None
    return _point(view)
