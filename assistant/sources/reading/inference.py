"""What a column of text really holds: integers, numbers, percentages, dates; a pure function of a sample.

All values must fit, or the column stays text: half a column of numbers is worse than text, because the other half
would silently be null. The caller checks a guess against every row, and asks again with the values that did not fit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from assistant.query.quoting import literal
from assistant.sources.reading.dates import guess_clock, guess_date, guess_month, guess_packed_date, is_date
from assistant.sources.reading.flags import flag_sql, guess_flag
from assistant.sources.reading.guesses import TEXT, Guess, TypeName, convert_matching, is_matching
from assistant.sources.reading.kinds import is_missing_word, kind_of
from assistant.sources.reading.numbers import (
    COMMA,
    POINT,
    guess_grouped,
    guess_integer,
    guess_number,
    guess_percentage,
    guess_quantity,
    is_number,
    undress,
)
from assistant.sources.reading.numerals import find_numerals
from assistant.sources.reading.quantities import is_measure, mixed_units
from assistant.sources.reading.time_counts import count_sql, guess_time_count, parse_count

SPACED = r"[+-]?\d+([ '’\x{a0}\x{202f}]\d+)*"
_EXPONENT_CODE = r"\d{1,4}([eE]\d{1,3})?"
_ZONE_NAME = re.compile(r".*\d:\d{2}(?::\d{2})? ?[A-Z]{3,4}")
_LENGTH_OF_TIME = r"\d{1,4}:[0-5]\d(:[0-5]\d)?|P(\d+[YMWD])*(T(\d+(\.\d+)?[HMS])+)?|(\d+ ?(d|h|min|m|s) ?){2,4}"
_TELEPHONE = r"\+\d{8,15}"


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
    if numerals := find_numerals(filled):
        return _guess_translated(filled, numerals, continental=continental, name=name, ordered=ordered)
    if (flag := guess_flag(filled)) is not None:
        return flag
    if any(re.match(r"[+-]?0[ '’\u00a0\u202f]?\d", value) for value in filled) and is_matching(SPACED, filled):
        if is_measure(name) and len(set(map(len, filled))) == 1 and all(map(str.isdecimal, filled)):
            return Guess(
                type="BIGINT",
                sql=convert_matching(r"\d{1,18}", "TRY_CAST($v AS BIGINT)"),
                note="read as whole numbers, although some begin with a zero",
                doubt="column_type",
                rival="They may be codes.",
                rival_type="text",
            )
        return Guess(type="VARCHAR", note="kept as text because of its leading zeros")
    if is_matching(_TELEPHONE, filled):
        return Guess(type="VARCHAR", note="kept as text: telephone numbers")
    if is_matching(_EXPONENT_CODE, filled) and any("e" in value.lower() for value in filled):
        return Guess(
            type="VARCHAR",
            note="kept as text: its values look like codes with an E",
            doubt="column_type",
            rival="They may be numbers with an exponent.",
            rival_type="number",
        )
    return (
        guess_packed_date(filled)
        or guess_time_count(filled, name)
        or guess_integer(filled)
        or (guess_grouped(filled) if continental else None)
        or guess_number(filled, continental=continental)
        or guess_percentage(filled, continental=continental)
        or guess_quantity(filled)
        or guess_date(filled, day_first=continental, ordered=ordered)
        or guess_month(filled)
        or guess_clock(filled)
        or _mixed(filled)
    )


def _guess_translated(
    values: Sequence[str], numerals: Mapping[str, str], *, continental: bool, name: str, ordered: Sequence[str]
) -> Guess:
    """The type of values with the digits of another script; text where they are no numbers and no dates."""
    table = str.maketrans(dict(numerals))
    plain = [value.translate(table) for value in values]
    type_guess = guess(plain, continental=continental, name=name, ordered=[value.translate(table) for value in ordered])
    if type_guess.type == "VARCHAR":
        return type_guess
    signs, digits = literal("".join(numerals)), literal("".join(numerals.values()))
    return replace(
        type_guess,
        sql=type_guess.sql.replace("$v", f"translate($v, {signs}, {digits})"),
        note="; ".join(filter(None, ("digits of another script read as numbers", type_guess.note))),
    )


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
            return Guess(type="DOUBLE", sql=undress(COMMA if comma else POINT, comma=comma))
        case "boolean":
            return Guess(type="BOOLEAN", sql=flag_sql())
        case "date" | "datetime":
            name: TypeName = "DATE" if word.lower() == "date" else "TIMESTAMP"
            if (count := parse_count(form.strip().lower())) is not None:
                return Guess(type=name, sql=f"CAST({count_sql(count)[1]} AS {name})")
            parsed = "try_strptime($v, '" + form.strip().replace("'", "''") + "')" if form.strip() else "$v"
            return Guess(type=name, sql=f"TRY_CAST({parsed} AS {name})")
        case _:
            return None


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
    if all(kind_of(value) == "number" for value in sample) and not all(map(is_number, sample)):
        example = next(value for value in sample if not is_number(value))
        return Guess(
            type="VARCHAR",
            note=f"kept as text: numbers with signs or letters, such as {example[:30]!r}",
            doubt="column_type",
            rival="Without them, they would be numbers.",
        )
    if is_matching(_LENGTH_OF_TIME, sample):
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
    for plural, kind, fits in (("number", "number", is_number), ("date", "date", is_date)):
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
