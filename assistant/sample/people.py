"""Regions, stores and customers of the sample company. `trade` makes what they buy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import TypeVar

import numpy as np

from assistant.sample.names import (
    BUSINESS_FORMS,
    COMPANY_WORDS,
    CORPORATE_FORMS,
    FAMILY_NAMES,
    GIVEN_NAMES,
    REGION_WEIGHTS,
    REGIONS,
    SEGMENTS,
)
from assistant.sample.story import CHURNING, Floats, Ints, Story

CUSTOMERS = 2_600
ENDLESS = 10**6
"""An offset of days beyond every window."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stores:
    """The stores; `region` counts from 0. Days are offsets from the window's start."""

    name: tuple[str, ...]
    city: tuple[str, ...]
    region: Ints
    area_m2: Ints
    opened: Ints
    closed: Ints


@dataclass(frozen=True, slots=True, kw_only=True)
class Customers:
    """The customers, by index from 0. They buy from `signup` until `leaves`, about `rate` times a year."""

    name: tuple[str, ...]
    email: tuple[str | None, ...]
    city: tuple[str, ...]
    segment: Ints
    region: Ints
    signup: Ints
    leaves: Ints
    rate: Floats


def make_stores(story: Story, rng: np.random.Generator) -> Stores:
    """Two stores in the first town of each region, one in each other; one of them closed a while ago."""
    places = [
        (city, quarter, index)
        for index, (_, _, cities) in enumerate(REGIONS)
        for city in cities
        for quarter in (("Centre", "Station") if city == cities[0] else ("Centre",))
    ]
    count = len(places)
    closed = np.full(count, ENDLESS)
    closed[count - 1] = story.days // 2
    return Stores(
        name=tuple(f"{city} {quarter}" for city, quarter, _ in places),
        city=tuple(city for city, _, _ in places),
        region=np.array([region for _, _, region in places]),
        area_m2=rng.integers(12, 60, count) * 50,
        opened=-rng.integers(200, 4_000, count),
        closed=closed,
    )


def make_customers(story: Story, rng: np.random.Generator) -> Customers:
    """Make the customers, the oldest first; those of the churning region start to leave in the month of the story."""
    segment = rng.choice(len(SEGMENTS), CUSTOMERS, p=(0.84, 0.12, 0.04))
    region = rng.choice(len(REGIONS), CUSTOMERS, p=REGION_WEIGHTS)
    old = int(CUSTOMERS * 0.55)
    signup = np.sort(
        np.concatenate([-rng.integers(1, 900, old), rng.integers(0, story.days, CUSTOMERS - old)]),
    )
    begins = np.maximum(signup, 0)
    leaves = begins + np.ceil(rng.exponential(2_600, CUSTOMERS)).astype(np.int64)
    trouble = story.offset(story.churn_from)
    unhappy = (region == _region(CHURNING)) & (leaves > trouble) & (rng.random(CUSTOMERS) < 0.55)
    leaves = np.where(unhappy, np.maximum(begins, trouble) + rng.integers(0, 90, CUSTOMERS), leaves)
    town = rng.integers(0, len(REGIONS[0][2]), CUSTOMERS)
    name = _names(segment, rng)
    has_email = rng.random(CUSTOMERS) < 0.93
    return Customers(
        name=name,
        email=tuple(
            _email(who, number) if is_present else None
            for number, (who, is_present) in enumerate(zip(name, has_email, strict=True), 1)
        ),
        city=tuple(REGIONS[r][2][t] for r, t in zip(region.tolist(), town.tolist(), strict=True)),
        segment=segment,
        region=region,
        signup=signup,
        leaves=np.minimum(leaves, story.days),
        rate=rng.gamma(2.2, 1 / 2.2, CUSTOMERS) * np.array([1.0, 1.7, 3.2])[segment],
    )


def _names(segment: Ints, rng: np.random.Generator) -> tuple[str, ...]:
    people = _endless(_shuffled(product(GIVEN_NAMES.split(), FAMILY_NAMES.split()), rng))
    small = _endless(_shuffled(product(COMPANY_WORDS.split(), BUSINESS_FORMS.split()), rng))
    large = _endless(_shuffled(product(COMPANY_WORDS.split(), CORPORATE_FORMS), rng))
    kinds = (people, small, large)
    return tuple(" ".join(next(kinds[kind])) for kind in segment.tolist())


def _shuffled(items: Iterable[T], rng: np.random.Generator) -> list[T]:
    listed = list(items)
    return [listed[index] for index in rng.permutation(len(listed)).tolist()]


def _endless(items: list[T]) -> Iterator[T]:
    while True:
        yield from items


def _email(name: str, number: int) -> str:
    plain = name.casefold().translate(str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "é": "e", " ": "."}))
    return f"{plain}.{number}@mail.example"


def _region(name: str) -> int:
    return [region for region, _, _ in REGIONS].index(name)
