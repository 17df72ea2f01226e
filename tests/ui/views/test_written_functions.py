"""What a person sees of functions that a model wrote, before anything of them is kept."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def _draw_card(*, is_doubted: bool) -> None:
    from assistant.core.events import (
        DecisionRequested,
        FunctionRepair,
        FunctionsProposed,
        FunctionTest,
        FunctionTestDoubt,
        WrittenFunction,
    )
    from assistant.core.turns import PendingRequest
    from ui.views import written_functions

    function = WrittenFunction(
        name="total_share",
        purpose="Say which share of the total each row has.",
        inputs=("values: numbers.",),
        output="A Series of shares.",
        complexity="linear",
        code="def total_share(values):\n    return values / values.sum()\n",
        tests="def test_normal(): ...\n",
        results=(
            FunctionTest(name="test_normal", outcome="passed"),
            FunctionTest(name="test_edge", outcome="failed", message="assert 1 == 2"),
        ),
    )
    proposed = FunctionsProposed(
        turn=1,
        id="1.2.functions.1",
        step=2,
        functions=(function,),
        repairs=(FunctionRepair(function="total_share", category="logic", cause="It multiplies.", outcome="refused"),),
        doubt=FunctionTestDoubt(function="total_share", test="test_edge", cause="One is not two.", tests="x = 1\n")
        if is_doubted
        else None,
    )
    request = DecisionRequested(turn=1, id="?", subject="functions", ref=proposed.id, reason="Keep it?")
    written_functions.draw_card(PendingRequest(request=request, functions=proposed))


def _read(*, is_doubted: bool) -> str:
    app = AppTest.from_function(_draw_card, kwargs={"is_doubted": is_doubted}, default_timeout=60).run()
    assert not app.exception
    text = "\n".join([*(block.value for block in app.markdown), *(block.value for block in app.code)])
    return text.replace("\\", "")  # Markdown's escapes


def test_specification_each_result_and_refused_changes_stand_on_the_card() -> None:
    text = _read(is_doubted=False)
    for part in ("total_share(values)", "share of the total", "values: numbers.", "Gives: A Series", "Time: linear"):
        assert part in text, part
    assert ":green[:material/check:] normal" in text
    assert ":red[:material/close:] edge" in text
    assert "assert 1 == 2" in text
    assert "It multiplies. :gray[(not run)]" in text
    assert "seems wrong" not in text


def test_a_test_in_doubt_says_why() -> None:
    assert "seems wrong" in _read(is_doubted=True)
    assert "One is not two." in _read(is_doubted=True)
