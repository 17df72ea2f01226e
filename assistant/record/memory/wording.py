"""Events in words for a model, no more of the data in them than the model may see.

`Sees` is the promise: with "names" a model reads what participants said (questions, plans, code, decisions) and the
shapes of results, no value out of the data; with "values" also figures about columns and the values of columns that
have few; with "results" also printed output, answers, and at most `ROWS_SEEN_MAX` rows of a result; with "rows" also
rows of the sources. Words a person typed are theirs to give away; they are
always seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from pydantic import JsonValue

from assistant.core.events import (
    Answer,
    Clarification,
    ClarificationAnswered,
    Decision,
    Diagnosis,
    Event,
    Execution,
    Failure,
    Judgement,
    PackageAdded,
    PackageProposed,
    Plan,
    Proposal,
    Question,
    Review,
    Step,
    StepSkipped,
    Variable,
)
from assistant.core.turns import EventTeller
from assistant.record.memory.tiers import Digest
from assistant.record.memory.tokens import cut
from assistant.settings.disclosure_levels import Sees

SEES_RESULTS: tuple[Sees, ...] = ("results", "rows")
"""The levels at which a model reads what approved steps gave."""

ROWS_SEEN_MAX = 50
"""Rows of one result that a model may see, from "results" on."""

_OUTPUT_TOKENS = 1_200
_LINES_OF_ROWS = ROWS_SEEN_MAX + 1  # a printed table: its header and its rows
_COLUMNS_NAMED = 40


def digest_in_words(digest: Digest, *, sees: Sees) -> str:
    """A past turn: question, what was decided, answer."""
    lines = [f"Question {digest.turn}: {digest.question}"]
    lines += [f"Asked back: {asked} They said: {said}" for asked, said in digest.asked_back]
    if digest.decisions:
        lines.append("Decisions: " + "; ".join(digest.decisions))
    if digest.results:
        lines.append("Results in the kernel: " + ", ".join(digest.results))
    if sees in SEES_RESULTS and digest.answer:
        lines.append(f"Answer ({digest.status}): {digest.answer}")
    else:
        lines.append(f"It was {digest.status}.")
    return "\n".join(lines)


def variable_in_words(variable: Variable) -> str:
    """A kernel variable by its profile: `sales: DataFrame 12 x 3 (region, month, revenue)`."""
    shape = " " + " x ".join(str(n) for n in variable.shape) if variable.shape else ""
    columns = f" ({_named(variable.columns)})" if variable.columns else ""
    return f"{variable.name}: {_one_line(variable.type, chars_max=80)}{shape}{columns}"


def event_in_words(event: Event, *, sees: Sees, told: int | None = None) -> str:
    """One event of the current turn in full; empty for events that tell a model nothing.

    Args:
        event: The event.
        sees: How much of the data the model may see.
        told: The step, from 1, whose instruction is told elsewhere in the prompt.
    """
    return _Wording(sees=sees, told=told).tell(event)


class _Wording(EventTeller):
    """Events as a model reads them."""

    def __init__(self, *, sees: Sees, told: int | None) -> None:
        self._sees: Sees = sees
        self._told = told

    def tell_question(self, event: Question) -> str:
        attached = f"\nAttached files: {', '.join(event.files)}" if event.files else ""
        return f"The person asks: {event.text}{attached}"

    def tell_plan(self, event: Plan) -> str:
        return _plan(event, told=self._told)

    def tell_clarification(self, event: Clarification) -> str:
        return f"The {event.asker} asked back: {event.text}"

    def tell_clarification_answered(self, event: ClarificationAnswered) -> str:
        return f"The person answered: {event.text}"

    def tell_proposal(self, event: Proposal) -> str:
        name = f", result {event.result}" if event.result else ""
        return f"Proposal {event.id} ({event.language}{name}): {event.title}\n```{event.language}\n{event.code}\n```"

    def tell_review(self, event: Review) -> str:
        # What was found to be right changes nothing for whoever goes on.
        found = "".join(f"\n- {f.level}: {_at(f.line)}{f.text}" for f in event.findings if f.level != "ok")
        return f"Review of {'the edit of ' if event.of_edit else ''}{event.proposal}: {event.verdict}{found}"

    def tell_package_proposed(self, event: PackageProposed) -> str:
        if not event.fault:
            return ""
        return f"The package {event.name}, which the cell imports as {event.module}, cannot be had. Do without it."

    def tell_package_added(self, event: PackageAdded) -> str:
        return f"The package {event.name} {event.version} was added; cells can import {', '.join(event.modules)}."

    def tell_decision(self, event: Decision) -> str:
        return _of_package(event) if event.subject == "package" else _decision(event, told=self._told)

    def tell_execution(self, event: Execution) -> str:
        return _execution(event, sees=self._sees)

    def tell_step_skipped(self, event: StepSkipped) -> str:
        return f"Step {event.step} was skipped: {event.reason}"

    def tell_diagnosis(self, event: Diagnosis) -> str:
        fix = f" Fix: {event.fix}" if event.fix else ""
        return f"Diagnosis of {event.execution} ({event.category}): {event.cause}{fix}"

    def tell_judgement(self, event: Judgement) -> str:
        return f"On the result of {event.execution} the planner said: {event.reason}" if event.reason else ""

    def tell_answer(self, event: Answer) -> str:
        return f"Answer: {event.text}" if self._sees in SEES_RESULTS else ""


def failure_in_words(failure: Failure, *, code: str, sees: Sees) -> str:
    """Why a cell failed.

    Error messages quote values; below "results" what stands in quotes is blanked, unless it stands in the cell as well
    (a misspelt column), and at "names" there is no message at all. A cell that raises a value on purpose, without
    quotes, is not found out by this.
    """
    where = f" at line {failure.line}" if failure.line is not None else ""
    if sees == "names":
        return f"{failure.kind}: {failure.name}{where}"
    message = failure.message
    if sees == "values":
        message = _QUOTED.sub(lambda found: found[0] if found[0][1:-1] in code else "'…'", message)
    return f"{failure.kind}: {failure.name}{where}: {_one_line(message, chars_max=800)}"


_QUOTED = re.compile(r"'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"")


def _plan(plan: Plan, *, told: int | None) -> str:
    lines = [f"Plan {plan.id}: {plan.restated}"]
    if plan.changed:
        lines.append(f"Changed because: {plan.changed}")
    lines += _steps(plan.steps, told=told)
    if plan.tables:
        lines.append("Tables: " + ", ".join(plan.tables))
    if plan.assumptions:
        lines.append("Assumptions: " + "; ".join(plan.assumptions))
    return "\n".join(lines)


def _steps(steps: Sequence[Step], *, told: int | None) -> list[str]:
    said = (f"{s.title}. {s.instruction if n != told else ''}".rstrip() for n, s in enumerate(steps, start=1))
    return [f"{n}. ({s.language}) {words}" for n, (s, words) in enumerate(zip(steps, said, strict=True), start=1)]


def _of_package(decision: Decision) -> str:
    name = decision.ref.partition(":")[2]
    if decision.action == "approve":
        return ""  # what comes of it stands in the log
    why = f" Reason: {decision.reason.strip()}" if decision.reason.strip() else ""
    return f"The person did not let the package {name} be added.{why} Do without it."


def _decision(decision: Decision, *, told: int | None) -> str:
    who = "The person" if decision.by == "person" else "The policy"
    what = "the plan" if decision.subject == "plan" else f"the code {decision.ref}"
    verb = {"approve": "approved", "edit": "edited", "reject": "rejected"}[decision.action]
    text = f"{who} {verb} {what}."
    if decision.reason.strip():
        text += f" Reason: {decision.reason.strip()}"
    if decision.action == "edit" and decision.code is not None:
        text += f"\nTheir version:\n```\n{decision.code}\n```"
    if decision.action == "edit" and decision.steps is not None:
        text += "".join(f"\n{line}" for line in _steps(decision.steps, told=told))
    return text


def _execution(execution: Execution, *, sees: Sees) -> str:
    lines = [f"Execution {execution.id}: {execution.status}"]
    if execution.failure is not None:
        lines.append(failure_in_words(execution.failure, code=execution.code, sees=sees))
    lines += [f"Query on {q.source} gave {q.rows} rows ({_named(q.columns)})" for q in execution.queries]
    for check in execution.checks:
        detail = f" ({check.detail})" if check.detail and sees in SEES_RESULTS else ""
        lines.append(f"Check {check.name}: {'holds' if check.ok else 'FAILS'}{detail}")
    if sees in SEES_RESULTS:
        printed = outputs_in_words(execution.outputs)
        if printed:
            lines.append(f"Printed:\n{printed}")
    return "\n".join(lines)


def outputs_in_words(outputs: Sequence[Mapping[str, JsonValue]]) -> str:
    """What a cell printed and showed, as text, cut to a table of `ROWS_SEEN_MAX` rows; pictures by their kind.

    A table is left out.
    """
    parts: list[str] = []
    for output in outputs:
        match output.get("output_type"):
            case "stream":
                parts.append(_text(output.get("text")))
            case "execute_result" | "display_data":
                data = output.get("data")
                parts.append(_shown(data) if isinstance(data, dict) else "")
            case _:
                pass  # an error output repeats the failure
    lines = "\n".join(part.rstrip() for part in parts if part.strip()).splitlines()
    # What code printed may hold what others wrote: each line stands behind a bar and can open or close nothing.
    kept = "\n".join(f"| {_one_line(line, chars_max=400)}" for line in lines[:_LINES_OF_ROWS])
    more = len(lines) - _LINES_OF_ROWS
    return cut(kept, _OUTPUT_TOKENS) + (f"\n[{more} more lines]" if more > 0 else "")


def _shown(data: Mapping[str, JsonValue]) -> str:
    if any("vega" in kind for kind in data):
        return "[chart]"
    if any(kind.startswith("image/") for kind in data):
        return "[image]"
    if any("dataresource" in kind for kind in data):
        return ""  # its rows stand with the results
    return _text(data.get("text/plain"))


def _text(value: JsonValue | None) -> str:
    if isinstance(value, list):
        return "".join(str(part) for part in value)
    return value if isinstance(value, str) else ""


def _named(names: Iterable[str]) -> str:
    listed = [_one_line(name, chars_max=80) for name in names]
    more = len(listed) - _COLUMNS_NAMED
    return ", ".join(listed[:_COLUMNS_NAMED]) + (f", and {more} more" if more > 0 else "")


def _one_line(text: str, *, chars_max: int) -> str:
    from knowledge.fencing import defused

    line = defused(text).replace("\n", " ⏎ ").rstrip()
    return line if len(line) <= chars_max else line[: chars_max - 1] + "…"


def _at(line: int | None) -> str:
    return f"line {line}: " if line is not None else ""
