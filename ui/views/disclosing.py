"""What a remote model may see: the choice before the first question, and the log of what was sent to models."""

from __future__ import annotations

import streamlit as st

from assistant.api.models import LEVELS, Disclosure, Sees
from assistant.api.session import Session
from assistant.api.turns import Turn
from ui import actions
from ui.open_session import Unasked
from ui.session_hub import SessionHub
from ui.views.text import count, format_seconds, line, plain

_SPANS = {"turn": ("each question", "this question"), "session": ("a conversation", "this conversation")}

WORDS: dict[Sees, str] = {"names": "Names", "values": "Values", "results": "Results", "rows": "Rows"}


def draw_choice(live: SessionHub, session: Session, unasked: Unasked, disclosure: Disclosure) -> None:
    """Draw the choice, with what would be sent, to the letter."""
    where = ", ".join(disclosure.endpoints)
    with st.container(border=True, key="disclosure", gap="small"):
        st.markdown("**:material/outgoing_mail: What may the model see?**")
        st.markdown(
            f"Your question goes to {line(', '.join(disclosure.models))} at {line(where)}. "
            "Columns that look personal are withheld whatever you choose."
        )
        level = st.radio(
            "What may be seen there",
            LEVELS,
            index=LEVELS.index(disclosure.suggested),
            format_func=lambda option: WORDS[option],
            captions=[plain(f"{'Also ' if n else 'Only '}{disclosure.adds[level]}.") for n, level in enumerate(LEVELS)],
            key="seen-level",
            label_visibility="collapsed",
        )
        if (first := disclosure.first.get(level)) is not None:
            with st.expander("Exactly what is sent first", icon=":material/visibility:"):
                st.code(first.text, language=None, wrap_lines=True, height=320)
        st.markdown(f":gray[Your question:] “{line(unasked.question)}”")
        st.button(
            "Send it",
            type="primary",
            icon=":material/arrow_upward:",
            key="choose-seen",
            help="The choice is kept for this endpoint.",
            on_click=actions.choose_disclosure,
            args=(live, session, unasked, level),
        )


def draw_sent(session: Session, turn: Turn, *, is_last: bool) -> None:
    """Draw what models were sent in a turn, call by call, and the limits that are set."""
    calls = [call for call in turn.model_calls if call.sent]
    if not calls:
        return
    with st.popover(f"What the model saw: {count(len(calls), 'call')}", icon=":material/visibility:"):
        numbers = range(len(calls))
        selection = st.selectbox(
            "Call",
            numbers,
            format_func=lambda n: f"{n + 1}. {calls[n].role}, {calls[n].model}, {format_seconds(calls[n].seconds)}",
            key=f"sent-{turn.number}",
        )
        call = session.models.sent(calls[selection].sent)
        if call is None:
            st.markdown(":gray[It is kept no more.]")
        else:
            st.markdown(f":gray[Sent to {line(call.endpoint)}, which may see {line(call.sees)}]")
            st.code(call.text, language=None, wrap_lines=True, height=360)
            st.markdown(":gray[Its reply]")
            st.code(call.reply or "(nothing)", language=None, wrap_lines=True)
    if is_last:
        for account in session.models.accounts():
            used = "an unknown number" if account.used is None else f"{account.used:,.4g}"
            scope = line(describe_scope(account.setting, is_current=True))
            st.caption(f"{used} of {account.limit:,g} {line(account.unit)} used {scope}")


def describe_scope(setting: str, *, is_current: bool = False) -> str:
    """What a limit holds for: `budgets.turn.coder.calls` holds `for the coder in each question`.

    Args:
        setting: The limit, as the settings name it.
        is_current: Whether the question or conversation at hand is meant.
    """
    _, span, *role, _ = setting.split(".")
    of = _SPANS[span][is_current]
    return f"for the {role[0]} in {of}" if role else f"for {of}"


def describe_limit(setting: str, limit: float) -> str:
    """A limit in words."""
    name = setting.rsplit(".", maxsplit=1)[-1]
    return f"{limit:,g} {name if limit != 1 else name.removesuffix('s')} {describe_scope(setting)}"
