"""What a column of text really holds: integers, numbers, percentages, dates; a pure function of a sample.

All values must fit, or the column stays text: half a column of numbers is worse than text, because the other half
would silently be null. The caller checks a guess against every row, and asks again with the values that did not fit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from assistant.core.doubts import DoubtKind
from assistant.sources.reading.kinds import CURRENCY, is_missing_word
from assistant.sources.reading.quantities import bare, is_measure, mixed_units, spellings, unit_of
from assistant.sources.reading.sequences import day_first_by_sequence

TypeName = Literal["BIGINT", "DOUBLE", "BOOLEAN", "DATE", "TIME", "TIMESTAMP", "TIMESTAMPTZ", "VARCHAR"]

_INTEGER = r"[+-]?(0|[1-9]\d{0,17})"
_SPACED = r"[+-]?\d+([ '’\x{a0}\x{202f}]\d+)*"
_GROUPED = r"[+-]?(?:\d{1,3}(?:\.\d{3})+|\d+)"
_PLAIN = r"[+-]?(\d{1,15}(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?"
_EXPONENT_CODE = r"\d{1,4}([eE]\d{1,3})?"
_EIGHT_DIGITS = r"(19|20)\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])"
_DAYS_MIN = 3
_SIGN = r"[-+−]?"
_POINT_BODY = r"(\d{1,3}(,\d{3})+|\d{1,2}(,\d{2})+,\d{3}|\d{1,3}(['’ \x{a0}\x{202f}]\d{3})+|\d{1,15})(\.\d+)?"
_COMMA_BODY = r"(\d{1,3}([.'’ \x{a0}\x{202f}]\d{3})+|\d{1,15})(,\d+)?"


def _dressed(body: str) -> str:
    """A number with a sign, a currency on either side, or accounting brackets."""
    return rf"({_SIGN}\s?{CURRENCY}?\s?{_SIGN}\s?{body}\s?{CURRENCY}?-?|\({CURRENCY}?\s?{body}\s?{CURRENCY}?\))"


_POINT = _dressed(_POINT_BODY)
_POINT_INTEGER = _dressed(_POINT_BODY.removesuffix(r"(\.\d+)?"))
_COMMA = _dressed(_COMMA_BODY)
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
}
_WEEKDAY = re.compile(r"(?i)(mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(day)?(,?) +(?=\S)")
_OFFSET = re.compile(r"(?<=:\d\d)(?:\.\d+)?([+-]\d{2}):?(\d{2})$")
_ZONE_NAME = re.compile(r".*\d:\d{2}(?::\d{2})? ?[A-Z]{3,4}")
_LENGTH_OF_TIME = r"\d{1,4}:[0-5]\d(:[0-5]\d)?"
_TELEPHONE = r"\+\d{8,15}"
_UTC = re.compile(r" ?(GMT|UTC|Z|[+-]00:?00)$")
_POINT_BEFORE_THREE = re.compile(r"[+-]?[1-9]\d{0,2}\.\d{3}")
_LAST_YEAR_OF_TWO_DIGITS = 30
"""Years of two digits up to 68 are read as this century's; from here on they may well be the last one's."""
_TWO_WAYS = re.compile(r"(\d{1,2})([/-])(\d{1,2})\2(\d{4}|\d{2})\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess:
    """A column's type, and the SQL that turns its trimmed text `$v` into it (null where that does not fit).

    Attributes:
        type: The DuckDB type.
        sql: The conversion.
        note: What is said of it, as the predicate of a sentence whose subject is the column.
        unit: What every value had after its number.
        doubt: What kind of decision may be wrong; None where nothing is in doubt.
        rival: What else it might be, as a sentence.
        rival_type: The type that chooses the rival, in the sidecar's words.
        strays: The values that keep the column from another type.
    """

    type: TypeName
    sql: str = "$v"
    note: str = ""
    unit: str = ""
    doubt: DoubtKind | None = None
    rival: str = ""
    rival_type: str = ""
    strays: tuple[str, ...] = ()


TEXT = Guess(type="VARCHAR")


def guess(values: Iterable[str], *, continental: bool = False, name: str = "", ordered: Sequence[str] = ()) -> Guess:
    """The type that fits every one of these values.

    Args:
        values: Distinct values of a column, or a sample of them.
        continental: Whether the file comes from where semicolons separate columns: there, and where no other value
            settles it, 03/04/2024 is a day in April and 1.200 is one thousand two hundred.
        name: The column's name: what is measured is a number, leading zeros or not.
        ordered: The column's first values in the order of their rows, which may settle what is day and what month.
    """
    filled = [value for raw in values if (value := raw.strip()) and not is_missing_word(value)]
    if not filled:
        return TEXT
    if {value.lower() for value in filled} == {"true", "false"}:
        return Guess(type="BOOLEAN", sql="CASE lower($v) WHEN 'true' THEN true WHEN 'false' THEN false END")
    if any(re.match(r"[+-]?0[ '’\u00a0\u202f]?\d", value) for value in filled) and _all(_SPACED, filled):
        if is_measure(name) and len(set(map(len, filled))) == 1 and all(map(str.isdecimal, filled)):
            return Guess(
                type="BIGINT",
                sql=_matched(r"\d{1,18}", "TRY_CAST($v AS BIGINT)"),
                note="read as whole numbers, although some begin with a zero",
                doubt="column_type",
                rival="They may be codes.",
                rival_type="text",
            )
        return Guess(type="VARCHAR", note="kept as text because of its leading zeros")
    if _all(_TELEPHONE, filled):
        return Guess(type="VARCHAR", note="kept as text: telephone numbers")
    if _all(_EXPONENT_CODE, filled) and any("e" in value.lower() for value in filled):
        return Guess(
            type="VARCHAR",
            note="kept as text: its values look like codes with an E",
            doubt="column_type",
            rival="They may be numbers with an exponent.",
            rival_type="number",
        )
    numbers = (_packed_date(filled), _integer(filled), _grouped(filled) if continental else None, _number(filled))
    dated = _date(filled, day_first=continental, ordered=ordered)
    for type_guess in (*numbers, _percentage(filled), _quantity(filled), dated, _clock(filled)):
        if type_guess is not None:
            return type_guess
    return _mixed(filled)


def parse_type(kind: str, *, decimal: str | None = None) -> Guess | None:
    """The type that a person names for a column: "text", "integer", "number", "boolean", "date", "datetime".

    A date may be followed by its strptime format: "date %d/%m/%Y". What does not fit becomes null; the caller says so.

    Args:
        kind: The type.
        decimal: What parts a number's decimals, "." by default.

    Returns:
        None for an unknown type.
    """
    word, _, form = kind.strip().partition(" ")
    match word.lower():
        case "text":
            return TEXT
        case "integer":
            separator = "." if decimal == "," else ","
            return Guess(type="BIGINT", sql=f"TRY_CAST(replace($v, '{separator}', '') AS BIGINT)")
        case "number":
            comma = decimal == ","
            return Guess(type="DOUBLE", sql=_undressed(_COMMA if comma else _POINT, comma=comma))
        case "boolean":
            yes, no = "'true', 't', 'yes', 'y', '1'", "'false', 'f', 'no', 'n', '0'"
            return Guess(
                type="BOOLEAN", sql=f"CASE WHEN lower($v) IN ({yes}) THEN true WHEN lower($v) IN ({no}) THEN false END"
            )
        case "date" | "datetime":
            name: TypeName = "DATE" if word.lower() == "date" else "TIMESTAMP"
            parsed = "try_strptime($v, '" + form.strip().replace("'", "''") + "')" if form.strip() else "$v"
            return Guess(type=name, sql=f"TRY_CAST({parsed} AS {name})")
        case _:
            return None


def _matched(pattern: str, conversion: str) -> str:
    return f"CASE WHEN regexp_full_match($v, '{pattern.replace(chr(39), chr(39) * 2)}') THEN {conversion} END"


def _all(pattern: str, values: Sequence[str]) -> bool:
    compiled = re.compile(pattern.replace(r"\x{a0}", "\u00a0").replace(r"\x{202f}", "\u202f"))
    return all(compiled.fullmatch(value) for value in values)


def _integer(values: Sequence[str]) -> Guess | None:
    if not _all(_INTEGER, values):
        return None
    return Guess(type="BIGINT", sql=_matched(_INTEGER, "TRY_CAST($v AS BIGINT)"))


def _packed_date(values: Sequence[str]) -> Guess | None:
    """Days of eight digits, such as 20240131: so few numbers are days that three that are can be no others."""
    if len(set(values)) < _DAYS_MIN or not _all(_EIGHT_DIGITS, values):
        return None
    if not all(_parses(value, "%Y%m%d") for value in values):
        return None
    return Guess(
        type="DATE",
        sql=_matched(_EIGHT_DIGITS, "CAST(try_strptime($v, '%Y%m%d') AS DATE)"),
        note="read as dates: year, month and day without separators",
        doubt="column_type",
        rival="They may be whole numbers.",
        rival_type="integer",
    )


def _clock(values: Sequence[str]) -> Guess | None:
    """Times of day; lengths of time look the same where none is after noon."""
    formats = {
        form
        for value in values
        for pattern, form in _TIMES.items()
        if re.fullmatch(pattern, value) and _parses(value, form)
    }
    if not all(any(_parses(value, form) for form in formats) for value in values):
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


def _grouped(values: Sequence[str]) -> Guess | None:
    """Whole numbers whose thousands are set apart by points."""
    if not _all(_GROUPED, values):
        return None
    return Guess(
        type="BIGINT",
        sql=_matched(_GROUPED, "TRY_CAST(replace($v, '.', '') AS BIGINT)"),
        note="read as whole numbers: the point separates thousands",
        doubt="number_format",
        rival="The point may part decimals.",
    )


def _number(values: Sequence[str]) -> Guess | None:
    if _all(_PLAIN, values):
        is_open = len(values) >= _DAYS_MIN and all(map(_POINT_BEFORE_THREE.fullmatch, values))
        return Guess(
            type="DOUBLE",
            sql=_matched(_PLAIN, "TRY_CAST($v AS DOUBLE)"),
            note="read as numbers with a decimal point" if is_open else "",
            doubt="number_format" if is_open else None,
            rival="The point may separate thousands." if is_open else "",
        )
    number = _dressed_number(values)
    currencies = sorted({match[0] for value in values if (match := re.search(CURRENCY, value))})
    if number is None or len(currencies) < 2:
        return number
    return replace(
        number,
        note=f"read as numbers, although they are in several currencies: {', '.join(currencies[:4])}",
        doubt="number_format",
        rival="Amounts of different currencies do not add up.",
    )


def _dressed_number(values: Sequence[str]) -> Guess | None:
    """Numbers with separators of thousands, currency signs or brackets."""
    if _all(_POINT_INTEGER, values) and not (_all(_COMMA, values) and _reads_comma(values)):
        return Guess(
            type="BIGINT",
            sql=_undressed(_POINT_INTEGER, comma=False, kind="BIGINT"),
            note="read as whole numbers: thousands separators or currency signs removed",
            doubt="number_format" if _is_two_way(values) else None,
            rival="The comma may part decimals." if _is_two_way(values) else "",
        )
    if _all(_POINT, values) and not (_all(_COMMA, values) and _reads_comma(values)):
        return Guess(
            type="DOUBLE",
            sql=_undressed(_POINT, comma=False),
            note="read as numbers: thousands separators or currency signs removed",
        )
    if _all(_COMMA, values):
        return Guess(type="DOUBLE", sql=_undressed(_COMMA, comma=True), note="read as numbers with a decimal comma")
    return None


def _is_two_way(values: Sequence[str]) -> bool:
    """Whether a comma that is read as parting thousands may part decimals: each value has one, before three digits."""
    return all(re.search(r"\d,\d{3}$", value) and value.count(",") == 1 for value in values)


def _reads_comma(values: Sequence[str]) -> bool:
    """Whether values that fit both ways, such as 1,234, are better read with a decimal comma: never by themselves."""
    return any(re.search(r",\d{1,2}$|,\d{4,}$", value) for value in values)


def _undressed(pattern: str, *, comma: bool, kind: TypeName = "DOUBLE") -> str:
    digits = "regexp_replace($v, '[^0-9,.]', '', 'g')"
    digits = f"replace(replace({digits}, '.', ''), ',', '.')" if comma else f"replace({digits}, ',', '')"
    sign = "CASE WHEN $v LIKE '%-%' OR $v LIKE '%−%' OR $v LIKE '(%' THEN -1 ELSE 1 END"
    return _matched(pattern, f"{sign} * TRY_CAST({digits} AS {kind})")


def _percentage(values: Sequence[str]) -> Guess | None:
    if not all(value.endswith("%") for value in values):
        return None
    bare = [value[:-1].rstrip() for value in values]
    number = _integer(bare) or _number(bare)
    if number is None:
        return None
    inner = number.sql.replace("$v", "rtrim($v, '% ')")
    return Guess(
        type="DOUBLE",
        sql=f"CASE WHEN $v LIKE '%\\%' ESCAPE '\\' THEN ({inner}) / 100.0 END",
        note="percentages read as fractions: 12.5% is 0.125",
    )


def _quantity(values: Sequence[str]) -> Guess | None:
    """Numbers that all have the same unit, which is kept in the note and in the column's comment."""
    unit = unit_of(values)
    number = None if unit is None else _integer([bare(value) for value in values]) or _number(list(map(bare, values)))
    if unit is None or number is None:
        return None
    ending = rf"\s?({'|'.join(map(re.escape, spellings(unit)))})"
    inner = number.sql.replace("$v", f"regexp_replace($v, '{ending}$', '')")
    # Another unit further down is a stray: it must not pass for this one.
    return Guess(
        type=number.type, sql=_matched(f".*\\d{ending}", inner), note=f"read as numbers in {unit!r}", unit=unit
    )


