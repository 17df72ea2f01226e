"""Proposes columns to mask: those whose names, or the format of whose values, look like personal data. Pure.

A finding is a proposal: nothing is masked until a person decides. It reads the catalog's profiles and queries no
engine; a column that is already masked has no values there, and is skipped. Where a column's name is not telling, its
values must prove it (a check digit, a country's form), so that order numbers, article codes and dates are not proposed.
A reason never quotes a value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from assistant.core.catalog import Catalog, Column, Profile, Table
from assistant.query.identifiers import (
    is_card,
    is_email,
    is_iban,
    is_national_id,
    is_phone,
    looks_national,
    looks_phone,
)

SensitiveKind = Literal["e-mail", "phone", "card", "bank account", "national id", "credential", "person"]

WORDS: dict[SensitiveKind, str] = {
    "e-mail": "e-mail addresses",
    "phone": "phone numbers",
    "card": "payment card numbers",
    "bank account": "bank account numbers (IBAN)",
    "national id": "national identity numbers",
    "credential": "passwords, keys or their hashes",
    "person": "names of persons",
}
"""What a column holds, for people."""

_SAMPLE_MAX = 1_000
_TITLED = re.compile(r"(?:^|,\s)(?:mr|mrs|ms|miss|mx|mme|dr|herr|frau)\.? [^\W\d_]", re.IGNORECASE)


def _is_titled(value: str) -> bool:
    """A form of address stands before a name: "Ms Ann Meier", "Meier, Mrs. Ann"."""
    return len(value) <= 100 and _TITLED.search(value) is not None


_PROOFS: tuple[tuple[SensitiveKind, Callable[[str], bool], int], ...] = (
    ("e-mail", is_email, 1),
    ("bank account", is_iban, 1),
    ("phone", is_phone, 5),
    ("card", is_card, 5),
    ("national id", is_national_id, 5),
    ("person", _is_titled, 5),
)
"""Forms that prove a kind, and how many values it takes where the column's name says nothing."""
_HINTS: tuple[tuple[SensitiveKind, str], ...] = (
    ("e-mail", r"e?_?mail|e_?mail_(addr|address|adresse)|(mail|email)address|courriel|correo"),
    ("phone", r"(tele)?phone(_?(no|nr|num|number))?|tel|telefon(nummer)?|mobile?(_?(no|nr|number))?|cell|fax|handy"),
    ("card", r"(credit_?)?card(_?(no|nr|num|number))?|pan|cc_?(no|num|number)|kreditkarte(nnummer)?"),
    ("bank account", r"iban"),
    (
        "national id",
        r"ssn|social_?security(_?(no|num|number))?|sin|national_?(id|insurance)(_?(no|num|number))?|nino|nin"
        r"|passport(_?(no|num|number))?|person(al)?_?(nummer|number|code)|cpf|codice_?fiscale|ahv(_?nr)?|avs|bsn|dni|nif"
        r"|steuer_?id|id_?card(_?(no|num|number))?|driv(er|ing)s?_?licen[cs]e(_?(no|num|number))?|aadhaar|pesel",
    ),
    (
        "credential",
        r"(pass_?(word|wd|phrase)|pwd|passwort|kennwort|mot_de_passe|contrasena)s?(_?(hash|hashed|digest|salt|md5|sha1|sha256))?"
        r"|(api|private|secret|access)_?keys?|(client_?)?secret|(access|refresh|auth|session|bearer|api)_?tokens?",
    ),
    (
        "person",
        r"(first|last|middle|maiden|given|family|full)_?names?|forename|surname|vorname|nachname|prenom|nom_de_famille"
        r"|(person|employee|patient|contact|cardholder|account_?holder|beneficiary|recipient|student|guest|member|owner)"
        r"_?names?|manager|employee|salesperson|sales_?rep",
    ),
)
_PEOPLE = re.compile(
    r"(^|_)(person|people|persons|customer|client|employee|staff|patient|student|teacher|contact|member|subscriber|guest"
    r"|user|lead|applicant|candidate|passenger|donor|tenant|doctor|physician|author|player|singer|kunde|kunden)s?$"
)
_BARE_NAME = re.compile(r"(display_?)?names?")
_NAME = re.compile(
    r"(?:(?:dr|mr|mrs|ms|prof|herr|frau)\.? )?[^\W\d_][\w'’-]*\.?(?:,? [^\W\d_][\w'’-]*\.?){0,4}", re.IGNORECASE
)
_COMPANY = re.compile(
    r"(?i)\b(inc|ltd|llc|llp|gmbh|ag|kg|ug|se|plc|corp|corporation|company|co|limited|group|holding|partners|sons|s\.?a\.?"
    r"|s\.?r\.?l|s\.?p\.?a|b\.?v|n\.?v|oy|ab|as|aps|bank|shop|store|school|university|hospital|industries|solutions"
    r"|systems|services|foundation)\b\.?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensitive:
    """A column that seems to hold personal data. `entry` is what a setting of `mask` would be, `reason` why."""

    entry: str
    kind: SensitiveKind
    reason: str


def find_sensitive_columns(catalog: Catalog, *, masked: Callable[[Table, Column], bool]) -> tuple[Sensitive, ...]:
    """What to put before a person, in the catalog's order.

    Args:
        catalog: A source's catalog with its profiles.
        masked: Whether a column is masked already.
    """
    return tuple(
        Sensitive(
            entry=f"{catalog.source}.{table.name}.{column.name}", kind=kind_and_reason[0], reason=kind_and_reason[1]
        )
        for table in catalog.tables
        for column in table.columns
        if not masked(table, column) and (kind_and_reason := classify_column(table, column)) is not None
    )


def classify_column(table: Table, column: Column) -> tuple[SensitiveKind, str] | None:
    """What personal data a column seems to hold, and why; None for none."""
    if column.kind not in ("text", "integer", "other"):
        return None
    hint = _hint(table, column)
    if column.profile is None:
        if hint is None or hint == "person" or column.kind == "integer":
            return None
        return hint, f"its name says {WORDS[hint]}; its values were not looked at"
    sample = _sample(column.profile)
    if not sample:
        return None
    for kind, test, enough in _PROOFS:
        if kind != "card" and column.kind == "integer":
            continue
        agreement = _agreeing(sample, test, share=0.8 if hint == kind or enough == 1 or kind == "person" else 0.95)
        if agreement is not None and (hint == kind or agreement[1] >= enough):
            return kind, f"{_of(agreement)} have the form of {WORDS[kind]}"
    return _by_name(hint, sample, column)


def _by_name(hint: SensitiveKind | None, sample: Sequence[str], column: Column) -> tuple[SensitiveKind, str] | None:
    """What the name says, if no value speaks against it."""
    tests: dict[SensitiveKind, Callable[[str], bool]] = {
        "phone": looks_phone,
        "national id": looks_national,
        "credential": _is_credential,
        "person": _is_name,
    }
    if hint is None or (test := tests.get(hint)) is None or (hint == "person" and column.kind == "integer"):
        return None
    agreement = _agreeing(sample, test)
    if agreement is None or (hint == "person" and sum(map(_is_company, sample)) > 0.2 * len(sample)):
        return None
    return hint, f"its name says {WORDS[hint]}, and {_of(agreement)} have that form"


def _hint(table: Table, column: Column) -> SensitiveKind | None:
    """What a column's name says: as a whole, or its last words (`billing_email`, `ContactPhone`)."""
    words = _snake(column.name)
    for kind, pattern in _HINTS:
        if re.fullmatch(rf"(?:\w+_)?(?:{pattern})(?:_?\d+)?", words):
            building = re.fullmatch(r"(\w+)_full_names?", words)  # a building has a full name, too
            return None if building is not None and not _PEOPLE.search(building[1]) else kind
    if _BARE_NAME.fullmatch(words) and _PEOPLE.search(_snake(table.name)):
        return "person"
    return None


def _snake(name: str) -> str:
    """`CustomerEMail` and `customer e-mail` as `customer_e_mail`."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    return re.sub(r"\W+", "_", parted).strip("_").lower()


def _sample(profile: Profile) -> tuple[str, ...]:
    """Distinct values, as far as the profile holds any."""
    values = profile.values or tuple(value for value, _ in profile.top) or (profile.low, profile.high)
    texts = dict.fromkeys(str(value).strip() for value in values if value is not None and not isinstance(value, bool))
    filled = [text for text in texts if text]
    step = max(1, len(filled) // _SAMPLE_MAX)  # values come in order: taken from everywhere, not from the beginning
    return tuple(filled[::step])


def _agreeing(sample: Sequence[str], test: Callable[[str], bool], *, share: float = 0.8) -> tuple[int, int] | None:
    """How many of how many values pass, if it is so large a share of them."""
    passed = sum(1 for value in sample if test(value))
    return (passed, len(sample)) if passed and passed >= share * len(sample) else None


def _is_name(value: str) -> bool:
    return len(value) <= 60 and _NAME.fullmatch(value) is not None and not value.islower()


def _is_credential(value: str) -> bool:
    """A mark such as "Y" or a sentence is none."""
    return len(value) >= 4 and not any(sign.isspace() for sign in value)


def _is_company(value: str) -> bool:
    return _COMPANY.search(value) is not None


def _of(agreement: tuple[int, int]) -> str:
    return f"{agreement[0]:,} of {agreement[1]:,} values looked at"
