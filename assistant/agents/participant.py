"""The base of all participants of the group chat.

A participant's turn to speak has come: it reads the log, does its work, appends one event, and says that event as its
message. It holds no state, so a run is built afresh over the log every time. A stop reaches the work through AutoGen's
cancellation token. What a participant cannot do becomes a `Failed` event; only a fault in our own code raises.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from autogen_agentchat.agents import BaseChatAgent
from autogen_agentchat.base import Response
from autogen_agentchat.messages import BaseChatMessage, StructuredMessage

from assistant.errors import AssistantError
from assistant.events import AnyEvent, Event, Failed

if TYPE_CHECKING:
    from autogen_core import CancellationToken


class Log(Protocol):
    """The session's event log, as participants use it."""

    @property
    def events(self) -> tuple[Event, ...]:
        """All events, oldest first."""
        ...

    async def append(self, event: AnyEvent) -> object:
        """Make an event durable, then visible."""
        ...


class Participant(BaseChatAgent):
    """One of planner, coder, reviewer, human, executor."""

    def __init__(self, name: str, description: str, *, log: Log, says: tuple[type[Event], ...]) -> None:
        super().__init__(name, description)
        self.log = log
        self._says = (*says, Failed)

    @property
    def produced_message_types(self) -> Sequence[type[BaseChatMessage]]:
        """The events this participant may say."""
        return [StructuredMessage[event] for event in self._says]

    async def speak(self) -> AnyEvent:
        """Do what the log asks for, and give the event that says it."""
        raise AssertionError(f"{type(self).__name__} does not say what it does")

    async def on_messages(self, messages: Sequence[BaseChatMessage], cancellation_token: CancellationToken) -> Response:
        """Speak once. What was said before is read from the log, not from `messages`."""
        work = asyncio.ensure_future(self._speak())
        cancellation_token.link_future(work)
        event = await work
        return Response(chat_message=StructuredMessage[type(event)](content=event, source=self.name))

    async def on_reset(self, cancellation_token: CancellationToken) -> None:
        """Nothing to reset: state lives in the log alone."""

    async def _speak(self) -> AnyEvent:
        try:
            event = await self.speak()
        except AssistantError as error:
            turn = max((e.turn for e in self.log.events), default=0)
            event = Failed(turn=turn, message=str(error))
        await self.log.append(event)
        return event
