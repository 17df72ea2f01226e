"""The text of a session as Markdown. It comes from people, models and data: it is shown, never interpreted.

Markup that would run or load something when the notebook is opened (HTML, images) is escaped; emphasis, lists and links
stay. A password in an address is removed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from assistant.core.events import (
    Answer,
    Citation,
    Decision,
    Diagnosis,
    Execution,
    Finding,
    FunctionsProposed,
    Judgement,
    Plan,
    Proposal,
    Review,
    Step,
    StepSkipped,
)

_PASSWORD = re.compile(r"(\b[A-Za-z][\w+.-]*://[^\s:/@]*):[^\s@/]+@")
_SCRIPT = re.compile(r"(?i)\b(javascript|vbscript|data(?=\s*:\s*text/))\s*:")
_TRUST = {
    "verified": "verified: this very query was marked right by a person",
    "adapted": "adapted from a query that was marked right by a person",
    "new": "new: nobody has verified it yet",
}


def prose(text: str) -> str:
    """Text as Markdown that can load nothing."""
    escaped = _PASSWORD.sub(r"\1:***@", text).replace("&", "&amp;").replace("<", "&lt;")
    return _SCRIPT.sub(r"\1 :", escaped).replace("![", "!\\[").replace("$", "\\$").strip()


def line(text: str) -> str:
    """Text on one line."""
    return " ".join(prose(text).split())


def quote(text: str) -> str:
    """Text as a block quotation."""
    return "\n".join(f"> {part}".rstrip() for part in prose(text).splitlines()) or "> "


def code(text: str, language: str = "") -> str:
    """Text as a fenced block, whose fence is longer than any in it."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    escaped = _PASSWORD.sub(r"\1:***@", text)
    return f"{fence}{language}\n{escaped}\n{fence}"


def bullets(items: Iterable[str]) -> str:
    """A list; empty for no items."""
    return "\n".join(f"- {line(item)}" for item in items)


def format_question(turn: int, text: str, files: tuple[str, ...]) -> str:
    """The heading of a turn."""
    first, _, remainder = prose(text).partition("\n")
    parts = [f"## {turn}. {first.strip() or 'A question'}"]
    if remainder.strip():
        parts.append(quote(text))
    if files:
        parts.append("With " + ", ".join(f"`{_bare(name)}`" for name in files) + ".")
    return "\n\n".join(parts)


def format_plan(event: Plan) -> str:
    """A plan: how the question was read, its steps, what it assumes and rests on."""
    parts = [f"**Plan.** {line(event.restated)}", format_steps(event.steps)]
    if event.assumptions:
        parts.append("Assumed:\n" + bullets(event.assumptions))
    if event.citations:
        parts.append("Rests on:\n" + format_citations(event.citations))
    return "\n\n".join(part for part in parts if part)


def format_steps(planned: Iterable[Step]) -> str:
    """Steps as a numbered list."""
    return "\n".join(
        f"{number}. {line(step.title)} ({step.language})"
        + (f": {line(step.instruction)}" if step.instruction and step.instruction != step.title else "")
        for number, step in enumerate(planned, 1)
    )


def format_citations(cited: Iterable[Citation]) -> str:
    """Citations as a list."""
    return "\n".join(
        f"- {line(citation.title)} (`{_bare(citation.origin)}`)"
        + (f": {line(citation.excerpt)}" if citation.excerpt else "")
        for citation in cited
    )


def format_proposal(event: Proposal) -> str:
    """The heading of a proposal, without its code."""
    version = f", version {event.revision}" if event.revision > 1 else ""
    why = f" {line(event.why)}" if event.why else ""
    return f"**Step {event.step}{version}: {line(event.title)}.**{why}"


def format_review(event: Review) -> str:
    """What the reviewer found; empty for a clean one."""
    findings = [finding for finding in event.findings if finding.level != "ok"]
    if not findings and event.verdict == "ok":
        return ""
    verdict = {"ok": "Review", "concerns": "Review, with concerns", "revise": "Review, sent back"}[event.verdict]
    return f"*{verdict}:*\n" + "\n".join(f"- {_finding(finding)}" for finding in findings)


def _finding(finding: Finding) -> str:
    place = f" (line {finding.line})" if finding.line is not None else ""
    return f"{finding.level}: {line(finding.text)}{place}"


