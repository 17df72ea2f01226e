"""The reducer: what the page shows is a pure, total function of the log."""

from __future__ import annotations

import recorded
from hypothesis import given
from hypothesis import strategies as st
from recorded import ALL, FIRST, MARK, OPENED, SECOND, entries

from assistant.core.events import (
    Answer,
    AnyEvent,
    Appearance,
    Clarification,
    Decision,
    DecisionRequested,
    Execution,
    ExecutionStarted,
    Plan,
    Presented,
    Proposal,
    Question,
    Revoked,
    SessionOpened,
    SessionRenamed,
    SourceAdded,
    Step,
    Stopped,
    Usage,
)
from assistant.core.turns import NoticeItem, PlanItem, Transcript, fold_session


def upto(kind: type[object], n: int = 1, *, events: tuple[AnyEvent, ...] = (*OPENED, *FIRST)) -> Transcript:
    """The view just after the n-th event of a kind."""
    seen = 0
    for place, event in enumerate(events, 1):
        seen += isinstance(event, kind)
        if seen == n:
            return fold_session(entries(events[:place]))
    raise AssertionError(f"there are only {seen} of {kind.__name__}")


@given(st.lists(st.sampled_from(ALL), max_size=40))
def test_any_sequence_of_events_gives_a_view(events: list[AnyEvent]) -> None:
    view = fold_session(entries(events))
    assert len(view.turns) == sum(isinstance(event, Question) for event in events)
    for turn in view.turns:
        assert not (turn.end is not None and turn.waiting is not None)
        assert turn.running is None or turn.running.execution is None
    assert view.seq == len(events)


@given(st.integers(0, len(ALL)))
def test_a_view_does_not_depend_on_when_it_was_first_drawn(n: int) -> None:
    assert repr(fold_session(entries(ALL[:n]))) == repr(fold_session(list(entries(ALL))[:n]))


def test_an_empty_log_is_an_empty_session() -> None:
    view = fold_session(())
    assert (view.turns, view.title, view.waiting, view.current) == ([], "", None, None)


def test_the_title_is_the_first_question_until_the_person_gives_one() -> None:
    assert fold_session(entries(FIRST)).title == "Which region's net revenue fell the most last month?"
    renamed = (*FIRST, SessionRenamed(title="North"), *SECOND)
    assert fold_session(entries(renamed)).title == "North"


def test_a_plan_waits_until_it_is_decided() -> None:
    waiting = upto(DecisionRequested).waiting
    assert waiting is not None
    assert (waiting.kind, waiting.id) == ("plan", "1?")
    assert waiting.plan is not None
    assert upto(Decision).waiting is None


def test_code_waits_with_its_review() -> None:
    waiting = upto(DecisionRequested, 2).waiting
    assert waiting is not None
    assert waiting.item is not None
    assert waiting.item.proposal.id == "1.1.1"
    assert waiting.item.review is not None


def test_a_decision_of_another_request_leaves_the_waiting_one() -> None:
    events = (
        *OPENED,
        *FIRST[:4],
        Decision(turn=1, request="9?", subject="plan", ref="9", action="approve", by="person"),
    )
    waiting = fold_session(entries(events)).waiting
    assert waiting is not None
    assert waiting.id == "1?"


def test_a_request_without_its_subject_is_not_offered_for_decision() -> None:
    events = (Question(turn=1, text="?"), DecisionRequested(turn=1, id="1?", subject="code", ref="none"))
    assert fold_session(entries(events)).waiting is None


def test_a_clarification_waits_and_remembers_its_answer() -> None:
    events = (*OPENED, *FIRST, *SECOND[:2])
    waiting = fold_session(entries(events)).waiting
    assert waiting is not None
    assert isinstance(waiting.request, Clarification)
    assert fold_session(entries((*events, SECOND[2]))).waiting is None


def test_running_is_what_started_and_did_not_end() -> None:
    running = upto(ExecutionStarted).current
    assert running is not None
    assert running.running is not None
    assert running.running.proposal.id == "1.1.2"
    assert running.phase == "running"
    done = upto(Execution).current
    assert done is not None
    assert done.running is None


def test_the_code_shown_is_the_code_that_ran() -> None:
    view = upto(Decision, 3)
    assert view.current is not None
    edited = view.current.proposals[-1]
    assert edited.code != edited.proposal.code
    view = upto(Execution)
    assert view.current is not None
    assert view.current.proposals[-1].code == recorded.SQL


def test_a_review_of_an_edit_does_not_replace_the_review_of_the_proposal() -> None:
    view = upto(ExecutionStarted)
    assert view.current is not None
    item = view.current.proposals[-1]
    assert item.review is not None
    assert item.edit_review is not None
    assert item.edit_review.of_edit


def test_a_rejected_proposal_keeps_its_reason_and_a_new_one_follows() -> None:
    view = upto(Proposal, 2)
    assert view.current is not None
    first, second = view.current.proposals
    assert first.decision is not None
    assert first.decision.reason == "leave out returned orders as well"
    assert second.proposal.revision == 2


