"""What a model reads of a session, to the letter: `prompt.txt` holds the prompt at each level of `sees`."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from memory_sessions import answered_turn

from assistant.core.events import (
    Answer,
    Check,
    Clarification,
    ClarificationAnswered,
    Decision,
    Diagnosis,
    Event,
    Execution,
    Failure,
    Finding,
    HistorySummarised,
    Judgement,
    Looked,
    PackageAdded,
    PackageProposed,
    Plan,
    Proposal,
    QueryRun,
    Question,
    Review,
    Step,
    StepSkipped,
    Stopped,
    Variable,
)
from assistant.record.memory.context import FoldedContext, PromptSection
from assistant.record.memory.pins import Pin
from assistant.record.memory.wording import Sees

STEPS = (
    Step(title="Sum", language="sql", instruction="Net only."),
    Step(title="Share", language="python", instruction="In percent."),
    Step(title="Draw", language="python"),
)
FRAME = Variable(name="rows", type="DataFrame", shape=(4, 2), columns=("region", "revenue"))
OUTPUTS = (
    {"output_type": "stream", "name": "stdout", "text": ["North 12\n", "```\n", "x" * 500]},
    {"output_type": "execute_result", "data": {"text/plain": ["4", "2"]}},
    {"output_type": "display_data", "data": {"image/png": "…", "text/plain": "<Figure>"}},
    {"output_type": "display_data", "data": {"application/vnd.vegalite.v6+json": {}, "text/plain": "Chart"}},
    {"output_type": "execute_result", "data": {"application/vnd.dataresource+json": {}, "text/plain": "table"}},
    {"output_type": "error", "ename": "E", "evalue": "told with the failure"},
    {"output_type": "stream", "name": "stdout", "text": "line\n" * 60},
)
PUT = {"turn": 9, "language": "python", "revision": 1}


def put(ref: str, step: int, **more: object) -> Proposal:
    return Proposal.model_validate(
        {**PUT, "id": ref, "step": step, "title": f"Do {ref}", "code": f"code {ref}", **more}
    )


def decide(subject: str, ref: str, action: str, **more: object) -> Decision:
    fields = {"turn": 9, "request": "r", "subject": subject, "ref": ref, "action": action, "by": "person"}
    return Decision.model_validate({**fields, **more})


def run(ref: str, step: int, **more: object) -> Execution:
    fields = {"turn": 9, "id": ref, "step": step, "language": "python", "code": f"ran {ref} 'regoin'", "status": "ok"}
    return Execution.model_validate({**fields, **more})


CURRENT: list[Event] = [
    Question(turn=9, text="Share of each region?", files=("a.csv", "b.csv")),
    Looked(turn=9, role="planner", look="search", asked="share", found="nothing"),
    Clarification(turn=9, id="c", text="What does 'share' mean?"),
    ClarificationAnswered(turn=9, clarification="c", text="of revenue"),
    Plan(turn=9, id="p1", restated="Too much", steps=STEPS[:1]),
    decide("plan", "p1", "reject", reason=" Only 2025 "),
    Plan(turn=9, id="p2", restated="Share", steps=STEPS, changed="it was rejected", tables=("sales", "regions"), assumptions=("net", "2025")),
    decide("plan", "p2", "edit", steps=(*STEPS[1:], STEPS[0])),
    put("a", 1, result="rows"),
    decide("code", "a", "edit", code="theirs"),
    run("a", 1, variables=(FRAME, Variable(name="pd", type="module")), queries=(QueryRun(sql="SELECT 1", source="shop", rows=4, seconds=0.1, columns=("region", "revenue")),)),
    StepSkipped(turn=9, step=2, language="python", reason="nothing to draw"),
    put("b", 3, language="sql"),
    Review(turn=9, proposal="b", verdict="concerns", findings=(Finding(level="ok", text="fine"), Finding(level="warning", text="slow", line=2), Finding(level="note", text="wide"))),
    PackageProposed(turn=9, id="b:bird", proposal="b", module="bird", name="bird"),
    decide("package", "b:bird", "reject", reason="no "),
    PackageProposed(turn=9, id="b:cat", proposal="b", module="cat", name="cats", fault="unknown"),
    decide("package", "b:dog", "approve"),
    PackageAdded(turn=9, name="dog", version="1", wheels=(), modules=("dog", "pup")),
    decide("code", "b", "approve", by="policy"),
    run("b", 3, status="failed", outputs=OUTPUTS, failure=Failure(kind="raised", name="KeyError", message="'regoin' \"Ann\"", line=3), checks=(Check(name="unique", ok=True), Check(name="range", ok=False, detail="9 rows"))),
    Diagnosis(turn=9, execution="b", category="logic", cause="misspelt", fix="region"),
    Judgement(turn=9, execution="a", verdict="go_on", reason="as expected"),
    Judgement(turn=9, execution="a", verdict="go_on"),
    decide("code", "b", "reject", reason="wrong"),
    Review(turn=9, proposal="b", verdict="ok", of_edit=True),
    run("b", 3, status="failed", failure=Failure(kind="timeout", name="Timeout", message="too 'long'")),
    Answer(turn=9, status="partial", text="North leads."),
]  # fmt: skip


def log() -> list[Event]:
    """A session of nine turns, the last of them with everything that can be said in one."""
    events: list[Event] = [event for turn in range(1, 9) for event in answered_turn(turn, f"Revenue of year {turn}?")]
    events += [HistorySummarised(turn=8, upto=2, text="Facts:\n- North is new")]
    events[8] = events[8].model_copy(update={"text": "From now on leave out returns"})
    after_first = [Question(turn=7, text="No, I meant gross"), Stopped(turn=7)]
    return [event for event in events if event.turn != 7] + after_first + CURRENT


STORED = (
    Pin(id="s", kind="fact", turn=0, text="West is North", scope="data"),
    Pin(id="t", kind="definition", turn=0, text="an order this year", word="active", scope="always"),
)


def prompt(sees: Sees) -> str:
    """The first message, with sections, and with room for everything."""
    context = FoldedContext(
        sorted(log(), key=lambda event: event.turn),
        tokens_max=9_000,
        sees=sees,
        step=3,
        turns_recent=3,
        instructs=sees == "results",
        tells_variables=sees != "names",
        sections=(PromptSection(title="Tables", text="sales (region, revenue)"),),
        task="Write the code of step 3.",
        stored=STORED,
    )
    return "\n".join(str(message.content) for message in asyncio.run(context.get_messages()))


@pytest.mark.parametrize("sees", ["names", "values", "results"])
def test_the_prompt_is_what_the_golden_file_says(sees: Sees) -> None:
    parts = (Path(__file__).parent / "prompt.txt").read_text(encoding="utf-8").split("==== sees ")
    golden = {name: text for part in parts if part for name, _, text in [part.partition("\n")]}
    assert f"{prompt(sees)}\n" == golden[sees]
