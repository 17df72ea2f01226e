"""A refusal by the host reads as what happened to the data, not as an error of the code."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def shown(name: str) -> str:
    def script(name: str) -> None:
        from assistant.core.events import Failure
        from ui.views.execution import draw_failure

        draw_failure(Failure(kind="raised", name=name, message="The source shop is gone. Connect it again.", line=2))

    app = AppTest.from_function(script, args=(name,)).run()
    return "\n".join(str(one.value) for one in app.markdown)


def test_a_source_that_went_away_is_said_in_words() -> None:
    told = shown("RequestRefused")
    assert "The data could not be read" in told
    assert "RequestRefused" not in told


def test_an_error_of_the_code_keeps_its_name() -> None:
    assert "KeyError" in shown("KeyError")
