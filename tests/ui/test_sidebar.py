"""Which sessions the sidebar lists."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from assistant.api.history import SessionCard
from ui.screens.frame import RECENT, WAITING_FIRST, list_recent

NOW = datetime(2026, 1, 31, tzinfo=UTC)


def build_cards(number: int, *, waiting: bool, age_h: int = 0) -> tuple[SessionCard, ...]:
    return tuple(
        SessionCard(
            id=f"{'waiting' if waiting else 'done'}-{n}",
            title=f"question {n}",
            state="waiting" if waiting else "idle",
            updated=NOW - timedelta(hours=age_h + n),
        )
        for n in range(number)
    )


def test_many_that_wait_leave_room_for_the_last_changed() -> None:
    cards = (*build_cards(20, waiting=True, age_h=100), *build_cards(20, waiting=False))
    names = [card.id for card in list_recent(cards, None)]
    assert names[:WAITING_FIRST] == [f"waiting-{n}" for n in range(WAITING_FIRST)]
    assert names[WAITING_FIRST:] == [f"done-{n}" for n in range(RECENT - WAITING_FIRST)]


def test_the_open_one_is_listed_however_old_it_is() -> None:
    cards = build_cards(30, waiting=False)
    assert [card.id for card in list_recent(cards, "done-29")][-1] == "done-29"
    assert [card.id for card in list_recent(cards, "done-1")] == [card.id for card in list_recent(cards, None)]


def test_few_are_listed_each_once() -> None:
    cards = (*build_cards(2, waiting=True), *build_cards(3, waiting=False))
    assert len(list_recent(cards, "done-0")) == len({card.id for card in list_recent(cards, "done-0")}) == 5
