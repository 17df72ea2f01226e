from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_sessions import answered_turn, sessions

from assistant.core.events import (
    Clarification,
    ClarificationAnswered,
    Decision,
    Event,
    Execution,
    Fact,
    KernelRestarted,
    PinChanged,
    Plan,
    Proposal,
    Question,
    Step,
    Variable,
)
from assistant.core.turns import fold_events
from assistant.record.memory.pins import Pin, exclude_repeated, find_pins
from assistant.record.memory.tiers import Digest, Tiers, digest_past_turns, fold_tiers


def test_past_turns_keep_question_decisions_and_answer_and_nothing_technical() -> None:
    log = [*answered_turn(1, "Revenue by region?"), Question(turn=2, text="And by month?")]
    (digest,) = fold_tiers(log).recent
    assert (digest.question, digest.answer, digest.status) == ("Revenue by region?", "Answer 1. And more.", "answered")
    assert digest.decisions == ("approved 'Query of turn 1'",)
    assert digest.results == ("result",)


def test_only_the_newest_past_turns_stay_by_themselves() -> None:
    log = [event for turn in range(1, 8) for event in answered_turn(turn, f"Question {turn}?")]
    tiers = fold_tiers(log, turns_recent=2)
    assert [digest.turn for digest in tiers.older] == [1, 2, 3, 4]
    assert [digest.turn for digest in tiers.recent] == [5, 6]
    assert tiers.current is not None
    assert tiers.current.turn == 7


def test_the_step_at_hand_is_kept_in_full_and_finished_steps_by_their_last_version() -> None:
    def proposal(step: int, revision: int) -> Proposal:
        ref = f"1.{step}.{revision}"
        return Proposal(turn=1, id=ref, step=step, revision=revision, language="python", title=ref, code="x = 1")

    def execution(step: int, revision: int, status: str) -> Execution:
        ref = f"1.{step}.{revision}"
        return Execution.model_validate(
            {"turn": 1, "id": ref, "step": step, "language": "python", "code": "x", "status": status}
        )

    asked_by_coder = Clarification(turn=1, id="1.clarify.1", asker="coder", text="Which month?")
    step_2: list[Event] = [proposal(2, 1), execution(2, 1, "failed"), proposal(2, 2)]
    log: list[Event] = [
        Question(turn=1, text="?"),
        Plan(turn=1, id="1.plan.1", restated="?", steps=(Step(title="a", language="python"),) * 2),
        proposal(1, 1),
        execution(1, 1, "failed"),
        proposal(1, 2),
        execution(1, 2, "ok"),
        asked_by_coder,
        *step_2,
    ]
    current = fold_tiers(log).current
    assert current is not None
    assert list(current.step) == [asked_by_coder, *step_2]
    assert [getattr(event, "id", "") for event in current.earlier] == ["1.1.2", "1.1.2"]
    assert [event.turn for event in current.opening] == [1, 1]


@given(sessions(), st.integers(0, 4))
def test_every_turn_is_in_exactly_one_tier(log: tuple[Event, ...], turns_recent: int) -> None:
    tiers = fold_tiers(log, turns_recent=turns_recent)
    assert tiers.current is not None
    numbers = [digest.turn for digest in (*tiers.older, *tiers.recent)] + [tiers.current.turn]
    assert numbers == sorted({event.turn for event in log})
    assert len(tiers.recent) <= turns_recent


@given(sessions())
def test_definitions_corrections_and_reasons_are_pinned_however_old(log: tuple[Event, ...]) -> None:
    pinned = "\n".join(pin.text for pin in find_pins(fold_events(log).turns))
    for event in log:
        match event:
            case Decision(action="reject", reason=reason) if reason.strip():
                assert reason.strip() in pinned
            case ClarificationAnswered(text=text):
                assert repr(text) in pinned
            case _:
                pass


def test_variables_live_until_the_kernel_that_held_them_is_gone() -> None:
    def cell(ref: str, *names: str) -> Execution:
        held = tuple(Variable(name=name, type="int") for name in names)
        return Execution(turn=1, id=ref, step=1, language="python", code="x", status="ok", variables=held)

    log: list[Event] = [cell("1.1.1", "a", "b"), cell("1.2.1", "b", "c")]
    assert [v.name for v in fold_events(log).kernel.variables] == ["a", "b", "c"]
    rebuilt = KernelRestarted(reason="restart", rerun=1, lost=("1.2.1",))
    assert [v.name for v in fold_events([*log, rebuilt]).kernel.variables] == ["a"]
    assert fold_events([*log, KernelRestarted(reason="restart")]).kernel.variables == ()


