"""A pending proposal: a summary, its code, the review findings, and an editor while the person edits it."""

from __future__ import annotations

import difflib

import streamlit as st

from assistant.api.events import Finding, Proposal, Review
from assistant.api.session import Session
from assistant.api.turns import PendingRequest, ProposalItem, Transcript, Turn
from ui import actions
from ui.components import editor
from ui.session_hub import SessionHub
from ui.views import cage
from ui.views.plan import MARKS, draw_missing
from ui.views.text import line, plain, prose

LANGUAGES = {"sql": "SQL", "python": "Python"}
_EDIT_START = "edit-begun"
"""In this tab, the request whose editor was opened last: not after a reload, which moves no focus."""


def draw_card(live: SessionHub, session: Session, waiting: PendingRequest, *, step: str) -> None:
    """The proposal that waits, as it is or being edited."""
    item = waiting.item
    if item is None:
        return
    proposal = item.proposal
    with st.container(border=True, key="card", gap="small"):
        with st.container(key="kicker"):
            st.caption(step)
        st.markdown(f"**{plain(proposal.title)}**")
        draw_words(proposal)
        turn = live.of(session).view().current
        plan = turn.plan if turn is not None else None
        if plan is not None and len(plan.steps) == 1 and proposal.language == "sql":
            texts = [
                proposal.title,
                proposal.why,
                *proposal.operations,
                proposal.code,
                plan.restated,
                *plan.assumptions,
            ]
            draw_missing(live.of(session).view(), texts)
        if is_editing(live, session, waiting):
            key = build_editor_key(waiting)
            editor.edit(
                read_draft(live, session, waiting),
                key=key,
                label=f"Edit the code: {proposal.title}",
                original=proposal.code,
                focus=st.session_state.get(_EDIT_START) == waiting.id,
                on_code=lambda: _keep(live, session, waiting),
                on_run=lambda: _run(live, session, waiting),
            )
            st.caption("Your edit is reviewed before it runs. Ctrl+Enter in the editor runs it.")
        else:
            _draw_code(live, session, waiting, proposal)
        review = item.edit_review if waiting.is_refused_edit else item.review
        if review is not None:
            draw_findings(review)
        cage.draw_note(live, session)


def _draw_code(live: SessionHub, session: Session, waiting: PendingRequest, proposal: Proposal) -> None:
    """The code, with what changed since the version before it."""
    old = find_previous(live.of(session).view(), waiting)
    original = proposal.code
    if old is not None and not waiting.is_refused_edit and (difference := describe_changes(old.code, proposal.code)):
        same_step = old.proposal.turn == proposal.turn
        since = "Since the last version" if same_step else "Since the code that you approved before"
        only = " It only adds conditions, so it reads no other rows." if is_narrower(old.code, proposal.code) else ""
        st.markdown(f":gray[:material/difference: {since}: {difference}.{only}]")
        original = old.code
    editor.show(waiting.code, key=f"code-{waiting.id}", label="Proposed code", original=original)


def draw_words(proposal: Proposal) -> None:
    """Why, and the operations in plain words."""
    if proposal.why:
        st.markdown(prose(proposal.why))
    if proposal.operations:
        st.markdown("\n".join(f"- {line(operation)}" for operation in proposal.operations))
    if proposal.checks:
        st.markdown(":gray[Checked once it has run:] " + "; ".join(line(check.text) for check in proposal.checks))


def draw_findings(review: Review) -> None:
    """What the review saw, each with its mark; the serious ones first."""
    order = ("danger", "warning", "note", "ok")
    with st.container(key=f"findings-{review.proposal}-{review.of_edit}", gap="xsmall"):
        for finding in sorted(review.findings, key=lambda f: order.index(f.level)):
            st.markdown(f"{MARKS[finding.level]} {_describe_finding(finding)}")


def _describe_finding(finding: Finding) -> str:
    """A finding in words, with its line."""
    where = f" :gray[line {finding.line}]" if finding.line is not None else ""
    return plain(finding.text) + where


def is_serious(waiting: PendingRequest) -> bool:
    """Whether the review found something that a person should not run by reflex."""
    item = waiting.item
    if item is None:
        return False
    review = item.edit_review if waiting.is_refused_edit else item.review
    return review is not None and any(f.level in ("warning", "danger") for f in review.findings)


