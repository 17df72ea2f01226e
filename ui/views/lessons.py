"""Lessons from repaired failures: offered beside the answer, and listed with the knowledge once they are kept."""

from __future__ import annotations

import streamlit as st

from assistant.api.errors import AssistantError
from assistant.api.lessons import Lesson
from assistant.api.session import Session
from assistant.api.turns import Turn
from ui import actions
from ui.session_hub import SessionHub
from ui.views.text import line, plain


def draw_offers(live: SessionHub, session: Session, turn: Turn) -> None:
    """What a repaired failure of a turn showed, with one click to keep it and one to drop it."""
    if not turn.diagnoses:
        return  # only what failed and was diagnosed can offer one
    for lesson in live.of(session).list_lessons():
        with st.container(border=True, key=f"lesson-{lesson.id}", gap="xsmall"):
            st.markdown(f"**:material/school: Keep this for later questions on {_name_scope(lesson)}?**")
            _draw_lesson(lesson)
            with st.container(horizontal=True, gap="small", key=f"lesson-ways-{lesson.id}"):
                for action, label in (("keep", "Keep"), ("drop", "Drop")):
                    st.button(
                        label,
                        key=f"lesson-{action}-{lesson.id}",
                        on_click=actions.decide_lesson,
                        args=(live, session, lesson.id, action),
                    )


def draw_kept(live: SessionHub, search: str) -> None:
    """The lessons that were kept for the default data, each closed; stale ones say so."""
    lessons = live.workspace.knowledge.lessons
    try:
        entries, problems = live.call(lessons.read()), live.call(lessons.list_problems())
    except AssistantError as error:
        st.warning(plain(str(error)), icon=":material/warning:")
        return
    visible = [e for e in entries if search.casefold() in f"{_name_scope(e.lesson)} {e.lesson.truth}".casefold()]
    if visible:
        st.markdown(f"**:material/school: Lessons** :gray[{len(visible)}]")
        st.caption("What repaired failures showed about a source. Models read them where the same tables are used.")
        with st.container(border=True, key="knowledge-lessons", gap="xxsmall"):
            for entry in visible:
                _draw_kept(live, entry.lesson, is_stale=entry.is_stale)
    for problem in problems:
        st.warning(plain(str(problem)), icon=":material/warning:")


def _draw_kept(live: SessionHub, lesson: Lesson, *, is_stale: bool) -> None:
    state = " :orange[:small[stale: what it is about has changed; not used]]" if is_stale else ""
    with st.expander(f"{line(lesson.truth)}{state}", type="compact", key=f"kept-{lesson.id}"):
        st.markdown(f":gray[About {_name_scope(lesson)}. Kept by {line(lesson.author)} on {line(lesson.date)}.]")
        _draw_lesson(lesson)
        if st.button("Drop", key=f"lesson-remove-{lesson.id}", icon=":material/delete:", type="tertiary"):
            try:
                live.call(live.workspace.knowledge.lessons.remove(lesson.id))
                st.rerun()
            except AssistantError as error:
                st.error(plain(str(error)), title="That was not done", icon=":material/error:")


def _draw_lesson(lesson: Lesson) -> None:
    st.markdown(plain(lesson.truth))
    for label, text in (("Failed", lesson.expectation), ("Worked", lesson.works), ("Shows as", lesson.sign)):
        if text:
            st.markdown(f":gray[{label}]")
            st.code(text, language=None, wrap_lines=True)


def _name_scope(lesson: Lesson) -> str:
    return line(", ".join((*lesson.tables, *lesson.functions)))