def test_a_correction_of_a_plan_is_pinned_with_what_it_changed_and_never_empty() -> None:
    steps = (
        Step(title="Revenue by region", language="sql", instruction="Sum amount, two decimals."),
        Step(title="Draw it", language="python"),
    )
    plan = Plan(turn=1, id="1.plan.1", restated="Revenue", steps=steps)
    edit = Decision(turn=1, request="d", subject="plan", ref="1.plan.1", action="edit", by="person")
    asked = Question(turn=1, text="Revenue?")
    rounded = (steps[0].model_copy(update={"instruction": "Sum amount, no decimals."}), steps[1])
    (pin,) = find_pins(fold_events([asked, plan, edit.model_copy(update={"steps": rounded})]).turns)
    assert pin.text == (
        "Corrected the plan by hand: - (sql) Revenue by region. Sum amount, two decimals; "
        "+ (sql) Revenue by region. Sum amount, no decimals"
    )
    assert find_pins(fold_events([asked, plan, edit.model_copy(update={"steps": steps})]).turns) == ()


def test_what_is_said_of_one_result_is_no_law_for_others() -> None:
    plan = Plan(turn=1, id="1.plan.1", restated="Places", steps=(Step(title="List places", language="sql"),))
    asked_back = Clarification(turn=1, id="1.c", text="Which figure?", options=("Both together", "Each"))
    rejected = Decision(turn=1, request="d", subject="plan", ref="1.plan.1", action="reject", by="person")
    log = [
        Question(turn=1, text="Best places?"),
        asked_back,
        ClarificationAnswered(turn=1, clarification="1.c", text="Both together"),
        plan,
        rejected.model_copy(update={"reason": "Only the first five places"}),
        plan.model_copy(update={"id": "1.plan.2"}),
        rejected.model_copy(update={"ref": "1.plan.2", "reason": "Never count cancelled orders"}),
        Question(turn=2, text="From now on leave out returns"),
    ]
    scopes = {pin.text.rpartition(": ")[2]: pin.scope for pin in find_pins(fold_events(log).turns)}
    assert scopes == {
        "Asked 'Which figure?', they said 'Both together'": "result",
        "Only the first five places": "result",
        "Never count cancelled orders": "conversation",
        "From now on leave out returns": "conversation",
    }


def test_what_a_model_lists_of_a_question_stands_for_it_and_a_meaning_that_was_asked_for_holds_on() -> None:
    facts = (Fact(text="West Germany is Germany here"), Fact(text="bought in 90 days", word="active customer"))
    log = [
        Question(turn=1, text="From now on West Germany is Germany here, and who is active?"),
        Clarification(turn=1, id="1.c.1", text="What does “active” mean?"),
        ClarificationAnswered(turn=1, clarification="1.c.1", text="an order this year"),
        Plan(turn=1, id="1.plan.1", restated="x", steps=(Step(title="x", language="sql"),), facts=facts),
    ]
    pins = find_pins(fold_events(log).turns)
    assert [(pin.kind, pin.word, pin.scope, pin.words) for pin in pins] == [
        ("fact", "", "conversation", "West Germany is Germany here"),
        ("definition", "active customer", "conversation", "active customer: bought in 90 days"),
        ("definition", "active", "conversation", "active: an order this year"),
    ]


def test_a_pin_has_the_scope_that_the_person_gave_it_last_and_is_gone_once_dropped() -> None:
    asked = Question(turn=1, text="From now on leave out returns")
    (pin,) = find_pins(fold_events([asked]).turns)
    wider = PinChanged(turn=1, pin=pin.id, scope="data", file="x.md")
    (kept,) = find_pins(fold_events([asked, wider, Question(turn=2, text="How many?")]).turns)
    assert (kept.scope, kept.file) == ("data", "x.md")
    assert find_pins(fold_events([asked, wider, PinChanged(turn=1, pin=pin.id, scope="dropped")]).turns) == ()


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("x means y", "definition"),
        ("the meaning of x", None),
        ("By active customer I mean one with orders", "definition"),
        ("In GENERAL leave out returns", "definition"),
        ("I meant net", "correction"),
        ("no, net", "correction"),
        (" Actually gross", "correction"),
        ("Which orders are actually wrong?", None),
        ("North or not?", None),
        ("Always as I meant it", "definition"),
    ],
)
def test_a_question_is_pinned_by_its_phrases(question: str, kind: str | None) -> None:
    pins = find_pins(fold_events([Question(turn=3, text=question)]).turns)
    words = question.strip()
    assert [(p.id, p.kind, p.turn, p.text, p.words, p.scope) for p in pins] == (
        [("3.question", kind, 3, words, words, "conversation")] if kind else []
    )


