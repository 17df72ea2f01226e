"""The fold and the flow, seen whole: after each event of a few sessions, everything that it changed.

`fold.txt` holds what must come out: the attributes and properties of session, turns and their parts that an event
changed, and what the flow says of the turn then. `#3` is the third event, `#3/1` that event in step 1, `@3` the time
at which it came.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from hypothesis import given, settings
from memory_sessions import sessions
from pydantic import BaseModel

from assistant.core.events import (
    Answer,
    AnyEvent,
    Appearance,
    Citation,
    Clarification,
    ClarificationAnswered,
    Decision,
    DecisionRequested,
    Diagnosis,
    Disputed,
    Entry,
    Event,
    Execution,
    ExecutionStarted,
    Failed,
    Failure,
    Finding,
    HistorySummarised,
    Judgement,
    KernelRestarted,
    Looked,
    PackageAdded,
    PackageProposed,
    PinChanged,
    Plan,
    PolicyChanged,
    Presented,
    Proposal,
    QueryRun,
    Question,
    Resumed,
    Review,
    Revoked,
    SessionOpened,
    SessionRenamed,
    SourceAdded,
    Step,
    StepSkipped,
    Stopped,
    UncagedAccepted,
    Usage,
    Variable,
    Verified,
    Withheld,
)
from assistant.core.flow import (
    find_package_due,
    find_state,
    is_cut_short,
    is_judgement_due,
    is_plan_due,
    is_repeated,
    is_spent,
    next_speaker,
)
from assistant.core.turns import (
    EventTeller,
    Item,
    Moment,
    PendingRequest,
    Transcript,
    Turn,
    fold_events,
    fold_session,
    fold_turn,
    turn_before_clarification,
)

START = datetime(2026, 1, 1, tzinfo=UTC)
STEPS = (Step(title="Sum", language="sql"), Step(title="Draw", language="python"))
LACKS = Finding(level="warning", text="lacks bird", missing="bird")
CITED = Citation(id="metric:revenue", title="Revenue", origin="metrics.yaml")


def plan(number: int = 1, **more: object) -> Plan:
    return Plan.model_validate({"turn": 1, "id": f"p{number}", "restated": "r", "steps": STEPS, **more})


def put(id_: str, step: int = 1, **more: object) -> Proposal:
    fields = {"turn": 1, "id": id_, "step": step, "revision": 1, "language": "sql", "title": "t", "code": f"put {id_}"}
    return Proposal.model_validate({**fields, **more})


def request(subject: str, ref: str, **more: object) -> DecisionRequested:
    return DecisionRequested.model_validate({"turn": 1, "id": f"{ref}?", "subject": subject, "ref": ref, **more})


def decide(subject: str, ref: str, action: str = "approve", **more: object) -> Decision:
    fields = {"turn": 1, "request": f"{ref}?", "subject": subject, "ref": ref, "action": action, "by": "person"}
    return Decision.model_validate({**fields, **more})


def start(id_: str, step: int = 1) -> ExecutionStarted:
    return ExecutionStarted(turn=1, id=id_, step=step, language="sql", code=f"started {id_}")


def run(id_: str, step: int = 1, failure: str = "", names: Sequence[str] = (), **more: object) -> Execution:
    failed = Failure.model_validate({"kind": failure, "name": "E", "message": "m"}) if failure else None
    fields = {"turn": 1, "id": id_, "step": step, "language": "sql", "code": f"ran {id_}", "failure": failed}
    variables = tuple(Variable(name=name, type="int") for name in names)
    return Execution.model_validate({**fields, "status": "failed" if failure else "ok", "variables": variables, **more})


def source(name: str, note: str = "") -> SourceAdded:
    return SourceAdded(name=name, dialect="sqlite", display=name, notes=(note,) if note else ())


QUESTION = Question(turn=1, text="Revenue?", files=("a.csv",), meaning="{}")
SESSIONS: dict[str, tuple[AnyEvent, ...]] = {
    "a turn from its question to its answer": (
        SessionOpened(by="Ana"),
        QUESTION,
        Looked(turn=1, role="planner", look="search", asked="revenue", found="1 metric"),
        Usage(turn=1, role="planner", model="m", input_tokens=5, output_tokens=7, note="another model"),
        Usage(turn=1, role="planner", model="m", input_tokens=2),
        Clarification(turn=1, id="c1", text="Net?"),
        ClarificationAnswered(turn=1, clarification="c1", text="net"),
        Clarification(turn=1, id="c2", text="By what?", asker="coder"),
        ClarificationAnswered(turn=1, clarification="c2", text="region"),
        plan(meaning="of the plan", citations=(CITED,)),
        request("plan", "p1"),
        decide("plan", "p1", "edit", steps=(*STEPS, STEPS[0])),
        put("a", meaning="of the code"),
        Review(turn=1, proposal="a", verdict="revise"),
        put("b", result="rows"),
        Review(turn=1, proposal="b", verdict="ok"),
        request("code", "b"),
        decide("code", "b", "edit", code="edited b"),
        Review(turn=1, proposal="b", verdict="revise", of_edit=True),
        request("code", "b", code="edited b"),
        decide("code", "b", "approve", request="b?"),
        start("b"),
        run("b", names=("rows",), queries=(QueryRun(sql="SELECT 1", source="shop", rows=1, seconds=0.1),)),
        Judgement(turn=1, execution="b", verdict="go_on"),
        put("c", 2),
        Review(turn=1, proposal="c", verdict="concerns"),
        decide("code", "c", by="policy"),
        start("c", 2),
        run("c", 2, "raised"),
        Diagnosis(turn=1, execution="c", category="logic", cause="typo"),
        put("d", 2),
        decide("code", "d", "reject"),
        Judgement(turn=1, execution="b", verdict="stop"),
        Diagnosis(turn=1, execution="b", category="data", cause="no later step"),
        StepSkipped(turn=1, step=2, language="python", reason="nothing to draw"),
        Answer(turn=1, status="answered", text="42", citations=(CITED,), appearance=Appearance(top=3)),
    ),
    "a plan that is rejected, and one that goes on behind what has run": (
        QUESTION,
        plan(),
        request("plan", "p1"),
        decide("plan", "other", "reject"),
        decide("plan", "p1", "reject"),
        plan(2, begins=2),
        decide("plan", "p2", by="policy"),
        put("a", 2),
        run("a", 2),
        Answer(turn=1, status="declined", text="No.", appearance=Appearance(title="T")),
    ),
    "a stop, a fault, and going on": (
        QUESTION,
        plan(),
        put("a"),
        start("a"),
        Stopped(turn=1),
        Failed(turn=1, message="m"),
        Resumed(turn=1),
        start("a"),
        KernelRestarted(turn=1, reason="memory", rerun=1),
        run("a", 1, "memory"),
        Resumed(turn=1),
        put("b"),
        start("b"),
        Failed(turn=1, message="m"),
        Resumed(turn=1),
        run("b"),
        request("code", "b"),
        Stopped(turn=1),
        Resumed(turn=1),
        Clarification(turn=1, id="c", text="Which?"),
        Failed(turn=1, message="m"),
        Answer(turn=1, status="partial", text="So far.", chart="b"),
        Resumed(turn=1),
    ),
    "code that is put forward again, and a package that it lacks": (
        QUESTION,
        plan(judged=True),
        decide("plan", "p1"),
        put("a", code="x"),
        Review(turn=1, proposal="a", verdict="revise", findings=(LACKS,)),
        put("b", code="x "),
        Review(turn=1, proposal="b", verdict="revise"),
        decide("code", "b"),
        run("b", 1, "raised", code="x"),
        Diagnosis(turn=1, execution="b", category="logic", cause="c"),
        put("c", code=" x"),
        put("d", code="y"),
        Review(turn=1, proposal="d", verdict="ok", findings=(LACKS,)),
        PackageProposed(turn=1, id="d:bird", proposal="d", module="bird", name="bird", fault="unknown"),
        Review(turn=1, proposal="d", verdict="ok", findings=(LACKS,)),
        put("e", code="z"),
        run("e", 1, "timeout", code="z"),
        put("f", code="z"),
        decide("code", "f", "edit", code="w"),
        Review(turn=1, proposal="f", verdict="concerns", findings=(LACKS,), of_edit=True),
        run("f", code="w"),
        StepSkipped(turn=1, step=1, language="sql", reason="r"),
        Clarification(turn=1, id="c", text="Which?", asker="coder"),
        ClarificationAnswered(turn=1, clarification="gone", text="x"),
        ClarificationAnswered(turn=1, clarification="c", text="x"),
    ),
    "packages, and requests for what the log does not hold": (
        QUESTION,
        put("a"),
        PackageProposed(turn=1, id="a:bird", proposal="a", module="bird", name="bird"),
        request("package", "a:bird"),
        decide("package", "a:bird"),
        PackageAdded(turn=1, name="bird", version="1", wheels=(), modules=("bird",)),
        PackageProposed(turn=1, id="a:cat", proposal="a", module="cat", name="cat"),
        request("package", "a:cat"),
        Review(turn=1, proposal="a", verdict="ok"),
        decide("package", "gone", "reject", request="else"),
        decide("package", "a:cat", "reject"),
        decide("code", "gone"),
        start("gone"),
        run("gone", 1, "refused"),
        Diagnosis(turn=1, execution="gone", category="data", cause="c"),
        Review(turn=1, proposal="gone", verdict="ok", of_edit=True),
        ClarificationAnswered(turn=1, clarification="gone", text="x"),
        request("code", "gone"),
        request("plan", "gone"),
        request("package", "gone"),
    ),
    "what holds for the session": (
        source("early"),
        HistorySummarised(upto=0, text="s"),
        UncagedAccepted(),
        SessionRenamed(title="Mine"),
        SessionRenamed(title=""),
        PolicyChanged(approve=("query",)),
        PolicyChanged(turn=1, approve=("python",)),
        QUESTION,
        source("late"),
        source("early", "read anew"),
        PinChanged(turn=1, pin="1.fact.1", scope="data"),
        PinChanged(turn=7, pin="7.fact.1", scope="data"),
        Answer(turn=1, status="answered", text="42"),
        source("after"),
        Presented(turn=1, look=Appearance(chart="pie")),
        Presented(turn=1, look=Appearance()),
        Disputed(turn=1, by="Ana", on=date(2026, 1, 1)),
        Disputed(turn=1, by="Ana", on=date(2026, 1, 1), stands=False),
        Verified(turn=1, by="Ana", on=date(2026, 1, 1), query="q", sql="s", source="shop", file="f"),
        Revoked(turn=1, by="Ana", on=date(2026, 1, 1)),
        Question(text="And?"),
        Presented(turn=1, look=Appearance(chart="bar")),
        Question(turn=5, text="More?", files=("b.csv",)),
        Withheld(turn=5),
        Withheld(turn=2, columns=("shop.a.b",)),
        Withheld(turn=9, columns=("shop.a.b",)),
        KernelRestarted(reason="idle"),
    ),
    "cells of a kernel": (
        run("early", names=("a", "b")),
        run("failed", 1, "raised", names=("b", "c")),
        run("refused", 1, "refused"),
        run("busy", 1, "busy"),
        run("killed", 1, "killed", names=("d",)),
        run("after"),
        KernelRestarted(reason="r", rerun=2, lost=("failed",)),
        run("fresh"),
        run("slow", 1, "timeout"),
        KernelRestarted(reason="r"),
        *(run(kind, 1, kind) for kind in ("interrupted", "memory", "cpu", "crashed")),
        PackageAdded(name="bird", version="1", wheels=(), modules=("bird",)),
    ),
}


FLOW = (next_speaker, find_state, is_spent, is_plan_due, is_judgement_due, is_repeated, is_cut_short, find_package_due)


def entries(events: Sequence[AnyEvent]) -> list[Entry]:
    """The events as a log holds them, one each minute."""
    return [Entry(seq=n, at=START + timedelta(minutes=n), event=event) for n, event in enumerate(events, start=1)]


def write(value: object, places: dict[int, int]) -> str:
    """A value in few signs; a part of a turn by the event that it began with."""
    match value:
        case Event():
            return f"#{places[id(value)]}" if id(value) in places else repr(value)
        case Moment():
            return write(value.event, places) + (f"/{value.step}" if value.step is not None else "")
        case BaseModel():
            return value.model_dump_json(exclude_defaults=True)
        case datetime():
            return f"@{(value - START) // timedelta(minutes=1)}"
        case list() | tuple():
            return f"[{', '.join(write(item, places) for item in value)}]"
        case set() | frozenset():
            return f"{{{', '.join(sorted(map(str, value)))}}}"
        case dict():
            return f"{{{', '.join(f'{key}: {write(item, places)}' for key, item in value.items())}}}"
        case PendingRequest():
            return f"({', '.join(f'{name} {text}' for name, text in describe(value, places).items())})"
        case Turn():
            return f"turn {value.number}"
        case _ if isinstance(value, Item):
            return write(getattr(value, dataclasses.fields(value)[0].name), places)
        case _:
            return repr(value)


def describe(value: object, places: dict[int, int]) -> dict[str, str]:
    """Every attribute and property of a part of the fold that is not empty."""
    names = [field.name for field in dataclasses.fields(value) if not field.name.startswith("_")]  # pyright: ignore
    names += [name for name, member in vars(type(value)).items() if isinstance(member, property)]
    values = {name: getattr(value, name) for name in names}
    return {name: write(part, places) for name, part in values.items() if part or (part == 0 and part is not False)}


def tell(transcript: Transcript, places: dict[int, int]) -> dict[str, dict[str, str]]:
    """A session, its kernel, its turns with their items, and what the flow says of the last one."""
    session = describe(transcript, places)
    parts = {"session": {name: session[name] for name in session.keys() - {"kernel", "waiting"}}}
    parts["kernel"] = describe(transcript.kernel, places)
    values = {ask.__name__: ask(turn) for ask in FLOW} if (turn := transcript.current) is not None else {}
    parts["flow"] = {name: write(value, places) for name, value in values.items() if value}
    for turn in transcript.turns:
        parts[f"turn {turn.number}"] = describe(turn, places)
        parts |= {f"item {write(item, places)}": describe(item, places) for item in turn.items}
    return parts


def tell_changes(events: Sequence[AnyEvent]) -> list[str]:
    """What each event changed; of a list that grew, what was added."""
    lines: list[str] = []
    before: dict[str, dict[str, str]] = {}
    log = entries(events)
    places = {id(entry.event): entry.seq for entry in log}
    for entry in log:
        lines.append(f"#{entry.seq} {entry.event.kind}")
        after = tell(fold_session(log[: entry.seq]), places)
        for part, values in after.items():
            old = before.get(part, {})
            changes = [
                f"{name} {_shorten(old.get(name, ''), values.get(name, '-'))}"
                for name in sorted({*old, *values})
                if old.get(name) != values.get(name)
            ]
            lines += [f"   {part}: {', '.join(changes)}"] if changes else []
        before = after
    return lines


def _shorten(old: str, new: str) -> str:
    """What stands in a list or mapping behind what stood there before; else all of it."""
    return f"+ {new[len(old) + 1 : -1]}" if len(old) > 2 and new.startswith(f"{old[:-1]}, ") else new


def test_each_event_changes_what_the_golden_file_says() -> None:
    text = "\n".join(line for title, events in SESSIONS.items() for line in (f"== {title}", *tell_changes(events)))
    assert text.splitlines() == (Path(__file__).parent / "fold.txt").read_text(encoding="utf-8").splitlines()


@settings(max_examples=30)
@given(sessions())
def test_a_turn_is_the_same_alone_and_in_its_session(log: tuple[Event, ...]) -> None:
    transcript = fold_events(log)
    assert fold_turn(log) == transcript.current
    assert [fold_turn(log, turn.number) for turn in transcript.turns] == transcript.turns
    assert [transcript.turn(turn.number) for turn in transcript.turns] == transcript.turns
    assert (transcript.turn(0), fold_turn(log, 0), transcript.seq) == (None, None, len(log))


def test_parts_of_a_turn_are_found_by_their_ids_and_the_latest_counts() -> None:
    birds = [PackageProposed(turn=1, id="bird", proposal="a", module=module, name="b") for module in "xy"]
    log = (QUESTION, put("a"), put("b"), put("a", code="newer"), *birds, run("a"), run("b", 2))
    turn = fold_turn(log)
    assert turn is not None
    item, package = turn.proposal("a"), turn.package("bird")
    assert item is not None
    assert package is not None
    assert (item.proposal, package.proposal, turn.execution("b")) == (log[3], birds[1], log[-1])
    assert (turn.proposal("c"), turn.package("cat"), turn.execution("c"), turn.execution(None)) == (None,) * 4
    assert (turn.step_position, turn.step) == (3, 1)  # without a plan there is one step


def test_code_is_sent_back_by_a_review_of_its_own_step_and_not_of_an_edit() -> None:
    log = (QUESTION, plan(), put("a", code="x"), put("b", code="y "), put("c", 2, code="z"), put("d", code="w"))
    verdicts = (("a", "revise", True), ("b", "revise", False), ("c", "revise", False), ("d", "concerns", False))
    reviews = [Review.model_validate({"turn": 1, "proposal": i, "verdict": v, "of_edit": e}) for i, v, e in verdicts]
    turn = fold_turn((*log, *reviews))
    assert turn is not None
    assert [code for code in "xyzw" if turn.is_sent_back(f" {code}")] == ["y"]


def test_a_session_waits_for_what_its_last_turn_waits_for() -> None:
    waiting = fold_events(SESSIONS["a turn from its question to its answer"][:6]).waiting
    assert waiting is not None
    assert waiting.id == "c1"
    assert fold_events(()).waiting is None


def test_the_turn_before_a_clarification_ends_with_what_was_said_before_it() -> None:
    log = SESSIONS["a turn from its question to its answer"]
    turn, early = fold_turn(log), fold_turn(log[:2])
    assert turn is not None
    assert early is not None
    assert turn_before_clarification(turn) == fold_turn(log[1:7])
    assert turn_before_clarification(early) is None


def test_a_teller_tells_nothing_of_other_kinds() -> None:
    assert (EventTeller().tell(QUESTION), EventTeller().tell(Event())) == ("", "")
