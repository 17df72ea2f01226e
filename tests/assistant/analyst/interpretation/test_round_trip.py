"""A query and its chips are two forms of one thing: taking it apart and putting it together changes nothing."""

from __future__ import annotations

import json
from datetime import date
from functools import cache

import pytest
from composed.domains import LEARNT, MEASURED, made
from composed.questions import questions

from assistant.analyst.interpretation.interpretation import Interpretation, empty, interpret
from assistant.analyst.source import AnalystSource


@cache
def _source(name: str) -> AnalystSource:
    return AnalystSource(made(name).catalog(), (), date(2023, 1, 1))


@pytest.mark.parametrize("name", [*MEASURED, *LEARNT])
def test_every_composed_query_has_parts_that_make_it_again(name: str) -> None:
    data = _source(name)
    for composed in questions(name, 150, seed=7):
        read = interpret(composed.query, data)
        assert read.query == composed.query, composed.text
        assert read.computed is None, composed.text
        assert read.chips, composed.text
        assert all(chip.text for chip in read.chips), composed.text


@pytest.mark.parametrize("name", MEASURED)
def test_the_json_form_makes_the_same_interpretation_again(name: str) -> None:
    data = _source(name)
    for composed in questions(name, 60, seed=3):
        read = interpret(composed.query, data, unread=("odd",))
        form = json.loads(json.dumps(read.to_dict()))
        assert Interpretation.from_dict(form, data) == read
        assert [chip["text"] for chip in form["chips"]] == [chip.text for chip in read.chips]


def test_nothing_has_no_query_and_no_chips() -> None:
    nothing = empty(_source("rides"))
    assert (nothing.query, nothing.chips, nothing.sql, nothing.problems) == (None, (), "", ())
