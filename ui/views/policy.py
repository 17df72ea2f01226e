"""What goes ahead without asking, as a plain sentence where a decision is taken, with the way to change it.

A level holds in this session at once and is kept for later ones on the same sources. What a review warns of, what costs
much and what touches masked columns is asked about at every level.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from assistant.events import POLICIES, PolicyLevel
from assistant.plain_english import joined
from assistant.turns import PendingRequest, Transcript
from ui import actions
from ui.ports.session import Session
from ui.session_hub import SessionHub
from ui.views.text import line

SENTENCES: dict[PolicyLevel, str] = {
    "ask": "Ask me for everything",
    "queries": "Run read-only queries that pass all checks",
    "python": "Run queries and caged Python that pass all checks",
}
SHORT: dict[PolicyLevel, str] = {
    "ask": "Asks for everything",
    "queries": "Runs queries",
    "python": "Runs queries, Python",
}
ALWAYS = "Warnings, high costs and masked columns are always asked about. Every cell that ran stays on the page."


def level_of(view: Transcript) -> PolicyLevel:
    """The level that holds in a session: the strictest that lets all go ahead that goes ahead now."""
    allowed = set(view.approve)
    found: PolicyLevel = "ask"
    for level, parts in POLICIES.items():
        found = level if set(parts) <= allowed else found
    return found


def covers(level: PolicyLevel, waiting: PendingRequest) -> bool:
    """Whether a level would have let go ahead what waits."""
    if waiting.kind == "plan":
        return "plan" in POLICIES[level]
    if waiting.item is None:
        return False
    return ("query" if waiting.item.proposal.language == "sql" else "python") in POLICIES[level]


def chooser(
    live: SessionHub, session: Session, view: Transcript, waiting: PendingRequest, *, go_on: Callable[[], None] | None
) -> None:
    """The sentence that holds, and the others to choose from. What waits goes on where the choice covers it.

    Args:
        live: the sessions.
        session: the session.
        view: what it shows.
        waiting: what waits.
        go_on: approves what waits; None where it has a warning and must be decided by itself.
    """
    now = level_of(view)
    key = f"policy-{waiting.id}"

    def choose() -> None:
        level = st.session_state.get(key)
        if level not in SENTENCES or level == now:
            return
        actions.set_policy(live, session, level)
        if go_on is not None and covers(level, waiting):
            go_on()

    with st.popover(SHORT[now], icon=":material/rule:", type="tertiary", key=f"more-{waiting.id}"):
        st.radio(
            "What may run without asking?",
            list(SENTENCES),
            index=list(SENTENCES).index(now),
            format_func=lambda level: SENTENCES[level],
            key=key,
            on_change=choose,
        )
        sources = joined([line(source.name) for source in view.sources]) or "this data"
        st.caption(f"It holds from now on for {sources}, in later conversations too. {ALWAYS}")
