"""The coder without a model writes queries and studies; other Python steps are left out, and it is said why."""

from __future__ import annotations

import asyncio
from typing import cast

from sample_analyst import meant

from assistant.agents.analyst.coder import AnalystCoder
from assistant.agents.analyst.reading import Reader
from assistant.agents.roles import SessionContext
from assistant.analyst.meaning import to_json
from assistant.core.events import Decision, Plan, Question, Step, StepSkipped


def test_a_python_step_beside_a_query_is_left_out_because_the_page_draws() -> None:
    plan = Plan(
        turn=1,
        id="1.plan.1",
        restated="Net revenue by region",
        steps=(Step(title="Query the shop", language="sql"), Step(title="Draw bars", language="python")),
        meaning=to_json(meant("net revenue by region")),
    )
    log = (
        Question(turn=1, text="net revenue by region"),
        plan,
        Decision(turn=1, request="1.plan.1?", subject="plan", ref=plan.id, action="approve", by="person"),
    )
    coder = AnalystCoder(context=cast("SessionContext", None), reader=cast("Reader", None))
    left_out = asyncio.run(coder.propose(log, step=2, revision=1))
    assert isinstance(left_out, StepSkipped)
    assert (left_out.step, left_out.language) == (2, "python")
    assert "The page draws" in left_out.reason
