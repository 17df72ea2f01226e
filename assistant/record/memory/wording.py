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
    FunctionsKept,
    FunctionsProposed,
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
    WrittenFunction,
)
from assistant.core.turns import EventTeller
from assistant.record.memory.tiers import Digest
from assistant.record.memory.tokens import cut
from assistant.settings.level_store import Sees

SEES_RESULTS: tuple[Sees, ...] = ("results", "rows")
"""The levels at which a model reads what approved steps gave."""

ROWS_SEEN_MAX = 50
"""Rows of one result that a model may see, from "results" on."""

_OUTPUT_TOKENS = 1_200
_LINES_OF_ROWS = ROWS_SEEN_MAX + 1  # a printed table: its header and its rows
_COLUMNS_MAX = 40


def describe_digest(digest: Digest, *, sees: Sees) -> str:
    """A past turn: question, what was decided, answer."""
    lines = [f"Question {digest.turn}: {digest.question}"]
    lines += [f"Asked back: {question} They said: {reply}" for question, reply in digest.asked_back]
    if digest.decisions:
        lines.append("Decisions: " + "; ".join(digest.decisions))
    if digest.results:
        lines.append("Results in the kernel: " + ", ".join(digest.results))
    if sees in SEES_RESULTS and digest.answer:
        lines.append(f"Answer ({digest.status}): {digest.answer}")
    else:
        lines.append(f"It was {digest.status}.")
    return "\n".join(lines)


def describe_variable(variable: Variable) -> str:
    """A kernel variable by its profile: `sales: DataFrame 12 x 3 (region, month, revenue)`."""
    shape = " " + " x ".join(str(n) for n in variable.shape) if variable.shape else ""
    columns = f" ({_list_names(variable.columns)})" if variable.columns else ""
    return f"{variable.name}: {_one_line(variable.type, chars_max=80)}{shape}{columns}"


def describe_event(event: Event, *, sees: Sees, instructed_step: int | None = None) -> str:
    """One event of the current turn in full; empty for events that tell a model nothing.

    Args:
        event: The event.
        sees: How much of the data the model may see.
        instructed_step: The step, from 1, whose instruction is told elsewhere in the prompt.
    """
    return _Wording(sees=sees, instructed_step=instructed_step).tell(event)


