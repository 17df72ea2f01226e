"""Returns and support tickets of the sample company, and its marketing spend."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import numpy as np

from assistant.sample.assortment import Products
from assistant.sample.names import (
    CATEGORIES,
    MARKETING_CHANNELS,
    REGION_WEIGHTS,
    REGIONS,
    RETURN_REASONS,
    TICKET_TOPICS,
)
from assistant.sample.people import Customers
from assistant.sample.story import CHURNING, MONTHS, Floats, Ints, Story, months_before
from assistant.sample.trade import COMPLETED, ONLINE, Lines, Orders

TICKETS = 4_200
NOT_STATED = -1
OPEN = -1
PRIORITIES: tuple[str, ...] = ("low", "normal", "high", "urgent")
TICKET_STATUSES: tuple[str, ...] = ("open", "waiting", "closed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Returns:
    """Lines of which something was sent back, oldest first; `reason` is `NOT_STATED` where nobody asked."""

    line: Ints
    day: Ints
    quantity: Ints
    reason: Ints
    amount: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Tickets:
    """Support tickets, oldest first; `closed` is `OPEN` and `satisfaction` 0 where there is none."""

    customer: Ints
    opened: Ints
    closed: Ints
    priority: Ints
    status: Ints
    topic: Ints
    satisfaction: Ints


@dataclass(frozen=True, slots=True, kw_only=True)
class MarketingSpending:
    """Marketing spend by month, region and channel."""

    month: tuple[date, ...]
    region: Ints
    channel: Ints
    amount: Floats


def make_returns(story: Story, orders: Orders, lines: Lines, products: Products, rng: np.random.Generator) -> Returns:
    """Send back some lines of completed orders within a month; what was bought online, and textiles, more often."""
    names = [entry[0] for entry in CATEGORIES]
    chance = np.full(len(lines), 0.045)
    chance = np.where(products.category[lines.product] == names.index("Textiles"), 0.085, chance)
    chance = np.where(orders.channel[lines.order] == ONLINE, chance * 1.6, chance)
    day = orders.day[lines.order] + rng.integers(3, 31, len(lines))
    eligible = (orders.status[lines.order] == COMPLETED) & (day < story.days) & (lines.quantity < 50)
    sent_back = np.flatnonzero(eligible & (rng.random(len(lines)) < chance))
    sent_back = sent_back[np.argsort(day[sent_back], kind="stable")]
    count = len(sent_back)
    ordered = lines.quantity[sent_back]
    quantity = np.where(rng.random(count) < 0.8, ordered, 1)
    reason = rng.choice(len(RETURN_REASONS), count, p=(0.42, 0.18, 0.14, 0.16, 0.10))
    price = lines.unit_price[sent_back] * (1.0 - lines.discount[sent_back])
    return Returns(
        line=sent_back,
        day=day[sent_back],
        quantity=quantity,
        reason=np.where(rng.random(count) < 0.07, NOT_STATED, reason),
        amount=np.round(quantity * price, 2),
    )


def make_tickets(story: Story, orders: Orders, customers: Customers, rng: np.random.Generator) -> Tickets:
    """Open tickets some days after orders; in the churning region late deliveries cause many more."""
    troubled = customers.region[orders.customer] == _region(CHURNING)
    troubled &= orders.day >= story.offset(story.churn_from) - 30
    weight = np.where(troubled, 3.0, 1.0)
    about = rng.choice(len(orders), TICKETS, replace=False, p=weight / weight.sum())
    opened = orders.day[about] + rng.integers(1, 21, TICKETS)
    about, opened = about[opened < story.days], opened[opened < story.days]
    by_day = np.argsort(opened, kind="stable")
    about, opened = about[by_day], opened[by_day]
    count = len(about)
    topic = rng.choice(len(TICKET_TOPICS), count, p=(0.30, 0.17, 0.25, 0.18, 0.10))
    topic = np.where(troubled[about] & (rng.random(count) < 0.6), TICKET_TOPICS.index("delivery"), topic)
    priority = rng.choice(len(PRIORITIES), count, p=(0.22, 0.50, 0.20, 0.08))
    patience = np.array([9.0, 6.0, 3.0, 1.2])[priority] * np.where(troubled[about], 1.8, 1.0)
    closed = opened + np.floor(rng.exponential(patience)).astype(np.int64)
    forgotten = rng.random(count) < 0.01
    closed = np.where((closed >= story.days) | forgotten, OPEN, closed)
    waiting = (closed == OPEN) & (rng.random(count) < 0.35)
    mood = np.clip(np.round(rng.normal(np.where(troubled[about], 2.4, 3.9), 1.0)), 1, 5).astype(np.int64)
    rated = (closed != OPEN) & (rng.random(count) < 0.55)
    return Tickets(
        customer=orders.customer[about],
        opened=opened,
        closed=closed,
        priority=priority,
        status=np.where(closed != OPEN, 2, np.where(waiting, 1, 0)),
        topic=topic,
        satisfaction=np.where(rated, mood, 0),
    )


def make_spending(story: Story, rng: np.random.Generator) -> MarketingSpending:
    """Spend every month in every region on every channel; the first and the last month in part, as they are in part."""
    months = [months_before(story.end, back) for back in range(36, -1, -1)]
    months = [month for month in months if month >= story.start.replace(day=1)]
    regions, channels = len(REGIONS), len(MARKETING_CHANNELS)
    shape = (len(months), regions, channels)
    season = np.array([0.6 + 0.4 * MONTHS[month.month - 1] for month in months])[:, None, None]
    part = np.array([_share_of_month(story, month) for month in months])[:, None, None]
    size = (np.array(REGION_WEIGHTS) * regions)[None, :, None]
    budget = np.array([1_900.0, 1_400.0, 400.0, 950.0, 550.0])
    shift = np.linspace(0.0, 1.0, len(months))[:, None] * np.array([0.25, 0.55, 0.10, -0.55, -0.30])
    amount = budget * (1.0 + shift)[:, None, :] * season * part * size * rng.uniform(0.9, 1.1, shape)
    return MarketingSpending(
        month=tuple(month for month in months for _ in range(regions * channels)),
        region=np.tile(np.repeat(np.arange(regions), channels), len(months)),
        channel=np.tile(np.arange(channels), len(months) * regions),
        amount=np.round(amount.reshape(-1), 2),
    )


def _share_of_month(story: Story, month: date) -> float:
    following = months_before(month, -1)
    inside = (min(following, date.fromordinal(story.end.toordinal() + 1)) - max(month, story.start)).days
    return inside / (following - month).days


def _region(name: str) -> int:
    return [region for region, _, _ in REGIONS].index(name)
