"""The page draws every state a session can be in, and a click becomes the right call. In process, without a browser."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import recorded
from hubs import installed
from recorded import ALL
from streamlit.testing.v1 import AppTest

import ui
from assistant.cells.tables import TableView
from assistant.core.events import Answer, Appearance, DecisionRequested, Failed, Presented, Proposal, Question, Stopped
from assistant.core.turns import fold_session
from assistant.errors import ConfigError
from assistant.query.lineage import trace_lineage
from assistant.session.answers.presenting import Facts
from ui import actions, session_hub
from ui.screens import conversation
from ui.views.result import build_result
from ui.views.text import line

PAGE = Path(ui.__file__).parent / "page.py"
FIRST_ENDED = next(n for n, event in enumerate(ALL, 1) if event.kind == "answer")
ENDS = [n for n, event in enumerate(ALL, 1) if event.kind in ("answer", "failed", "stopped", "decision_requested")]


@pytest.fixture
def live() -> Iterator[session_hub.SessionHub]:
    with installed(recorded.open_workspace) as hub:
        yield hub


def page(session: str | None = None) -> AppTest:
    app = AppTest.from_file(str(PAGE), default_timeout=120)
    if session is not None:
        app.query_params["s"] = session
    return app.run()


def calls(live: session_hub.SessionHub, session: str) -> list[tuple[object, ...]]:
    opened = live.open(session)
    assert isinstance(opened, recorded.Session)
    return opened.calls


def shown(app: AppTest) -> str:
    return "\n".join(str(element.value) for element in (*app.markdown, *app.title, *app.caption))


@pytest.mark.slow
@pytest.mark.parametrize("n", range(1, len(ALL) + 1))
def test_a_session_can_be_drawn_after_every_event(live: session_hub.SessionHub, n: int) -> None:
    for session in (f"at-{n}", f"at-{n}-working"):
        app = page(session)
        assert not app.exception
        assert not app.error


@pytest.mark.slow
@pytest.mark.parametrize("n", ENDS)
def test_what_ended_once_may_end_so_again(live: session_hub.SessionHub, n: int) -> None:
    app = page(f"again-{n}")
    assert not app.exception
    assert not app.error


def test_an_answer_shows_its_further_tables_under_their_titles(live: session_hub.SessionHub) -> None:
    opened = live.open(f"at-{FIRST_ENDED}")
    assert isinstance(opened, recorded.Session)
    *before, answer = ALL[:FIRST_ENDED]
    opened.log = recorded.entries((*before, answer.model_copy(update={"table": None, "more_tables": ("1.1.2",)})))
    opened.version += 1
    app = page(f"at-{FIRST_ENDED}")
    assert not app.exception
    title = next(event.title for event in ALL if isinstance(event, Proposal) and event.id == "1.1.2")
    assert f"**{line(title)}**" in shown(app)
    assert [key for element in app.dataframe if (key := str(element.key)).startswith("table-more-1-1.1.2")]


def test_a_cell_that_ran_is_one_row_once_another_follows_and_holds_its_story_when_opened(
    live: session_hub.SessionHub,
) -> None:
    n = next(n for n, event in enumerate(ALL, 1) if isinstance(event, Proposal) and event.id == "1.2.1")
    first = next(event for event in ALL if isinstance(event, Proposal) and event.id == "1.1.2")
    app = page(f"at-{n - 1}-working")  # nothing has followed it yet
    assert "You edited and approved the code" in [row.label for row in app.expander]
    app = page(f"at-{n}-working")
    rows = [row.label for row in app.expander]
    assert sum(row.startswith(f"SQL: {line(first.title)}") for row in rows) == 1
    assert "You edited and approved the code" not in rows
    app.session_state["ran-1-2"] = True  # the third item, after the plan and a proposal that was rejected
    app.run()
    assert not app.exception
    assert "You edited and approved the code" in [row.label for row in app.expander]


def test_the_empty_page_offers_six_starters_and_tells_what_the_data_is(live: session_hub.SessionHub) -> None:
    app = page()
    assert not app.exception
    assert app.title[0].value == "What do you want to know?"
    assert [b.key for b in app.button if b.key and b.key.startswith("starter-")] == [f"starter-{n}" for n in range(6)]
    assert "sample company" in shown(app)
    assert "2 tables · 81,592 rows · 14 Mar 2023 to 13 Mar 2026 · changed 14 Mar 2026" in shown(app)


def test_a_starter_begins_a_session_and_asks(live: session_hub.SessionHub) -> None:
    page().button(key="starter-0").click().run()
    assert calls(live, "at-6") == [("ask", "What was net revenue by region last quarter?", ())]


def test_a_question_typed_on_the_empty_page_is_asked(live: session_hub.SessionHub) -> None:
    app = page()
    app.chat_input(key="first").set_value("How many orders?").run()
    assert calls(live, "at-6") == [("ask", "How many orders?", ())]
    assert app.query_params["s"] == "at-6"


def test_an_empty_question_is_not_asked(live: session_hub.SessionHub) -> None:
    app = page()
    app.chat_input(key="first").set_value("   ").run()
    assert "s" not in app.query_params
    assert not app.exception


def at(request: int) -> str:
    """The session just after the n-th request for a decision."""
    places = [n for n, event in enumerate(ALL, 1) if isinstance(event, DecisionRequested)]
    return f"at-{places[request - 1]}"


def test_start_approves_the_plan_as_it_is(live: session_hub.SessionHub) -> None:
    page(at(1)).button(key="go-1?").click().run()
    assert calls(live, at(1)) == [("decide", "1?", "approve", None, None, "")]


def test_an_edited_step_is_sent_as_an_edit_of_the_plan(live: session_hub.SessionHub) -> None:
    app = page(at(1))
    app.text_area(key="step-1?-0").set_value("Only net revenue of the North, by month")
    app.button(key="go-1?").click().run()
    (call,) = calls(live, at(1))
    assert call[:3] == ("decide", "1?", "edit")
    assert isinstance(call[4], tuple)
    assert [(s.title, s.language) for s in call[4]] == [
        ("Only net revenue of the North, by month", "sql"),
        ("Draw one line per region and name the largest fall", "python"),
    ]


def test_steps_can_be_added_and_removed(live: session_hub.SessionHub) -> None:
    app = page(at(1))
    app.button(key="add-1?").click().run()
    app.text_area(key="step-1?-a0").set_value("Compare with last year").run()
    app.button(key="remove-step-1?-1").click().run()
    app.button(key="go-1?").click().run()
    (call,) = calls(live, at(1))
    assert isinstance(call[4], tuple)
    assert [s.title for s in call[4]] == [
        "Net revenue by region and month for the last two quarters",
        "Compare with last year",
    ]


def test_the_instruction_that_is_sent_is_shown_and_an_edited_title_keeps_it(live: session_hub.SessionHub) -> None:
    app = page(at(1))
    assert app.text_area(key="instruction-1?-0").value == "Sum net revenue by region and month."
    app.text_area(key="step-1?-0").set_value("Net revenue of the North")
    app.text_area(key="instruction-1?-1").set_value("Draw a line chart, titles in German.")
    app.button(key="go-1?").click().run()
    (call,) = calls(live, at(1))
    assert isinstance(call[4], tuple)
    assert [(s.title, s.instruction) for s in call[4]] == [
        ("Net revenue of the North", "Sum net revenue by region and month."),
        ("Draw one line per region and name the largest fall", "Draw a line chart, titles in German."),
    ]


def test_language_and_order_of_steps_are_chosen(live: session_hub.SessionHub) -> None:
    app = page(at(1))
    app.button(key="add-1?").click().run()
    app.text_area(key="step-1?-a0").set_value("Fit a trend").run()
    app.selectbox(key="language-1?-a0").set_value("python").run()
    app.button(key="up-step-1?-a0").click().run()
    app.button(key="go-1?").click().run()
    (call,) = calls(live, at(1))
    assert isinstance(call[4], tuple)
    assert [(s.title, s.language) for s in call[4]] == [
        ("Net revenue by region and month for the last two quarters", "sql"),
        ("Fit a trend", "python"),
        ("Draw one line per region and name the largest fall", "python"),
    ]


def test_a_plan_that_grew_says_why_and_what_has_run_stays(live: session_hub.SessionHub) -> None:
    session = live.open(at(1))
    assert isinstance(session, recorded.Session)
    grown = recorded.Plan(
        turn=1,
        id="1.plan.2",
        restated="Net revenue by region",
        steps=recorded.STEPS,
        begins=2,
        changed="The North has two names.",
    )
    before = ALL[: int(at(1).removeprefix("at-")) - 1]
    request = DecisionRequested(turn=1, id="2?", subject="plan", ref="1.plan.2")
    session.log = recorded.entries((*before, grown, request))
    session.version += 1
    app = page(at(1))
    assert "Why the plan changed: The North has two names" in shown(app)
    assert "has run" in shown(app)
    assert [area.key for area in app.text_area if str(area.key).startswith("step-")] == ["step-2?-1"]
    assert not [button for button in app.button if str(button.key) in ("remove-step-2?-0", "up-step-2?-1")]
    app.text_area(key="step-2?-1").set_value("Draw the regions")
    app.button(key="go-2?").click().run()
    (call,) = calls(live, at(1))
    assert isinstance(call[4], tuple)
    assert [s.title for s in call[4]] == [recorded.STEPS[0].title, "Draw the regions"]


def test_what_is_typed_while_code_waits_rejects_it_with_that_reason(live: session_hub.SessionHub) -> None:
    page(at(2)).chat_input(key="composer").set_value("leave out returns").run()
    assert calls(live, at(2)) == [("decide", "1.1.1?", "reject", None, None, "leave out returns")]


def test_reject_sends_its_reason(live: session_hub.SessionHub) -> None:
    app = page(at(2))
    app.button(key="reject-1.1.1?").click().run()
    app.text_area(key="reason-1.1.1?").set_value("wrong quarter")
    app.button(key="send-reason-1.1.1?").click().run()
    assert calls(live, at(2)) == [("decide", "1.1.1?", "reject", None, None, "wrong quarter")]


def test_run_approves_exactly_what_was_shown(live: session_hub.SessionHub) -> None:
    page(at(2)).button(key="go-1.1.1?").click().run()
    assert calls(live, at(2)) == [("decide", "1.1.1?", "approve", None, None, "")]


def test_a_second_click_is_refused_and_said(live: session_hub.SessionHub) -> None:
    app = page(at(2))
    app.button(key="go-1.1.1?").click().run()
    app.button(key="go-1.1.1?").click().run()
    assert [call[:2] for call in calls(live, at(2))] == [("decide", "1.1.1?"), ("decide", "1.1.1?")]
    assert any("already decided" in toast.value for toast in app.toast)


def test_a_draft_survives_a_new_page(live: session_hub.SessionHub) -> None:
    app = page(at(2))
    app.button(key="edit-1.1.1?").click().run()
    session = live.open(at(2))
    live.of(session).drafts["1.1.1?"] = "revenue = query('SELECT 2')"
    again = page(at(2))
    again.button(key="go-1.1.1?").click().run()
    assert calls(live, at(2))[0][:4] == ("decide", "1.1.1?", "edit", "revenue = query('SELECT 2')")
    assert live.of(session).drafts == {}


def test_code_with_a_warning_is_not_the_primary_action(live: session_hub.SessionHub) -> None:
    app = page(at(4))
    run = app.button(key="go-1.2.1?")
    assert run.label == "Run anyway"
    assert "March is not complete" in shown(app)


def test_a_clarification_is_answered_by_its_options_or_in_words(live: session_hub.SessionHub) -> None:
    n = next(n for n, event in enumerate(ALL, 1) if event.kind == "clarification")
    app = page(f"at-{n}")
    app.button(key="option-2.c1-0").click().run()
    app.chat_input(key="composer").set_value("the second").run()
    assert calls(live, f"at-{n}") == [("answer", "2.c1", "Customers who left"), ("answer", "2.c1", "the second")]


@pytest.mark.slow
def test_what_was_said_to_a_question_back_stands_where_it_was_said(live: session_hub.SessionHub) -> None:
    first = next(n for n, event in enumerate(ALL, 1) if event.kind == "clarification_answered")
    asked, back, reply = (
        line(text) for text in ("How did churn change?", "Which churn do you mean?", "Customers who left")
    )
    for n in range(first, len(ALL) + 1):
        values = [element.value for element in page(f"at-{n}").markdown]
        start = values.index(asked)
        assert values[start : start + 3] == [asked, f":gray[{back}]", reply], ALL[n - 1].kind


def test_work_can_be_stopped_and_gone_on_with(live: session_hub.SessionHub) -> None:
    page("at-5-working").button(key="stop").click().run()
    assert calls(live, "at-5-working") == [("stop",)]
    n = len(ALL)
    page(f"at-{n}").button(key="resume-3").click().run()
    assert calls(live, f"at-{n}") == [("resume",)]


def test_the_last_lines_that_a_running_cell_printed_are_in_view(live: session_hub.SessionHub) -> None:
    n = next(n for n, event in enumerate(ALL, 1) if event.kind == "execution_started")
    session = live.open(f"at-{n}-working")
    assert isinstance(session, recorded.Session)
    session.partial["executor"] = "".join(f"\x1b[32mline {i}\x1b[0m\n" for i in range(50))
    assert page(f"at-{n}-working").code[-1].value.splitlines() == [f"line {i}" for i in range(42, 50)]


def test_a_follow_up_is_asked_by_one_click(live: session_hub.SessionHub) -> None:
    n = next(n for n, event in enumerate(ALL, 1) if event.kind == "answer")
    app = page(f"at-{n}")
    app.button(key="follow-1-1").click().run()
    assert calls(live, f"at-{n}") == [("ask", "Only 2026", ())]


def test_an_answer_is_marked_right_by_one_click(live: session_hub.SessionHub) -> None:
    app = page(f"at-{FIRST_ENDED}")
    app.button(key="verify-1").click().run()
    assert calls(live, f"at-{FIRST_ENDED}") == [("verify", 1)]


def test_what_is_marked_says_by_whom_and_when_and_can_be_taken_back(live: session_hub.SessionHub) -> None:
    app = page(f"marked-{FIRST_ENDED}")
    assert "Marked right by Ana \\*Berg\\* on 14 March 2026" in shown(app)
    assert not [b for b in app.button if b.key == "verify-1"]
    app.button(key="revoke-1").click().run()
    assert calls(live, f"marked-{FIRST_ENDED}") == [("revoke", 1)]


def test_an_earlier_answer_can_be_marked_and_one_that_cannot_be_is_not_offered(live: session_hub.SessionHub) -> None:
    app = page(f"marked-{len(ALL)}")
    assert [b.key for b in app.button if b.key and b.key.startswith(("verify", "revoke"))] == ["revoke-1"]
    app = page(f"at-{len(ALL)}")
    assert [b.key for b in app.button if b.key and b.key.startswith(("verify", "revoke"))] == ["verify-1"]


def test_a_question_that_goes_on_from_another_is_marked_in_words_that_stand_alone(live: session_hub.SessionHub) -> None:
    session = f"at-{FIRST_ENDED}"
    live.open(session).leaning = True  # pyright: ignore[reportAttributeAccessIssue] - the recorded one
    app = page(session)
    assert str(app.text_area(key="right-question-1").value).startswith("Restated: ")
    app.text_area(key="right-question-1").set_value("Total by region in 2026")
    app.button(key="verify-1").click().run()
    assert calls(live, session) == [("verify", 1, "Total by region in 2026")]


def test_an_open_page_draws_an_earlier_answer_anew_when_it_is_marked_elsewhere(live: session_hub.SessionHub) -> None:
    before, after = live.open(f"at-{len(ALL)}"), live.open(f"marked-{len(ALL)}")
    frame = conversation._compute_frame(live, before, live.of(before).view())
    assert frame == conversation._compute_frame(live, before, live.of(before).view())
    assert frame[1:] != conversation._compute_frame(live, after, live.of(after).view())[1:]


def test_a_workspace_that_cannot_be_opened_is_said_on_the_page() -> None:
    @asynccontextmanager
    async def broken() -> AsyncGenerator[recorded.Workspace]:
        raise ConfigError("tandem.toml names a folder that is not there")
        yield recorded.Workspace()

    served = session_hub.SessionHub(broken)
    served.start()
    session_hub.install(served)
    try:
        app = page()
        assert not app.exception
        assert "not there" in app.error[0].value
    finally:
        session_hub.install(None)
        served.close()


def test_an_unknown_session_is_said_kindly(live: session_hub.SessionHub) -> None:
    app = page("nothing")
    assert not app.exception
    assert "not here" in shown(app)


@pytest.mark.slow
@pytest.mark.parametrize("place", ["questions", "data", "knowledge", "settings"])
def test_every_screen_can_be_drawn(live: session_hub.SessionHub, place: str) -> None:
    page(f"at-{len(ALL)}")

    def script(place: str) -> None:
        import streamlit as st

        from ui.screens import knowledge, routes, sessions, settings, sources

        st.navigation(list(routes.build_pages().values()), position="hidden")
        {"questions": sessions, "data": sources, "knowledge": knowledge, "settings": settings}[place].draw()

    app = AppTest.from_function(script, args=(place,), default_timeout=120).run()
    assert not app.exception


def test_the_knowledge_screen_finds_what_is_written_and_says_what_cannot_be_read(live: session_hub.SessionHub) -> None:
    def script() -> None:
        from ui.screens import knowledge

        knowledge.draw()

    app = AppTest.from_function(script, default_timeout=120).run()
    assert not app.exception
    assert "entry 4 has no definition" in app.warning[0].value
    assert ":gray[:material/folder_open: knowledge]" in [text.value for text in app.markdown]
    assert {"net revenue", "churned customer"} <= {expander.label for expander in app.expander}
    assert {"Orders by status", "Orders by week"} <= {expander.label for expander in app.expander}
    app = app.text_input(key="knowledge-find").set_value("180 days").run()
    assert [expander.label for expander in app.expander] == ["Define a word", "churned customer"]


def test_where_a_turn_ended_early_the_card_with_its_way_on_is_brought_into_view() -> None:
    early = [n for n in ENDS if isinstance(ALL[n - 1], Stopped | Failed)]
    shown = {conversation.find_anchor(fold_session(recorded.entries(ALL[:n])), working=False) for n in early}
    assert shown == {
        ("turn-2-stopped", "stopped-2", "nearest"),
        ("turn-2-failed", "failed-2", "nearest"),
        ("turn-3-stopped", "stopped-3", "nearest"),
    }


def test_a_verified_question_is_taken_back_where_it_was_kept_and_one_written_by_hand_is_left(
    live: session_hub.SessionHub,
) -> None:
    def script() -> None:
        import streamlit as st

        from ui.screens import knowledge

        for one in ("query:a", "query:b"):
            st.session_state[f"knowledge-{one}"] = True
        knowledge.draw()

    app = AppTest.from_function(script, default_timeout=120).run()
    assert not app.exception
    assert "Marked right by Ana on 14 March 2026" in shown(app)
    assert "Written by hand" in shown(app)
    assert [b.key for b in app.button if "revoke" in str(b.key)] == ["knowledge-revoke-query:a"]
    app.button(key="knowledge-revoke-query:a").click().run()
    assert not app.exception
    assert live.workspace.revoked == ["query:a"]  # pyright: ignore[reportAttributeAccessIssue] - the recorded one
    app.button(key="knowledge-revoke-query:a").click().run()
    assert "not there any more" in app.error[0].value


def test_a_word_is_defined_changed_and_removed_on_the_knowledge_screen(live: session_hub.SessionHub) -> None:
    def script() -> None:
        import streamlit as st

        from ui.screens import knowledge

        st.session_state["knowledge-term:fan"] = True
        knowledge.draw()

    defined = live.workspace.defined  # pyright: ignore[reportAttributeAccessIssue] - the recorded one
    app = AppTest.from_function(script, default_timeout=120).run()
    keep = next(b for b in app.button if b.label == "Keep it")
    keep.click().run()
    assert "needs a word" in app.error[0].value
    app.text_input(key="word-new-0").set_value("fan")
    app.text_area(key="meaning-new-0").set_value("a customer with an order")
    next(b for b in app.button if b.label == "Keep it").click().run()
    assert not app.exception
    assert defined == {"term:fan": ("fan", "a customer with an order")}
    assert "compute with it" in app.success[0].value
    assert app.text_input(key="word-new-1").value == ""
    assert "Defined by Ana on 14 March 2026" in shown(app)

    app.button(key="change-term:fan").click().run()
    assert app.text_area(key="meaning-term:fan-1").value == "a customer with an order"
    app.text_area(key="meaning-term:fan-1").set_value("an elf")
    next(b for b in app.button if b.label == "Keep it" and "term:fan" in str(b.key)).click().run()
    assert not app.exception
    assert defined == {"term:fan": ("fan", "an elf")}
    assert any("cannot compute" in warning.value for warning in app.warning)

    app.button(key="remove-term:fan").click().run()
    assert not app.exception
    assert defined == {}
    assert "not defined here any more" in app.success[0].value


def test_what_was_written_by_hand_is_changed_in_place_and_a_fault_stands_at_its_field(
    live: session_hub.SessionHub,
) -> None:
    def script() -> None:
        import streamlit as st

        from ui.screens import knowledge

        st.session_state["knowledge-metric:net-revenue"] = True
        knowledge.draw()

    app = AppTest.from_function(script, default_timeout=120).run()
    assert not app.exception
    app.button(key="entry-change-metric:net-revenue").click().run()
    app.text_input(key="entry-metric:net-revenue-table").set_value("orders")
    next(b for b in app.button if b.label == "Keep it" and "metric:net-revenue" in str(b.key)).click().run()
    assert not app.exception
    assert "This must say something" in shown(app)
    assert app.text_input(key="entry-metric:net-revenue-table").value == "orders", "nothing typed is lost"
    app.text_area(key="entry-metric:net-revenue-expression").set_value("SUM(orders.total)")
    next(b for b in app.button if b.label == "Keep it" and "metric:net-revenue" in str(b.key)).click().run()
    assert not app.exception
    kept = live.workspace.knowledge.entries.kept["metric:net-revenue"]  # pyright: ignore[reportAttributeAccessIssue] - recorded
    assert (kept["expression"], kept["table"]) == ("SUM(orders.total)", "orders")
    assert "Kept. This is what it comes to" in shown(app)
    assert "9\\.5" in shown(app)


def test_how_a_file_was_read_stands_with_the_question_it_came_with() -> None:
    def script() -> None:
        from assistant.core.events import SourceAdded, TableSummary
        from ui.views import source_reading

        tables = (TableSummary(name="gym", rows=401, columns=("course", "fee")),)
        notes = ("3 lines above the header skipped", "its last row looks like a total ('Total')")
        gym = SourceAdded(name="gym", dialect="duckdb", display="gym.csv", tables=tables, notes=notes)
        source_reading.draw([gym], key="1")

    app = AppTest.from_function(script, default_timeout=120).run()
    assert not app.exception
    assert [expander.label for expander in app.expander] == ["How it was read"]
    assert "3 lines above the header skipped" in shown(app)
    assert shown(app).count("gym") == 1, "a table of the file's own name is not named twice"


def test_the_first_question_to_a_model_elsewhere_shows_what_is_sent_and_waits_for_a_choice(
    live: session_hub.SessionHub,
) -> None:
    session = live.open(f"at-{FIRST_ENDED}")
    assert isinstance(session, recorded.Session)
    session.told = recorded.disclosure()
    actions.ask(live, session, "Who left?")
    app = page(session.id)
    assert not app.exception
    assert not any(call[0] == "ask" for call in session.calls)
    assert "What may the model see?" in shown(app)
    assert [code.value for code in app.code if "sent with results" in code.value]
    app.radio(key="seen-level").set_value("names").run()
    assert [code.value for code in app.code if "sent with names" in code.value]
    app.button(key="choose-seen").click().run()
    assert session.calls[-2:] == [("seen", ("a.example",), "names"), ("ask", "Who left?", ())]


def test_what_a_model_saw_can_be_opened_with_the_limits(live: session_hub.SessionHub) -> None:
    def script(session_id: str) -> None:
        from ui import session_hub as hub
        from ui.views import disclosing

        opened = hub.current()
        session = opened.open(session_id)
        view = opened.of(session).view()
        assert view.current is not None
        disclosing.draw_sent(session, view.current, is_last=True)

    app = AppTest.from_function(script, args=(f"at-{FIRST_ENDED}",), default_timeout=120).run()
    assert not app.exception
    assert "--- user\nRevenue by region, to the letter" in [code.value for code in app.code]
    assert [caption.value for caption in app.caption] == ["3 of 60 calls used for this question"]


def test_settings_say_in_plain_words_what_works_and_fold_the_details(live: session_hub.SessionHub) -> None:
    def script() -> None:
        from ui.screens import settings

        settings.draw()

    app = AppTest.from_function(script, default_timeout=30).run()
    assert not app.exception
    (details,) = [one for one in app.expander if one.label == "Technical details"]
    folded = [str(one.value) for one in details.markdown]
    plain = "\n".join(str(one.value) for one in app.markdown if str(one.value) not in folded)
    assert ":green[:material/check_circle:] **Running code safely**  \nCode runs locked away" in plain, (
        "a way to lock code away that is not in use says nothing of how it is"
    )
    assert "**Understanding words**  \nOnly words that are spelt alike are found." in plain
    assert "has no key" in plain, "why a model cannot be asked"
    assert "Set OPENAI" in plain, "and what to do"
    for technical in ("zygote", "hashing", "SQLite"):
        assert technical not in plain
        assert technical in "\n".join(folded)


def test_every_finding_of_the_doctor_belongs_to_a_topic_of_the_settings() -> None:
    from ui.screens.settings_health import TOPICS

    rooms = Path(__file__).resolve().parents[2] / "assistant" / "session" / "health"
    source = "".join((rooms / name).read_text() for name in ("doctor.py", "store_health.py"))
    named = set(re.findall(r'\b(?:name|whose) ?= ?f?"([^"{]+)', source))
    assert {"cage", "embeddings", "models", "model of the ", "source ", "store"} <= named
    begins = tuple(word for topic in TOPICS for word in topic.begins)
    assert [name for name in named if not name.startswith(begins)] == []


def test_a_model_is_tested_from_the_settings(live: session_hub.SessionHub) -> None:
    def script() -> None:
        from ui.screens import settings

        settings.draw()

    app = AppTest.from_function(script, default_timeout=120).run()
    app.button(key="test-house").click().run()
    assert not app.exception
    assert "did not answer within 9 s" in app.error[0].value


def test_a_browser_that_still_shows_the_chart_before_chooses_none(live: session_hub.SessionHub) -> None:
    """Words have changed the chart; the next click anywhere brings the choice of a page drawn before that."""
    session = f"at-{FIRST_ENDED}"
    opened = live.open(session)
    assert isinstance(opened, recorded.Session)
    app = page(session)
    for n, kind in enumerate(("bar", "line"), 1):
        drawn_before = app._tree
        for box in app.selectbox:
            box.set_value(box.value)  # as the browser holds it, also where the page no longer draws it
        (control,) = [one for one in app.menu_button if str(one.key).startswith("kind-1-")]
        control.click(kind)
        look = Appearance(chart=kind)
        opened.log = recorded.entries((*ALL[:FIRST_ENDED], *(Presented(turn=1, look=look),) * n))
        opened.version += 1
        app.run()
        app._tree = drawn_before
        app.run()
        assert not app.exception
        assert calls(live, session) == []


def test_a_choice_that_the_browser_hands_on_twice_is_taken_once(live: session_hub.SessionHub) -> None:
    session = f"at-{FIRST_ENDED}"
    opened = live.open(session)
    assert isinstance(opened, recorded.Session)
    app = page(session)
    (control,) = [one for one in app.menu_button if str(one.key).startswith("kind-1-")]
    control.click("none")
    opened.log = recorded.entries((*ALL[:FIRST_ENDED], Presented(turn=1, look=Appearance(chart="none"))))
    opened.version += 1
    app.run()
    assert not app.exception
    assert calls(live, session) == [], "the log has that choice already"


def test_a_courtesy_is_neither_new_nor_wrong(live: session_hub.SessionHub) -> None:
    opened = live.open(f"at-{FIRST_ENDED}")
    assert isinstance(opened, recorded.Session)
    app = page(f"at-{FIRST_ENDED}")
    assert [key for button in app.button if (key := str(button.key)).startswith("verify-1")]
    thanks = (Question(turn=2, text="thanks"), Answer(turn=2, status="answered", text="You are welcome."))
    opened.log = recorded.entries((*ALL[:FIRST_ENDED], *thanks))
    opened.version += 1
    app.run()
    assert "You are welcome." in shown(app)
    assert not [button for button in app.button if str(button.key).startswith(("verify-2", "dispute-2"))]
    assert [str(one.value) for one in app.markdown].count(":gray-badge[:material/edit_note: New]") <= 1


def test_what_was_declined_cannot_be_pinned(live: session_hub.SessionHub) -> None:
    opened = live.open(f"at-{FIRST_ENDED}")
    assert isinstance(opened, recorded.Session)
    assert [button for button in page(f"at-{FIRST_ENDED}").button if button.key == "pin-it"]
    *before, answer = ALL[:FIRST_ENDED]
    opened.log = recorded.entries((*before, answer.model_copy(update={"status": "declined"})))
    opened.version += 1
    app = page(f"at-{FIRST_ENDED}")
    assert not [button for button in app.button if button.key == "pin-it"]
    (kinds,) = [one for one in app.menu_button if str(one.key).startswith("kind-1-")]
    assert kinds.label == "Chart: as drawn"
    assert [one.rpartition(": ")[2] for one in kinds.options][:3] == ["As drawn", "Line", "Bars"], "each by its name"
    opened.log = recorded.entries((*before, answer.model_copy(update={"status": "declined", "chart": None})))
    opened.version += 1
    (kinds,) = [one for one in page(f"at-{FIRST_ENDED}").menu_button if str(one.key).startswith("kind-1-")]
    assert kinds.label == "No chart", "the rows that were read are there, and no chart makes an answer of them"


def test_the_rows_of_code_have_no_totals(live: session_hub.SessionHub) -> None:
    """A row may hold the sum of the others; of a query it is known that it does not."""
    table = TableView(columns=("part", "amount"), rows=(("everything", 5), ("North", 3), ("South", 2)), total=3)
    lineage = trace_lineage("SELECT part, sum(amount) AS amount FROM t GROUP BY 1", "duckdb")
    assert build_result(table, Facts(properties={}, lineage=lineage), Appearance(), "en", key=()).sums == {
        "amount": 10.0
    }
    assert build_result(table, Facts(properties={}), Appearance(), "en", key=()).sums == {}
