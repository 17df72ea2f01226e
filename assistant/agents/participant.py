"""The base of all participants of a session's conversation.

A participant's turn to speak has come: it reads the log, does its work, and appends one event. It holds no state, so a
run is built afresh over the log every time. What a participant cannot do becomes a `Failed` event; where a model fails
it after a step has run, a `Diagnosis` that ends the steps, so that the planner answers with what there is. Only a fault
in our own code raises. How AutoGen's group chat gives it the word is `assistant.agents.group_member`.
"""

from __future__ import annotations

from typing import Protocol

from assistant.core.events import AnyEvent, Diagnosis, Event, Failed
from assistant.core.flow import find_last_turn
from assistant.core.turns import Transcript, Turn
from assistant.errors import AssistantError, ModelError, way_on


class Log(Protocol):
    """The session's event log, as participants use it."""

    @property
    def events(self) -> tuple[Event, ...]:
        """All events, oldest first."""
        ...

    @property
    def transcript(self) -> Transcript:
        """The turns of these events, folded once between two changes. To be read, not changed."""
        ...

    async def append(self, event: AnyEvent) -> object:
        """Make an event durable, then visible."""
        ...


class Participant:
    """One of planner, coder, reviewer, human, executor.

    Args:
        name: Which of them.
        description: What it does, in a sentence.
        log: The session's log.
        says: The events that it may say, besides those that end the steps or the turn.
    """

    def __init__(self, name: str, description: str, *, log: Log, says: tuple[type[Event], ...]) -> None:
        self.name = name
        self.description = description
        self.log = log
        self.says = tuple(dict.fromkeys((*says, Diagnosis, Failed)))

    @property
    def turn(self) -> Turn:
        """The turn that was asked last."""
        turn = self.log.transcript.current
        assert turn is not None, "nothing was asked yet"
        return turn

    async def speak(self) -> AnyEvent:
        """Do what the log asks for, and give the event that says it."""
        raise AssertionError(f"{type(self).__name__} does not say what it does")

    async def take_turn(self) -> AnyEvent:
        """Speak once, into the log. A stop cancels it."""
        try:
            event = await self.speak()
        except AssistantError as error:
            event = _end_steps(self.log.transcript.current, error) or Failed(
                turn=find_last_turn(self.log.events), message=str(error), next_action=way_on(error)
            )
        await self.log.append(event)
        return event


def _end_steps(turn: Turn | None, error: AssistantError) -> Diagnosis | None:
    """That no later step comes, as a model failed after one that ran; None where nothing ran, or it is said already."""
    if turn is None or not turn.ran or not isinstance(error, ModelError):
        return None
    ran = turn.ran[-1]
    if any(diagnosis.execution == ran.id and not diagnosis.repairable for diagnosis in turn.diagnoses):
        return None
    return Diagnosis(turn=ran.turn, execution=ran.id, category="plan", cause=str(error), repairable=False)
