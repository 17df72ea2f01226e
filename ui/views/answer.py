"""The answer: text, headline figure, chart and table; then its trust level, its derivation, and follow-up questions."""

from __future__ import annotations

import streamlit as st

from assistant.api.events import Answer, Appearance
from assistant.api.figures import shown
from assistant.api.session import Session
from assistant.api.turns import Transcript, Turn
from ui import actions
from ui.session_hub import SessionHub
from ui.views import chart_controls, charts, derivation, downloads, execution, judging, lessons, tables
from ui.views.result import Result, get_result
from ui.views.text import line, plain, prose

HEADLINES_MAX = 4


def draw(live: SessionHub, session: Session, view: Transcript, turn: Turn, answer: Answer, *, is_last: bool) -> None:
    """Draw a turn's answer and its evidence."""
    with st.container(key=f"answer-{turn.number}", gap="small"):
        if answer.status == "answered":
            st.markdown(prose(answer.text))
        else:
            _draw_unanswered(turn, answer)
        _draw_evidence(live, session, turn, answer)
        for further in answer.more_tables:
            _draw_further(live, session, turn, further)
        if answer.status == "answered" and not _is_courtesy(turn, answer):
            judging.draw(live, session, turn, answer)
        for note in answer.notes:
            st.markdown(f":gray[:material/info:] {plain(note)}")
        derivation.draw(live, session, view, turn, answer)
        if is_last:
            lessons.draw_offers(live, session, turn)
            _follow_ups(live, session, turn, answer)


def _is_courtesy(turn: Turn, answer: Answer) -> bool:
    """Whether nothing was planned, read or written for it, as for "thanks": there is nothing to judge."""
    return turn.plan is None and answer.table is None and not answer.citations and not turn.model_calls


def _draw_unanswered(turn: Turn, answer: Answer) -> None:
    """A question that was declined, answered in part, or that failed: what it came to, and a hint."""
    with st.container(border=True, key=f"declined-{turn.number}", gap="small"):
        if answer.status == "declined":
            st.markdown("**:material/help: I cannot answer this as it stands**")
        elif answer.status == "partial":
            st.markdown("**:orange[:material/info:] This is only part of an answer**")
        else:
            st.markdown("**:red[:material/error:] This did not work out**")
        st.markdown(prose(answer.text))
        if answer.hint:
            st.markdown(f":gray[:material/lightbulb:] {plain(answer.hint)}")


def _draw_evidence(live: SessionHub, session: Session, turn: Turn, answer: Answer) -> None:
    """The table of an answer with its chart, or what the cell drew where there is no table."""
    name = turn.plan.restated if turn.plan is not None and turn.plan.restated else turn.question
    evidence = get_result(live, session, answer.table, turn.appearance) if answer.table is not None else None
    own = answer.chart is not None
    if answer.table is None or evidence is None:
        if answer.chart is not None:
            _draw_own_chart(session, turn, answer.chart, name=name)
        return
    key = f"{turn.number}-{answer.table}"
    shows_own_chart = own and turn.appearance.chart is None
    is_told = _draw_headline(evidence, key)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"tools-{turn.number}"):
        now = chart_controls.OWN if shows_own_chart else evidence.chart.kind if evidence.chart is not None else "none"
        chart_controls.draw_kinds(live, session, turn, evidence, own=own, current_kind=now, key=key)
        st.space("stretch")
        chart_controls.draw_adjustments(live, session, turn.number, evidence, key=key)
        downloads.draw_menu(live, session, answer.table, evidence, name=name, key=key)
    if shows_own_chart and answer.chart is not None:
        _draw_own_chart(session, turn, answer.chart, name=name)
    elif evidence.chart is not None:
        charts.draw(evidence.chart, key=key)
    if is_told:
        tables.draw_drill_down(live, session, answer.table, evidence, key=key)
    else:
        tables.draw(live, session, answer.table, evidence, name=name, key=key)


def _draw_further(live: SessionHub, session: Session, turn: Turn, execution_id: str) -> None:
    """A further table of the answer, under its title."""
    evidence = get_result(live, session, execution_id, Appearance())
    if evidence is None:
        return
    item = turn.proposal(execution_id)
    name = item.proposal.title if item is not None else execution_id
    key = f"more-{turn.number}-{execution_id}"
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"tools-{key}"):
        st.markdown(f"**{line(name)}**")
        st.space("stretch")
        downloads.draw_menu(live, session, execution_id, evidence, name=name, key=key)
    tables.draw(live, session, execution_id, evidence, name=name, key=key)


def _draw_own_chart(session: Session, turn: Turn, chart: str, *, name: str) -> None:
    """The chart that the code of the answer drew."""
    if charts.draw_cell_chart(session, chart, name=name, key=f"{turn.number}-{chart}"):
        return
    item = turn.proposal(chart)
    if item is not None and item.execution is not None:
        execution.draw(item.execution, key=f"chart-{turn.number}")


def _draw_headline(headline: Result, key: str) -> bool:
    """The figures of a result with one row, large and in their units. Gives whether that is one figure and no more."""
    if len(headline.shaped.rows) != 1 or not 0 < len(headline.measures) <= HEADLINES_MAX:
        return False
    row = headline.shaped.rows[0]
    with st.container(horizontal=True, gap="large", key=f"headline-{key}"):
        for value, column in zip(row, headline.shaped.columns, strict=True):
            if column.role == "measure":
                text = shown(
                    value, column, code=headline.code, scale=headline.look.scale, decimals=headline.look.decimals
                )
                with st.container(width="content", gap=None, key=f"figure-{key}-{column.name}"):
                    st.markdown(f":gray[:small[{line(column.label)}]]  \n{plain(text)}")
    return len(headline.shaped.columns) == 1


def _follow_ups(live: SessionHub, session: Session, turn: Turn, answer: Answer) -> None:
    """Up to three questions that go on from the answer, each asked by a click."""
    if not answer.follow_ups:
        return
    with st.container(horizontal=True, key=f"next-{turn.number}", gap="small"):
        for n, text in enumerate(answer.follow_ups[:3]):
            st.button(
                line(text),
                key=f"follow-{turn.number}-{n}",
                icon=":material/subdirectory_arrow_right:",
                on_click=actions.ask,
                args=(live, session, text),
            )
