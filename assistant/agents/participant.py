"""The base of all participants of a session's conversation.

A participant's turn to speak has come: it reads the log, does its work, and appends one event. It holds no state, so a
run is built afresh over the log every time. What a participant cannot do becomes a `Failed` event; only a fault in our
own code raises. How AutoGen's group chat gives it the word is `assistant.agents.group_member`.
"""

from __future__ import annotations

from typing import Protocol

from assistant.errors import AssistantError, way_on
from assistant.events import AnyEvent, Event, Failed


class Log(Protocol):
    """The session's event log, as participants use it."""

    @property
    def events(self) -> tuple[Event, ...]:
        """All events, oldest first."""
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
        says: The events that it may say, besides `Failed`.
    """

    def __init__(self, name: str, description: str, *, log: Log, says: tuple[type[Event], ...]) -> None:
        self.name = name
        self.description = description
        self.log = log
        self.says = (*says, Failed)

    async def speak(self) -> AnyEvent:
        """Do what the log asks for, and give the event that says it."""
        raise AssertionError(f"{type(self).__name__} does not say what it does")

    async def take_turn(self) -> AnyEvent:
        """Speak once, into the log. A stop cancels it."""
        try:
            event = await self.speak()
        except AssistantError as error:
            turn = max((e.turn for e in self.log.events), default=0)
            event = Failed(turn=turn, message=str(error), next_action=way_on(error))
        await self.log.append(event)
        return event
