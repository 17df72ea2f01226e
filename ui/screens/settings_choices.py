"""Settings with a fixed set of choices: the approval policy, and what a language model may see of the data."""

from __future__ import annotations

from datetime import date

import streamlit as st
from babel.dates import format_date
from babel.numbers import format_decimal

from assistant.api.errors import AssistantError
from assistant.api.events import POLICY_SENTENCES
from assistant.api.figures import LANGUAGES, locale_of
from assistant.api.models import LEVELS, Sees
from assistant.api.settings import SettingChanges, describe_source
from ui import session_hub
from ui.screens.settings_fields import change, draw_outcome
from ui.session_hub import SessionHub
from ui.views.policy import describe
from ui.views.text import count, line, plain

_DISCLOSURE = ("sees",)
_SEES = {
    "": "Local models: rows. Remote: ask once per provider",
    "names": "Names: tables and columns",
    "values": "Values: also examples and ranges",
    "results": "Results: also results of approved steps, at most 50 rows",
    "rows": "Rows: also rows of tables",
}


def draw_policies(live: SessionHub) -> None:
    """What runs without asking, by source, and in the conversations that are open."""
    with st.container(border=True, key="asking", gap="small"):
        st.markdown("**What runs without asking**")
        st.markdown(
            ":gray[For each source, in new conversations. Warnings, high costs, masked columns and packages are "
            "always asked about.]"
        )
        try:
            with st.spinner("Looking at the sources"):
                policies = live.call(live.workspace.choices.policies(), timeout_s=300)
        except AssistantError as error:
            st.warning(plain(str(error)), icon=":material/warning:")
            policies = {}
        displays = [describe_source(source) for source in policies]
        for source, level in policies.items():
            key = f"policy-{source}"
            st.selectbox(
                line(source if displays.count(describe_source(source)) > 1 else describe_source(source)),
                list(POLICY_SENTENCES),
                index=list(POLICY_SENTENCES).index(level),
                format_func=lambda option: POLICY_SENTENCES[option],
                key=key,
                on_change=_keep,
                args=(key, source),
            )
        if trouble := st.session_state.pop("policy-trouble", None):
            st.error(plain(str(trouble)), icon=":material/error:")
        _draw_allowed(live)


def _draw_allowed(live: SessionHub) -> None:
    """What the open conversations run without asking, and the way back."""
    allowing = [(session, view) for session in live.opened() if (view := live.of(session).view()).approve]
    if allowing:
        st.markdown(":gray[Open conversations in which something runs without asking:]")
    for session, view in allowing:
        with st.container(horizontal=True, vertical_alignment="center", wrap=False, key=f"allowed-{session.id}"):
            st.markdown(f"{line(view.title)} :gray[{describe(view.approve)}]", width="stretch")
            if st.button("Ask again", key=f"ask-{session.id}", type="tertiary"):
                live.call(session.allow(()))
                st.rerun()


def _keep(key: str, source: str) -> None:
    live = session_hub.current()
    try:
        live.call(live.workspace.choices.set_policy(source, st.session_state[key]))
    except AssistantError as error:
        st.session_state["policy-trouble"] = str(error)


PREVIEW_PX = 320
"""How high the preview is at most: a longer text is scrolled."""
PREVIEW_CHARACTERS = 700
RECORDED_MAX = 10
"""So many changes are listed."""


def draw_disclosure(live: SessionHub) -> None:
    """What models may see of this very data, which only an explicit press of a button changes."""
    settings = live.workspace.choices.settings
    now, reason = str(settings.value(_DISCLOSURE) or ""), settings.fixed(_DISCLOSURE)
    levels = list(dict.fromkeys([*_SEES, now]))
    with st.container(border=True, key="seen", gap="small"):
        st.markdown("**What a model may see**")
        st.markdown(":gray[What we send to language models. Columns that look personal are withheld at every level.]")
        level = st.selectbox(
            "Models may see",
            levels,
            index=levels.index(now),
            format_func=lambda option: f"{_SEES.get(option, option)}{' (set now)' if option == now else ''}",
            key=f"sees-level-{now}",
        )
        if level != now and not reason:
            _set(level, now)
        draw_outcome("sees", reason)
        if not now:
            _draw_places(settings)
        preview_level: Sees = level if level in LEVELS else "results"
        _draw_preview(live, preview_level)
        st.markdown(":gray[:small[A change holds from the next question on.]]")


