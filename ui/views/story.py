"""The timeline of a turn: every plan, proposal, review, decision and execution, in order.

While a turn runs, a successful cell is one row as soon as another cell follows it, and its content is made when it is
opened: the page is redrawn at every event, and the time grows with the number of elements.
"""

from __future__ import annotations

from typing import assert_never

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from assistant.api.events import (
    Decision,
    FunctionsKept,
    Judgement,
    KernelRestarted,
    Looked,
    Resumed,
    StepSkipped,
    Stopped,
    Usage,
)
from assistant.api.figures import joined
from assistant.api.turns import ExchangeItem, FunctionsItem, Item, NoticeItem, PackageItem, PlanItem, ProposalItem, Turn
from ui.components import editor
from ui.views import cards, execution, package, plan, proposal, written_functions
from ui.views.text import count, format_seconds, line, plain, shorten

LOOKS = {
    "search_knowledge": "Looked up what a word means",
    "describe_table": "Looked at the columns of a table",
    "find_values": "Looked up how a value is spelt",
    "preview": "Looked at the first rows",
    "profile": "Looked at figures about the columns",
    "check_join": "Checked what a join does",
    "recall": "Looked at earlier turns",
    "try": "Tried a query for a hard step",
    "readings": "Compared interpretations",
    "lessons": "Read lessons that you kept",
}
DONE, PERSON, WARN, FAULT = ":material/check_circle:", ":material/person:", ":material/warning:", ":material/error:"


def draw_timeline(turn: Turn, *, skip: Item | None = None, folded: bool = False) -> None:
    """Draw what has happened so far, all but `skip` and what ended the turn.

    Args:
        turn: Whose story it is.
        skip: What has a card of its own.
        folded: Whether a cell that ran well is one row, once another follows it.
    """
    latest = next((item for item in reversed(turn.items) if isinstance(item, ProposalItem)), None)
    for n, item in enumerate(turn.items):
        is_end = isinstance(item, NoticeItem) and item.event in (turn.stopped, turn.failed)
        if item is skip or is_end:
            continue
        key = f"{turn.number}-{n}"
        if folded and isinstance(item, ProposalItem) and item is not latest and _has_result(item):
            _draw_folded(item, key=key)
        else:
            _draw_item(item, key=key)


def _has_result(item: ProposalItem) -> bool:
    """Whether a cell ran and its result needed no diagnosis."""
    return item.execution is not None and item.execution.status == "ok" and item.diagnosis is None


def _draw_folded(item: ProposalItem, *, key: str) -> None:
    """A cell as one row: what it was for and what it gave; opened, all that happened to it."""
    ran = "" if item.execution is None else f" :gray[{line(execution.summarise(item.execution))}]"
    opened = st.expander(
        f"{proposal.LANGUAGES[item.proposal.language]}: {line(item.proposal.title)}{ran}",
        type="step",
        icon=DONE,
        key=f"ran-{key}",
        on_change="rerun",
    )
    with opened:
        if opened.open:
            _draw_proposal(item, key=key)
        else:
            st.markdown("&nbsp;")  # without anything in it, a step cannot be opened


def _draw_item(item: Item, *, key: str) -> None:
    """One thing that happened in a turn, as a row."""
    match item:
        case PlanItem():
            changed = f"Changed the plan: {line(shorten(item.plan.changed, 80))}" if item.plan.changed else ""
            with _draw_row(changed or f"Planned {count(len(item.plan.steps), 'step')}", DONE):
                plan.draw_lines(item.plan, item.decision.steps if item.decision is not None else None)
            if item.decision is None:
                return
            if item.decision.by == "policy" and len(item.plan.steps) == 1:
                with _draw_row("Single-step plan, started automatically", ":material/rule:"):
                    st.markdown(":gray[A plan of one step is not asked about; its code is.]")
            else:
                _draw_decision(item.decision, "plan")
        case ProposalItem():
            _draw_proposal(item, key=key)
        case PackageItem():
            _draw_package(item)
        case FunctionsItem():
            _draw_functions(item, key=key)
        case ExchangeItem():
            label = (
                "Asked you to clarify" if item.reply is None else f"You clarified: “{line(shorten(item.reply, 60))}”"
            )
            with _draw_row(label, PERSON):
                st.markdown(plain(item.clarification.text))
        case NoticeItem():
            _draw_notice(item)
        case _:
            assert_never(item)


def _draw_proposal(item: ProposalItem, *, key: str) -> None:
    """Code that was written and its review."""
    proposed = item.proposal
    language = proposal.LANGUAGES[proposed.language]
    verb = "Wrote" if proposed.revision <= 1 else "Rewrote"
    with _draw_row(f"{verb} {language}: {line(proposed.title)}", DONE):
        proposal.draw_words(proposed)
        editor.show(proposed.code, key=f"story-{key}", label=f"Code: {proposed.title}")
    if item.review is not None:
        sent_back = item.review.verdict == "revise"
        warned = sum(f.level in ("warning", "danger") for f in item.review.findings)
        label = "Reviewed it and sent it back" if sent_back else "Reviewed the code"
        label += f": {count(warned, 'warning')}" if warned else ""
        with _draw_row(label, WARN if warned or sent_back else DONE):
            proposal.draw_findings(item.review)
            if not item.review.findings:
                st.markdown(":gray[Nothing to say about it.]")
    if item.decision is not None:
        _draw_decision(item.decision, "code", original=proposed.code, key=key)
    if item.execution is not None:
        fine = item.execution.status == "ok"
        with _draw_row(line(execution.summarise(item.execution)), DONE if fine else FAULT):
            execution.draw(item.execution, key=f"out-{key}")
            _draw_queries(item)
    elif item.interrupted:
        with _draw_row("Stopped before it finished", ":material/stop_circle:"):
            st.markdown(":gray[What it had done so far may have changed values in Python.]")
    if item.diagnosis is not None:
        with _draw_row("Found out what went wrong", ":material/troubleshoot:"):
            st.markdown(plain(item.diagnosis.cause))
            if item.diagnosis.fix:
                st.markdown(f"**Fix:** {plain(item.diagnosis.fix)}")


