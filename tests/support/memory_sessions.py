"""Sessions for tests of memory: one by hand, and any number by Hypothesis."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from assistant.core.events import (
    Answer,
    Clarification,
    ClarificationAnswered,
    Decision,
    Diagnosis,
    Event,
    Execution,
    ExecutionStarted,
    Failure,
    Plan,
    Proposal,
    Query,
    QueryRun,
    Question,
    Review,
    Step,
    Stopped,
    Variable,
)


def answered_turn(
    turn: int, question: str, *, sql: str = "SELECT 1", result: str = "result", **answer: str
) -> list[Event]:
    """A turn with one SQL step that went well."""
    ref = f"{turn}.1.1"
    code = f'{result} = query("""{sql}""")'
    ran = QueryRun(sql=sql, source="shop", rows=4, seconds=0.01, columns=("region", "revenue"))
    frame = Variable(name=result, type="DataFrame", shape=(4, 2), columns=("region", "revenue"))
    return [
        Question(turn=turn, text=question),
        Plan(
            turn=turn,
            id=f"{turn}.plan.1",
            restated=question,
            steps=(Step(title="Query", language="sql"),),
            meaning=f'{{"turn": {turn}}}',
        ),
        Proposal(
            turn=turn,
            id=ref,
            step=1,
            revision=1,
            language="sql",
            title=f"Query of turn {turn}",
            code=code,
            queries=(Query(sql=sql),),
            result=result,
            meaning=f'{{"sql": {turn}}}',
        ),
        Review(turn=turn, proposal=ref, verdict="ok"),
        Decision(turn=turn, request="r", subject="code", ref=ref, action="approve", by="person"),
        ExecutionStarted(turn=turn, id=ref, step=1, language="sql", code=code),
        Execution(
            turn=turn,
            id=ref,
            step=1,
            language="sql",
            code=code,
            status="ok",
            variables=(frame,),
            queries=(ran,),
            outputs=({"output_type": "stream", "name": "stdout", "text": f"printed in turn {turn}\n"},),
        ),
        Answer(turn=turn, status="answered", text=answer.get("text", f"Answer {turn}. And more."), table=ref),
    ]


_TEXT = st.text(alphabet=st.characters(codec="utf-8", exclude_categories=("Cs",)), max_size=120)
_LONG = st.one_of(_TEXT, st.integers(1, 60).map(lambda n: "revenue 2026-01-01, " * n))


@st.composite
def sessions(draw: st.DrawFn, *, turns_max: int = 7) -> Sequence[Event]:
    """Sessions of some turns, the last of them anywhere in its course."""
    log: list[Event] = []
    turns = draw(st.integers(1, turns_max))
    for turn in range(1, turns + 1):
        events = _turn(draw, turn)
        if turn == turns:
            events = events[: draw(st.integers(1, len(events)))]
        log += events
    return tuple(log)


def _turn(draw: st.DrawFn, turn: int) -> list[Event]:
    events: list[Event] = [Question(turn=turn, text=draw(_LONG))]
    if draw(st.booleans()):
        events += [
            Clarification(turn=turn, id=f"{turn}.clarify.1", text=draw(_TEXT)),
            ClarificationAnswered(turn=turn, clarification=f"{turn}.clarify.1", text=draw(_TEXT)),
        ]
    steps = draw(st.integers(1, 3))
    plan = tuple(Step(title=draw(_TEXT), language="python", instruction=draw(_TEXT)) for _ in range(steps))
    events.append(Plan(turn=turn, id=f"{turn}.plan.1", restated=draw(_TEXT), steps=plan))
    for step in range(1, steps + 1):
        for revision in range(1, draw(st.integers(1, 3)) + 1):
            ref = f"{turn}.{step}.{revision}"
            events.append(
                Proposal(
                    turn=turn,
                    id=ref,
                    step=step,
                    revision=revision,
                    language="python",
                    title=f"Do {ref}",
                    code=draw(_LONG),
                    result=f"r{step}",
                )
            )
            fate = draw(st.sampled_from(("reject", "fail", "ok")))
            if fate == "reject":
                events.append(
                    Decision(
                        turn=turn,
                        request="r",
                        subject="code",
                        ref=ref,
                        action="reject",
                        by="person",
                        reason=draw(_TEXT),
                    )
                )
                continue
            status = "ok" if fate == "ok" else "failed"
            failure = None if fate == "ok" else Failure(kind="raised", name="KeyError", message=draw(_TEXT))
            output = {"output_type": "stream", "name": "stdout", "text": draw(_LONG)}
            events.append(
                Execution(
                    turn=turn,
                    id=ref,
                    step=step,
                    language="python",
                    code="x",
                    status=status,
                    failure=failure,
                    outputs=(output,),
                )
            )
            if fate == "ok":
                break
            events.append(Diagnosis(turn=turn, execution=ref, category="logic", cause=draw(_TEXT), fix=draw(_TEXT)))
    end = draw(st.sampled_from(("answered", "declined", "stopped")))
    events.append(Stopped(turn=turn) if end == "stopped" else Answer(turn=turn, status=end, text=draw(_LONG)))
    return events
