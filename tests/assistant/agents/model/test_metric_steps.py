"""A model asks for governed figures by name and gets the SQL that anybody else gets."""

from __future__ import annotations

import asyncio
from datetime import date

import pytest
import semantic_shop
from shop_session import ShopContext

from assistant.agents.model.lookups import Lookups
from assistant.agents.model.metric_steps import MetricQuery, compile_metric_query
from assistant.record.memory.recall import compare_nothing
from assistant.semantics.compiling import compile_step
from assistant.semantics.steps import MetricStep

TODAY = date(2024, 12, 31)


def asked(**told: object) -> str:
    step = MetricQuery.model_validate(told)
    return compile_metric_query(step, [semantic_shop.model()], [semantic_shop.catalog()], today=TODAY)


def test_the_sql_is_what_the_compiler_gives_anybody() -> None:
    step = MetricStep(metrics=("refund_rate",), dimensions=("clients.area",), grain="quarter")
    compiled = compile_step(step, semantic_shop.model(), semantic_shop.catalog(), today=TODAY)
    words = asked(metrics=["refund_rate"], dimensions=["clients.area"], grain="quarter")
    assert words == f"Source shop, columns quarter, area, refund_rate:\n{compiled.sql}"
    assert len(semantic_shop.database().execute(compiled.sql).fetchall()) > 4


def test_what_cannot_be_compiled_is_said_in_words() -> None:
    assert "Did you mean 'revenue'?" in asked(metrics=["revenu"])
    assert "needs a grain" in asked(metrics=["revenue"], compare="growth")


@pytest.mark.parametrize("has_model", [True, False])
def test_it_is_offered_where_there_are_governed_metrics(has_model: bool) -> None:
    context = ShopContext(catalog=(semantic_shop.catalog(),), semantic=(semantic_shop.model(),) if has_model else ())

    class Seeing:
        sees = "names"
        compare = staticmethod(compare_nothing)

        def readable(self, catalogs: object) -> object:
            return catalogs

    lookups = Lookups(context, dialogue=Seeing())  # type: ignore[arg-type]
    offered = {lookup.name: lookup for lookup in lookups.offered}
    assert ("metric_query" in offered) is has_model
    if has_model:
        assert "refund_rate" in offered["metric_query"].description
        found = asyncio.run(lookups.look_up("metric_query", {"metrics": ["revenue"]}))
        assert found.startswith("Source shop, columns revenue:")
