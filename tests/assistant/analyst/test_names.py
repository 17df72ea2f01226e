"""Names as a person says them."""

from __future__ import annotations

import pytest

from assistant.analyst.names import plural


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("track", "tracks"),
        ("order line", "order lines"),
        ("orders", "orders"),
        ("category", "categories"),
        ("day", "days"),
        ("box", "boxes"),
        ("person", "people"),
        ("media", "media"),
        ("v2", "v2"),
    ],
)
def test_things_are_said_in_the_plural(name: str, said: str) -> None:
    assert plural(name) == said