class _Wording(EventTeller):
    """Events as a model reads them."""

    def __init__(self, *, sees: Sees, instructed_step: int | None) -> None:
        self._sees: Sees = sees
        self._told = instructed_step

    def tell_question(self, event: Question) -> str:
        attached = f"\nAttached files: {', '.join(event.files)}" if event.files else ""
        return f"The person asks: {event.text}{attached}"

    def tell_plan(self, event: Plan) -> str:
        return _describe_plan(event, instructed_step=self._told)

    def tell_clarification(self, event: Clarification) -> str:
        return f"The {event.asker} asked back: {event.text}"

    def tell_clarification_answered(self, event: ClarificationAnswered) -> str:
        return f"The person answered: {event.text}"

    def tell_proposal(self, event: Proposal) -> str:
        name = f", result {event.result}" if event.result else ""
        return f"Proposal {event.id} ({event.language}{name}): {event.title}\n```{event.language}\n{event.code}\n```"

    def tell_review(self, event: Review) -> str:
        # What was found to be right changes nothing for whoever goes on.
        findings = "".join(f"\n- {f.level}: {_format_line(f.line)}{f.text}" for f in event.findings if f.level != "ok")
        return f"Review of {'the edit of ' if event.of_edit else ''}{event.proposal}: {event.verdict}{findings}"

    def tell_package_proposed(self, event: PackageProposed) -> str:
        if not event.fault:
            return ""
        return f"The package {event.name}, which the cell imports as {event.module}, cannot be had. Do without it."

    def tell_package_added(self, event: PackageAdded) -> str:
        return f"The package {event.name} {event.version} was added; cells can import {', '.join(event.modules)}."

    def tell_functions_proposed(self, event: FunctionsProposed) -> str:
        names = ", ".join(function.name for function in event.functions)
        if event.fault:
            return f"The functions {names} were given up: {event.fault} Write the step without them."
        if event.doubt is not None:
            return ""  # what comes of it stands in the log
        lines = (_describe_written_function(function) for function in event.functions)
        return "\n".join(["Functions that were written and passed their tests:", *lines])

    def tell_functions_kept(self, event: FunctionsKept) -> str:
        return f"The person kept {', '.join(event.names)}. Write the step's cell with them: from functions import NAME."

    def tell_decision(self, event: Decision) -> str:
        if event.subject == "functions":
            return _describe_functions_decision(event)
        return (
            _describe_package_decision(event)
            if event.subject == "package"
            else _describe_decision(event, instructed_step=self._told)
        )

    def tell_execution(self, event: Execution) -> str:
        return _describe_execution(event, sees=self._sees)

    def tell_step_skipped(self, event: StepSkipped) -> str:
        return f"Step {event.step} was skipped: {event.reason}"

    def tell_diagnosis(self, event: Diagnosis) -> str:
        fix = f" Fix: {event.fix}" if event.fix else ""
        return f"Diagnosis of {event.execution} ({event.category}): {event.cause}{fix}"

    def tell_judgement(self, event: Judgement) -> str:
        return f"On the result of {event.execution} the planner said: {event.reason}" if event.reason else ""

    def tell_answer(self, event: Answer) -> str:
        return f"Answer: {event.text}" if self._sees in SEES_RESULTS else ""


def describe_failure(failure: Failure, *, code: str, sees: Sees) -> str:
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
        message = _QUOTED.sub(lambda match: match[0] if match[0][1:-1] in code else "'…'", message)
    return f"{failure.kind}: {failure.name}{where}: {_one_line(message, chars_max=800)}"


_QUOTED = re.compile(
    r"""(?x) (?: (?<![^\W\d_]) | (?<=\b[bBrRuU]) )  # no apostrophe, as in "can't"
    (?: '(?:[^'\\\n]|\\.)*' | "(?:[^"\\\n]|\\.)*" )"""
)


def _describe_plan(plan: Plan, *, instructed_step: int | None) -> str:
    lines = [f"Plan {plan.id}: {plan.restated}"]
    if plan.changed:
        lines.append(f"Changed because: {plan.changed}")
    lines += _describe_steps(plan.steps, instructed_step=instructed_step)
    if plan.tables:
        lines.append("Tables: " + ", ".join(plan.tables))
    if plan.assumptions:
        lines.append("Assumptions: " + "; ".join(plan.assumptions))
    return "\n".join(lines)


def _describe_steps(steps: Sequence[Step], *, instructed_step: int | None) -> list[str]:
    texts = (
        f"{s.title}. {s.instruction if n != instructed_step else ''}".rstrip() for n, s in enumerate(steps, start=1)
    )
    return [f"{n}. ({s.language}) {words}" for n, (s, words) in enumerate(zip(steps, texts, strict=True), start=1)]


def _describe_package_decision(decision: Decision) -> str:
    name = decision.ref.partition(":")[2]
    if decision.action == "approve":
        return ""  # what comes of it stands in the log
    why = f" Reason: {decision.reason.strip()}" if decision.reason.strip() else ""
    return f"The person did not let the package {name} be added.{why} Do without it."


def _describe_written_function(function: WrittenFunction) -> str:
    parameters = ", ".join(entry.partition(":")[0] for entry in function.inputs)
    inputs = "; ".join(function.inputs)
    return f"- {function.name}({parameters}): {function.purpose} Takes {inputs} Gives {function.output}"


