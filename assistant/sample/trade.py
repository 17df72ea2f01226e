"""Orders and order lines of the sample company. `after_sales` makes returns and tickets."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from datetime import timedelta

import numpy as np

from assistant.sample.assortment import Products, compute_odds
from assistant.sample.names import ORDER_CHANNELS, SEGMENTS
from assistant.sample.people import Customers, Stores
from assistant.sample.story import Floats, Ints, Story, day_weights

ORDERS = 24_600
"""About how many orders there are; with their lines some 60,000."""

SHIPPING_DAYS = 4
STATUSES: tuple[str, ...] = ("completed", "shipped", "cancelled")
COMPLETED, SHIPPED, CANCELLED = range(3)
STORE, ONLINE, PHONE = range(len(ORDER_CHANNELS))
NO_STORE = -1
CORPORATE = SEGMENTS.index("corporate")
CORPORATE_UNITS = 900


@dataclass(frozen=True, slots=True, kw_only=True)
class Orders:
    """The orders, oldest first; customers and stores by index from 0, days as offsets."""

    customer: Ints
    day: Ints
    channel: Ints
    store: Ints
    status: Ints

    def __len__(self) -> int:
        return len(self.day)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """The lines of all orders, order by order; `discount` is a share of the price."""

    order: Ints
    product: Ints
    quantity: Ints
    unit_price: Floats
    discount: Floats

    def __len__(self) -> int:
        return len(self.order)


def make_trade(
    story: Story, customers: Customers, stores: Stores, products: Products, rng: np.random.Generator
) -> tuple[Orders, Lines]:
    """Make all orders with their lines, the unusual days included."""
    orders = _orders(story, customers, stores, rng)
    orders, huge = _with_corporate_order(story, orders, customers)
    lines = _lines(story, orders, customers, products, rng, huge=huge)
    return _with_double_day(story, orders, lines)


def _orders(story: Story, customers: Customers, stores: Stores, rng: np.random.Generator) -> Orders:
    """Each customer buys as a Poisson process whose pace follows the seasons, from sign-up until leaving."""
    clock = np.concatenate([[0.0], np.cumsum(day_weights(story))])
    begins, ends = clock[np.clip(customers.signup, 0, story.days)], clock[customers.leaves]
    exposure = np.maximum(ends - begins, 0.0) * customers.rate
    counts = rng.poisson(exposure * (ORDERS / exposure.sum()))
    customer = np.repeat(np.arange(len(counts)), counts)
    moment = rng.uniform(begins[customer], ends[customer])
    day = np.searchsorted(clock, moment, side="right") - 1
    inside = np.argsort(day, kind="stable")
    customer, day = customer[inside], np.clip(day[inside], 0, story.days - 1)
    count = len(day)
    channel = _channels(story, day, customers.segment[customer], rng)
    status = np.where(rng.random(count) < 0.04, CANCELLED, COMPLETED)
    status = np.where((day >= story.days - SHIPPING_DAYS) & (status == COMPLETED), SHIPPED, status)
    return Orders(
        customer=customer,
        day=day,
        channel=channel,
        store=_stores(day, channel, customers.region[customer], stores, rng),
        status=status,
    )


def _channels(story: Story, day: Ints, segment: Ints, rng: np.random.Generator) -> Ints:
    through = day / story.days
    online = 0.30 + 0.14 * through
    draw = rng.random(len(day))
    channel = np.where(draw < online, ONLINE, np.where(draw < online + 0.06, PHONE, STORE))
    by_phone = (segment == CORPORATE) & (channel == STORE)
    sunday = (day + story.start.weekday()) % 7 == 6
    return np.where(by_phone, PHONE, np.where(sunday & (channel == STORE), ONLINE, channel))


def _stores(day: Ints, channel: Ints, region: Ints, stores: Stores, rng: np.random.Generator) -> Ints:
    """A store of the customer's region that is open on the day; the larger ones are visited more."""
    assigned = np.full(len(day), NO_STORE)
    draw = rng.random(len(day))
    for index in range(int(stores.region.max()) + 1):
        candidates = np.flatnonzero(stores.region == index)
        rows = np.flatnonzero((region == index) & (channel == STORE))
        pull = stores.area_m2[candidates] * (stores.closed[candidates] > day[rows, None])
        reach = np.cumsum(pull, axis=1) / pull.sum(axis=1, keepdims=True)
        assigned[rows] = candidates[(draw[rows, None] >= reach).sum(axis=1)]
    return assigned


