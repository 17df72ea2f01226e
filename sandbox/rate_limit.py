"""Rate limits of one kernel: budgets of messages and bytes per second. A faster sender waits; nothing is lost."""

from __future__ import annotations

import asyncio

_UNYIELDING_ITEMS = 16
_UNYIELDING_BYTES = 256 << 10


class RateLimit:
    """A token bucket of items (messages, or frames of them) and one of bytes.

    A reader that finds data waiting never suspends by itself, so a sender that never pauses would keep the loop from
    everybody else. `spend` gives way to the loop every few items, and sleeps while the budget is overdrawn.

    Args:
        items_per_s: Items a second in the long run.
        bytes_per_s: Bytes a second in the long run.
        burst_s: How many seconds' worth may come at once.
    """

    def __init__(self, *, items_per_s: float, bytes_per_s: float, burst_s: float) -> None:
        self._rates = items_per_s, bytes_per_s
        self._most = items_per_s * burst_s, bytes_per_s * burst_s
        self._left = self._most
        self._asked = asyncio.get_running_loop().time()
        self._items = self._bytes = 0

    async def spend(self, *, items: int, size_bytes: int) -> None:
        """Take from both budgets, then wait until neither is overdrawn."""
        now = asyncio.get_running_loop().time()
        passed, self._asked = now - self._asked, now
        (item_rate, byte_rate), (most_items, most_bytes), (left_items, left_bytes) = self._rates, self._most, self._left
        left_items = min(most_items, left_items + passed * item_rate) - items
        left_bytes = min(most_bytes, left_bytes + passed * byte_rate) - size_bytes
        self._left = left_items, left_bytes
        self._items += items
        self._bytes += size_bytes
        overdrawn_s = max(-left_items / item_rate, -left_bytes / byte_rate)
        if overdrawn_s > 0 or self._items >= _UNYIELDING_ITEMS or self._bytes >= _UNYIELDING_BYTES:
            self._items = self._bytes = 0
            await asyncio.sleep(max(0.0, overdrawn_s))