def _draw_package(item: PackageItem) -> None:
    """What became of a package that a cell lacked."""
    proposed = item.proposal
    name = f"{line(proposed.name)} {line(proposed.version)}".strip()
    if proposed.fault:
        with _draw_row(f"The package {name} was not added", FAULT):
            st.markdown(plain(proposed.fault))
        return
    if item.decision is None:
        return  # it waits, with a card of its own
    if item.decision.action == "reject":
        label = f"You did without the package {name}"
    else:
        label = f"You added the package {name}" if proposed.wheels else f"You had the package {name} looked up"
    with _draw_row(label, PERSON):
        package.draw_facts(proposed)
        if item.decision.reason:
            st.markdown(plain(item.decision.reason))


def _draw_functions(item: FunctionsItem, *, key: str) -> None:
    """What became of functions that were written by test."""
    proposed, decision = item.proposal, item.decision
    names = line(joined([function.name for function in proposed.functions]))
    if proposed.fault:
        with _draw_row(f"Gave up writing {names}", FAULT):
            st.markdown(plain(proposed.fault))
            written_functions.draw_functions(proposed, key=f"written-{key}")
        return
    if decision is None:
        return  # it waits, with a card of its own
    approved = decision.action == "approve"
    if proposed.doubt is not None:
        label = f"You {'let' if approved else 'did not let'} the test {line(proposed.doubt.test)} be changed"
    else:
        label = f"You {'kept' if approved else 'did not keep'} {names}"
    with _draw_row(label, PERSON):
        written_functions.draw_functions(proposed, key=f"written-{key}")
        if decision.reason:
            st.markdown(plain(decision.reason))


def _draw_queries(item: ProposalItem) -> None:
    """What each query of a cell read, or that the cell printed nothing."""
    if item.execution is None:
        return
    for query in item.execution.queries:
        st.markdown(
            f":gray[{count(query.rows, 'row')} from {line(query.source)} in {format_seconds(query.seconds)}]"
            + (f" :gray[with {line(query.parameters)}]" if query.parameters else "")
        )
    if not item.execution.outputs and not item.execution.queries:
        st.markdown(":gray[It printed nothing.]")


def _draw_decision(decision: Decision, title: str, *, original: str | None = None, key: str = "") -> None:
    """What was decided about `title`, by whom and why; an edit is shown against the original."""
    actor = "You" if decision.by == "person" else "Your settings"
    verb = {"approve": "approved", "edit": "edited and approved", "reject": "rejected"}[decision.action]
    reason = f": “{line(shorten(decision.reason, 60))}”" if decision.reason and decision.action == "reject" else ""
    with _draw_row(f"{actor} {verb} the {title}{reason}", PERSON if decision.by == "person" else ":material/rule:"):
        if decision.code is not None and original is not None:
            editor.show(decision.code, key=f"edit-{key}", label="Edited code", original=original)
        if decision.reason:
            st.markdown(plain(decision.reason))
        elif decision.code is None:
            st.markdown(
                ":gray[Without a comment.]" if decision.by == "person" else ":gray[As you allowed for this session.]"
            )


def _draw_notice(item: NoticeItem) -> None:
    """What the program did without being asked to decide."""
    match item.event:
        case KernelRestarted():
            with _draw_row("Python was restarted", ":material/restart_alt:"):
                cards.draw_restarted(item.event)
        case StepSkipped():
            with _draw_row(f"Skipped step {item.event.step}", ":material/skip_next:"):
                st.markdown(plain(item.event.reason))
        case Looked(look=look, asked=phrase):
            with _draw_row(LOOKS.get(look, line(look)), ":material/search:"):
                st.markdown(f"{plain(phrase)} :gray[{line(item.event.found)} in {format_seconds(item.event.seconds)}]")
        case Usage(role=role, note=note):
            with _draw_row(f"Another model continued as {role}", WARN):
                st.markdown(plain(note))
        case Judgement(verdict=verdict, reason=reason):
            if not reason:
                return
            label = "Checked the result and continued" if verdict == "go_on" else "Checked the result: it is enough"
            with _draw_row(label, DONE):
                st.markdown(plain(reason))
        case FunctionsKept(names=names):
            with _draw_row(f"Cells can import {line(joined(names))}", DONE):
                st.markdown(":gray[They are kept in the knowledge folder, each with its tests.]")
        case Stopped(by=by):
            with _draw_row("You stopped it" if by == "person" else "Tandem ended", ":material/stop_circle:"):
                st.markdown(":gray[Everything up to there was kept.]")
        case Resumed():
            with _draw_row("You continued", ":material/play_arrow:"):
                st.markdown(":gray[From where it had stopped.]")
        case _:
            pass


def _draw_row(label: str, icon: str) -> DeltaGenerator:
    """A row of the story, which opens."""
    return st.expander(label, type="step", icon=icon)
