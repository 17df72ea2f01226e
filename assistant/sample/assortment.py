"""Categories and products of the sample company, and their demand by month."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assistant.sample.names import CATEGORIES, PRODUCT_LINES
from assistant.sample.people import ENDLESS
from assistant.sample.story import GARDEN_MONTHS, GROWING, SHRINKING, Floats, Ints, Story, months_before

PER_CATEGORY = 22


@dataclass(frozen=True, slots=True, kw_only=True)
class Products:
    """The products, by index from 0; days are offsets from the window's start."""

    name: tuple[str, ...]
    category: Ints
    list_price: Floats
    unit_cost: Floats
    popularity: Floats
    launched: Ints
    discontinued: Ints

    @property
    def bestseller(self) -> int:
        """The product that is bought most often."""
        return int(np.argmax(self.popularity))


def make_products(story: Story, rng: np.random.Generator) -> Products:
    """Make the products, category by category; some appear in the course of the window, a few vanish."""
    names: list[str] = []
    for _, _, _, _, _, goods in CATEGORIES:
        pairs = [f"{line} {good}" for good in goods for line in PRODUCT_LINES]
        names += [pairs[index] for index in rng.choice(len(pairs), PER_CATEGORY, replace=False).tolist()]
    count = len(names)
    category = np.repeat(np.arange(len(CATEGORIES)), PER_CATEGORY)
    share = np.array([entry[2] for entry in CATEGORIES])
    typical = np.array([entry[3] for entry in CATEGORIES])
    cost = np.array([entry[4] for entry in CATEGORIES])
    list_price = np.floor(typical[category] * rng.lognormal(0.0, 0.45, count)) + 0.95
    rank = np.concatenate([rng.permutation(PER_CATEGORY) for _ in CATEGORIES])
    within = 1.0 / (rank + 2.0)
    popularity = within / within.sum() * len(CATEGORIES) * share[category]
    launched = -rng.integers(60, 1_500, count)
    discontinued = np.full(count, ENDLESS)
    # Only slow sellers come late or go early: the figures of a category do not hang on them.
    slow = rng.permutation(np.flatnonzero(rank >= PER_CATEGORY // 2))
    months = [max(0, story.offset(months_before(story.end, back))) for back in range(1, 31)]
    launched[slow[:18]] = rng.choice(months, 18)
    discontinued[slow[18:26]] = rng.choice(months, 8)
    return Products(
        name=tuple(names),
        category=category,
        list_price=list_price,
        unit_cost=np.round(list_price * cost[category] * rng.uniform(0.9, 1.1, count), 2),
        popularity=popularity,
        launched=launched,
        discontinued=discontinued,
    )


def compute_odds(products: Products, story: Story, *, offset: int, month: int) -> Floats:
    """How likely each product is the one bought on a line in a month that begins at `offset`. Sums to 1."""
    names = [entry[0] for entry in CATEGORIES]
    through = min(1.0, max(0.0, offset / story.days))
    trend = np.ones(len(names))
    trend[names.index(GROWING)] = 0.5 * 6.0**through
    trend[names.index(SHRINKING)] = 1.5 * 0.25**through
    trend[names.index("Garden")] = GARDEN_MONTHS[month - 1]
    weight = products.popularity * trend[products.category]
    weight = np.where((products.launched <= max(offset, 0)) & (products.discontinued > offset), weight, 0.0)
    return weight / weight.sum()