def _with_corporate_order(story: Story, orders: Orders, customers: Customers) -> tuple[Orders, int]:
    """Add the one huge order of the story; also returns its index."""
    day = story.offset(story.corporate_day)
    present = (customers.segment == CORPORATE) & (customers.signup < day) & (customers.leaves > day)
    buyer = int(np.flatnonzero(present)[0])
    at = int(np.searchsorted(orders.day, day, side="right"))
    row = Orders(
        customer=np.array([buyer]),
        day=np.array([day]),
        channel=np.array([PHONE]),
        store=np.array([NO_STORE]),
        status=np.array([COMPLETED]),
    )
    return Orders(**{f.name: np.insert(getattr(orders, f.name), at, getattr(row, f.name)) for f in fields(Orders)}), at


def _lines(
    story: Story, orders: Orders, customers: Customers, products: Products, rng: np.random.Generator, *, huge: int
) -> Lines:
    size = np.minimum(1 + rng.poisson(1.48, len(orders)), 9)
    size[huge] = 1
    order = np.repeat(np.arange(len(orders)), size)
    day = orders.day[order]
    product = _bought(story, day, products, rng)
    furniture = np.flatnonzero(products.category == 0)
    product[order == huge] = furniture[np.argsort(products.list_price[furniture])[len(furniture) // 2]]
    keep = np.sort(np.unique(np.stack([order, product]), axis=1, return_index=True)[1])
    order, product, day = order[keep], product[keep], day[keep]
    count = len(order)
    corporate = customers.segment[orders.customer[order]] == CORPORATE
    quantity = 1 + rng.geometric(0.72, count) - 1 + np.where(corporate, rng.poisson(3.0, count), 0)
    quantity = np.where(order == huge, CORPORATE_UNITS, quantity)
    age = (story.days - 1 - day) // 365
    listed = products.list_price[product]
    unit_price = np.round(listed * (1.0 - 0.03 * age), 2)
    usual = rng.choice([0.0, 0.05, 0.10, 0.15, 0.20], count, p=[0.72, 0.08, 0.11, 0.05, 0.04])
    discount = np.where(corporate, np.maximum(usual, 0.10), usual)
    return Lines(order=order, product=product, quantity=quantity, unit_price=unit_price, discount=discount)


def _bought(story: Story, day: Ints, products: Products, rng: np.random.Generator) -> Ints:
    """The product of each line, drawn by the odds of its month; in the stock-out week the bestseller is none."""
    dates = np.datetime64(story.start, "D") + np.arange(story.days).astype("timedelta64[D]")
    month_of_day = dates.astype("datetime64[M]").astype(np.int64)
    first, last = (story.offset(edge) for edge in story.stockout)
    period = month_of_day * 2 + ((np.arange(story.days) >= first) & (np.arange(story.days) <= last))
    product = np.zeros(len(day), dtype=np.int64)
    for value in np.unique(period).tolist():
        rows = np.flatnonzero(period[day] == value)
        begins = int(np.flatnonzero(month_of_day == value // 2)[0])
        month = (story.start + timedelta(days=begins)).month
        chance = compute_odds(products, story, offset=begins, month=month)
        if value % 2:
            chance[products.bestseller] = 0.0
            chance = chance / chance.sum()
        product[rows] = rng.choice(len(chance), len(rows), p=chance)
    return product


def _with_double_day(story: Story, orders: Orders, lines: Lines) -> tuple[Orders, Lines]:
    """Repeat every order of the double day right after that day, lines and all, under new numbers."""
    day = story.offset(story.double_day)
    first, last = (int(np.searchsorted(orders.day, day, side=side)) for side in ("left", "right"))
    twice = last - first
    index = np.concatenate([np.arange(last), np.arange(first, last), np.arange(last, len(orders))])
    doubled = Orders(**{f.name: getattr(orders, f.name)[index] for f in fields(Orders)})
    copies = np.flatnonzero((lines.order >= first) & (lines.order < last))
    after = int(np.searchsorted(lines.order, last))
    rows = np.concatenate([np.arange(after), copies, np.arange(after, len(lines))])
    repeated = Lines(**{f.name: getattr(lines, f.name)[rows] for f in fields(Lines)})
    order = repeated.order + np.where(np.arange(len(rows)) >= after, twice, 0)
    return doubled, replace(repeated, order=order)
