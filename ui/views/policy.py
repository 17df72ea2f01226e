"""The approval policy in one sentence where a decision is due, with a control that changes it.

A new level applies to this session from the next decision on, and is stored for later sessions on the same sources. A
pending decision stays with the person. Review warnings, expensive queries and masked columns need a decision at every
level.
"""

from __future__ import annotations

from collections.abc import Collection

import streamlit as st

from assistant.api.events import POLICIES, POLICY_SENTENCES, Approvable, PolicyLevel
from assistant.api.figures import joined
from assistant.api.session import Session
from assistant.api.turns import PendingRequest, Transcript
from ui import actions
from ui.session_hub import SessionHub
from ui.views.text import line

WORDS: dict[Approvable, str] = {"plan": "plans", "query": "read-only queries", "python": "caged Python"}
ALWAYS = (
    "Warnings, high costs, masked columns and packages are always asked about. Every cell that ran stays on the page."
)


def describe(approve: Collection[Approvable]) -> str:
    """What goes ahead without asking in a session, in words; whatever was allowed, level or not."""
    return (
        f"Runs {joined([WORDS[kind] for kind in WORDS if kind in approve])}" if approve else "Asks before anything runs"
    )


def find_level(view: Transcript) -> PolicyLevel | None:
    """The level that holds in a session; None where what goes ahead is none of them."""
    return next((level for level, parts in POLICIES.items() if set(parts) == set(view.approve)), None)


def draw_chooser(live: SessionHub, session: Session, view: Transcript, waiting: PendingRequest) -> None:
    """The sentence that holds, and the others to choose from. A choice decides nothing that waits already."""
    now = find_level(view)
    key = f"policy-{waiting.id}"

    def choose() -> None:
        level = st.session_state.get(key)
        if level in POLICY_SENTENCES and level != now:
            actions.set_policy(live, session, level)

    with st.popover(describe(view.approve), icon=":material/rule:", type="tertiary", key=f"more-{waiting.id}"):
        st.radio(
            "What may run without asking?",
            list(POLICY_SENTENCES),
            index=None if now is None else list(POLICY_SENTENCES).index(now),
            format_func=lambda level: POLICY_SENTENCES[level],
            key=key,
            on_change=choose,
        )
        sources = joined([line(source.name) for source in view.sources]) or "this data"
        st.caption(
            f"Applies to {sources} from the next decision on, in later conversations too. What waits now is still "
            f"yours to decide. {ALWAYS}"
        )
