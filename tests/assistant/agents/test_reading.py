"""What a turn meant is read back from the log, also from one that another version of Tandem wrote."""

from __future__ import annotations

import json

from assistant.agents.analyst.reading import meaning_of_turn
from assistant.analyst.algebra import Count, Grouped, Rows
from assistant.analyst.meaning import Meaning, to_json
from assistant.events import Plan, Question, Step

MEANING = Meaning(source="shop", query=Grouped(Rows("orders"), (), (Count(),)))


def _log(meaning: str) -> tuple[Question, Plan]:
    steps = (Step(title="Count", language="sql"),)
    return (
        Question(turn=1, text="How many orders?"),
        Plan(turn=1, id="1.plan.1", restated="Orders", steps=steps, meaning=meaning),
    )


def test_a_meaning_is_read_back_as_it_was_written_down() -> None:
    assert meaning_of_turn(_log(to_json(MEANING))) == MEANING


def test_a_meaning_of_another_version_is_none_and_no_fault() -> None:
    other = {**json.loads(to_json(MEANING)), "of_another_version": True}
    assert meaning_of_turn(_log(json.dumps(other))) is None