def test_a_decision_is_pinned_where_a_person_says_why_or_edits() -> None:
    put = Proposal(turn=1, id="a", step=1, revision=1, language="sql", title="Sum", code="one\ntwo")

    def pins_of(**fields: object) -> list[tuple[str, str, str, str]]:
        common = {"turn": 1, "request": "r", "subject": "code", "ref": "a", "by": "person"}
        decisions = [Decision.model_validate({**common, **fields, "turn": 1}) for _ in range(2)]
        pins = find_pins(fold_events([Question(turn=1, text="?"), put, *decisions]).turns)
        return [(pin.id, pin.kind, pin.text, pin.words) for pin in pins]

    assert pins_of(action="approve", reason="fine") == pins_of(action="reject", reason=" ") == []
    assert pins_of(action="edit", by="policy", code="x") == []
    assert pins_of(action="reject", reason=" slow ") == [("1.decision.1", "rejection", "Rejected 'Sum': slow", "slow")]
    assert pins_of(action="reject", reason="no", ref="gone")[0][2] == "Rejected 'gone': no"
    changed = "Corrected 'Sum' by hand: faster: - two; + 2"
    assert pins_of(action="edit", code="one\n2", reason="faster") == [("1.decision.1", "correction", changed, "faster")]
    assert pins_of(action="edit", code="one\ntwo\n") == [
        ("1.decision.1", "correction", "Corrected 'Sum' by hand", "Sum corrected by hand")
    ]
    assert pins_of(action="edit", code="y", ref="gone") == [
        ("1.decision.1", "correction", "Corrected 'gone' by hand", "gone corrected by hand")
    ]
    six = pins_of(action="edit", code="\n".join(["one", "two", *"abcdef"]))[0][2]
    assert six == "Corrected 'Sum' by hand: + a; + b; + c; + d; + e; + f"
    assert pins_of(action="edit", code="\n".join(["one", "two", *"abcdefg"]))[0][2] == f"{six}; …"
    assert pins_of(action="edit", code=f"one\ntwo\n{'z' * 200}")[0][2].endswith(f": + {'z' * 120}")


def test_a_plan_whose_steps_were_only_reordered_is_a_correction() -> None:
    steps = tuple(Step(title=title, language="sql") for title in ("a", "a", "b"))
    plan = Plan(turn=1, id="p", restated="", steps=steps)
    edit = Decision(turn=1, request="r", subject="plan", ref="p", action="edit", by="person", steps=steps[1:])
    (pin,) = find_pins(fold_events([Question(turn=1, text="?"), plan, edit]).turns)
    assert (pin.text, pin.words) == ("Corrected the plan by hand: - (sql) a", "the plan corrected by hand")


def test_a_meaning_that_was_asked_for_holds_for_its_word_and_else_for_the_result() -> None:
    for text, word in (
        ("What is “Active”?", "Active"),
        ("What is 'x'?", ""),
        ("What is active?", ""),
        ("Is 'lost' 'active'?", "active"),
    ):
        log = [
            Question(turn=1, text="How many are active?"),
            Clarification(turn=1, id="c", text=text),
            ClarificationAnswered(turn=1, clarification="c", text="ordered once"),
        ]
        (pin,) = find_pins(fold_events(log).turns)
        assert (pin.word, pin.words, pin.scope) == (
            (word, f"{word}: ordered once", "conversation") if word else ("", "ordered once", "result")
        )


def test_a_pin_is_said_once_by_its_words_or_its_file() -> None:
    def pin(text: str, file: str = "") -> Pin:
        return Pin(id="x", kind="fact", turn=1, text=text, file=file)

    known = [pin("West is  North"), pin("other", "a.md")]
    assert exclude_repeated([pin("west IS north"), pin("new", "a.md"), pin("new"), pin("new", "b.md")], known) == (
        pin("new"),
        pin("new", "b.md"),
    )
    log = [Question(turn=1, text="From now on x"), Question(turn=2, text="From now on x")]
    assert [pin.turn for pin in find_pins(fold_events(log).turns)] == [1]
    assert fold_tiers(log).pins[0].turn == 1
    assert fold_tiers(log[:1]).pins == ()


def test_a_digest_words_each_decision_and_what_was_asked_back() -> None:
    put = Proposal(turn=1, id="a", step=1, revision=1, language="sql", title="Sum", code="x")
    common = {"turn": 1, "request": "r", "by": "person"}
    decisions = [
        Decision.model_validate({**common, "subject": subject, "ref": ref, "action": action, "reason": reason})
        for subject, ref, action, reason in (
            ("plan", "p", "approve", ""),
            ("code", "a", "edit", " "),
            ("code", "a", "reject", " no "),
            ("package", "bird", "reject", ""),
        )
    ]
    asked_back = [Clarification(turn=1, id=id_, text=f"{id_}?") for id_ in "cd"]
    log = [
        Question(turn=1, text="?"),
        put,
        *decisions,
        *asked_back,
        ClarificationAnswered(turn=1, clarification="d", text="d!"),
    ]
    assert digest_past_turns([*log, Question(turn=2, text="?")]) == (
        Digest(
            turn=1,
            question="?",
            asked_back=(("d?", "d!"),),
            decisions=("approved the plan", "edited 'Sum'", "rejected 'Sum' (no)", "rejected bird"),
        ),
    )
    assert fold_tiers([]) == Tiers()