def _set(level: str, now: str) -> None:
    """The decision on a level: to show models more is said as that."""
    order = list(_SEES)
    is_more = not now or not level or now not in order or order.index(level) > order.index(now)
    if is_more:
        st.warning(
            "Nothing is changed yet. With this, models on other machines may be sent more of your data than now"
            + (", without asking you." if level else ": what you choose when you are asked."),
            icon=":material/visibility:",
        )
    st.button(
        "Let models see this" if is_more else "Show models less",
        key="set-sees",
        on_click=change,
        args=("sees", _DISCLOSURE, level or None),
        kwargs={"was": now, "consents": is_more},
    )


def _draw_places(settings: SettingChanges) -> None:
    """What was chosen for single places when they were asked about, and the way back."""
    for endpoint, level in sorted(settings.endpoints().items()):
        with st.container(horizontal=True, vertical_alignment="center", wrap=False, key=f"endpoint-{endpoint}"):
            st.markdown(f"{line(endpoint)} :gray[may see {level}, as you chose when asked]", width="stretch")
            st.button(
                "Ask again",
                key=f"forget-{endpoint}",
                type="tertiary",
                disabled=bool(settings.fixed(_DISCLOSURE)),
                on_click=_forget,
                args=(endpoint,),
            )


def _forget(endpoint: str) -> None:
    live = session_hub.current()
    try:
        live.call(live.workspace.choices.settings.ask_again(endpoint))
    except AssistantError as error:
        st.session_state["trouble-sees"] = str(error)


def _draw_preview(live: SessionHub, level: Sees) -> None:
    opened = st.expander("Show what it is sent of this data", key="sees", type="compact", on_change="rerun")
    if not opened.open:
        return
    with opened:
        try:
            with st.spinner("Writing it"):
                text = live.call(live.workspace.choices.preview(level), timeout_s=300)
        except AssistantError as error:
            st.error(plain(str(error)), icon=":material/error:")
            return
        st.markdown(f":gray[At level {level}, a model receives this ({count(len(text.split()), 'word')}).]")
        is_long = len(text) > PREVIEW_CHARACTERS
        st.code(text, language=None, height=PREVIEW_PX if is_long else "content", wrap_lines=True)


def draw_changes(settings: SettingChanges) -> None:
    """What was changed on this page."""
    changes = settings.changes()[:RECORDED_MAX]
    if not changes:
        return
    with st.expander("What was changed on this page", type="compact", key="settings-changes"):
        for change in changes:
            st.markdown(
                f":gray[{change.at.astimezone():%Y-%m-%d %H:%M}] {line(change.setting)}: "
                f"{line(change.was or 'not set')} → {line(change.now or 'not set')}"
            )


def draw_language(live: SessionHub) -> None:
    """How numbers and dates are written, with an example of each."""
    now = live.workspace.choices.language
    key = f"numbers-{now}"
    st.selectbox(
        "Numbers and dates",
        ["", *LANGUAGES],
        index=["", *LANGUAGES].index(now) if now in LANGUAGES else 0,
        format_func=_describe_language,
        key=key,
        on_change=_write,
        args=(key,),
    )
    if trouble := st.session_state.pop("numbers-trouble", None):
        st.error(plain(str(trouble)), icon=":material/error:")


def _describe_language(code: str) -> str:
    """A language by its own name, with a number and a date as it writes them."""
    if not code:
        return "As your browser's language has them"
    locale = locale_of(code)
    number = format_decimal(1234567.89, locale=locale)
    return f"{locale.get_display_name()}: {number}, {format_date(date(2026, 3, 31), 'medium', locale=locale)}"


def _write(key: str) -> None:
    live = session_hub.current()
    try:
        live.call(live.workspace.choices.set_language(st.session_state[key]))
    except AssistantError as error:
        st.session_state["numbers-trouble"] = str(error)
