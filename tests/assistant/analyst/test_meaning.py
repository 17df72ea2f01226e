"""A meaning comes back from the log as it was written; what another version wrote is nothing."""

from __future__ import annotations

import json

import pytest
import shop_queries as shop

from assistant.analyst.algebra import Column, Count, Grouped, Rows
from assistant.analyst.meaning import Meaning, Study, from_json, to_json


@pytest.mark.parametrize("condition", shop.OF_ORDERS)
def test_every_condition_survives_the_log(condition) -> None:  # type: ignore[no-untyped-def]
    meaning = Meaning(source="shop", query=Grouped(Rows("orders", condition), (), (Count(),)), assumptions=("a",))
    assert from_json(to_json(meaning)) == meaning


def test_a_study_survives_the_log() -> None:
    study = Study(kind="forecast", subject="orders", figure=Count(), grain="month", ahead=3)
    query = Grouped(Rows("orders"), (Column("orders", "day"),), (Count(),))
    meaning = Meaning(source="shop", query=query, study=study, chart="line")
    assert from_json(to_json(meaning)) == meaning


@pytest.mark.parametrize("text", ["", "no json", "{}", '{"is": "Order", "place": 1}', json.dumps({"is": "Gone"})])
def test_what_is_no_meaning_is_nothing(text: str) -> None:
    assert from_json(text) is None
