"""The derivation of an answer: rows read and filtered, how each figure is computed, the code, and every decision."""

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
from ui.views.text import count, format_seconds, line, plain

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
            st.markdown("\n".join(f"- {line(sentence)}" for sentence in answer.how))
        if answer.table is not None:
            _draw_lineage(live, session, view, turn, answer.table)
        for n, item in enumerate(turn.proposals):
            if item.execution is not None and item.execution.status == "ok":
                _draw_code(item, item.execution, key=f"how-{turn.number}-{n}")
        plan.draw_citations(answer.citations or (turn.plan.citations if turn.plan else ()), key=f"how-{turn.number}")
        with st.container(key=f"story-{turn.number}", gap="xsmall"):
            story.draw_timeline(turn)
        if ran:
            _draw_run(turn, ran)
        disclosing.draw_sent(session, turn, is_last=turn is view.current)


def _draw_code(item: ProposalItem, ran: Execution, *, key: str) -> None:
    """The code that ran, with what its run came to."""
    st.markdown(f"**{proposal.LANGUAGES[item.proposal.language]}** :gray[{line(execution.summarise(ran))}]")
    editor.show(item.code, key=key, label=f"Code that ran: {item.proposal.title}")


def _draw_lineage(live: SessionHub, session: Session, view: Transcript, turn: Turn, table: str) -> None:
    """Tables, joins, conditions and figures of the query behind the table, and a picture of them."""
    facts = live.results.facts(live.of(session), table)
    item = turn.proposal(table)
    ran = item.execution if item is not None else None
    if facts is None or facts.lineage is None or ran is None:
        _draw_sources(view, turn)
        return
    lineage = facts.lineage
    rows = _count_rows(view)
    tables = ", ".join(
        f"**{line(table_name)}**"
        + (f" ({count(rows_of_table, 'row')})" if (rows_of_table := rows.get(table_name)) else "")
        for table_name in lineage.tables
    )
    row_count = count(ran.queries[-1].rows, "row") if ran.queries else ""
    st.markdown(f"Reads {tables}" + (f" and gives {row_count}." if row_count else "."))
    _draw_list("Filters", [f"`{_inline_code(condition)}`" for condition in lineage.filters])
    _draw_list(
        "Joins",
        [f"**{line(j.table)}**: {j.effect}" + (f" (`{_inline_code(j.on)}`)" if j.on else "") for j in lineage.joins],
    )
    figures = [
        f"**{line(output.name)}** is {AGGREGATES[output.aggregate]}: `{_inline_code(output.expression)}`"
        for output in lineage.outputs
        if output.aggregate
    ]
    _draw_list("Figures", figures)
    if len(lineage.tables) <= TABLES_MAX:
        description = _describe(lineage)
        with st.container(key=f"lineage-{turn.number}"):
            st.graphviz_chart(
                draw_lineage(lineage, rows=rows, result=item.proposal.title if item else ""), alt=description
            )
    if item is not None and item.ended_at is not None:
        st.markdown(f":gray[:material/schedule: Data read on {item.ended_at.astimezone():%-d %B %Y, %H:%M}]")
    _draw_sources(view, turn)


TABLES_MAX = 8


def _describe(lineage: Lineage) -> str:
    """The title of a derivation: its tables, and how many conditions."""
    return f"Where it comes from: {', '.join(lineage.tables)}, {count(len(lineage.filters), 'condition')}"


def _draw_list(title: str, lines: list[str]) -> None:
    """A title with a bullet for each line; nothing where there is no line."""
    if lines:
        st.markdown(f"{title}\n" + "\n".join(f"- {text}" for text in lines))


def _inline_code(sql: str) -> str:
    """SQL in one line that can stand between backticks."""
    return " ".join(sql.split()).replace("`", "'")


def _count_rows(view: Transcript) -> dict[str, int | None]:
    """How many rows each table has, by its name; None where that is not known."""
    return {table.name: table.rows for source in view.sources for table in source.tables}


def _draw_sources(view: Transcript, turn: Turn) -> None:
    """The sources that the turn's queries read."""
    names = {query.source for item in turn.proposals if item.execution for query in item.execution.queries}
    for source in view.sources:
        if source.name in names:
            st.markdown(f":gray[:material/database:] {line(source.name)} :gray[{plain(source.display)}]")


def _draw_run(turn: Turn, ran: list[ProposalItem]) -> None:
    """How long code ran, in which cage, and what models used."""
    took = sum(item.execution.seconds for item in ran if item.execution is not None)
    cage = next((item.started.cage for item in reversed(turn.proposals) if item.started and item.started.cage), "")
    where = WHERE.get(cage, ", in a cage" if cage else "")
    used = f" {count(len(turn.model_calls), 'model call')}, {count(turn.tokens, 'token')}." if turn.tokens else ""
    st.caption(f"Code ran for {format_seconds(took)}{where}.{used}")
