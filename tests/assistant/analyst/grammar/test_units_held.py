"""An amount with a unit is put into the unit in which a column's values lie, where nothing tells that unit."""

from __future__ import annotations

import pytest
from row_tables import RowTables

from assistant.analyst.algebra import Compare, parts
from assistant.analyst.reading import QuestionReader

LENGTHS = (46, 61, 88, 107, 134, 150, 185)
TALKS = RowTables(
    name="talks",
    tables={"talks": [{"talk_id": i, "speaker": f"Speaker {i}", "length": n} for i, n in enumerate(LENGTHS)]},
    parents=(),
    types={},
)


@pytest.mark.parametrize(
    ("question", "bound"),
    [
        ("how many talks are longer than two hours", 120),
        ("how many talks are longer than 90 minutes", 90),
        ("how many talks are longer than 9000 seconds", 150),
        ("how many talks are longer than 100", 100),
        ("how many talks are longer than 500 minutes", 500),
    ],
)
def test_a_bound_with_a_unit_lies_among_the_values(question: str, bound: int) -> None:
    query = QuestionReader(TALKS.catalog()).read(question)[0].query
    (compare,) = (part for part in parts(query) if isinstance(part, Compare))
    assert compare.right.value == bound  # type: ignore[union-attr]
