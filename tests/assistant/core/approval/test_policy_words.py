"""What a policy approves is what its words say: every level with every kind of decision, waiting or still to come."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from conversation import CELL, Stage, Told, kinds

from assistant.core.approval.gate import find_pending_request, gate_code, gate_functions, gate_package, gate_plan
from assistant.core.approval.policy import NEEDS, UNCAGED, DecisionKind, Policy
from assistant.core.events import (
    POLICIES,
    POLICY_SENTENCES,
    Decision,
    DecisionRequested,
    Event,
    Finding,
    FunctionsProposed,
    PackageProposed,
    Plan,
    PolicyChanged,
    PolicyLevel,
    Proposal,
    Review,
    Step,
    UncagedAccepted,
    WrittenFunction,
)
from assistant.session.runs import inputs
from tandem import asking as tandem_asking

TOLD: dict[tuple[PolicyLevel, DecisionKind], bool] = {
    (level, kind): kind in kinds_
    for level, kinds_ in {
        "ask": {"plan of one step"},
        "queries": {"plan of one step", "plan of queries", "query"},
        "python": {"plan of one step", "plan of queries", "plan with Python", "query", "Python"},
    }.items()
    for kind in NEEDS
}
"""What the sentences say, as a person reads them; a kind that is added must be told here as well."""

QUERY, PYTHON = Step(title="a", language="sql"), Step(title="b", language="python")


def plan(*steps: Step) -> Plan:
    return Plan(turn=1, id="1.plan.1", restated="r", steps=steps)


def code(events: tuple[Event, ...], language: str, *, cage: str = "zygote", doubt: bool = False) -> Event:
    proposal = Proposal(turn=1, id="1.1.1", step=1, revision=1, language=language, title="t", code="x = 1")  # pyright: ignore
    findings = (Finding(level="warning", text="Reads 90 million rows"),) if doubt else ()
    return gate_code(events, proposal, Review(turn=1, proposal="1.1.1", verdict="ok", findings=findings), cage=cage)


def gated(kind: DecisionKind, events: tuple[Event, ...]) -> list[Event]:
    """Everything of this kind, as the gate decides it."""
    match kind:
        case "plan of one step":
            return [gate_plan(events, plan(QUERY)), gate_plan(events, plan(PYTHON))]
        case "plan of queries":
            return [gate_plan(events, plan(QUERY, QUERY)), gate_plan(events, plan(QUERY, QUERY, QUERY))]
        case "plan with Python":
            mixed = [steps for steps in itertools.product((QUERY, PYTHON), repeat=3) if PYTHON in steps]
            return [gate_plan(events, plan(*steps)) for steps in mixed]
        case "query":
            return [code(events, "sql"), code((*events, UncagedAccepted()), "sql", cage=UNCAGED)]
        case "Python":
            return [code(events, "python")]
        case "Python without a cage":
            return [code((*events, UncagedAccepted()), "python", cage=UNCAGED)]
        case "code in doubt":
            return [code(events, language, doubt=True) for language in ("sql", "python")]
        case "package":
            wanted = PackageProposed(turn=1, id="1.p", proposal="1.1.1", module="m", name="m", version="1")
            return [gate_package(events, wanted)]
        case "functions":
            written = WrittenFunction(name="f", purpose="", code="def f(): ...", tests="")
            return [gate_functions(events, FunctionsProposed(turn=1, id="1.f", step=1, functions=(written,)))]


@pytest.mark.parametrize(("level", "kind"), TOLD)
@pytest.mark.parametrize("of_turn", [0, 1], ids=["for the session", "for the turn"])
def test_a_level_approves_what_its_words_say(level: PolicyLevel, kind: DecisionKind, of_turn: int) -> None:
    events = (PolicyChanged(turn=of_turn, approve=POLICIES[level]),)
    for outcome in gated(kind, events):
        approved = isinstance(outcome, Decision) and outcome.by == "policy" and outcome.action == "approve"
        assert approved == TOLD[level, kind], outcome
        assert approved or isinstance(outcome, DecisionRequested)


def test_nothing_that_may_be_allowed_approves_what_only_a_person_decides() -> None:
    everything = (PolicyChanged(approve=("plan", "query", "python")), PolicyChanged(turn=1, approve=("python",)))
    for kind in ("Python without a cage", "code in doubt", "package"):
        assert all(isinstance(one, DecisionRequested) for one in gated(kind, everything))


@pytest.mark.parametrize("level", POLICIES)
def test_the_sentence_names_what_is_approved_and_nothing_else(level: PolicyLevel) -> None:
    words = POLICY_SENTENCES[level].casefold()
    assert ("run" in words.split()) == TOLD[level, "query"]
    assert ("queries" in words) == TOLD[level, "query"]
    assert ("caged python" in words) == TOLD[level, "Python"]
    assert ("plans of queries alone" in words or "every plan" in words) == TOLD[level, "plan of queries"]
    assert ("every plan" in words) == TOLD[level, "plan with Python"]


def test_python_callers_name_the_same_levels() -> None:
    assert set(tandem_asking._LEVELS.values()) == set(POLICIES)


def test_the_page_says_what_a_session_runs_whatever_was_allowed() -> None:
    from ui.views.policy import describe

    for size in range(4):
        for allowed in itertools.combinations(("plan", "query", "python"), size):
            words = describe(allowed)  # pyright: ignore
            assert ("plans" in words) == ("plan" in allowed)
            assert ("queries" in words) == ("query" in allowed)
            assert ("Python" in words) == ("python" in allowed)


def test_what_a_turn_lets_go_ahead_is_over_with_the_turn() -> None:
    log = (PolicyChanged(turn=1, approve=("query",)), PolicyChanged(turn=2, approve=("python",)))
    assert Policy.of(log, turn=0).approve == frozenset()
    assert Policy.of(log, turn=1).approve == {"query"}
    assert Policy.of(log, turn=2).approve == {"python"}
    assert Policy.of(log, turn=3).approve == frozenset()
    session = PolicyChanged(approve=("query",))
    assert Policy.of((session, *log), turn=2).approve == {"query", "python"}
    assert Policy.of((*log, session), turn=3).approve == {"query"}
    # What the turn allows is not yet allowed for the session, so it is said; what the session allows is not said again.
    assert inputs.allow_in_session(log, ["query"]) == [session]
    assert inputs.allow_in_session((session, *log), ["query"]) == []


PYTHON_CELL = ("python", "1 + 1")
WAITING: dict[str, tuple[tuple[str, str], ...]] = {
    "plan of queries": (("sql", CELL), ("sql", CELL)),
    "plan with Python": (("sql", CELL), PYTHON_CELL),
    "query": (("sql", CELL),),
    "Python": (PYTHON_CELL,),
}


@pytest.mark.parametrize("waits", WAITING)
async def test_choosing_a_policy_decides_nothing_that_waits(tmp_path: Path, waits: str) -> None:
    async with Stage(tmp_path, Told(cells=WAITING[waits])).session() as session:  # pyright: ignore
        await session.ask("Revenue?")
        await session.settled()
        request = find_pending_request([entry.event for entry in session.events()])
        for level in POLICIES:
            await session.set_policy(level)
            await session.settled()
            assert find_pending_request([entry.event for entry in session.events()]) == request
        assert "execution_started" not in kinds(session)


async def test_a_policy_for_one_turn_asks_again_in_the_next(tmp_path: Path) -> None:
    async with Stage(tmp_path).session() as session:
        await session.ask("Revenue?", approve=("query",))
        await session.settled()
        assert session.state == "idle"
        await session.ask("Revenue again?")
        await session.settled()
        assert session.state == "waiting"
        assert kinds(session).count("execution_started") == 1
