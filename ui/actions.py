"""Callbacks of the page's widgets: each calls a method of the session. Nothing is drawn here.

Every decision names the request that it answers, so a second click, or a click in another tab, is refused and not
repeated.
"""

from __future__ import annotations

from collections.abc import Coroutine, Mapping, Sequence
from typing import Any, Literal

from assistant.api.errors import AssistantError
from assistant.api.events import Appearance, PolicyLevel, Step
from assistant.api.figures import joined
from assistant.api.interpretation import Interpretation
from assistant.api.models import Sees
from assistant.api.session import NewScope, Session
from assistant.api.turns import PendingRequest
from ui import clock
from ui.activities import Activity
from ui.open_session import Unasked
from ui.session_hub import SessionHub

REVOKED = "That was already taken back, in another tab or by an earlier click."
VERIFY_WAIT_S = 5.0
"""A file is written, and a follow-up is read once more: an earlier answer is drawn by the script, after this."""
MAKING = "Making the notebook: its charts are drawn as pictures, which takes a few seconds each"
DRAWING = "Drawing the chart as a picture"
ALREADY = "That was already decided, in another tab or by an earlier click."


def ask(live: SessionHub, session: Session, text: str, files: Sequence[tuple[str, bytes]] = ()) -> None:
    """Add the files, then ask. Where that fails (a file is no data, the session is busy), the question is kept."""
    question = text.strip()
    names, workspace = [name for name, _ in files], live.workspace
    live.of(session).unasked = None

    async def read_then_ask() -> None:
        try:
            await session.sources.add_files(files)
        except AssistantError as error:
            if question:
                live.of(session).unasked = Unasked(question, str(error), because_of_file=True)
            if not live.of(session).view().sources:
                await workspace.connect_default(session)  # the conversation began with these files alone
            raise
        if question:
            await _ask_read(live, session, question, names)

    if files:
        live.of(session).activities.start(
            Activity(f"Reading {joined(names)}", question, tuple(names), clock.now()), read_then_ask()
        )
    elif question:
        opened, doing = live.of(session), Activity("Reading data that changed", question, (), clock.now())
        opened.send(opened.activities.show_if_it_reads(doing, _ask_read(live, session, question, names)))


async def _ask_read(live: SessionHub, session: Session, question: str, names: Sequence[str]) -> None:
    """Ask, once the files of these names are read; first show what a model is sent where nobody has chosen that."""
    try:
        if not names and await session.answers.present_in_words(question):
            return  # it was about how the answer is shown, and is shown so now
        if (disclosure := await session.models.disclosure(question)) is not None:
            unasked = Unasked(question, "", because_of_file=False, disclosure=disclosure, files=tuple(names))
            live.of(session).unasked = unasked
            return
        await session.ask(question, files=names)
    except AssistantError as error:
        live.of(session).unasked = Unasked(question, str(error), because_of_file=False)
        raise


def ask_interpretation(live: SessionHub, session: Session, number: int, interpretation: Interpretation) -> None:
    """Ask for what the person put together from chips, and run the query that they saw if its review finds nothing."""
    live.of(session).interpretations.discard(number)
    statement = interpretation.statement

    async def ask_then_run() -> None:
        await session.ask_interpretation(interpretation)
        await session.settled()
        waiting = session.transcript.waiting
        if waiting is not None and is_as_shown(waiting, statement, interpretation.data.name):
            await session.decide(waiting.id, "approve")

    live.of(session).send(ask_then_run())


def is_as_shown(waiting: PendingRequest, sql: str, source: str) -> bool:
    """Whether what waits is this one query on this source, and its review has nothing to say against it.

    Code of a model may hold more than its queries: only what the embedded analyst wrote counts.
    """
    item = waiting.item
    if waiting.kind != "code" or item is None or item.review is None or not item.proposal.meaning:
        return False
    is_clean = all(finding.level in ("ok", "note") for finding in item.review.findings)
    return (
        is_clean
        and item.proposal.language == "sql"
        and [query.sql.strip() for query in item.proposal.queries] == [sql.strip()]
        and item.proposal.queries[0].source in (None, source)  # of several sources each query names its own
    )


def change_pin(live: SessionHub, session: Session, pin: str, scope: NewScope) -> None:
    """Let something that the person said hold for more or less, or drop it."""
    live.of(session).send(session.ledger.change(pin, scope))


def decide_lesson(live: SessionHub, session: Session, lesson: str, action: Literal["keep", "drop"]) -> None:
    """Keep what a repaired failure showed, or drop it."""

    async def decide() -> None:
        await session.lessons.decide(lesson, action)

    live.of(session).send(decide())


def break_off(live: SessionHub, session: Session) -> None:
    """Stop the reading of a file; its question is kept, to be asked again."""
    opened, workspace = live.of(session), live.workspace
    doing = opened.activities.stop()
    if doing is None:
        return
    if doing.question:
        added = " Nothing was added." if doing.files else ""
        opened.unasked = Unasked(
            doing.question, f"{doing.title} was stopped.{added}", because_of_file=bool(doing.files)
        )
    if not opened.view().sources:
        live.begin(workspace.connect_default(session))  # it began with these files alone
    opened.notify(f"{doing.title} was stopped.")


