"""A turn: the question, the work in progress or the pending decision, and how it ended."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from assistant.api.events import Clarification, Stopped
from assistant.api.figures import joined
from assistant.api.session import Session
from assistant.api.turns import ExchangeItem, Item, PendingRequest, Phase, PlanItem, Transcript, Turn
from ui import actions
from ui.session_hub import SessionHub
from ui.views import answer, cards, interpretation, package, plan, proposal, source_reading, story, written_functions
from ui.views.text import line, plain, prose, shorten, strip_colours

PHASES: dict[Phase, str] = {
    "planning": "Planning",
    "coding": "Writing the code",
    "reviewing": "Reviewing the code",
    "starting": "Starting",
    "adding": "Seeing to the package",
    "running": "Running",
    "diagnosing": "Finding out what went wrong",
    "answering": "Wording the answer",
}
OPTIONS_MAX = 6
"""So many answers to a question back are offered: four readings, the code as it was, and leaving the step out."""
TAIL_LINES = 8
"""So much of what a running cell has printed is shown: the last of it, without scrolling."""


def draw(live: SessionHub, session: Session, view: Transcript, turn: Turn, *, is_last: bool, working: bool) -> None:
    """Draw a turn. Only the last one can be at work or waiting."""
    draw_question(turn)
    _draw_exchanges(turn)
    with st.container(key=f"turn-{turn.number}", gap="small"):
        source_reading.draw(turn.sources, key=str(turn.number))
        waiting = turn.waiting if is_last and not working else None
        if turn.answer is not None:
            is_declined = turn.answer.status == "declined"
            if not is_declined:
                interpretation.draw(live, session, turn)
            answer.draw(live, session, view, turn, turn.answer, is_last=is_last)
            if is_declined:
                interpretation.draw(live, session, turn)
            return
        skip = _find_subject(turn, waiting)
        with st.container(key=f"story-{turn.number}", gap="xsmall"):
            story.draw_timeline(turn, skip=skip, folded=True)
        if working and is_last:
            _draw_progress(session, turn)
        elif waiting is not None:
            interpretation.draw(live, session, turn)
            if not interpretation.is_changed(live, session, turn):  # else the changed query stands in its place
                _draw_waiting(live, session, turn, waiting)
        elif turn.failed is not None:
            cards.draw_failed(live, session, turn, turn.failed)
        elif isinstance(turn.stopped, Stopped):
            cards.draw_stopped(live, session, turn, turn.stopped)
        elif is_last:
            cards.draw_interrupted(live, session, turn)


def _find_subject(turn: Turn, waiting: PendingRequest | None) -> Item | None:
    """The item that the person is asked about: it has a card of its own, so the story leaves it out."""
    if waiting is None:
        return None
    for item in turn.items:
        match item:
            case PlanItem(plan=plan) if plan is waiting.plan:
                return item
            case ExchangeItem(clarification=clarification) if clarification is waiting.request:
                return item
            case _:
                pass
    return waiting.item


def draw_question(turn: Turn) -> None:
    """What the person asked, as they wrote it."""
    _draw_bubble(turn.question, key=f"{turn.number}", files=turn.files)


def _draw_exchanges(turn: Turn) -> None:
    """What was asked back, and what the person said to it: it may be another question, so it stands in full."""
    for n, item in enumerate(turn.items):
        if isinstance(item, ExchangeItem) and item.reply is not None:
            st.markdown(f":gray[{line(item.clarification.text)}]")
            _draw_bubble(item.reply, key=f"{turn.number}-{n}")


def _draw_bubble(text: str, *, key: str, files: Sequence[str] = ()) -> None:
    """What a person said, and the names of files that came with it."""
    with (
        st.container(horizontal_alignment="right", key=f"question-{key}"),
        st.container(width="content", key=f"bubble-{key}", gap="xsmall"),
    ):
        st.markdown(plain(text))
        if files:
            st.caption(f":material/attach_file: {line(joined(files))}")


def _draw_progress(session: Session, turn: Turn) -> None:
    """What is being done now, with what has come of it so far."""
    running = turn.running
    label = PHASES[turn.phase]
    if running is not None:
        language = proposal.LANGUAGES[running.proposal.language]
        label = f"Running the {language}: {line(running.proposal.title)}"
    partial = session.partial
    if running is None and (doing := partial.get("executor", "")):
        label = line(doing)  # what is fetched for a package
    st.markdown(f":shimmer[{label}]")
    partial_text = partial.get("planner", "")
    if turn.phase == "answering" and partial_text:
        st.markdown(prose(partial_text))
    tail = partial.get("executor", "")
    if running is not None and tail:
        with st.expander("Output so far", type="compact", key=f"tail-{running.proposal.id}"):
            st.code("\n".join(strip_colours(tail).splitlines()[-TAIL_LINES:]), language=None)


def _draw_waiting(live: SessionHub, session: Session, turn: Turn, waiting: PendingRequest) -> None:
    """The card of what waits for the person."""
    if isinstance(waiting.request, Clarification):
        _draw_clarification(live, session, turn, waiting, waiting.request)
    elif waiting.kind == "plan":
        plan.draw_card(live, session, waiting)
    elif waiting.kind == "package":
        package.draw_card(waiting)
    elif waiting.kind == "functions":
        written_functions.draw_card(waiting)
    elif waiting.item is not None:
        proposed = waiting.item.proposal
        steps = len(turn.steps)
        language = proposal.LANGUAGES[proposed.language].upper()
        place = f"STEP {proposed.step} OF {steps} · {language}" if steps > 1 else language
        proposal.draw_card(live, session, waiting, step=place)


def _draw_clarification(
    live: SessionHub, session: Session, turn: Turn, waiting: PendingRequest, clarification: Clarification
) -> None:
    """A question back with its options."""
    with st.container(border=True, key="card", gap="small"):
        if clarification.asker == "coder" and 1 < len(turn.steps) >= turn.step:
            title = line(shorten(turn.steps[turn.step - 1].title, 90))
            st.markdown(f":gray[:small[STEP {turn.step} OF {len(turn.steps)}]] {title}")
        st.markdown(f"**{plain(clarification.text)}**")
        with st.container(horizontal=True, gap="small", key="options"):
            differences = live.of(session).interpretations.differences(waiting.id)
            for n, option in enumerate(clarification.options[:OPTIONS_MAX]):
                st.button(
                    line(differences[n] if differences else option),
                    help=line(option) if differences else None,
                    key=f"option-{waiting.id}-{n}",
                    on_click=actions.clarify,
                    args=(live, session, waiting, option),
                )
        st.caption("Choose one, or answer in your own words below.")
