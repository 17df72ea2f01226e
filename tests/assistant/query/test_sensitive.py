"""What looks like personal data is proposed for masking, and what only resembles it is not."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from rights_of_person import PERSON

from assistant.core.catalog import Catalog, Column, Profile, Table
from assistant.query.identifiers import is_card, is_iban, is_national_id, is_phone, luhn
from assistant.query.sensitive import Sensitive, classify_column, find_sensitive_columns
from assistant.sources.addresses import addresses
from assistant.sources.opening import open_source


def card(prefix: str, number: int) -> str:
    """A sixteen-digit card number with its Luhn digit."""
    body = f"{prefix}{number:0{15 - len(prefix)}d}"
    return next(body + digit for digit in "0123456789" if luhn(body + digit))


def iban(number: int) -> str:
    """A German IBAN with its check digits."""
    body = f"37040044{number:010d}"
    return f"DE{98 - int(body + '131400') % 97:02d}{body}"


GIVEN = ("Ann", "Bob", "Céline", "Dmitri", "Eva", "Farid", "Grace", "Hugo", "Inès", "Jörg")
FAMILY = ("Meier", "O'Brien", "de la Cruz", "Smith-Jones", "Müller", "Rossi", "Novák", "Kim", "Okafor", "Silva")
TENS = range(10)

PLANTED: dict[str, tuple[str, list[object]]] = {
    "customer.email": ("e-mail", [f"{name.lower()}@mail.example" for name in GIVEN]),
    "customer.contact": ("e-mail", [f"u{n}@planted.example.com" for n in TENS]),
    "customer.name": ("person", [f"{a} {b}" for a, b in zip(GIVEN, FAMILY, strict=True)]),
    "booking.GuestName": ("person", [f"{b}, {a}" for a, b in zip(GIVEN, FAMILY, strict=True)]),
    "voyage.Name": ("person", ["-", *(f"{b}, Mrs. {a} (Ada {b})" for a, b in zip(GIVEN, FAMILY, strict=True))]),
    "voyage.seen_by": ("person", [f"Dr. {b}" for b in FAMILY]),
    "staff.first_name": ("person", list(GIVEN)),
    "staff.Surname": ("person", list(FAMILY)),
    "staff.mobile": ("phone", [f"+44 7700 90{n:04d}" for n in TENS]),
    "staff.reach_me": ("phone", [f"+1 (555) 01{n}-{n:04d}" for n in TENS]),
    "staff.phone": ("phone", [f"0{n}31 456{n:04d}" for n in TENS]),
    "staff.phone_number": ("phone", [4471000000 + n for n in TENS]),
    "payment.instrument": ("card", [card("411111", n) for n in range(20)]),
    "payment.card_number": ("card", [int(card("5500", n)) for n in range(20)]),
    "payment.grouped": (
        "card",
        [" ".join(c[i : i + 4] for i in range(0, 16, 4)) for c in (card("4", n) for n in TENS)],
    ),
    "payment.account": ("bank account", [iban(n) for n in TENS]),
    "payment.paid_from": ("bank account", [" ".join(i[k : k + 4] for k in range(0, 22, 4)) for i in map(iban, TENS)]),
    "staff.ssn": ("national id", [f"{100 + n}-{10 + n}-{4000 + n}" for n in TENS]),
    "staff.password": ("credential", [f"8cb2237d0679ca88db6464eac60da9634551396{n}" for n in TENS]),
    "staff.PasswordHash": ("credential", [f"$2b$12$planted{n}" for n in TENS]),
    "account.api_key": ("credential", [f"sk-planted-{n}" for n in TENS]),
    "account.refresh_token": ("credential", [f"eyJplanted{n}" for n in TENS]),
    "staff.passport_no": ("national id", [f"C0{n}X00T4{n}" for n in TENS]),
}
HONEST: dict[str, list[object]] = {
    "staff.has_password": ["Y", "N"],
    "staff.password_changed": [f"2024-05-{10 + n}" for n in TENS],
    "model.token": [f"word{n}" for n in TENS],
    "orders.order_number": [f"ORD-2024-{n:06d}" for n in range(30)],
    "orders.order_id": [4_000_000_000_000_000 + n * 7919 for n in range(200)],
    "orders.reference": [f"{100 + n}-{200 + n}-{3000 + n}" for n in range(30)],
    "orders.tracking": [f"1Z{n:04d}AA10{n:08d}" for n in range(30)],
    "orders.channel": ["email", "phone", "store", "web"],
    "orders.day": [f"2024-0{1 + n % 9}-1{n % 10}" for n in range(30)],
    "orders.shipped": [f"1{n % 10}.0{1 + n % 9}.2024" for n in range(30)],
    "orders.invoice": [f"{20240000 + n}" for n in range(30)],
    "product.sku": [f"AB{n:02d}-{n:05d}-XL" for n in range(30)],
    "product.ean": [str(4006381333930 + n) for n in range(30)],
    "product.name": ["Oak Table", "Pine Chair", "Steel Lamp", "Wool Rug", "Glass Vase"],
    "product.phone_model": ["iPhone 12", "Pixel 8", "Galaxy S24", "Moto G", "Xperia 5"],
    "product.brand": ["Dr. Pepper", "Mr. Clean", "Oak Table", "Ms. Pac-Man", "Mirage", "Drift", "Mrkva"],
    "region.name": ["North", "South", "East", "West", "Far East"],
    "store.city": ["Bern", "New York", "Rome", "Oslo", "San José"],
    "flat.building_full_name": ["Windsor Tower", "Victoria Yard", "The Columbus Square", "Petra Court", "Lion House"],
    "client.name": ["Meier GmbH", "Rossi S.p.A.", "Acme Inc.", "Smith & Co", "Kim Ltd"],
    "customer.email_opt_in": ["yes", "no"],
    "customer.segment": ["consumer", "corporate", "small business"],
    "customer.mobile": ["yes", "no"],
    "customer.card_type": ["Visa", "Mastercard", "Amex"],
    "visit.host": [f"192.168.1.{n}" for n in range(30)],
    "visit.amount": [f"{n}.50" for n in range(30)],
    "visit.change": [f"+{n}.5" for n in range(30)],
    "visit.version": [f"1.2.{n}" for n in range(30)],
    "visit.postcode": [f"{8000 + n}" for n in range(30)],
    "visit.file_name": ["report.pdf", "sales.csv", "notes.txt", "img.png", "a.zip"],
    "visit.imei": [str(356938035643800 + n) for n in range(30)],
    "visit.tel": ["2024-01-02", "2024-02-03", "2024-03-04"],
}


def column(values: list[object], name: str) -> Column:
    texts = all(isinstance(value, str) for value in values)
    distinct = sorted(set(values), key=str)
    profile = Profile(
        distinct=len(distinct),
        nulls=0,
        low=distinct[0],  # pyright: ignore[reportArgumentType]
        high=distinct[-1],  # pyright: ignore[reportArgumentType]
        top=tuple((value, 1) for value in distinct[:10]),  # pyright: ignore[reportArgumentType]
        values=tuple(map(str, distinct)) if texts else None,
    )
    return Column(name=name, type="TEXT", kind="text" if texts else "integer", profile=profile)


def one(place: str, values: list[object]) -> tuple[Table, Column]:
    table, name = place.split(".")
    made = column(values, name)
    return Table(name=table, columns=(made,)), made


@pytest.mark.parametrize("place", PLANTED)
def test_a_planted_column_is_proposed(place: str) -> None:
    kind, values = PLANTED[place]
    found = classify_column(*one(place, values))
    assert found is not None
    assert found[0] == kind
    assert not any(str(value) in found[1] for value in values), "a reason quotes a value"


@pytest.mark.parametrize("place", HONEST)
def test_an_honest_look_alike_is_not_proposed(place: str) -> None:
    assert classify_column(*one(place, HONEST[place])) is None


def test_a_long_column_is_known_by_its_least_and_greatest_value() -> None:
    profile = Profile(distinct=90_000, nulls=3, low="a@planted.example", high="z@planted.example")
    reach = Column(name="reach", type="TEXT", kind="text", profile=profile)
    assert classify_column(Table(name="customer", columns=(reach,)), reach) == (
        "e-mail",
        "2 of 2 values looked at have the form of e-mail addresses",
    )


def test_a_column_nobody_looked_into_is_proposed_only_where_its_name_leaves_no_doubt() -> None:
    def by_name(name: str, kind: str = "text") -> str | None:
        bare = Column(name=name, type="TEXT", kind=kind)  # pyright: ignore[reportArgumentType]
        found = classify_column(Table(name="customer", columns=(bare,)), bare)
        return found and found[0]

    assert (by_name("email"), by_name("billing_iban"), by_name("homePhone")) == ("e-mail", "bank account", "phone")
    assert (by_name("name"), by_name("order_no"), by_name("email", "boolean")) == (None, None, None)


def test_what_is_masked_already_is_not_proposed_again() -> None:
    table, email = one("customer.email", PLANTED["customer.email"][1])
    catalog = Catalog(source="shop", dialect="sqlite", tables=(table,))
    assert find_sensitive_columns(catalog, masked=lambda _t, _c: True) == ()
    (found,) = find_sensitive_columns(catalog, masked=lambda _t, _c: False)
    assert isinstance(found, Sensitive)
    assert (found.entry, found.kind) == ("shop.customer.email", "e-mail")
    assert email.profile is not None


def test_columns_of_a_real_database_are_found_from_its_own_profile(tmp_path: Path) -> None:
    path = tmp_path / "crm.sqlite"
    with closing(sqlite3.connect(path)) as con, con:
        con.execute(
            "CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, e_mail TEXT, card INTEGER, sku TEXT, day DATE)"
        )
        con.executemany(
            "INSERT INTO customer VALUES (?, ?, ?, ?, ?, ?)",
            [
                (
                    n,
                    f"{GIVEN[n % 10]} {FAMILY[n // 10]}",
                    f"u{n}@x.example",
                    int(card("42", n)),
                    f"SKU-{n}",
                    "2024-01-02",
                )
                for n in range(100)
            ],
        )

    async def work() -> list[tuple[str, str]]:
        source = await open_source(addresses(str(path), PERSON)[0], folder=tmp_path)
        try:
            found = find_sensitive_columns(await source.catalog(), masked=lambda _t, _c: False)
        finally:
            await source.close()
        return [(one.entry, one.kind) for one in found]

    assert asyncio.run(work()) == [
        ("crm.customer.name", "person"),
        ("crm.customer.e_mail", "e-mail"),
        ("crm.customer.card", "card"),
    ]


@pytest.mark.parametrize(
    "value", ["RSSMRA85T10A562S", "756.9217.0769.85", "2 55 08 14 168 025 38", "529.982.247-25", "12345678Z"]
)
def test_a_national_number_is_proved_by_its_check_digits(value: str) -> None:
    assert is_national_id(value)
    digit = next(place for place, character in enumerate(value) if character.isdigit())
    assert not is_national_id(value[:digit] + str((int(value[digit]) + 1) % 10) + value[digit + 1 :])


def test_check_digits_decide() -> None:
    assert is_card("4539 1488 0343 6467")
    assert not is_card("4539 1488 0343 6468")
    assert is_iban("GB82 WEST 1234 5698 7654 32")
    assert not is_iban("GB83 WEST 1234 5698 7654 32")
    assert is_phone("+41 44 668 18 00")
    assert not is_phone("2024-01-02")
