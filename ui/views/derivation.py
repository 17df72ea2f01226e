"""How an answer was computed: what it read and kept, how each figure comes about, the code, and every decision."""

from __future__ import annotations

import streamlit as st

from assistant.api.events import Answer, Execution
from assistant.api.lineage import Lineage, draw_lineage
from assistant.api.session import Session
from assistant.api.turns import ProposalItem, Transcript, Turn
from ui.components import editor
from ui.session_hub import SessionHub
from ui.views import disclosing, execution, plan, proposal, story
from ui.views.tables import AGGREGATES
from ui.views.text import count, line, plain, seconds

WHERE = {"process": ", without a cage", "landlock": ", in a weaker cage than usual"}
"""How strong the cage was; full where nothing is said here."""


def draw(live: SessionHub, session: Session, view: Transcript, turn: Turn, answer: Answer) -> None:
    """The folded account; what is in it is made when it is opened."""
    ran = [item for item in turn.proposals if item.execution is not None]
    if not (ran or answer.how or turn.items):
        return
    label = "How this was computed" if ran else "How I worked on this"
    opened = st.expander(label, type="compact", key=f"how-{session.id}-{turn.number}", on_change="rerun")
    if not opened.open:
        return
    with opened:
        if answer.how:
            st.markdown("\n".join(f"- {line(one)}" for one in answer.how))
        if answer.table is not None:
            _lineage(live, session, view, turn, answer.table)
        for n, item in enumerate(turn.proposals):
            if item.execution is not None and item.execution.status == "ok":
                _code(item, item.execution, key=f"how-{turn.number}-{n}")
        plan.citations(answer.citations or (turn.plan.citations if turn.plan else ()), key=f"how-{turn.number}")
        with st.container(key=f"story-{turn.number}", gap="xsmall"):
            story.timeline(turn)
        if ran:
            _where(turn, ran)
        disclosing.sent(session, turn, is_last=turn is view.current)


def _code(item: ProposalItem, ran: Execution, *, key: str) -> None:
    """The code that ran, with what its run came to."""
    st.markdown(f"**{proposal.LANGUAGES[item.proposal.language]}** :gray[{line(execution.summary(ran))}]")
    editor.show(item.code, key=key, label=f"Code that ran: {item.proposal.title}")


def _lineage(live: SessionHub, session: Session, view: Transcript, turn: Turn, table: str) -> None:
    """Tables, joins, conditions and figures of the query behind the table, and a picture of them."""
    facts = live.results.facts(live.of(session), table)
    item = turn.proposal(table)
    ran = item.execution if item is not None else None
    if facts is None or facts.lineage is None or ran is None:
        _sources(view, turn)
        return
    lineage = facts.lineage
    rows = _rows(view)
    read = ", ".join(
        f"**{line(one)}**" + (f" ({count(held, 'row')})" if (held := rows.get(one)) else "") for one in lineage.tables
    )
    kept = count(ran.queries[-1].rows, "row") if ran.queries else ""
    st.markdown(f"Reads {read}" + (f" and gives {kept}." if kept else "."))
    _listed("Keeps rows where", [f"`{_code_of(one)}`" for one in lineage.filters])
    _listed(
        "Joins",
        [f"**{line(j.table)}**: {j.effect}" + (f" (`{_code_of(j.on)}`)" if j.on else "") for j in lineage.joins],
    )
    figures = [
        f"**{line(one.name)}** is {AGGREGATES[one.aggregate]}: `{_code_of(one.expression)}`"
        for one in lineage.outputs
        if one.aggregate
    ]
    _listed("Figures", figures)
    if len(lineage.tables) <= TABLES_DRAWN:
        what = _words(lineage)
        with st.container(key=f"lineage-{turn.number}"):
            st.graphviz_chart(draw_lineage(lineage, rows=rows, result=item.proposal.title if item else ""), alt=what)
    if item is not None and item.ended_at is not None:
        st.markdown(
            f":gray[:material/schedule: Data as of {item.ended_at.astimezone():%-d %B %Y, %H:%M}, when it was read]"
        )
    _sources(view, turn)


TABLES_DRAWN = 8


def _words(lineage: Lineage) -> str:
    """The title of a derivation: its tables, and how many conditions."""
    return f"Where it comes from: {', '.join(lineage.tables)}, {count(len(lineage.filters), 'condition')}"


def _listed(title: str, lines: list[str]) -> None:
    """A title with a bullet for each line; nothing where there is no line."""
    if lines:
        st.markdown(f"{title}\n" + "\n".join(f"- {one}" for one in lines))


def _code_of(sql: str) -> str:
    """SQL in one line that can stand between backticks."""
    return " ".join(sql.split()).replace("`", "'")


def _rows(view: Transcript) -> dict[str, int | None]:
    """How many rows each table has, by its name; None where that is not known."""
    return {table.name: table.rows for source in view.sources for table in source.tables}


def _sources(view: Transcript, turn: Turn) -> None:
    """The sources that the turn's queries read."""
    names = {query.source for item in turn.proposals if item.execution for query in item.execution.queries}
    for source in view.sources:
        if source.name in names:
            st.markdown(f":gray[:material/database:] {line(source.name)} :gray[{plain(source.display)}]")


def _where(turn: Turn, ran: list[ProposalItem]) -> None:
    """How long code ran, in which cage, and what models used."""
    took = sum(item.execution.seconds for item in ran if item.execution is not None)
    cage = next((item.started.cage for item in reversed(turn.proposals) if item.started and item.started.cage), "")
    where = WHERE.get(cage, ", in a cage" if cage else "")
    used = f" {count(len(turn.model_calls), 'model call')}, {count(turn.tokens, 'token')}." if turn.tokens else ""
    st.caption(f"Code ran for {seconds(took)}{where}.{used}")