def build_editor_key(waiting: PendingRequest) -> str:
    """The key of the request's editor."""
    return f"editor-{waiting.id}"


def read_draft(live: SessionHub, session: Session, waiting: PendingRequest) -> str:
    """The code as edited so far."""
    return live.of(session).drafts.get(waiting.id, waiting.code)


def read_code(live: SessionHub, session: Session, waiting: PendingRequest) -> str:
    """The code in the editor now, which may be newer than the draft."""
    state = st.session_state.get(build_editor_key(waiting))
    code = state.get("code") if state is not None else None
    return code if isinstance(code, str) and is_editing(live, session, waiting) else read_draft(live, session, waiting)


def is_editing(live: SessionHub, session: Session, waiting: PendingRequest) -> bool:
    """Whether the request's code is being edited."""
    return waiting.id in live.of(session).drafts


def begin_edit(live: SessionHub, session: Session, waiting: PendingRequest) -> None:
    """Open the editor."""
    st.session_state[_EDIT_START] = waiting.id
    live.of(session).drafts.setdefault(waiting.id, waiting.code)


def end_edit(live: SessionHub, session: Session, waiting: PendingRequest) -> None:
    """Throw the edit away."""
    live.of(session).drop_drafts(waiting.id)


def _keep(live: SessionHub, session: Session, waiting: PendingRequest) -> None:
    """Keep what is in the editor as a draft."""
    state = st.session_state.get(build_editor_key(waiting))
    code = state.get("code") if state is not None else None
    if isinstance(code, str) and is_editing(live, session, waiting):
        live.of(session).drafts[waiting.id] = code


def _run(live: SessionHub, session: Session, waiting: PendingRequest) -> None:
    """Approve the code as it is in the editor."""
    state = st.session_state.get(build_editor_key(waiting))
    code = state.get("run") if state is not None else None
    if isinstance(code, str):
        actions.approve_code(live, session, waiting, code)


def find_previous(view: Transcript, waiting: PendingRequest) -> ProposalItem | None:
    """The version to compare with: this step's before, else the last approved code in this language."""
    item, turn = waiting.item, view.current
    if item is None or turn is None:
        return None
    earlier = [
        candidate
        for candidate in turn.proposals
        if candidate is not item and candidate.proposal.step == item.proposal.step
    ]
    return earlier[-1] if earlier else _find_last_approved(view, turn, item)


def describe_changes(old: str, new: str) -> str:
    """How much changed: `2 lines added, 1 removed`; empty where nothing did."""
    added = removed = 0
    for row in difflib.ndiff(old.splitlines(), new.splitlines()):
        added += row.startswith("+ ")
        removed += row.startswith("- ")
    parts = [
        f"{count} {'line' if count == 1 else 'lines'} {verb}"
        for count, verb in ((added, "added"), (removed, "removed"))
        if count
    ]
    return ", ".join(parts)


def is_narrower(old: str, new: str) -> bool:
    """Whether the new query is the old one with further conditions and nothing else: it reads no other rows."""
    old_lines = [line.strip() for line in old.splitlines() if line.strip()]
    new_lines = [line.strip() for line in new.splitlines() if line.strip()]
    extra = [line for line in new_lines if line not in old_lines]
    removed = [line for line in old_lines if line not in new_lines]
    return bool(extra) and not removed and all(line.upper().startswith("AND ") for line in extra)


def _find_last_approved(view: Transcript, turn: Turn, item: ProposalItem) -> ProposalItem | None:
    """The last code that was approved before, if it is much like this: else a comparison tells nothing."""
    older = [candidate for earlier in view.turns if earlier is not turn for candidate in earlier.proposals]
    approved = [
        candidate
        for candidate in older
        if candidate.decision is not None
        and candidate.decision.action != "reject"
        and candidate.proposal.language == item.proposal.language
    ]
    if not approved:
        return None
    alike = difflib.SequenceMatcher(None, approved[-1].code, item.proposal.code, autojunk=False).ratio()
    return approved[-1] if alike >= ALIKE_MIN else None


ALIKE_MIN = 0.6
