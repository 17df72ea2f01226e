"""Health checks on the settings screen: a sentence for each, advice where a check fails, and details in an expander.

The technical messages of `tandem doctor` are for whoever runs the machine; they are in the details.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import streamlit as st

from assistant.api.errors import AssistantError
from assistant.api.health import Health, Suggestion
from ui.session_hub import SessionHub
from ui.views.masking import describe_masking
from ui.views.text import line, plain

State = Literal["ok", "weak", "missing"]

MARKS: Mapping[State, str] = {
    "ok": ":green[:material/check_circle:]",
    "weak": ":orange[:material/warning:]",
    "missing": ":red[:material/cancel:]",
}
WORST_FIRST: tuple[State, ...] = ("missing", "weak", "ok")


@dataclass(frozen=True, slots=True)
class Topic:
    """One thing that Tandem needs: the first words of the findings about it, and what each state means."""

    title: str
    begins: tuple[str, ...]
    sentences: Mapping[State, str]


TOPICS = (
    Topic(
        "Running code safely",
        ("cage",),
        {
            "ok": "Code runs locked away: it reaches no network and none of your files.",
            "weak": "Code runs locked away, with one protection fewer than usual.",
            "missing": "Code cannot be locked away here, so none runs without your consent.",
        },
    ),
    Topic(
        "Understanding words",
        ("embeddings",),
        {
            "ok": "Words of similar meaning are understood, such as “enterprises” for “companies”.",
            "weak": "Only words that are spelt alike are found. Words of similar meaning are not.",
            "missing": "Words cannot be compared.",
        },
    ),
    Topic(
        "Who answers",
        ("model",),
        {
            "ok": "All that takes part in an answer is ready.",
            "weak": "A language model is not ready.",
            "missing": "A language model cannot be asked.",
        },
    ),
    Topic(
        "Personal data",
        ("mask", "personal data"),
        {
            "ok": "Masked columns are never shown.",
            "weak": "Some columns need a look.",
            "missing": "What is to be masked cannot be told, so no conversation opens.",
        },
    ),
    Topic(
        "Your data",
        ("source", "table"),
        {
            "ok": "All of it can be read, and none of it can be changed.",
            "weak": "All of it can be read. Its login could do more than that.",
            "missing": "Some of it cannot be read.",
        },
    ),
    Topic(
        "Your definitions",
        ("knowledge",),
        {
            "ok": "They are read from their folder.",
            "weak": "Some of them need a look.",
            "missing": "Their folder is not there: questions are answered without them.",
        },
    ),
    Topic(
        "Saved conversations",
        ("store",),
        {
            "ok": "All of them can be opened.",
            "weak": "Some of them need a look.",
            "missing": "Some of them are damaged.",
        },
    ),
)
_OTHER_WAYS = "cage level "
"""Findings about ways to lock code away that are not in use: they say nothing of how it is."""


def draw(live: SessionHub) -> None:
    """Draw the section."""
    with st.container(border=True, key="health", gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown("**What works here**", width="stretch")
            again = st.button("Check again", icon=":material/refresh:", type="tertiary", key="again")
        with st.spinner("Looking"):
            findings = live.health(fresh=again)
        if done := st.session_state.pop("masked", None):
            st.success(plain(str(done)), icon=":material/visibility_off:")
        for topic in TOPICS:
            about = [finding for finding in findings if finding.name.casefold().startswith(topic.begins)]
            if about:
                _draw_topic(live, topic, about)
        with st.expander("Technical details", type="compact", key="health-details"):
            for finding in findings:
                name = line(finding.name[:1].upper() + finding.name[1:])
                st.markdown(f"{MARKS[finding.state]} **{name}**  \n:gray[{plain(finding.text)}]")


def _draw_topic(live: SessionHub, topic: Topic, about: Sequence[Health]) -> None:
    """The state of one thing in a sentence, what is amiss, and the way to mend it."""
    findings_in_use = [finding for finding in about if not finding.name.startswith(_OTHER_WAYS)]
    state = _find_worst(findings_in_use)
    with st.container(gap="xxsmall", key=f"health-{topic.begins[0]}"):
        st.markdown(f"{MARKS[state]} **{topic.title}**  \n{topic.sentences[state]}")
        for finding in findings_in_use:
            if finding.state == "missing":
                st.markdown(plain(finding.text))
            if finding.state != "ok" and finding.advice and not finding.suggestions:
                st.markdown(f":gray[{plain(finding.advice)}]")
            for suggestion in finding.suggestions:
                _draw_suggestion(live, suggestion)


def _find_worst(findings: Sequence[Health]) -> State:
    for state in WORST_FIRST:
        if any(finding.state == state for finding in findings):
            return state
    return "ok"


def _draw_suggestion(live: SessionHub, suggestion: Suggestion) -> None:
    """One column with the person's choice, which is kept in the home folder."""
    column = suggestion.column
    with st.container(horizontal=True, vertical_alignment="center", key=f"suggestion-{column}"):
        st.markdown(f"{line(column)} :gray[{plain(suggestion.data_kind)}]", width="stretch")
        mask = st.button(
            "Mask it",
            key=f"mask-{column}",
            icon=":material/visibility_off:",
            help="From now on its values never leave the source. Answers that used it are withheld: ask again.",
        )
        show = st.button("It may be shown", key=f"show-{column}", type="tertiary", help="It is not suggested again.")
    if mask or show:
        try:
            with st.spinner("Masking it" if mask else "Looking again"):
                withheld = live.decide_mask(column, mask=mask)
        except AssistantError as error:
            st.error(plain(str(error)), title="That was not done everywhere", icon=":material/error:")
            return
        if mask:
            st.session_state["masked"] = describe_masking(column, withheld)
        with st.spinner("Looking again"):
            live.health(fresh=True)
        st.rerun()
