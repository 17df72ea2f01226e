"""The editor of a plan's steps: title, instruction, language and order, while the plan awaits approval."""

from __future__ import annotations

from typing import Any, Literal

import streamlit as st

from assistant.api.events import Plan, Step
from assistant.api.session import Session
from assistant.api.turns import PendingRequest
from ui.session_hub import SessionHub
from ui.views.text import line

LANGUAGES = {"sql": "SQL", "python": "Python"}
Part = Literal["title", "instruction", "language"]
"""What of a step can be changed."""


def describe_step(step: Step) -> str:
    """A step in words."""
    return step.title or step.instruction


def describe_instruction(step: Step, *, has_run: bool) -> str:
    """What the coder is told besides the title of a step, and whether that is done already."""
    text = f" :gray[{line(step.instruction)}]" if _has_instruction(step) else ""
    return f"{text} :gray-badge[has run]" if has_run else text


def _has_instruction(step: Step) -> bool:
    """Whether more is sent of a step than its title."""
    return bool(step.instruction) and step.instruction != describe_step(step)


def read_steps(live: SessionHub, session: Session, waiting: PendingRequest) -> tuple[Step, ...]:
    """The steps as they stand in the card now: what was typed last counts, sent or not. What was not changed stays."""
    plan = waiting.plan
    if plan is None:
        return ()
    drafts = live.of(session).drafts
    steps: list[Step] = []
    for place in _list_places(drafts, waiting.id, plan):
        base = plan.steps[int(place)] if place.isdigit() else None
        if base is not None and int(place) < plan.begins - 1:
            steps.append(base)
            continue
        step = base or Step(title="", language="sql")
        field = _Field(drafts, waiting.id, place)
        title = field.read("title", describe_step(step)).strip()
        instruction = field.read("instruction", step.instruction).strip() if _has_instruction(step) else ""
        if not title:
            continue
        language = "python" if field.read("language", step.language) == "python" else "sql"
        changes: dict[str, object] = {"language": language} if language != step.language else {}
        if title != describe_step(step):
            changes["title"] = title
        if _has_instruction(step):
            changes |= {"instruction": instruction or title} if instruction != step.instruction.strip() else {}
        elif "title" in changes:
            changes["instruction"] = title
        steps.append(step.model_copy(update=changes) if changes else step)
    return tuple(steps)


def draw_editor(live: SessionHub, session: Session, waiting: PendingRequest, plan: Plan) -> None:
    """The steps of a plan that waits, as they are sent: to be changed, moved, removed and added to.

    What has run is shown, and stays.
    """
    drafts = live.of(session).drafts
    with st.container(key="steps", gap="xsmall"):
        for n, place in enumerate(_list_places(drafts, waiting.id, plan), 1):
            if place.isdigit() and int(place) < plan.begins - 1:
                step = plan.steps[int(place)]
                st.markdown(f":gray[{n}] {line(describe_step(step))}{describe_instruction(step, has_run=True)}")
            else:
                _draw_step(live, session, waiting, plan, place)
        st.button(
            "Add a step",
            icon=":material/add:",
            type="tertiary",
            key=f"add-{waiting.id}",
            on_click=_add,
            args=(live, session, waiting.id, plan),
        )


def _draw_step(live: SessionHub, session: Session, waiting: PendingRequest, plan: Plan, place: str) -> None:
    """One step that is still to run: what it does, what else the coder is told, and its language."""
    n = _list_places(live.of(session).drafts, waiting.id, plan).index(place) + 1
    base = plan.steps[int(place)] if place.isdigit() else None
    step = base or Step(title="", language="sql")
    field = _Field(live.of(session).drafts, waiting.id, place)
    key = field.key("title")
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"row-{key}", wrap=False):
        st.markdown(f":gray[{n}]", width=18)
        st.text_area(
            f"Step {n}",
            value=field.draft("title", describe_step(step)),
            key=key,
            height="content",
            label_visibility="collapsed",
            placeholder="What should this step do?",
            on_change=field.keep,
            args=("title",),
        )
        if not _can_be_rewritten(plan):
            st.markdown(f":gray-badge[{LANGUAGES[step.language]}]", width="content")
        elif n > plan.begins:
            st.button(
                ":material/arrow_upward:",
                type="tertiary",
                key=f"up-{key}",
                help=f"Do step {n} before step {n - 1}",
                on_click=_move_up,
                args=(live, session, waiting.id, place, plan),
            )
        st.button(
            ":material/close:",
            type="tertiary",
            key=f"remove-{key}",
            help=f"Remove step {n}",
            on_click=_remove,
            args=(live, session, waiting.id, place, plan),
        )
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"told-{key}"):
        if _has_instruction(step):
            st.text_area(
                f"What the coder is told of step {n}",
                value=field.draft("instruction", step.instruction),
                key=field.key("instruction"),
                height="content",
                on_change=field.keep,
                args=("instruction",),
            )
        if _can_be_rewritten(plan):
            st.selectbox(
                f"Language of step {n}",
                list(LANGUAGES),
                index=list(LANGUAGES).index(field.draft("language", step.language)),
                format_func=LANGUAGES.__getitem__,
                key=field.key("language"),
                label_visibility="collapsed",
                width=120,
                on_change=field.keep,
                args=("language",),
            )


def _can_be_rewritten(plan: Plan) -> bool:
    """Whether somebody writes the code of its steps: not where it follows from a reading, or is kept."""
    return not plan.meaning and (plan.trust == "new" or not plan.cells)


class _Field:
    """What is typed of one step, while its plan waits: in widgets, and as drafts that outlive them."""

    def __init__(self, drafts: dict[str, str], request: str, place: str) -> None:
        self._drafts = drafts
        self._name = f"{request}-{place}"
        self._draft = f"{request}#{place}"

    def key(self, part: Part) -> str:
        """The key of the widget."""
        return f"{'step' if part == 'title' else part}-{self._name}"

    def draft(self, part: Part, otherwise: str) -> str:
        """What was kept of it."""
        return self._drafts.get(self._draft_key(part), otherwise)

    def read(self, part: Part, otherwise: str) -> str:
        """What is in the widget, else what was kept, else `otherwise`."""
        state: dict[str, Any] = st.session_state.to_dict()
        value = state.get(self.key(part))
        return value if isinstance(value, str) else self.draft(part, otherwise)

    def keep(self, part: Part) -> None:
        """Keep what is in the widget."""
        value = st.session_state.get(self.key(part))
        if isinstance(value, str):
            self._drafts[self._draft_key(part)] = value

    def _draft_key(self, part: Part) -> str:
        return self._draft if part == "title" else f"{self._draft}#{part}"


def _list_places(drafts: dict[str, str], request: str, plan: Plan) -> list[str]:
    """The steps shown: places of the plan's own (`0`, `1`) and of added ones (`a0`), in order."""
    stored = drafts.get(f"{request}#places")
    return stored.split(",") if stored else [str(n) for n in range(len(plan.steps))]


def _move_up(live: SessionHub, session: Session, request: str, place: str, plan: Plan) -> None:
    """Do a step before the one above it."""
    drafts = live.of(session).drafts
    places = _list_places(drafts, request, plan)
    at = places.index(place)
    if at >= plan.begins:
        places[at - 1 : at + 1] = [place, places[at - 1]]
        drafts[f"{request}#places"] = ",".join(places)


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
