"""The order of a turn: every transition of the flow, from the log alone."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.core.events import (
    Answer,
    Appearance,
    Clarification,
    ClarificationAnswered,
    Decision,
    DecisionRequested,
    Diagnosis,
    Event,
    Execution,
    ExecutionStarted,
    Failed,
    Failure,
    Finding,
    FunctionsKept,
    FunctionsProposed,
    FunctionTest,
    FunctionTestDoubt,
    Judgement,
    PackageAdded,
    PackageProposed,
    Plan,
    Presented,
    Proposal,
    Question,
    Resumed,
    Review,
    Step,
    StepSkipped,
    Stopped,
    WrittenFunction,
)
from assistant.core.flow import (
    TURNS_MAX,
    find_last_turn,
    find_state,
    is_cut_short,
    is_judgement_due,
    is_plan_due,
    is_spent,
    next_speaker,
)
from assistant.core.turns import Turn, fold_turn

QUESTION = Question(turn=1, text="How many orders?")
PLAN = Plan(
    turn=1,
    id="1.plan.1",
    restated="Orders",
    steps=(Step(title="Count", language="sql"), Step(title="Draw", language="python")),
)


def proposal(step: int = 1, revision: int = 1) -> Proposal:
    return Proposal(
        turn=1,
        id=f"1.{step}.{revision}",
        step=step,
        revision=revision,
        language="sql",
        title="t",
        code=f"x = {revision}",
    )


def asked(events: Sequence[Event]) -> Turn:
    """The turn of a log that holds a question."""
    turn = fold_turn(events)
    assert turn is not None
    return turn


def review(of: Proposal, verdict: str = "ok", *, of_edit: bool = False) -> Review:
    return Review(turn=1, proposal=of.id, verdict=verdict, of_edit=of_edit)  # pyright: ignore


def decision(ref: str, action: str, subject: str = "code", **more: object) -> Decision:
    return Decision(turn=1, request=f"{ref}?", subject=subject, ref=ref, action=action, **{"by": "person", **more})  # pyright: ignore


def execution(of: Proposal, status: str = "ok") -> Execution:
    return Execution(turn=1, id=of.id, step=of.step, language="sql", code=of.code, status=status)  # pyright: ignore


APPROVED_PLAN = (QUESTION, PLAN, decision(PLAN.id, "approve", "plan"))
P1, P2 = proposal(1), proposal(2)
JUDGED = (QUESTION, PLAN.model_copy(update={"judged": True}), decision(PLAN.id, "approve", "plan"))

LACKS = Review(
    turn=1, proposal="1.1.1", verdict="concerns", findings=(Finding(level="warning", text="lacks", missing="bird"),)
)
OF_EDIT = LACKS.model_copy(update={"of_edit": True})
BIRD = PackageProposed(turn=1, id="1.1.1:bird", proposal="1.1.1", module="bird", name="bird")
REFUSED = decision(BIRD.id, "reject", "package")
PACKAGES = [
    pytest.param((LACKS,), "executor", id="a missing module is seen to before anybody decides"),
    pytest.param((OF_EDIT,), "executor", id="in the person's edit, too"),
    pytest.param((LACKS.model_copy(update={"verdict": "revise"}),), "coder", id="not in code that is sent back"),
    pytest.param((LACKS, BIRD), "human", id="a package is the person's to decide"),
    pytest.param((LACKS, BIRD, decision(BIRD.id, "approve", "package")), "executor", id="an approved one is added"),
    pytest.param(
        (LACKS, BIRD, PackageAdded(turn=1, name="bird", version="1", wheels=(), modules=("bird",))),
        "reviewer",
        id="then the same code is looked at again",
    ),
    pytest.param((LACKS, BIRD, REFUSED), "coder", id="a refused one is done without"),
    pytest.param((OF_EDIT, BIRD, REFUSED), "human", id="of the person's edit the person decides"),
    pytest.param((LACKS, BIRD.model_copy(update={"fault": "none"})), "reviewer", id="what cannot be had is no package"),
    pytest.param((LACKS, BIRD, REFUSED, LACKS), "coder", id="it is not asked about twice"),
    pytest.param((LACKS, BIRD, REFUSED, *(LACKS,) * 3), "human", id="nor is the code written without end"),
]


@pytest.mark.parametrize(("events", "speaker"), PACKAGES)
def test_who_speaks_about_a_package(events: tuple[Event, ...], speaker: str) -> None:
    assert next_speaker(fold_turn((*APPROVED_PLAN, P1, *events))) == speaker


WRITTEN = WrittenFunction(
    name="f", purpose="Double.", code="def f(x): ...", tests="", results=(FunctionTest(name="t", outcome="passed"),)
)
WRITTEN_FUNCTIONS = FunctionsProposed(turn=1, id="1.2.functions.1", step=2, functions=(WRITTEN,))
DOUBT = FunctionTestDoubt(function="f", test="t", cause="It adds up wrongly.", tests="")
IN_DOUBT = WRITTEN_FUNCTIONS.model_copy(update={"doubt": DOUBT})
FUNCTIONS = [
    pytest.param((WRITTEN_FUNCTIONS,), "human", id="functions are the person's to decide"),
    pytest.param((IN_DOUBT,), "human", id="and so is a test that seems wrong"),
    pytest.param(
        (WRITTEN_FUNCTIONS.model_copy(update={"fault": "gave up"}),), "coder", id="given up, a cell is written"
    ),
    pytest.param(
        (WRITTEN_FUNCTIONS, decision(WRITTEN_FUNCTIONS.id, "approve", "functions")),
        "executor",
        id="approved, they are kept",
    ),
    pytest.param(
        (WRITTEN_FUNCTIONS, decision(WRITTEN_FUNCTIONS.id, "reject", "functions")), "coder", id="else a cell is written"
    ),
    pytest.param((IN_DOUBT, decision(IN_DOUBT.id, "approve", "functions")), "coder", id="a changed test is run again"),
    pytest.param((IN_DOUBT, decision(IN_DOUBT.id, "reject", "functions")), "coder", id="a test that stays, too"),
    pytest.param((WRITTEN_FUNCTIONS, FunctionsKept(turn=1, step=2, names=("f",))), "coder", id="then comes the cell"),
]


@pytest.mark.parametrize(("events", "speaker"), FUNCTIONS)
def test_who_speaks_about_functions(events: tuple[Event, ...], speaker: str) -> None:
    assert next_speaker(fold_turn((*APPROVED_PLAN, P1, execution(P1), *events))) == speaker


TABLE = [
    pytest.param((), None, "idle", id="nothing asked"),
    pytest.param((QUESTION,), "planner", "working", id="a question goes to the planner"),
    pytest.param((QUESTION, PLAN), "human", "working", id="a plan goes to the human"),
    pytest.param(
        (QUESTION, PLAN, DecisionRequested(turn=1, id="?", subject="plan", ref=PLAN.id)),
        None,
        "waiting",
        id="a request ends the run",
    ),
    pytest.param(APPROVED_PLAN, "coder", "working", id="an approved plan goes to the coder"),
    pytest.param(
        (QUESTION, PLAN, decision(PLAN.id, "reject", "plan")),
        "planner",
        "working",
        id="a rejected plan is planned anew",
    ),
    pytest.param((*APPROVED_PLAN, P1), "reviewer", "working", id="code is reviewed"),
    pytest.param((*APPROVED_PLAN, P1, review(P1)), "human", "working", id="reviewed code goes to the human"),
    pytest.param((*APPROVED_PLAN, P1, review(P1, "revise")), "coder", "working", id="revise goes back to the coder"),
    pytest.param(
        (*APPROVED_PLAN, P1, review(P1), decision("1.1.1", "approve")), "executor", "working", id="approved code runs"
    ),
    pytest.param(
        (*APPROVED_PLAN, P1, review(P1), decision("1.1.1", "reject")),
        "coder",
        "working",
        id="rejected code is rewritten",
    ),
    pytest.param(
        (*APPROVED_PLAN, P1, review(P1), decision("1.1.1", "edit", code="y")),
        "reviewer",
        "working",
        id="an edit is reviewed",
    ),
    pytest.param(
        (*APPROVED_PLAN, P1, decision("1.1.1", "edit", code="y"), review(P1, of_edit=True)),
        "executor",
        "working",
        id="a good edit runs without a second question",
    ),
    pytest.param(
        (*APPROVED_PLAN, P1, decision("1.1.1", "edit", code="y"), review(P1, "revise", of_edit=True)),
        "human",
        "working",
        id="a refused edit goes back to the person",
    ),
    pytest.param(
        (*APPROVED_PLAN, P1, ExecutionStarted(turn=1, id="1.1.1", step=1, language="sql", code="x"), execution(P1)),
        "coder",
        "working",
        id="the next step is coded",
    ),
    pytest.param((*APPROVED_PLAN, P2, execution(P2)), "planner", "working", id="the last step leads to the answer"),
    pytest.param((*JUDGED, P1, execution(P1)), "planner", "working", id="a result is judged before the next step"),
    pytest.param(
        (*JUDGED, P1, execution(P1), Judgement(turn=1, execution="1.1.1", verdict="go_on")),
        "coder",
        "working",
        id="a plan that holds goes on",
    ),
    pytest.param(
        (*JUDGED, P1, execution(P1), Judgement(turn=1, execution="1.1.1", verdict="stop")),
        "planner",
        "working",
        id="a plan that is stopped is answered",
    ),
    pytest.param(
        (*APPROVED_PLAN, P1, execution(P1), StepSkipped(turn=1, step=2, language="python", reason="One row")),
        "planner",
        "working",
        id="a step that is skipped is over",
    ),
    pytest.param((*APPROVED_PLAN, P1, execution(P1, "failed")), "reviewer", "working", id="a failure is diagnosed"),
    pytest.param(
        (
            *APPROVED_PLAN,
            P1,
            execution(P1, "failed"),
            Diagnosis(turn=1, execution="1.1.1", category="logic", cause="c"),
        ),
        "coder",
        "working",
        id="a diagnosis leads to a repair",
    ),
    pytest.param(
        (*APPROVED_PLAN, P1, execution(P1, "failed"), Diagnosis(turn=1, execution="1.1.1", category="plan", cause="c")),
        "planner",
        "working",
        id="a wrong plan is planned anew",
    ),
    pytest.param(
        (
            *APPROVED_PLAN,
            P1,
            execution(P1, "failed"),
            Diagnosis(turn=1, execution="1.1.1", category="data", cause="c", repairable=False),
        ),
        "planner",
        "working",
        id="what cannot be repaired is answered",
    ),
    pytest.param((QUESTION, Clarification(turn=1, id="c", text="Which?")), None, "waiting", id="a clarification waits"),
    pytest.param(
        (
            *APPROVED_PLAN,
            Clarification(turn=1, id="c", text="Which?", asker="coder"),
            ClarificationAnswered(turn=1, clarification="c", text="this"),
        ),
        "coder",
        "working",
        id="its answer goes to whoever asked",
    ),
    pytest.param((QUESTION, Answer(turn=1, status="answered", text="42")), None, "idle", id="an answer ends the turn"),
    pytest.param((*APPROVED_PLAN, P1, Stopped(turn=1)), None, "idle", id="a stop ends the turn"),
    pytest.param((*APPROVED_PLAN, P1, Failed(turn=1, message="m")), None, "idle", id="a fault ends the turn"),
    pytest.param(
        (*APPROVED_PLAN, P1, Stopped(turn=1), Resumed(turn=1)), "reviewer", "working", id="a resumed turn goes on"
    ),
    pytest.param(
        (*APPROVED_PLAN, P1, Stopped(turn=1), Resumed(turn=1), Stopped(turn=1)),
        None,
        "idle",
        id="and can be stopped again",
    ),
]


@pytest.mark.parametrize(("events", "speaker", "expected_state"), TABLE)
def test_flow_names_who_speaks_next(events: tuple[Event, ...], speaker: str | None, expected_state: str) -> None:
    assert next_speaker(fold_turn(events)) == speaker
    assert find_state(fold_turn(events)) == expected_state


def test_repairs_end_in_an_answer() -> None:
    turn: list[Event] = list(APPROVED_PLAN)
    for revision in range(1, 3 + 2):
        code = proposal(1, revision)
        turn += [code, execution(code, "failed"), Diagnosis(turn=1, execution=code.id, category="logic", cause="c")]
    assert next_speaker(fold_turn(turn)) == "planner"
    assert next_speaker(fold_turn(turn[:-3])) == "coder"


def test_reviewer_cannot_send_code_back_forever() -> None:
    turn: list[Event] = list(APPROVED_PLAN)
    for revision in range(1, 3 + 2):
        code = proposal(1, revision)
        turn += [code, review(code, "revise")]
    assert next_speaker(fold_turn(turn)) == "human"


def test_an_edited_plan_is_the_plan() -> None:
    edited = (Step(title="Only this", language="sql"),)
    turn = (QUESTION, PLAN, decision(PLAN.id, "edit", "plan", steps=edited), P1, execution(P1))
    assert asked(turn).steps == edited
    assert next_speaker(fold_turn(turn)) == "planner"


def test_a_plan_that_grew_goes_on_behind_what_has_run() -> None:
    more = PLAN.model_copy(update={"steps": (*PLAN.steps, Step(title="More", language="sql")), "begins": 3})
    turn = (*APPROVED_PLAN, P1, execution(P1), P2, execution(P2), more, decision(more.id, "approve", "plan"))
    assert next_speaker(fold_turn(turn)) == "coder"
    assert asked(turn).step == 3
    last = proposal(3)
    assert next_speaker(fold_turn((*turn, last, execution(last)))) == "planner"


def test_earlier_turns_do_not_matter() -> None:
    later = Question(turn=2, text="And by region?")
    assert asked((*APPROVED_PLAN, P1, later)).items == []
    assert next_speaker(fold_turn((*APPROVED_PLAN, P1, later))) == "planner"


EVENTS = st.sampled_from(
    [p.values[0][-1] for p in TABLE if p.values[0]] + [PLAN, P1, P2, review(P1), execution(P1), execution(P2)]  # type: ignore[index]
)


@given(st.lists(EVENTS, max_size=12))
def test_flow_is_total(events: list[Event]) -> None:
    assert next_speaker(fold_turn((QUESTION, *events))) in {None, "planner", "coder", "reviewer", "human", "executor"}
    assert find_state(fold_turn((QUESTION, *events))) in {"idle", "working", "waiting"}


def test_a_plan_that_keeps_failing_is_replanned_only_so_often() -> None:
    turn: list[Event] = list(APPROVED_PLAN)
    for revision in range(1, 2 + 2):
        code = proposal(1, revision)
        turn += [code, execution(code, "failed"), Diagnosis(turn=1, execution=code.id, category="plan", cause="c")]
        assert next_speaker(fold_turn(turn)) == "planner"
        assert is_plan_due(asked(turn)) == (revision <= 2)
        if is_plan_due(asked(turn)):
            turn += [PLAN, decision(PLAN.id, "approve", "plan")]
    assert is_cut_short(asked(turn))


def test_code_that_failed_is_not_run_again() -> None:
    failure = Failure(kind="raised", name="NameError", message="name 'pd' is not defined")
    failed = execution(P1, "failed").model_copy(update={"failure": failure})
    again = proposal(1, 2).model_copy(update={"code": P1.code})
    turn = (*APPROVED_PLAN, P1, failed, Diagnosis(turn=1, execution=P1.id, category="logic", cause="c"), again)
    assert next_speaker(fold_turn(turn)) == "planner"
    assert not is_plan_due(asked(turn))
    stopped = failed.model_copy(update={"failure": failure.model_copy(update={"kind": "interrupted"})})
    assert next_speaker(fold_turn((*turn[:-3], stopped, turn[-2], again))) == "reviewer"


def test_a_turn_that_talks_on_ends_in_an_answer_and_not_in_silence() -> None:
    turn: list[Event] = list(APPROVED_PLAN)
    while len(turn) < 60 + len(APPROVED_PLAN):
        code = proposal(1, len(turn))
        auto = decision(code.id, "reject", by="policy")
        turn += [code, review(code, "ok"), auto]
    assert is_spent(asked(turn))
    assert next_speaker(fold_turn(turn)) == "planner"
    assert not is_plan_due(asked(turn))
    assert next_speaker(fold_turn([*turn, Answer(turn=1, status="partial", text="So far.")])) is None
    said = decision(turn[-1].ref, "reject")  # pyright: ignore
    assert not is_spent(asked([*turn, said]))
    assert not is_spent(asked(turn[:-1]))
    ran = (
        *JUDGED,
        *turn[3:],
        execution(P1, "failed"),
        Diagnosis(turn=1, execution="1.1.1", category="plan", cause="c"),
    )
    assert not is_plan_due(asked(ran))
    assert not is_judgement_due(asked((*JUDGED, *turn[3:], execution(P1))))
    assert TURNS_MAX == 120  # a run is not ended before its turn has had a chance to answer


def test_the_last_turn_of_a_log_is_the_highest() -> None:
    assert find_last_turn(()) == 0
    assert find_last_turn((Question(turn=2, text="?"), Presented(turn=1, look=Appearance()))) == 2


def test_repairs_are_counted_for_the_step_that_failed() -> None:
    turn: list[Event] = list(APPROVED_PLAN)
    for step, revision in ((1, 1), (1, 2), (1, 3), (1, 4), (2, 1)):
        turn.append(execution(proposal(step, revision), "failed"))
    first, second = (Diagnosis(turn=1, execution=ref, category="logic", cause="c") for ref in ("1.1.4", "1.2.1"))
    assert next_speaker(fold_turn([*turn, second])) == "coder"
    assert next_speaker(fold_turn([*turn, first])) == "planner"


def test_a_judgement_is_due_between_steps_and_not_after_the_last() -> None:
    assert is_judgement_due(asked((*JUDGED, P1, execution(P1))))
    assert not is_judgement_due(asked((*JUDGED, P2, execution(P2))))
    assert not is_judgement_due(asked((*APPROVED_PLAN, P1, execution(P1))))
    assert not is_plan_due(asked((*JUDGED, P1, execution(P1), Judgement(turn=1, execution="1.1.1", verdict="stop"))))


def test_the_very_code_that_a_review_sent_back_goes_to_the_person() -> None:
    first, again, other = (
        proposal(1, 1),
        proposal(1, 2).model_copy(update={"code": proposal(1, 1).code}),
        proposal(1, 3),
    )
    sent_back = (*APPROVED_PLAN, first, review(first, "revise"))
    assert next_speaker(asked((*sent_back, again, review(again, "revise")))) == "human"
    assert next_speaker(asked((*sent_back, other, review(other, "revise")))) == "coder"
