"""A model writes functions by test, over real bytes on the loopback: tested in the cage, kept only by the person."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from openai_server import Asked, Served, serving, typed

from assistant.bootstrap import open_workspace
from assistant.core.events import Answer, Event, Execution, FunctionsKept, FunctionsProposed, Proposal
from assistant.delivery.written_functions import show_functions
from assistant.functions.folder import read_functions
from assistant.session.session import Session
from assistant.settings.config import Settings
from tests.assistant.test_models_end_to_end import ANSWER, PLAN, PYTHON, REVIEW, SQL, shop

KINDS = ("normal", "edge", "error")


def case(kind: str, body: str) -> dict[str, str]:
    return {"kind": kind, "code": f"def test_{kind}():\n    {body}"}


def function(name: str, code: str, *bodies: str, needs: Sequence[str] = ()) -> dict[str, Any]:
    return {
        "name": name,
        "purpose": "Say which share of the total each row has.",
        "inputs": ["values: numbers that are not negative."],
        "output": "A Series of shares that add up to 1.",
        "needs": [*needs],
        "complexity": "linear",
        "words": ["share of total"],
        "cases": [case(kind, body) for kind, body in zip(KINDS, bodies, strict=True)],
        "code": code,
    }


RIGHT = (
    "def total_share(values):\n    if (values < 0).any():\n        raise ValueError('values has a negative number')\n"
    "    total = values.sum()\n    return values / total if total else values * 0.0\n"
)
WRONG = RIGHT.replace("values / total if", "values * total if")
BODIES = (
    "assert total_share(pd.Series([1, 3])).tolist() == [0.25, 0.75]",
    "assert total_share(pd.Series([0, 0])).tolist() == [0.0, 0.0]",
    "with pytest.raises(ValueError, match='negative'):\n        total_share(pd.Series([-1]))",
)
SHARE = function("total_share", RIGHT, *BODIES)
CELL = {
    **PYTHON,
    "code": "from functions import total_share\n\nshares = revenue.assign(share=total_share(revenue['revenue']))\nshares",
    "result": "shares",
}
FIX = {
    "category": "logic",
    "cause": "It multiplies.",
    "where": "total_share",
    "fragment": "values / total",
    "code": RIGHT,
}


class Script:
    """Plays the model: functions first, the fixes in order, then the cell."""

    def __init__(self, functions: Sequence[Mapping[str, Any]], fixes: Sequence[Mapping[str, Any]] = ()) -> None:
        self.functions = functions
        self.fixes = list(fixes)
        self.asked: list[str] = []

    def __call__(self, asked: Asked) -> Served:
        body = asked.text.replace('\\"', '"')
        self.asked.append(body)
        if "` fails its tests." in body:
            return typed(asked, dict(self.fixes.pop(0)))
        if '"verdict"' in body:
            return typed(asked, REVIEW)
        if '"answered"' in body:
            return typed(asked, ANSWER)
        if '"assumptions"' in body:
            return typed(asked, PLAN)
        if "step 2 of the plan" not in body:
            return typed(asked, SQL)
        if '"functions"' in body and "was given up" not in body:
            return typed(asked, {**CELL, "code": "", "functions": [*self.functions]})
        kept = "Write the step's cell with them" in body
        return typed(asked, CELL if kept else PYTHON)


def play(tmp_path: Path, script: Script, *decisions: tuple[str, str]) -> tuple[tuple[Event, ...], Path]:
    """Ask, and decide about functions in this order; the events, and the folder of functions."""
    knowledge = tmp_path / "knowledge"
    knowledge.mkdir(exist_ok=True)

    async def scenario(url: str) -> tuple[Event, ...]:
        settings = Settings(
            home=tmp_path / "home",
            sources=(f"shop={shop(tmp_path)}",),
            knowledge=knowledge,
            base_url=url,
            api_key_env="TEST_KEY",
            embeddings="hashing",
            model="some-model",
        )
        async with open_workspace(settings) as workspace:
            session = await workspace.create()
            await session.ask("What share of the total has each region?", approve=("plan", "query", "python"))
            await session.settled()
            for action, reason in decisions:
                await decide(session, action, reason)
            return tuple(entry.event for entry in session.events())

    with serving(script, forms=("schema", "functions")) as server:
        return asyncio.run(scenario(server.url)), knowledge / "functions"


async def decide(session: Session, action: Any, reason: str) -> None:
    waiting = session.transcript.waiting
    assert waiting is not None
    assert waiting.functions is not None, waiting
    assert await session.decide(waiting.id, action, reason=reason)
    await session.settled()


def of(kind: type[Any], events: Sequence[Event]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction]
    monkeypatch.setenv("TEST_KEY", "sk-planted-secret")
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


def test_a_function_is_written_fixed_kept_by_the_person_and_used(tmp_path: Path) -> None:
    script = Script([{**SHARE, "code": WRONG}], [{**FIX, "code": WRONG}, FIX])
    events, folder = play(tmp_path, script, ("approve", ""))
    (proposed,) = of(FunctionsProposed, events)
    assert proposed.all_tests_passed
    assert [result.outcome for result in proposed.functions[0].results] == ["passed"] * 3
    assert [repair.outcome for repair in proposed.repairs] == ["refused", "applied"]
    assert "unchanged" in proposed.repairs[0].note
    assert any("Your last change was not run: The code is unchanged." in body for body in script.asked)
    assert "passed: test_normal" in show_functions(proposed)

    assert [event.names for event in of(FunctionsKept, events)] == [("total_share",)]
    (kept,) = read_functions(folder).functions
    assert kept.is_tested
    assert kept.purpose == "Say which share of the total each row has."
    assert {file.name for file in folder.iterdir()} == {"total_share.py", "test_total_share.py", "total_share.yaml"}

    cell = of(Proposal, events)[-1]
    assert [used.name for used in cell.functions] == ["total_share"]
    execution = of(Execution, events)[-1]
    assert execution.status == "ok", execution.failure
    assert of(Answer, events)[-1].status == "answered"
    # What was tested is what was kept, and what ran.
    assert kept.source.code == proposed.functions[0].code == cell.functions[0].code


def test_what_the_person_does_not_keep_is_not_there_and_the_question_is_answered(tmp_path: Path) -> None:
    events, folder = play(tmp_path, Script([SHARE]), ("reject", "Too much for one question."))
    assert not folder.exists()
    assert not of(FunctionsKept, events)
    assert of(Proposal, events)[-1].functions == ()
    assert of(Answer, events)[-1].status == "answered"


def test_nothing_is_kept_before_the_person_speaks_whatever_the_policy_says(tmp_path: Path) -> None:
    events, folder = play(tmp_path, Script([SHARE]))
    assert of(FunctionsProposed, events)
    assert not folder.exists()
    assert not of(Answer, events)


def test_a_test_in_doubt_is_changed_by_the_persons_word(tmp_path: Path) -> None:
    wrong = {**SHARE, "cases": [case("normal", BODIES[0].replace("0.75", "0.7")), *SHARE["cases"][1:]]}
    file = re.sub("0.7]", "0.75]", "\n\n\n".join([HEAD, *(entry["code"] for entry in wrong["cases"])])) + "\n"
    doubt = {"category": "test", "cause": "3 of 4 is 0.75.", "where": "test_normal", "code": file}
    events, folder = play(tmp_path, Script([wrong], [doubt]), ("approve", ""), ("approve", ""))
    first, second = of(FunctionsProposed, events)
    assert first.doubt is not None
    assert not first.all_tests_passed
    assert "0.7]" in first.functions[0].tests
    assert second.all_tests_passed
    assert [repair.outcome for repair in second.repairs] == ["allowed"]
    assert (folder / "test_total_share.py").read_text() == second.functions[0].tests
    assert of(Answer, events)[-1].status == "answered"


HEAD = "import numpy as np\nimport pandas as pd\nimport pytest\n\nfrom functions import total_share"


def test_several_come_in_their_order_and_a_circle_goes_back_to_the_model(tmp_path: Path) -> None:
    top = "from functions import total_share\n\n\ndef top_share(values):\n    return total_share(values).max()\n"
    bodies = (
        "assert top_share(pd.Series([1, 3])) == 0.75",
        "assert top_share(pd.Series([0, 0])) == 0",
        "with pytest.raises(ValueError):\n        top_share(pd.Series([-1]))",
    )
    upper = function("top_share", top, *bodies, needs=["total_share"])
    lower = {**SHARE, "code": f"from functions import top_share\n\n\n{RIGHT}", "needs": ["top_share"]}
    script = Script([upper, lower])
    serve = script.__call__

    def mend(asked: Asked) -> Served:
        if "These functions need each other" in asked.text:
            script.functions = [upper, SHARE]
        return serve(asked)

    events, _ = play(tmp_path, mend, ("approve", ""))  # pyright: ignore[reportArgumentType]
    assert any("top_share → total_share → top_share" in body for body in script.asked)
    (proposed,) = of(FunctionsProposed, events)
    assert [function.name for function in proposed.functions] == ["total_share", "top_share"]
    assert proposed.all_tests_passed
    assert of(FunctionsKept, events)


def test_what_cannot_be_mended_is_given_up_and_the_question_is_answered_all_the_same(tmp_path: Path) -> None:
    missing = {**SHARE, "code": f"import no_such_module\n\n\n{RIGHT}"}
    fixes = [{**FIX, "category": "environment", "code": missing["code"]}] * 5
    script = Script([missing], fixes)
    events, folder = play(tmp_path, script)
    (proposed,) = of(FunctionsProposed, events)
    assert "after 5 changes" in proposed.fault
    assert "No module named 'no_such_module'" in proposed.functions[0].error
    assert not folder.exists()
    assert of(Answer, events)[-1].status == "answered"