def choose_disclosure(live: SessionHub, session: Session, unasked: Unasked, level: Sees) -> None:
    """Keep what the model may see, then ask what waited for that."""
    disclosure = unasked.disclosure
    if disclosure is None:
        return
    live.of(session).unasked = None

    async def choose_then_ask() -> None:
        await session.models.choose(disclosure.endpoints, level)
        await session.ask(unasked.question, files=unasked.files)

    live.of(session).send(choose_then_ask())


def approve_code(live: SessionHub, session: Session, waiting: PendingRequest, code: str) -> None:
    """Run the code: as proposed, or as edited."""
    if waiting.item is None:
        return
    is_unchanged = code == waiting.code
    decision = session.decide(waiting.id, "approve") if is_unchanged else session.decide(waiting.id, "edit", code=code)
    _decide(live, session, waiting, decision)


def approve_package(live: SessionHub, session: Session, waiting: PendingRequest, typed: str) -> None:
    """Add a package, or have it looked up; where its name is in doubt, `typed` must be that name."""
    _decide(live, session, waiting, session.decide(waiting.id, "approve", typed=typed))


def approve_functions(live: SessionHub, session: Session, waiting: PendingRequest) -> None:
    """Keep functions, or have a test changed that seems wrong."""
    _decide(live, session, waiting, session.decide(waiting.id, "approve"))


def run_all(live: SessionHub, session: Session, waiting: PendingRequest) -> None:
    """Approve the plan together with the code that stands with it."""
    _decide(live, session, waiting, session.decide(waiting.id, "approve", cells=True))


def approve_plan(live: SessionHub, session: Session, waiting: PendingRequest, steps: Sequence[Step]) -> None:
    """Start: with the plan as proposed, or as edited."""
    if waiting.plan is None:
        return
    as_proposed = tuple(steps) == waiting.plan.steps or not steps
    decision = session.decide(waiting.id, "approve") if as_proposed else session.decide(waiting.id, "edit", steps=steps)
    _decide(live, session, waiting, decision)


def reject(live: SessionHub, session: Session, waiting: PendingRequest, reason: str) -> None:
    """Send it back, with what should change."""
    _decide(live, session, waiting, session.decide(waiting.id, "reject", reason=reason.strip()))


def change_or_ask(live: SessionHub, session: Session, waiting: PendingRequest, text: str) -> None:
    """Send what waits back with what should change; a question of its own leaves it and is asked."""

    async def say() -> bool:
        if await session.is_new_question(text):
            await _ask_read(live, session, text, ())
            return True
        return await session.decide(waiting.id, "reject", reason=text)

    _decide(live, session, waiting, say())


def clarify(live: SessionHub, session: Session, waiting: PendingRequest, text: str) -> None:
    """Answer a question back."""
    if text.strip():
        live.of(session).send(session.answer_clarification(waiting.id, text.strip()), refused=ALREADY)


def stop(live: SessionHub, session: Session) -> None:
    """Stop the turn."""
    live.of(session).send(session.stop_turn())


def present(live: SessionHub, session: Session, turn: int, look: Appearance) -> None:
    """Show an answer so from now on."""
    live.of(session).send(session.answers.present(turn, look), wait_s=VERIFY_WAIT_S)


def dispute(live: SessionHub, session: Session, turn: int, note: str) -> None:
    """Say that an answer is wrong, and why."""
    live.of(session).send(session.answers.dispute(turn, note.strip()), wait_s=VERIFY_WAIT_S)


def undispute(live: SessionHub, session: Session, turn: int) -> None:
    """Take that back."""
    live.of(session).send(session.answers.dispute(turn, stands=False), wait_s=VERIFY_WAIT_S)


def ask_for_rows_under(live: SessionHub, session: Session, execution: str, row: Mapping[str, object]) -> None:
    """Ask for the rows under one row of a result."""
    live.of(session).send(session.answers.ask_for_rows_under(execution, row))


def render_chart(
    live: SessionHub, session: Session, specification: Mapping[str, Any], kind: Literal["png", "svg"]
) -> bytes:
    """A chart as a picture; waited for.

    Raises:
        AssistantError: it cannot be drawn.
    """
    return live.of(session).activities.run_beside(DRAWING, session.answers.picture(specification, kind))


def set_policy(live: SessionHub, session: Session, level: PolicyLevel) -> None:
    """Let so much go ahead without asking, here and later."""
    live.of(session).send(session.set_policy(level), wait_s=VERIFY_WAIT_S)


def resume(live: SessionHub, session: Session) -> None:
    """Go on with a stopped turn."""
    live.of(session).send(session.resume(), refused="There is nothing to go on with any more.")


def verify(live: SessionHub, session: Session, turn: int, question: str = "") -> None:
    """Say that an answer is right: the next time its question is asked, in these words, its very code answers."""
    live.of(session).send(session.answers.verify(turn, question=question), wait_s=VERIFY_WAIT_S)


def revoke(live: SessionHub, session: Session, turn: int) -> None:
    """Take back that an answer is right."""
    live.of(session).send(session.answers.revoke(turn), refused=REVOKED, wait_s=VERIFY_WAIT_S)


def export(live: SessionHub, session: Session) -> bytes:
    """The session as a notebook. It is waited for here, and the page says so and goes on.

    Raises:
        AssistantError: it cannot be made.
    """
    return live.of(session).activities.run_beside(MAKING, session.export())


def _decide(
    live: SessionHub,
    session: Session,
    waiting: PendingRequest,
    decision: Coroutine[Any, Any, bool],
) -> None:
    if live.of(session).send(decision, refused=ALREADY):
        live.of(session).drop_drafts(waiting.id)
