"""The answer: words first, then the chart and the table, then how it was computed and what to ask next."""

from __future__ import annotations

import streamlit as st

from assistant.events import Answer
from ui import actions
from ui.components import editor
from ui.ports import Session
from ui.session_hub import SessionHub
from ui.view_model import Turn, View
from ui.views import charts, execution, plan, proposal, story, tables
from ui.views.text import count, line, plain, prose, seconds

TRUST = {
    "verified": (":material/verified:", "green", "Verified", "A person marked this very query as right."),
    "adapted": (":material/verified:", "blue", "Adapted", "A verified query, with other values, filters or grain."),
    "new": (":material/edit_note:", "gray", "New", "Written for this question; nobody has verified it yet."),
}

LEANS = "Its question may lean on the answer before it. Ask it in words that stand alone, and mark that."

WHERE = {"process": ", without a cage", "landlock": ", in a weaker cage than usual"}
"""How strong the cage was; full where nothing is said here."""


def draw(live: SessionHub, session: Session, view: View, turn: Turn, answer: Answer, *, is_last: bool) -> None:
    """Draw a turn's answer and its evidence."""
    with st.container(key=f"answer-{turn.n}", gap="small"):
        if answer.status == "answered":
            st.markdown(prose(answer.text))
            _trust(live, session, turn, answer)
        else:
            _unanswered(turn, answer)
        _evidence(live, session, turn, answer)
        for note in answer.notes:
            st.markdown(f":gray[:material/info:] {plain(note)}")
        _how(session, view, turn, answer)
        if is_last:
            _follow_ups(live, session, turn, answer)


def _unanswered(turn: Turn, answer: Answer) -> None:
    with st.container(border=True, key=f"declined-{turn.n}", gap="small"):
        if answer.status == "declined":
            st.markdown("**:material/help: I cannot answer this as it stands**")
        elif answer.status == "partial":
            st.markdown("**:orange[:material/info:] This is only part of an answer**")
        else:
            st.markdown("**:red[:material/error:] This did not work out**")
        st.markdown(prose(answer.text))
        if answer.hint:
            st.markdown(f":gray[:material/lightbulb:] {plain(answer.hint)}")


def _trust(live: SessionHub, session: Session, turn: Turn, answer: Answer) -> None:
    """How far the answer can be trusted, and the one click by which a person says that it is right."""
    icon, colour, label, what = TRUST[answer.trust]
    mark = turn.verified
    obstacle = _obstacle(live, session, turn) if mark is None and answer.trust != "verified" else ""
    with st.container(horizontal=True, vertical_alignment="center", key=f"trust-{turn.n}", gap="small"):
        if mark is None:
            if obstacle:
                what += f" It cannot be marked right: {obstacle[:1].lower()}{obstacle[1:]}"
            st.badge(label, icon=icon, color=colour, help=what)  # pyright: ignore[reportArgumentType] - a literal from TRUST
            if obstacle == "" and answer.trust != "verified":
                st.button(
                    "This is right",
                    key=f"verify-{turn.n}",
                    type="tertiary",
                    icon=":material/check:",
                    help="Keeps the question with its SQL in the knowledge folder. Asked again, it is answered by it.",
                    on_click=actions.verify,
                    args=(live, session, turn.n),
                )
            return
        st.markdown(
            f":green[:material/verified:] Marked right by {line(mark.by)} on {mark.on:%-d %B %Y}", width="content"
        )
        st.button(
            "Take back",
            key=f"revoke-{turn.n}",
            type="tertiary",
            icon=":material/undo:",
            help=f"It stands in {line(mark.file)}",
            on_click=actions.revoke,
            args=(live, session, turn.n),
        )


def _obstacle(live: SessionHub, session: Session, turn: Turn) -> str | None:
    """Why the answer cannot be marked right, empty where it can be; None while that is being found out."""
    if found := session.obstacle(turn.n):
        return found
    leans = live.leans(session, turn.n)
    return None if leans is None else LEANS if leans else ""


def _evidence(live: SessionHub, session: Session, turn: Turn, answer: Answer) -> None:
    name = turn.plan.restated if turn.plan is not None and turn.plan.restated else turn.question
    if answer.chart is not None:
        charts.draw(session, answer.chart, name=name, key=f"{turn.n}-{answer.chart}")
        item = turn.proposal(answer.chart)
        if session.chart(answer.chart) is None and item is not None and item.execution is not None:
            execution.draw(item.execution, key=f"chart-{turn.n}")
    if answer.table is not None:
        tables.draw(live, session, answer.table, name=name, key=f"{turn.n}-{answer.table}")


def _how(session: Session, view: View, turn: Turn, answer: Answer) -> None:
    ran = [item.execution for item in turn.proposals if item.execution is not None]
    if not (ran or answer.how or turn.items):
        return
    took = sum(one.seconds for one in ran)
    label = "How this was computed" if ran else "How I worked on this"
    opened = st.expander(label, type="compact", key=f"how-{session.id}-{turn.n}", on_change="rerun")
    if not opened.open:
        return
    with opened:
        if answer.how:
            st.markdown("\n".join(f"- {line(one)}" for one in answer.how))
        for n, item in enumerate(turn.proposals):
            if item.execution is not None and item.execution.status == "ok":
                st.markdown(
                    f"**{proposal.LANGUAGES[item.proposal.language]}** :gray[{line(execution.summary(item.execution))}]"
                )
                editor.show(item.code, key=f"how-{turn.n}-{n}", label=f"Code that ran: {item.proposal.title}")
        plan.citations(answer.citations or (turn.plan.citations if turn.plan else ()), key=f"how-{turn.n}")
        _sources(view, turn)
        with st.container(key=f"story-{turn.n}", gap="xsmall"):
            story.timeline(turn)
        if ran:
            cage = next(
                (item.started.cage for item in reversed(turn.proposals) if item.started and item.started.cage), ""
            )
            where = WHERE.get(cage, ", in a cage" if cage else "")
            st.caption(f"Code ran for {seconds(took)}{where}.{_usage(turn)}")


def _usage(turn: Turn) -> str:
    return f" {count(turn.calls, 'model call')}, {count(turn.tokens, 'token')}." if turn.tokens else ""


def _sources(view: View, turn: Turn) -> None:
    names = {query.source for item in turn.proposals if item.execution for query in item.execution.queries}
    shown = [source for source in view.sources if source.name in names]
    for source in shown:
        st.markdown(f":gray[:material/database:] {line(source.name)} :gray[{line(source.display)}]")


def _follow_ups(live: SessionHub, session: Session, turn: Turn, answer: Answer) -> None:
    if not answer.follow_ups:
        return
    with st.container(horizontal=True, key=f"next-{turn.n}", gap="small"):
        for n, text in enumerate(answer.follow_ups[:3]):
            st.button(
                line(text),
                key=f"follow-{turn.n}-{n}",
                icon=":material/subdirectory_arrow_right:",
                on_click=actions.ask,
                args=(live, session, text),
            )
