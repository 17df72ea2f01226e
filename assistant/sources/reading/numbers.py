"""Numbers in a column of text, as people write them: with separators, signs, brackets, percent signs, units. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from assistant.sources.reading.guesses import Guess, TypeName, convert_matching, is_matching
from assistant.sources.reading.kinds import CURRENCY
from assistant.sources.reading.quantities import bare, spellings, unit_of
from assistant.sources.reading.words import share_forms

_INTEGER = r"[+-]?(0|[1-9]\d{0,17})"
_GROUPED = r"[+-]?(?:\d{1,3}(?:\.\d{3})+|\d+)"
_PLAIN = r"[+-]?(\d{1,15}(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?"
_OPEN_MIN = 3
_SIGN = r"[-+−]?"
_POINT_BODY = r"(\d{1,3}(,\d{3})+|\d{1,2}(,\d{2})+,\d{3}|\d{1,3}(['’ \x{a0}\x{202f}]\d{3})+|\d{1,15})(\.\d+)?"
_COMMA_BODY = r"(\d{1,3}([.'’ \x{a0}\x{202f}]\d{3})+|\d{1,15})(,\d+)?"
_POINT_BEFORE_THREE = re.compile(r"[+-]?[1-9]\d{0,2}\.\d{3}")


def _dressed(body: str) -> str:
    """A number with a sign, a currency on either side, or accounting brackets."""
    return rf"({_SIGN}\s?{CURRENCY}?\s?{_SIGN}\s?{body}\s?{CURRENCY}?-?|\({CURRENCY}?\s?{body}\s?{CURRENCY}?\))"


POINT = _dressed(_POINT_BODY)
_POINT_INTEGER = _dressed(_POINT_BODY.removesuffix(r"(\.\d+)?"))
COMMA = _dressed(_COMMA_BODY)


def guess_integer(values: Sequence[str]) -> Guess | None:
    if not is_matching(_INTEGER, values):
        return None
    return Guess(type="BIGINT", sql=convert_matching(_INTEGER, "TRY_CAST($v AS BIGINT)"))


def guess_grouped(values: Sequence[str]) -> Guess | None:
    """Whole numbers whose thousands are set apart by points."""
    if not is_matching(_GROUPED, values):
        return None
    return Guess(
        type="BIGINT",
        sql=convert_matching(_GROUPED, "TRY_CAST(replace($v, '.', '') AS BIGINT)"),
        note="read as whole numbers: the point separates thousands",
        doubt="number_format",
        rival="The point may part decimals.",
        rival_type="number",
    )


def guess_number(values: Sequence[str], *, continental: bool = False) -> Guess | None:
    """Numbers with a decimal point, or dressed with separators, signs of currencies and brackets."""
    if is_matching(_PLAIN, values):
        is_open = len(values) >= _OPEN_MIN and all(map(_POINT_BEFORE_THREE.fullmatch, values))
        return Guess(
            type="DOUBLE",
            sql=convert_matching(_PLAIN, "TRY_CAST($v AS DOUBLE)"),
            note="read as numbers with a decimal point" if is_open else "",
            doubt="number_format" if is_open else None,
            rival="The point may separate thousands." if is_open else "",
        )
    number = _dressed_number(values, continental=continental)
    currencies = sorted({match[0] for value in values if (match := re.search(CURRENCY, value))})
    if number is None:
        return None
    if len(currencies) > 1:
        return replace(
            number,
            note=f"read as numbers, although they are in several currencies: {', '.join(currencies[:4])}",
            doubt="number_format",
            rival="Amounts of different currencies do not add up.",
        )
    return number if number.doubt else _doubt_signs(number, values)


def _doubt_signs(number: Guess, values: Sequence[str]) -> Guess:
    """Numbers that are negative by their brackets, or by a minus behind them: which no other value shows to be so."""
    has_brackets = any(value.startswith("(") for value in values)
    if not has_brackets and not any(value.endswith("-") for value in values):
        return number
    return replace(
        number,
        note=f"{number.note}; those {'in brackets' if has_brackets else 'with a minus behind them'} are negative",
        doubt="number_format",
        rival=f"The {'brackets' if has_brackets else 'minus'} may be a note and no sign.",
        rival_type="text",
        concerns="$v LIKE '(%' OR $v LIKE '%-'",
    )


def _dressed_number(values: Sequence[str], *, continental: bool) -> Guess | None:
    """Numbers with separators of thousands, currency signs or brackets."""
    if continental and _is_two_way(values) and is_matching(COMMA, values):
        return Guess(
            type="DOUBLE",
            sql=undress(COMMA, comma=True),
            note="read as numbers with a decimal comma",
            doubt="number_format",
            rival="The comma may separate thousands.",
            rival_type="integer",
        )
    if is_matching(_POINT_INTEGER, values) and not (is_matching(COMMA, values) and _reads_comma(values)):
        return Guess(
            type="BIGINT",
            sql=undress(_POINT_INTEGER, comma=False, kind="BIGINT"),
            note="read as whole numbers: thousands separators or currency signs removed",
            doubt="number_format" if _is_two_way(values) else None,
            rival="The comma may part decimals." if _is_two_way(values) else "",
        )
    if is_matching(POINT, values) and not (is_matching(COMMA, values) and _reads_comma(values)):
        return Guess(
            type="DOUBLE",
            sql=undress(POINT, comma=False),
            note="read as numbers: thousands separators or currency signs removed",
        )
    if is_matching(COMMA, values):
        return Guess(type="DOUBLE", sql=undress(COMMA, comma=True), note="read as numbers with a decimal comma")
    return None


def _is_two_way(values: Sequence[str]) -> bool:
    """Whether a comma that is read as parting thousands may part decimals: each value has one, before three digits."""
    return all(re.search(r"\d,\d{3}$", value) and value.count(",") == 1 for value in values)


def _reads_comma(values: Sequence[str]) -> bool:
    """Whether values that fit both ways, such as 1,234, are better read with a decimal comma: never by themselves."""
    return any(re.search(r",\d{1,2}$|,\d{4,}$", value) for value in values)


def undress(pattern: str, *, comma: bool, kind: TypeName = "DOUBLE") -> str:
    digits = "regexp_replace($v, '[^0-9,.]', '', 'g')"
    digits = f"replace(replace({digits}, '.', ''), ',', '.')" if comma else f"replace({digits}, ',', '')"
    sign = "CASE WHEN $v LIKE '%-%' OR $v LIKE '%−%' OR $v LIKE '(%' THEN -1 ELSE 1 END"
    return convert_matching(pattern, f"{sign} * TRY_CAST({digits} AS {kind})")


def guess_percentage(values: Sequence[str], *, continental: bool = False) -> Guess | None:
    """Numbers that all have a sign or a word for percent or per mille: read as fractions."""
    for form in share_forms():
        numbers = [form.strip_sign(value) for value in values]
        number = _plain_number(numbers, continental=continental) if all(numbers) else None
        if number is not None:
            removed = f"regexp_replace($v, '{form.pattern}', '', 'i')"
            return replace(
                number,
                type="DOUBLE",
                sql=f"CASE WHEN regexp_matches($v, '{form.pattern}', 'i') THEN "
                f"({number.sql.replace('$v', removed)}) / {form.divisor}.0 END",
                note="; ".join(
                    filter(
                        None,
                        (
                            f"{form.title} read as fractions: 12.5{form.sign} is {12.5 / form.divisor:g}",
                            number.note if number.doubt else "",
                        ),
                    )
                ),
            )
    return None


def _plain_number(values: Sequence[str], *, continental: bool) -> Guess | None:
    return guess_integer(values) or guess_number(values, continental=continental)


def guess_quantity(values: Sequence[str]) -> Guess | None:
    """Numbers that all have the same unit, which is kept in the note and in the column's comment."""
    unit = unit_of(values)
    number = None if unit is None else _plain_number(list(map(bare, values)), continental=False)
    if unit is None or number is None:
        return None
    ending = rf"\s?({'|'.join(map(re.escape, spellings(unit)))})"
    inner = number.sql.replace("$v", f"regexp_replace($v, '{ending}$', '')")
    # Another unit further down is a stray: it must not pass for this one.
    return Guess(
        type=number.type, sql=convert_matching(f".*\\d{ending}", inner), note=f"read as numbers in {unit!r}", unit=unit
    )


def is_number(value: str) -> bool:
    return any(is_matching(pattern, [value.rstrip("% ")]) for pattern in (_PLAIN, POINT, COMMA))
