"""A plan: its numbered steps, editable while it waits; what it reads, assumes and cites."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from assistant.api.events import Citation, Plan, Step
from assistant.api.figures import joined
from assistant.api.session import Session
from assistant.api.turns import PendingRequest, Transcript
from ui.components import editor
from ui.session_hub import SessionHub
from ui.views.text import cut_sentences, line, plain
from ui.views.unmentioned import find_unmentioned

LANGUAGES = {"sql": "SQL", "python": "Python"}
EXCERPT_CHARS = 200
MARKS = {
    "ok": ":green[:material/check:]",
    "note": ":gray[:material/info:]",
    "warning": ":orange[:material/warning:]",
    "danger": ":red[:material/dangerous:]",
}


def draw_card(live: SessionHub, session: Session, waiting: PendingRequest) -> None:
    """The plan that waits, with its steps open to editing."""
    plan = waiting.plan
    if plan is None:
        return
    with st.container(border=True, key="card", gap="small"):
        with st.container(key="kicker"):
            st.caption("PLAN")
        st.markdown(f"**{plain(plan.restated)}**")
        _draw_facts(plan)
        draw_missing(
            live.of(session).view(),
            [
                plan.restated,
                *plan.assumptions,
                *(f"{s.title} {s.instruction}" for s in plan.steps),
                *(cell.code for cell in plan.cells),
            ],
        )
        _draw_editor(live, session, waiting, plan)
        _draw_cells(plan, waiting)
        draw_citations(plan.citations, key=f"{waiting.id}")


def can_run_all(live: SessionHub, session: Session, waiting: PendingRequest) -> bool:
    """Whether all code of the plan is there, without a warning, and the plan stands as it was proposed."""
    plan = waiting.plan
    if plan is None or len(plan.cells) < len(plan.steps) - plan.begins + 1:
        return False
    warned = any(finding.level in ("warning", "danger") for cell in plan.cells for finding in cell.findings)
    return not warned and read_steps(live, session, waiting) == plan.steps


def draw_missing(view: Transcript, texts: Sequence[str]) -> None:
    """What the question says and these words and code do not, in plain sight."""
    question = view.current.question if view.current is not None else ""
    if words := find_unmentioned(question, texts):
        names = joined([f"“{line(word)}”" for word in words[:4]])
        st.markdown(
            f":orange[:material/warning: Your question says {names}, which is not found here. Check that it is meant.]"
        )


def draw_lines(plan: Plan, steps: Sequence[Step] | None = None) -> None:
    """The plan as it was, for the story of a turn."""
    st.markdown(plain(plan.restated))
    st.markdown("\n".join(f"{n}. {line(describe_step(step))}" for n, step in enumerate(steps or plan.steps, 1)))
    _draw_facts(plan)


def describe_step(step: Step) -> str:
    """A step in words."""
    return step.title or step.instruction


def read_steps(live: SessionHub, session: Session, waiting: PendingRequest) -> tuple[Step, ...]:
    """The steps as they stand in the card now: what was typed last counts, sent or not."""
    plan = waiting.plan
    if plan is None:
        return ()
    drafts = live.of(session).drafts
    steps: list[Step] = []
    for place in _list_places(drafts, waiting.id, plan):
        base = plan.steps[int(place)] if place.isdigit() else None
        text = _read_text(drafts, waiting.id, place, describe_step(base) if base else "").strip()
        if not text:
            continue
        if base is None:
            steps.append(Step(title=text, language="sql", instruction=text))
        elif text == describe_step(base):
            steps.append(base)
        else:
            steps.append(base.model_copy(update={"title": text, "instruction": text}))
    return tuple(steps)


def draw_citations(cited: Sequence[Citation], *, key: str) -> None:
    """What the knowledge base says, and where it says it."""
    if not cited:
        return
    with st.container(key=f"citations-{key}", gap="xsmall"):
        for citation in cited:
            st.markdown(
                f":material/menu_book: **{line(citation.title)}**{_cut_excerpt(citation)}  \n"
                f":gray[{line(citation.origin)}]"
            )


def _cut_excerpt(cited: Citation) -> str:
    """What the document says, in whole sentences; its title is not said twice."""
    text = cited.excerpt
    if text.casefold().startswith(cited.title.casefold()):
        text = text[len(cited.title) :].lstrip(" :.")
        return f" {plain(cut_sentences(text, EXCERPT_CHARS))}" if text else ""
    return f": {plain(cut_sentences(text, EXCERPT_CHARS))}" if text else ""


def _draw_facts(plan: Plan) -> None:
    """The tables that a plan reads and what it assumes."""
    if plan.tables:
        names = " ".join(f":gray-badge[:material/table: {line(table)}]" for table in plan.tables)
        st.markdown(f"Reads {names}")
    if plan.assumptions:
        st.markdown("\n".join(f"- Assuming {line(_lower_first(assumption))}" for assumption in plan.assumptions))


def _lower_first(text: str) -> str:
    """An assumption without the word “Assuming”, to stand within a sentence."""
    text = text.removeprefix("Assuming ").removeprefix("assuming ")
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def _draw_editor(live: SessionHub, session: Session, waiting: PendingRequest, plan: Plan) -> None:
    """The steps of a plan that waits, each in a field, to be changed, removed and added to."""
    drafts = live.of(session).drafts
    with st.container(key="steps", gap="xsmall"):
        for n, place in enumerate(_list_places(drafts, waiting.id, plan), 1):
            base = plan.steps[int(place)] if place.isdigit() else None
            key = _build_key(waiting.id, place)
            with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"row-{key}", wrap=False):
                st.markdown(f":gray[{n}]", width=18)
                st.text_area(
                    f"Step {n}",
                    value=drafts.get(_build_draft_key(waiting.id, place), describe_step(base) if base else ""),
                    key=key,
                    height="content",
                    label_visibility="collapsed",
                    placeholder="What should this step do?",
                    on_change=_keep,
                    args=(live, session, waiting.id, place),
                )
                st.markdown(f":gray-badge[{LANGUAGES[base.language] if base else 'SQL'}]", width="content")
                st.button(
                    ":material/close:",
                    type="tertiary",
                    key=f"remove-{key}",
                    help=f"Remove step {n}",
                    on_click=_remove,
                    args=(live, session, waiting.id, place, plan),
                )
        st.button(
            "Add a step",
            icon=":material/add:",
            type="tertiary",
            key=f"add-{waiting.id}",
            on_click=_add,
            args=(live, session, waiting.id, plan),
        )


def _draw_cells(plan: Plan, waiting: PendingRequest) -> None:
    """The code that is known already, each cell a click away, with what the review found in it."""
    for cell in plan.cells:
        warned = sum(finding.level in ("warning", "danger") for finding in cell.findings)
        mark = ":orange[:material/warning:]" if warned else ":green[:material/check:]"
        label = f"{mark} {LANGUAGES[cell.language]} of step {cell.step}"
        opened = st.expander(label, type="compact", key=f"cell-{waiting.id}-{cell.step}", on_change="rerun")
        if opened.open:
            with opened:
                if cell.operations:
                    st.markdown("\n".join(f"- {line(operation)}" for operation in cell.operations))
                editor.show(cell.code, key=f"cell-code-{waiting.id}-{cell.step}", label=f"Code of step {cell.step}")
                for finding in cell.findings:
                    st.markdown(f"{MARKS[finding.level]} {plain(finding.text)}")


def _build_key(request: str, place: str) -> str:
    """The key of a step's field."""
    return f"step-{request}-{place}"


