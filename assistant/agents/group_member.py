"""A participant as an agent of AutoGen's group chat.

Its message is the event that it says, without a cell's outputs. It reads what was said before from the log, not from
AutoGen's messages. A stop reaches its work through AutoGen's cancellation token.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from autogen_agentchat.agents import BaseChatAgent
from autogen_agentchat.base import Response
from autogen_agentchat.messages import BaseChatMessage, StructuredMessage

from assistant.core.events import AnyEvent, Execution

if TYPE_CHECKING:
    from autogen_core import CancellationToken

    from assistant.agents.participant import Participant


class GroupMember(BaseChatAgent):
    """Gives a participant the word when AutoGen selects it."""

    def __init__(self, participant: Participant) -> None:
        super().__init__(participant.name, participant.description)
        self._participant = participant

    @property
    def produced_message_types(self) -> Sequence[type[BaseChatMessage]]:
        """The events that the participant may say."""
        return [StructuredMessage[event] for event in self._participant.says]

    async def on_messages(self, messages: Sequence[BaseChatMessage], cancellation_token: CancellationToken) -> Response:
        """Speak once."""
        work = asyncio.ensure_future(self._participant.take_turn())
        cancellation_token.link_future(work)
        event = await work
        return Response(chat_message=StructuredMessage[type(event)](content=exclude_outputs(event), source=self.name))

    async def on_reset(self, cancellation_token: CancellationToken) -> None:
        """Nothing to reset: state lives in the log alone."""


def exclude_outputs(event: AnyEvent) -> AnyEvent:
    """The event as it goes through the group chat.

    AutoGen writes each message as JSON half a dozen times, on the loop of all sessions. The outputs of a cell may be
    megabytes, and whoever wants them reads the log.
    """
    return event.model_copy(update={"outputs": ()}) if isinstance(event, Execution) else event