def _date(values: Sequence[str], *, day_first: bool, ordered: Sequence[str]) -> Guess | None:
    if all(map(_is_iso, values)):
        if all(len(value) <= 10 for value in values):
            return Guess(type="DATE", sql=_matched(_ISO_INSTANT, "TRY_CAST($v AS DATE)"))
        return _instants(values)
    if all(_parses(value, "%Y-%d-%m") for value in values) and any(map(_is_year_day_month, values)):
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
        if date_format is None or not _parses(value, date_format):
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
        "%y" in form and _parses(value, form) and datetime.strptime(value, form).year >= 2000 + _LAST_YEAR_OF_TWO_DIGITS
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
            sql=_matched(_ISO_INSTANT, "TRY_CAST($v AS TIMESTAMPTZ)"),
            note="read as instants: their offsets from UTC differ",
        )
    is_open = bool(stated - {"+00:00", "-00:00"})
    listed = ", ".join(sorted(stated)[:3])
    return Guess(
        type="TIMESTAMP",
        sql=_matched(_ISO_INSTANT, "TRY_CAST($v AS TIMESTAMP)"),
        note=f"times read as they are written, at UTC{listed}" if is_open else "",
        doubt="time_zone" if is_open else None,
        rival="In UTC, some may be on another day." if is_open else "",
    )


