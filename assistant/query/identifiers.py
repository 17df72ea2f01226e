"""Recognises personal identifiers by their format: e-mail, phone, card, IBAN, national identity numbers.

Pure functions of one trimmed text. `is_...` proves it (a check digit, a country's fixed form, a `+` before digits);
`looks_...` is true for a possible one, for columns whose name confirms it.

Source: ISO/IEC 7812-1 (card numbers, Luhn), ISO 13616 (IBAN), and the issuers' rules for their check digits.
"""

from __future__ import annotations

import re

_EMAIL = re.compile(r"[^\s@,;:<>()\"]+@(?:[\w-]+\.)+[A-Za-z]{2,24}")
_CARD = re.compile(r"\d{13,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{4}|\d{4}([ -])\d{6}\2\d{5}")
_ISSUERS = re.compile(
    r"4(\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2(22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}"
    r"|6(011|5\d\d|4[4-9]\d)\d{12}|35(2[89]|[3-8]\d)\d{12}|3(0[0-5]|[68]\d)\d{11}"
)
_PHONE = re.compile(r"\+\d[\d .()/-]{6,20}\d|00[1-9][\d .()/-]{7,20}\d|\(0?\d{2,4}\) ?\d{3,4}[ .-]?\d{3,5}")
_LOOKS_PHONE = re.compile(r"\+?[\d .()/-]{6,22}(?: ?(?:x|ext\.?) ?\d{1,5})?")
_LOOKS_DATE = re.compile(r"\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./](?:\d{4}|\d{2})")
_IBAN = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}")
_FISCALE_DIGITS = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21)
_FISCALE_LETTERS = (*_FISCALE_DIGITS, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23)
_FISCALE_ODD = dict(zip("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", (*_FISCALE_DIGITS, *_FISCALE_LETTERS), strict=True))
_DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"


def is_email(value: str) -> bool:
    """An e-mail address, alone."""
    return _EMAIL.fullmatch(value) is not None


def is_card(value: str) -> bool:
    """A payment card's number: an issuer's prefix and length, and the Luhn digit."""
    if not _CARD.fullmatch(value):
        return False
    digits = re.sub(r"\D", "", value)
    return _ISSUERS.fullmatch(digits) is not None and luhn(digits)


def luhn(digits: str) -> bool:
    """Whether the last digit is the Luhn check digit of the others."""
    doubled = (int(digit) * (2 if place % 2 else 1) for place, digit in enumerate(reversed(digits)))
    return sum(number - 9 if number > 9 else number for number in doubled) % 10 == 0


def is_iban(value: str) -> bool:
    """An IBAN with the right check digits, with or without blanks."""
    plain = re.sub(r"[ -]", "", value).upper()
    if not _IBAN.fullmatch(plain):
        return False
    return int("".join(str(int(letter, 36)) for letter in plain[4:] + plain[:4])) % 97 == 1


def is_phone(value: str) -> bool:
    """A phone number that says so: international, or with the area in brackets."""
    return _PHONE.fullmatch(value) is not None and 8 <= _digits(value) <= 15


def looks_phone(value: str) -> bool:
    """Digits as a phone number has them, and no date."""
    return _LOOKS_PHONE.fullmatch(value) is not None and 6 <= _digits(value) <= 18 and not _LOOKS_DATE.fullmatch(value)


def is_national_id(value: str) -> bool:
    """A number of Italy, Switzerland, France, Brazil or Spain whose check digits are right.

    Those of other countries have too little of a form of their own to be told from an article code.
    """
    plain = value.upper()
    return any(test(plain) for test in (_codice_fiscale, _ahv, _nir, _cpf, _dni))


def looks_national(value: str) -> bool:
    """Six to twenty letters and digits, mostly digits, and no date."""
    plain = re.sub(r"[ ./-]", "", value)
    return (
        re.fullmatch(r"[A-Za-z0-9]{6,20}", plain) is not None
        and _digits(plain) >= 0.4 * len(plain)
        and not _LOOKS_DATE.fullmatch(value)
    )


def _digits(value: str) -> int:
    return sum(character.isdigit() for character in value)


def _codice_fiscale(value: str) -> bool:
    if not re.fullmatch(r"[A-Z]{6}\d\d[A-EHLMPRST]\d\d[A-Z]\d{3}[A-Z]", value):
        return False
    odd = sum(_FISCALE_ODD[character] for character in value[0:15:2])
    even = sum(int(c) if c.isdigit() else ord(c) - ord("A") for c in value[1:15:2])
    return chr(ord("A") + (odd + even) % 26) == value[15]


def _ahv(value: str) -> bool:
    if not re.fullmatch(r"756\.?\d{4}\.?\d{4}\.?\d{2}", value):
        return False
    digits = [int(character) for character in value if character.isdigit()]
    return (10 - sum(digit * (3 if place % 2 else 1) for place, digit in enumerate(digits[:12])) % 10) % 10 == digits[
        12
    ]


def _nir(value: str) -> bool:
    plain = value.replace(" ", "")
    if not re.fullmatch(r"[12]\d\d(0[1-9]|1[0-2])(\d\d|2A|2B)\d{6}\d\d", plain):
        return False
    body = int(plain[:13].replace("2A", "19").replace("2B", "18"))
    return 97 - body % 97 == int(plain[13:])


def _cpf(value: str) -> bool:
    if not re.fullmatch(r"\d{3}\.\d{3}\.\d{3}-\d\d", value):
        return False
    digits = [int(character) for character in value if character.isdigit()]

    def check(count: int) -> int:
        remainder = (
            sum(digit * weight for digit, weight in zip(digits[:count], range(count + 1, 1, -1), strict=True)) % 11
        )
        return 0 if remainder < 2 else 11 - remainder

    return (check(9), check(10)) == (digits[9], digits[10])


def _dni(value: str) -> bool:
    if not re.fullmatch(r"(\d|[XYZ])\d{7}-?[A-Z]", value):
        return False
    number = int(value[:8].translate(str.maketrans("XYZ", "012")))
    return _DNI_LETTERS[number % 23] == value[-1]