def _build_draft_key(request: str, place: str) -> str:
    """The key of a step's draft."""
    return f"{request}#{place}"


def _list_places(drafts: dict[str, str], request: str, plan: Plan) -> list[str]:
    """The steps shown: places of the plan's own (`0`, `1`) and of added ones (`a0`), in order."""
    stored = drafts.get(f"{request}#places")
    return stored.split(",") if stored else [str(n) for n in range(len(plan.steps))]


def _read_text(drafts: dict[str, str], request: str, place: str, otherwise: str) -> str:
    """The text of a step: in its field, else in its draft, else `otherwise`."""
    state: dict[str, Any] = st.session_state.to_dict()
    value = state.get(_build_key(request, place))
    return value if isinstance(value, str) else drafts.get(_build_draft_key(request, place), otherwise)


def _keep(live: SessionHub, session: Session, request: str, place: str) -> None:
    """Keep what is in a step's field as its draft."""
    value = st.session_state.get(_build_key(request, place))
    if isinstance(value, str):
        live.of(session).drafts[_build_draft_key(request, place)] = value


def _remove(live: SessionHub, session: Session, request: str, place: str, plan: Plan) -> None:
    """Take a step out of the draft; the last one stays."""
    drafts = live.of(session).drafts
    places = [p for p in _list_places(drafts, request, plan) if p != place]
    if places:
        drafts[f"{request}#places"] = ",".join(places)


def _add(live: SessionHub, session: Session, request: str, plan: Plan) -> None:
    """Put an empty step at the end of the draft."""
    drafts = live.of(session).drafts
    places = _list_places(drafts, request, plan)
    new = sum(1 for p in places if not p.isdigit())
    while f"a{new}" in places:
        new += 1
    drafts[f"{request}#places"] = ",".join([*places, f"a{new}"])