def _is_year_day_month(value: str) -> bool:
    return not _parses(value, "%Y-%m-%d")


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


def _parses(value: str, form: str) -> bool:
    try:
        datetime.strptime(value, form)
    except ValueError:
        return False
    return True


def _mixed(values: Sequence[str]) -> Guess:
    """Text; in doubt if most of it would have been something else."""
    sample = values[:2_000]
    if units := mixed_units(sample):
        return Guess(
            type="VARCHAR",
            note=f"kept as text: numbers in different units, such as {', '.join(map(repr, units))}",
            doubt="column_type",
            rival="In one unit, they would be numbers.",
        )
    if _all(_LENGTH_OF_TIME, sample):
        return Guess(
            type="VARCHAR",
            note="kept as text: lengths of time",
            doubt="column_type",
            rival="They may be hours and minutes, or minutes and seconds.",
        )
    if all(map(_ZONE_NAME.fullmatch, sample)):
        return Guess(
            type="VARCHAR",
            note="kept as text: times with the names of time zones",
            doubt="time_zone",
            rival="In one time zone, they would be instants.",
        )
    for plural, kind, fits in (("number", "number", _is_number), ("date", "date", _is_date)):
        strays = [value for value in sample if not fits(value)]
        if len(strays) <= 0.4 * len(sample):
            examples = ", ".join(repr(stray[:30]) for stray in strays[:2])
            if not examples:
                return Guess(
                    type="VARCHAR",
                    note="kept as text: its values are written in ways that contradict each other",
                    doubt="column_type",
                    rival=f"Read as a {plural}, those of one way would have no value.",
                    rival_type=kind if kind == "number" else "",
                )
            return Guess(
                type="VARCHAR",
                note=f"kept as text: mostly a {plural}, but also {examples}",
                doubt="column_type",
                rival=f"Read as a {plural}, it would have no value there.",
                rival_type=kind,
                strays=tuple(strays),
            )
    return TEXT


def _is_number(value: str) -> bool:
    return any(_all(pattern, [value.rstrip("% ")]) for pattern in (_PLAIN, _POINT, _COMMA))


def _is_date(value: str) -> bool:
    return any(
        (form := _format_of(value, day_first=day_first)) is not None and _parses(value, form)
        for day_first in (True, False)
    ) or _is_iso(value)


def _is_iso(value: str) -> bool:
    return _all(_ISO_INSTANT, [value]) and _parses(re.split("[ T]", value)[0], "%Y-%m-%d")