def format_decision(event: Decision, *, rejected: Proposal | None = None) -> str:
    """What was decided, by whom and why; a rejected proposal with its code."""
    actor = "you" if event.by == "person" else "the policy"
    done = {"approve": "Approved", "edit": "Edited and approved", "reject": "Rejected"}[event.action]
    reason = f": {line(event.reason)}" if event.reason else ""
    parts = [f"*{done} by {actor}{reason}.*" if not reason.endswith(".") else f"*{done} by {actor}{reason}*"]
    if event.action == "edit" and event.steps is not None:
        parts.append(format_steps(event.steps))
    if event.action == "reject" and rejected is not None:
        parts.append(code(rejected.code, "python"))
    return "\n\n".join(parts)


def format_package_decision(event: Decision) -> str:
    """That a package was refused; one that was added says so itself."""
    if event.action == "approve":
        return ""
    reason = f": {line(event.reason)}" if event.reason else ""
    return f"*You did not add the package {line(event.ref.partition(':')[2])}{reason}.*"


def format_functions_decision(event: Decision) -> str:
    """That functions were refused, or a test kept; what was approved says so itself."""
    if event.action == "approve":
        return ""
    reason = f": {line(event.reason)}" if event.reason else ""
    return f"*You said no{reason}.*"


def format_functions_proposal(event: FunctionsProposed) -> str:
    """Functions that were written by test, with what became of their tests."""
    if event.doubt is not None:
        return f"**A test that seems wrong:** {line(event.doubt.test)}: {line(event.doubt.cause)}"
    entries: list[str] = []
    for function in event.functions:
        passed = sum(result.outcome == "passed" for result in function.results)
        tests = f"{passed} of {len(function.results)} tests passed"
        entries.append(f"`{function.name}`: {line(function.purpose)} ({tests})")
    fault = f"\n\nThey were given up: {line(event.fault)}" if event.fault else ""
    return f"**Functions written by test**\n\n{bullets(entries)}{fault}"


def format_failure(event: Execution) -> str:
    """A cell that failed and is not run again, with its error."""
    failure = event.failure
    reason = f"{failure.name}: {failure.message}" if failure is not None else "no reason was recorded"
    where = f" (line {failure.line})" if failure is not None and failure.line is not None else ""
    kind = failure.kind if failure is not None else "failed"
    return (
        f"This cell did not succeed ({kind}{where}), and is not run again here:\n\n"
        f"{code(event.code, 'python')}\n\n{quote(reason)}"
    )


def format_skipped(event: StepSkipped) -> str:
    """A step that needed no code."""
    return f"**Step {event.step}** needed no code: {line(event.reason)}"


def format_diagnosis(event: Diagnosis) -> str:
    """Why it failed, and what was to be done."""
    fix = f"\n\n*What was to be done:* {line(event.fix)}" if event.fix else ""
    return f"*Diagnosis ({event.category}):* {line(event.cause)}{fix}"


def format_judgement(event: Judgement) -> str:
    """What the planner said of a result; empty where it said nothing."""
    return f"*On the result:* {line(event.reason)}" if event.reason else ""


def format_checks(event: Execution) -> str:
    """The checks on a result; empty where there are none."""
    return "\n".join(
        f"- {'passed' if check.ok else '**did not hold**'}: {line(check.name)}"
        + (f" ({line(check.detail)})" if check.detail else "")
        for check in event.checks
    )


def format_answer(event: Answer, *, results: Sequence[str] = ()) -> str:
    """The answer with how it was computed, what to know about it, and what it rests on.

    Args:
        event: The answer.
        results: Names of its results, where it shows several; each stands under the cell that gave it.
    """
    head = {"answered": "Answer", "partial": "Answered in part", "declined": "Declined", "failed": "Not answered"}[
        event.status
    ]
    parts = [f"**{head}.** {prose(event.text)}", line(event.hint)]
    if results:
        parts.append("**Results:** " + ", ".join(f"`{_bare(name)}`" for name in results))
    if event.how:
        parts.append("**How this was computed**\n\n" + bullets(event.how))
    if event.notes:
        parts.append("**To know**\n\n" + bullets(event.notes))
    if event.citations:
        parts.append("**Rests on**\n\n" + format_citations(event.citations))
    if event.status == "answered":
        parts.append(f"*Trust: {_TRUST[event.trust]}.*")
    return "\n\n".join(part for part in parts if part)


def _bare(text: str) -> str:
    return line(text).replace("`", "'")
