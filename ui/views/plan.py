"""A plan: its sources, assumptions and citations, why it grew, its steps, and code that is already written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import streamlit as st

from assistant.api.events import Citation, Plan, Step
from assistant.api.figures import joined
from assistant.api.session import Session
from assistant.api.turns import PendingRequest, Transcript
from ui.components import editor
from ui.session_hub import SessionHub
from ui.views.plan_steps import LANGUAGES, describe_instruction, describe_step, draw_editor, read_steps
from ui.views.text import cut_sentences, line, plain

_NUMBER = re.compile(r"(?<![\w.])\d[\d,.]*(?![\w])")
_QUOTED = re.compile(r"[“\"'‘]([^“”\"'‘’]{2,60})[”\"'’](?!\w)")
_NAME = re.compile(r"(?<=[a-z,;] )[A-ZÄÖÜ][\w-]{2,}")
NAMES_SHARE_MAX = 0.34
"""Where more of the words begin with a capital the language writes its nouns so, or the person shouts."""

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
        if plan.changed:
            st.markdown(f":material/alt_route: Why the plan changed: {plain(plan.changed)}")
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
        draw_editor(live, session, waiting, plan)
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
    if plan.changed:
        st.markdown(f":gray[Why it changed: {plain(plan.changed)}]")
    lines = (
        f"{n}. {line(describe_step(step))}{describe_instruction(step, has_run=n < plan.begins)}"
        for n, step in enumerate(steps or plan.steps, 1)
    )
    st.markdown("\n".join(lines))
    _draw_facts(plan)


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


def find_unmentioned(question: str, texts: Iterable[str]) -> tuple[str, ...]:
    """What the question names that none of these texts holds, in the question's own words.

    Args:
        question: what was asked.
        texts: the plan's words, its assumptions, the code.
    """
    text = _normalise(" ".join(texts))
    digits = {number.strip(".,").replace(",", "") for number in re.findall(r"\d[\d,.]*", text)}
    parts = {part for number in digits for part in (number, *re.split(r"\D", number))}
    absent = [match for match in _NUMBER.findall(question) if match.strip(".,").replace(",", "") not in parts]
    names = _QUOTED.findall(question)
    words = question.split()
    capitals = sum(word[:1].isupper() for word in words[1:])
    if words and capitals <= NAMES_SHARE_MAX * len(words):
        names += _NAME.findall(_QUOTED.sub(" ", question))
    absent += [name for name in names if _stem(name) not in text]
    return tuple(dict.fromkeys(word.strip(".,") for word in absent))


def _normalise(text: str) -> str:
    """Text to compare names by: in lower case, with spaces for underscores."""
    return text.casefold().replace("_", " ")


def _stem(word: str) -> str:
    """A word without the ending that a plural gives it: `Regions` is found in `region`."""
    plain = _normalise(word)
    return plain[:-1] if plain.endswith("s") and len(plain) > 4 else plain