def _describe_functions_decision(decision: Decision) -> str:
    if decision.action == "approve":
        return ""  # what comes of it stands in the log
    why = f" Reason: {decision.reason.strip()}" if decision.reason.strip() else ""
    return f"The person did not keep the functions {decision.ref}.{why} Write the step without them."


def _describe_decision(decision: Decision, *, instructed_step: int | None) -> str:
    actor = "The person" if decision.by == "person" else "The policy"
    subject = "the plan" if decision.subject == "plan" else f"the code {decision.ref}"
    verb = {"approve": "approved", "edit": "edited", "reject": "rejected"}[decision.action]
    text = f"{actor} {verb} {subject}."
    if decision.reason.strip():
        text += f" Reason: {decision.reason.strip()}"
    if decision.action == "edit" and decision.code is not None:
        text += f"\nTheir version:\n```\n{decision.code}\n```"
    if decision.action == "edit" and decision.steps is not None:
        text += "".join(f"\n{line}" for line in _describe_steps(decision.steps, instructed_step=instructed_step))
    return text


def _describe_execution(execution: Execution, *, sees: Sees) -> str:
    lines = [f"Execution {execution.id}: {execution.status}"]
    if execution.failure is not None:
        lines.append(describe_failure(execution.failure, code=execution.code, sees=sees))
    lines += [f"Query on {q.source} gave {q.rows} rows ({_list_names(q.columns)})" for q in execution.queries]
    for check in execution.checks:
        detail = f" ({check.detail})" if check.detail and sees in SEES_RESULTS else ""
        lines.append(f"Check {check.name}: {'holds' if check.ok else 'FAILS'}{detail}")
    if sees in SEES_RESULTS:
        printed = describe_outputs(execution.outputs)
        if printed:
            lines.append(f"Printed:\n{printed}")
    return "\n".join(lines)


def describe_outputs(outputs: Sequence[Mapping[str, JsonValue]]) -> str:
    """What a cell printed and showed, as text, cut to a table of `ROWS_SEEN_MAX` rows; pictures by their kind.

    A table is left out.
    """
    parts: list[str] = []
    for output in outputs:
        match output.get("output_type"):
            case "stream":
                parts.append(_join_text(output.get("text")))
            case "execute_result" | "display_data":
                data = output.get("data")
                parts.append(_describe_output(data) if isinstance(data, dict) else "")
            case _:
                pass  # an error output repeats the failure
    lines = "\n".join(part.rstrip() for part in parts if part.strip()).splitlines()
    # What code printed may hold what others wrote: each line stands behind a bar and can open or close nothing.
    text = "\n".join(f"| {_one_line(line, chars_max=400)}" for line in lines[:_LINES_OF_ROWS])
    more = len(lines) - _LINES_OF_ROWS
    return cut(text, _OUTPUT_TOKENS) + (f"\n[{more} more lines]" if more > 0 else "")


def _describe_output(data: Mapping[str, JsonValue]) -> str:
    if any("vega" in kind for kind in data):
        return "[chart]"
    if any(kind.startswith("image/") for kind in data):
        return "[image]"
    if any("dataresource" in kind for kind in data):
        return ""  # its rows stand with the results
    return _join_text(data.get("text/plain"))


def _join_text(value: JsonValue | None) -> str:
    if isinstance(value, list):
        return "".join(str(part) for part in value)
    return value if isinstance(value, str) else ""


def _list_names(names: Iterable[str]) -> str:
    listed = [_one_line(name, chars_max=80) for name in names]
    more = len(listed) - _COLUMNS_MAX
    return ", ".join(listed[:_COLUMNS_MAX]) + (f", and {more} more" if more > 0 else "")


def _one_line(text: str, *, chars_max: int) -> str:
    from knowledge.fencing import escape_markers

    line = escape_markers(text).replace("\n", " ⏎ ").rstrip()
    return line if len(line) <= chars_max else line[: chars_max - 1] + "…"


def _format_line(line: int | None) -> str:
    return f"line {line}: " if line is not None else ""