def test_an_edited_plan_keeps_both_versions() -> None:
    steps = (Step(title="Only this", language="sql"),)
    edited = Decision(turn=1, request="1?", subject="plan", ref="1", action="edit", by="person", steps=steps)
    view = fold_session(entries((*FIRST[:4], edited)))
    assert view.current is not None
    item = view.current.items[0]
    assert isinstance(item, PlanItem)
    assert item.decision is not None
    assert item.decision.steps == steps
    assert len(item.plan.steps) == 2


def test_the_steps_are_those_that_the_person_left_and_the_due_one_follows_what_ran() -> None:
    planned = Plan(turn=1, id="1.p1", restated="", steps=(Step(title="Add up", language="sql"),))
    asked = DecisionRequested(turn=1, id="1.d1", subject="plan", ref="1.p1")
    steps = (*planned.steps, Step(title="Draw it", language="python"))
    edited = Decision(turn=1, request="1.d1", ref="1.p1", subject="plan", action="edit", by="person", steps=steps)
    put = Proposal(turn=1, id="1.1.1", step=1, revision=1, language="sql", title="Add up", code="1")
    ran = Execution(turn=1, id="1.1.1", step=1, language="sql", code="1", status="ok")
    log: list[AnyEvent] = [Question(turn=1, text="How much?"), planned, asked, edited, put]
    before, after = (fold_session(entries(tuple(events))).turns[-1] for events in (log, [*log, ran]))
    assert (before.steps, before.step) == (steps, 1)
    assert (after.steps, after.step) == (steps, 2)


def test_a_stop_ends_what_runs_and_a_resumption_takes_it_back() -> None:
    started = next(n for n, e in enumerate(FIRST, 1) if isinstance(e, ExecutionStarted))
    stopped = fold_session(entries((*FIRST[:started], Stopped(turn=1))))
    assert stopped.current is not None
    assert stopped.current.end == "stopped"
    assert stopped.current.running is None
    assert stopped.current.proposals[-1].interrupted
    ends = [fold_session(entries((*FIRST, *SECOND[:n]))).turns[1].end for n in range(7, 20)]
    assert ends == ["stopped", None, None, None, "failed", *[None] * 7, "declined"]


def test_a_mark_belongs_to_its_turn_until_it_is_taken_back() -> None:
    marked = fold_session(entries((*ALL, MARK)))
    assert [turn.verified for turn in marked.turns] == [MARK, *[None] * (len(marked.turns) - 1)]
    assert marked.turns[-1].updated_at == fold_session(entries(ALL)).turns[-1].updated_at
    back = fold_session(entries((*ALL, MARK, Revoked(turn=1, by="Ana", on=MARK.on))))
    assert all(turn.verified is None for turn in back.turns)


def test_no_chart_is_made_of_a_declined_answer_until_somebody_asks_for_one() -> None:
    declined = Answer(turn=1, text="No", status="declined", table="1.1.1")
    question = Question(turn=1, text="Why?")
    assert fold_session(entries((question, declined))).turns[0].appearance.chart == "none"
    pie = Presented(turn=1, look=Appearance(chart="pie"))
    assert fold_session(entries((question, declined, pie))).turns[0].appearance.chart == "pie"
    drawn = declined.model_copy(update={"chart": "1.1.2"})
    assert fold_session(entries((question, drawn))).turns[0].appearance.chart is None


def test_what_the_session_allows_is_the_last_thing_that_was_said() -> None:
    assert fold_session(entries(FIRST)).approve == ()
    assert fold_session(entries(ALL)).approve == ("query",)


def test_a_source_added_again_replaces_the_first() -> None:
    view = fold_session(entries((*OPENED, *OPENED)))
    assert [source.name for source in view.sources] == ["shop"]


def test_a_plan_after_a_plan_withdraws_what_waited() -> None:
    events = (*FIRST[:4], Plan(turn=1, id="2", restated="Again", steps=()))
    assert fold_session(entries(events)).waiting is None


def test_every_turn_of_the_recording_ends_as_recorded() -> None:
    assert [turn.end for turn in fold_session(entries(ALL)).turns] == ["answered", "declined", "stopped"]
    assert [len(turn.model_calls) for turn in fold_session(entries(ALL)).turns] == [1, 0, 0]


def test_the_files_of_a_question_stand_with_it_and_other_sources_do_not() -> None:
    gym = SourceAdded(name="gym", dialect="duckdb", display="gym.csv", tables=())
    asked = Question(turn=1, text="How many?", files=("gym.csv",))
    more = Question(turn=2, text="And fees?")
    view = fold_session(entries((SessionOpened(), gym, asked, Stopped(turn=1), more)))
    assert [[source.name for source in turn.sources] for turn in view.turns] == [["gym"], []]
    plain = fold_session(entries((SessionOpened(), gym, more)))
    assert plain.turns[0].sources == []


def test_that_another_model_went_on_is_told_in_the_story() -> None:
    used = Usage(turn=1, role="coder", model="spare", note="The model cannot be reached. Went on with 'spare'.")
    [*_, item] = fold_session(entries((*OPENED, *FIRST[:2], used, used.model_copy(update={"note": ""})))).turns[0].items
    assert item == NoticeItem(event=used)
