"""Dates, times of day and instants in a column of text: the formats in which all of its values are written. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Literal

from assistant.sources.reading.guesses import Guess, convert_matching, is_matching
from assistant.sources.reading.month_names import guess_named_month
from assistant.sources.reading.sequences import day_first_by_sequence

_EIGHT_DIGITS = r"(19|20)\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])"
_DAYS_MIN = 3
_ISO_INSTANT = r"\d{4}-\d{1,2}-\d{1,2}([ T]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?"
_TIMES = {
    r"\d{1,2}:\d{2}": "%H:%M",
    r"\d{1,2}:\d{2}:\d{2}": "%H:%M:%S",
    r"\d{1,2}:\d{2} ?[AaPp][Mm]": "%I:%M %p",
    r"\d{1,2}:\d{2}:\d{2} ?[AaPp][Mm]": "%I:%M:%S %p",
}
_DATES = {
    r"\d{4}-\d{1,2}-\d{1,2}": "%Y-%m-%d",
    r"\d{4}/\d{1,2}/\d{1,2}": "%Y/%m/%d",
    r"\d{4}\.\d{1,2}\.\d{1,2}": "%Y.%m.%d",
    r"\d{1,2}\.\d{1,2}\.\d{4}": "%d.%m.%Y",
    r"\d{1,2}\.\d{1,2}\.\d{2}": "%d.%m.%y",
    r"\d{1,2} [A-Za-z]{3} \d{4}": "%d %b %Y",
    r"\d{1,2}-[A-Za-z]{3}-\d{4}": "%d-%b-%Y",
    r"\d{1,2}-[A-Za-z]{3}-\d{2}": "%d-%b-%y",
    r"\d{1,2} [A-Za-z]{4,9} \d{4}": "%d %B %Y",
    r"[A-Za-z]{3} \d{1,2}, \d{4}": "%b %d, %Y",
    r"[A-Za-z]{4,9} \d{1,2}, \d{4}": "%B %d, %Y",
    r"[A-Za-z]{3} \d{1,2} \d{4}": "%b %d %Y",
    r"[A-Za-z]{4,9} \d{1,2} \d{4}": "%B %d %Y",
    r"\d{4}年\d{1,2}月\d{1,2}日": "%Y年%m月%d日",
    r"\d{4}년 \d{1,2}월 \d{1,2}일": "%Y년 %m월 %d일",
}
_MONTHS = {
    r"[A-Za-z]{3}[- ]\d{4}": "%b-%Y",
    r"[A-Za-z]{3}[- ]\d{2}": "%b-%y",
    r"[A-Za-z]{4,9}[- ]\d{4}": "%B-%Y",
    r"\d{1,2}/(19|20)\d{2}": "%m/%Y",
}
"""Months of a year. They stay text, which sorts them by their letters: so it is said."""
_OTHER_CALENDAR = re.compile(r".*(?<!\d)(1[34]\d\d|2[45]\d\d)(?!\d).*")
"""Years of the Persian, the Islamic and the Buddhist calendar."""
_WEEKDAY = re.compile(r"(?i)(mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(day)?(,?) +(?=\S)")
_OFFSET = re.compile(r"(?<=:\d\d)(?:\.\d+)?([+-]\d{2}):?(\d{2})$")
_UTC = re.compile(r" ?(GMT|UTC|Z|[+-]00:?00)$")
_LAST_YEAR_OF_TWO_DIGITS = 30
"""Years of two digits up to 68 are read as this century's; from here on they may well be the last one's."""
_TWO_WAYS = re.compile(r"(\d{1,2})([/-])(\d{1,2})\2(\d{4}|\d{2})\b")


def guess_packed_date(values: Sequence[str]) -> Guess | None:
    """Days of eight digits, such as 20240131: so few numbers are days that three that are can be no others."""
    if len(set(values)) < _DAYS_MIN or not is_matching(_EIGHT_DIGITS, values):
        return None
    if not all(is_parsed_by(value, "%Y%m%d") for value in values):
        return None
    return Guess(
        type="DATE",
        sql=convert_matching(_EIGHT_DIGITS, "CAST(try_strptime($v, '%Y%m%d') AS DATE)"),
        note="read as dates: year, month and day without separators",
        doubt="column_type",
        rival="They may be whole numbers.",
        rival_type="integer",
    )


def guess_clock(values: Sequence[str]) -> Guess | None:
    """Times of day; lengths of time look the same where none is after noon."""
    formats = {
        form
        for value in values
        for pattern, form in _TIMES.items()
        if re.fullmatch(pattern, value) and is_parsed_by(value, form)
    }
    if not all(any(is_parsed_by(value, form) for form in formats) for value in values):
        return None
    listed = ", ".join(f"'{form}'" for form in sorted(formats))
    is_open = not any("%p" in form for form in formats) and all(int(value.partition(":")[0]) <= 12 for value in values)
    return Guess(
        type="TIME",
        sql=f"CAST(try_strptime($v, [{listed}]) AS TIME)",
        note="read as times of day" if is_open else "",
        doubt="column_type" if is_open else None,
        rival="They may be lengths of time." if is_open else "",
        rival_type="text" if is_open else "",
    )


def guess_month(values: Sequence[str]) -> Guess | None:
    """Months of a year in one form: kept as text, and doubted."""
    for pattern, form in _MONTHS.items():
        if not is_matching(pattern, values):
            continue
        parted = form.replace("-", " ") if " " in values[0] else form
        if all(is_parsed_by(value, parted) for value in values):
            return Guess(
                type="VARCHAR",
                note="kept as text: months, which are in the order of their letters",
                doubt="column_type",
                rival="As dates, they would be the first days of the months.",
                rival_type=f"date {parted}",
            )
    return None


def guess_date(values: Sequence[str], *, day_first: bool, ordered: Sequence[str]) -> Guess | None:
    """Dates and times; text, and doubted, where all years are those of another calendar."""
    type_guess = _guess_date(values, day_first=day_first, ordered=ordered) or guess_named_month(values)
    if type_guess is None or not all(map(_OTHER_CALENDAR.fullmatch, values)):
        return type_guess
    return Guess(
        type="VARCHAR",
        note=f"kept as text: dates of another calendar, such as {values[0]!r}",
        doubt="column_type",
        rival="They may be dates as they are written.",
        rival_type="date" if all(map(is_iso, values)) else "",
    )


def _guess_date(values: Sequence[str], *, day_first: bool, ordered: Sequence[str]) -> Guess | None:
    if all(map(is_iso, values)):
        if all(len(value) <= 10 for value in values):
            return Guess(type="DATE", sql=convert_matching(_ISO_INSTANT, "TRY_CAST($v AS DATE)"))
        return _instants(values)
    if all(is_parsed_by(value, "%Y-%d-%m") for value in values) and any(map(_is_year_day_month, values)):
        return Guess(
            type="DATE",
            sql="CAST(try_strptime($v, '%Y-%d-%m') AS DATE)",
            note="dates read as year, day and month, because no other order fits",
            doubt="day_order",
        )
    plain = [_UTC.sub("", value) for value in values]
    order = _day_order(plain)
    if order == "both":
        return None
    by_rows = day_first_by_sequence(ordered) if order == "unknown" else None
    first = order == "day" if order in ("day", "month") else day_first if by_rows is None else by_rows
    formats: set[str] = set()
    for value in plain:
        date_format = _format_of(value, day_first=first)
        if date_format is None or not is_parsed_by(value, date_format):
            return None
        formats.add(date_format)
    timed = any("%H" in form or "%I" in form for form in formats)
    # %Y reads two digits as a year of the first century, so %y comes first.
    listed = ", ".join(f"'{form}'" for form in sorted(formats, key=lambda form: ("%y" not in form, form)))
    notes: list[str] = []
    if len(formats) > 1:
        notes.append(f"dates in {len(formats)} formats")
    if order != "none":
        why = (
            ""
            if order != "unknown"
            else ", which no value settles"
            if by_rows is None
            else ", by the order of its rows"
        )
        notes.append(f"dates read {'day' if first else 'month'} first{why}")
    is_far = order != "unknown" and any(
        "%y" in form
        and is_parsed_by(value, form)
        and datetime.strptime(value, form).year >= 2000 + _LAST_YEAR_OF_TWO_DIGITS
        for value in plain
        for form in formats
    )
    if is_far:
        notes.append("years of two digits read as 1969 to 2068")
    text = "$v" if plain == list(values) else f"regexp_replace($v, '{_UTC.pattern}', '')"
    sql = f"CAST(try_strptime({text}, [{listed}]) AS {'TIMESTAMP' if timed else 'DATE'})"
    rival = next(iter(formats)) if order == "unknown" and len(formats) == 1 and not timed else ""
    turned = rival.translate(str.maketrans("dm", "md")) if rival else ""
    return Guess(
        type="TIMESTAMP" if timed else "DATE",
        sql=sql,
        note="; ".join(notes),
        doubt="day_order" if order == "unknown" or is_far else None,
        rival=f"{'Month' if first else 'Day'} first, they would be other days."
        if order == "unknown"
        else "They may be a century earlier."
        if is_far
        else "",
        rival_type=f"date {turned}" if turned else "",
    )


def _instants(values: Sequence[str]) -> Guess:
    """ISO dates with times: of one offset from UTC as they are written, of several as instants."""
    offsets = [f"{match[1]}:{match[2]}" if (match := _OFFSET.search(value)) else "" for value in values]
    stated = {offset for offset in offsets if offset}
    zoned = all(offset or value.endswith("Z") for offset, value in zip(offsets, values, strict=True))
    if zoned and len(stated | {"+00:00" for offset in offsets if not offset}) > 1:
        return Guess(
            type="TIMESTAMPTZ",
            sql=convert_matching(_ISO_INSTANT, "TRY_CAST($v AS TIMESTAMPTZ)"),
            note="read as instants: their offsets from UTC differ",
        )
    is_open = bool(stated - {"+00:00", "-00:00"})
    listed = ", ".join(sorted(stated)[:3])
    return Guess(
        type="TIMESTAMP",
        sql=convert_matching(_ISO_INSTANT, "TRY_CAST($v AS TIMESTAMP)"),
        note=f"times read as they are written, at UTC{listed}" if is_open else "",
        doubt="time_zone" if is_open else None,
        rival="In UTC, some may be on another day." if is_open else "",
    )


def _is_year_day_month(value: str) -> bool:
    return not is_parsed_by(value, "%Y-%m-%d")


def _day_order(values: Sequence[str]) -> Literal["day", "month", "both", "unknown", "none"]:
    """Which part of 03/04/2024 is the day, by what the other values show."""
    pairs = [(int(match[1]), int(match[3])) for value in values if (match := _TWO_WAYS.match(value))]
    if not pairs:
        return "none"
    day = any(first > 12 for first, _ in pairs)
    month = any(second > 12 for _, second in pairs)
    if day and month:
        return "both"
    return "day" if day else "month" if month else "unknown"


def _format_of(value: str, *, day_first: bool) -> str | None:
    """The strptime format of one date, or None."""
    weekday = _WEEKDAY.match(value)
    prefix = f"{'%A' if weekday[2] else '%a'}{weekday[3]} " if weekday else ""
    value = value[weekday.end() :] if weekday else value
    for date_end in _ends(value):
        head, tail = value[:date_end], value[date_end:]
        form = next((form for pattern, form in _DATES.items() if re.fullmatch(pattern, head)), None)
        if form is None and (match := _TWO_WAYS.fullmatch(head)):
            separator, year = match[2], "%Y" if len(match[4]) == 4 else "%y"
            form = separator.join(("%d", "%m", year) if day_first else ("%m", "%d", year))
        if form is None:
            continue
        form = prefix + form
        if not tail:
            return form
        clock = next((clock for pattern, clock in _TIMES.items() if re.fullmatch(pattern, tail[1:])), None)
        if clock:
            return form + tail[0] + (clock if " " in tail[1:] or "%p" not in clock else clock.replace(" ", ""))
    return None


def _ends(value: str) -> Iterable[int]:
    """Where the date may end: at the end, or before the blank or T that precedes a time of day."""
    yield len(value)
    if match := re.search(r"[ T](?=\d{1,2}:\d{2})", value):
        yield match.start()


def is_parsed_by(value: str, form: str) -> bool:
    try:
        datetime.strptime(value, form)
    except ValueError:
        return False
    return True


def is_date(value: str) -> bool:
    return any(
        (form := _format_of(value, day_first=day_first)) is not None and is_parsed_by(value, form)
        for day_first in (True, False)
    ) or is_iso(value)


def is_iso(value: str) -> bool:
    return is_matching(_ISO_INSTANT, [value]) and is_parsed_by(re.split("[ T]", value)[0], "%Y-%m-%d")
