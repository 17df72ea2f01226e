"""What an answer takes for granted is said beside it."""

from __future__ import annotations

from datetime import date

from row_tables import RowTables
from rows_evaluator import Parent

from assistant.analyst.analyst import Analyst
from assistant.analyst.outcomes import Understood

AIRPORTS = RowTables(
    name="air",
    tables={
        "airports": [{"airport_id": n, "city": city} for n, city in enumerate(("Bonn", "Jena", "Kiel"), 1)],
        "flights": [
            {"flight_id": 1, "origin_id": 1, "destination_id": 2},
            {"flight_id": 2, "origin_id": 1, "destination_id": 3},
            {"flight_id": 3, "origin_id": 2, "destination_id": 3},
        ],
    },
    parents=(
        Parent(child="flights", column="origin_id", table="airports", key="airport_id"),
        Parent(child="flights", column="destination_id", table="airports", key="airport_id"),
    ),
    types={},
)


def test_which_of_two_keys_was_followed_to_a_table_is_said() -> None:
    outcome = Analyst((AIRPORTS.catalog(),), (), date(2026, 11, 21)).read("How many flights are there per city?")
    assert isinstance(outcome, Understood)
    (said,) = outcome.meaning.assumptions
    assert said.startswith("Airports: by ")
    assert "origin id" in said
    assert "destination id" in said
