from __future__ import annotations

from memory_sessions import answered_turn

from assistant.core.events import Answer, Citation, Decision, Execution, Proposal, Question, Stopped
from assistant.record.memory.focus import Focus, find_focus


def test_a_follow_up_refers_to_the_last_answered_turn() -> None:
    log = [
        *answered_turn(1, "Revenue by region?"),
        *answered_turn(2, "Revenue by month?", sql="SELECT 2", result="monthly"),
    ]
    log.append(Question(turn=3, text="only 2025"))
    found = find_focus(log)
    assert found == Focus(
        turn=2,
        question="Revenue by month?",
        plan_meaning='{"turn": 2}',
        proposal_meaning='{"sql": 2}',
        sql="SELECT 2",
        source="shop",
        variable="monthly",
        columns=("region", "revenue"),
        execution="2.1.1",
    )


def test_a_follow_up_refers_to_the_table_that_was_drawn_and_not_to_the_chart() -> None:
    log = answered_turn(1, "Revenue by region, with a chart?")
    drawn = {"application/vnd.vegalite.v6+json": {"mark": "bar", "encoding": {}}}
    log[-1:-1] = [
        Proposal(turn=1, id="1.2.1", step=2, revision=1, language="python", title="Draw", code="chart", result="chart"),
        Execution(
            turn=1,
            id="1.2.1",
            step=2,
            language="python",
            code="chart",
            status="ok",
            outputs=({"output_type": "execute_result", "data": drawn},),
        ),
    ]
    found = find_focus(log)
    assert (found.variable, found.columns, found.execution) == ("result", ("region", "revenue"), "1.2.1")


def test_declined_failed_and_stopped_turns_are_passed_over() -> None:
    log = answered_turn(1, "Revenue by region?")
    log += [Question(turn=2, text="blorp?"), Answer(turn=2, status="declined", text="I did not understand 'blorp'.")]
    log += [Question(turn=3, text="by month"), Stopped(turn=3)]
    log += [Question(turn=4, text="by year"), Answer(turn=4, status="failed", text="It failed.")]
    log += [Question(turn=5, text="as a bar chart")]
    assert find_focus(log).turn == 1


def test_a_turn_that_only_spoke_is_passed_over() -> None:
    log = answered_turn(1, "Revenue by region?")
    log += [Question(turn=2, text="explain this answer"), Answer(turn=2, status="answered", text="This is how.")]
    log += [Question(turn=3, text="thanks"), Answer(turn=3, status="answered", text="You are welcome.")]
    assert find_focus([*log, Question(turn=4, text="as percentages")]).turn == 1


def test_without_an_answer_there_is_nothing_to_refer_to() -> None:
    assert find_focus([Question(turn=1, text="only 2025")]) == Focus()


def test_code_that_a_person_edited_is_said_to_be_edited() -> None:
    log = answered_turn(1, "Revenue by region?")
    log[4] = Decision(turn=1, request="r", subject="code", ref="1.1.1", action="edit", by="person", code="x = 1")
    assert find_focus(log).edited


def test_an_edit_that_was_given_up_again_is_none() -> None:
    log = answered_turn(1, "Revenue by region?")
    given_up = Decision(turn=1, request="r", subject="code", ref="1.1.1", action="edit", by="person", code="x = (")
    log.insert(4, given_up)
    assert not find_focus(log).edited


def test_a_focus_tells_of_edits_assumptions_citations_and_the_chart() -> None:
    *log, answer = answered_turn(1, "Revenue?")
    plan = log[1]
    cited = Citation(id="metric:revenue", title="t", origin="o")
    log[1] = plan.model_copy(update={"assumptions": ("net",), "citations": (cited,), "trust": "adapted"})
    charted = answer.model_copy(update={"chart": "1.1.1"})
    focus = find_focus([*log, charted])
    assert (focus.assumptions, focus.cited, focus.trust) == (("net",), ("metric:revenue",), "adapted")
    assert (focus.edited, focus.chart, focus.question) == (False, "1.1.1", "Revenue?")
    edit = Decision(turn=1, request="r", subject="code", ref="1.1.1", action="edit", by="person", code="x")
    assert find_focus([*log, edit, answer]).edited
    of_plan = edit.model_copy(update={"subject": "plan", "ref": "1.plan.1", "steps": ()})
    assert find_focus([*log, of_plan, answer]).edited
    assert not find_focus([*log, of_plan.model_copy(update={"action": "approve"}), answer]).edited


def test_a_result_without_a_name_has_the_columns_of_its_query() -> None:
    *log, answer = answered_turn(1, "Revenue?")
    log = [event.model_copy(update={"result": ""}) if isinstance(event, Proposal) else event for event in log]
    focus = find_focus([*log, answer])
    assert (focus.variable, focus.columns) == (None, ("region", "revenue"))
    unnamed = [
        event.model_copy(update={"variables": (), "queries": ()}) if isinstance(event, Execution) else event
        for event in log
    ]
    focus = find_focus([*unnamed, answer])
    assert (focus.sql, focus.source, focus.columns, focus.execution) == (None, None, (), "1.1.1")
    spoken = [event for event in log if not isinstance(event, Proposal | Execution)]
    focus = find_focus([*spoken, answer])
    assert (focus.turn, focus.variable, focus.columns, focus.execution) == (1, None, (), None)
