"""Runs a turn as an AutoGen group chat, where a language model plays a role.

AutoGen's `SelectorGroupChat` gives the participants their turns; the order comes from `assistant.core.flow` alone. A
team is built for one run and thrown away: after a cancel or an exception an AutoGen team is unusable, and the log holds
all state.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from autogen_agentchat.base import TerminationCondition
from autogen_agentchat.messages import BaseAgentEvent, BaseChatMessage, StopMessage, StructuredMessage
from autogen_agentchat.teams import SelectorGroupChat
from autogen_core import CancellationToken

from assistant.agents.group_member import GroupMember
from assistant.core.events import MESSAGES, Event
from assistant.core.flow import TURNS_MAX, next_speaker
from assistant.errors import SessionError
from assistant.models.scripted import ScriptedClient, ScriptedRequest

if TYPE_CHECKING:
    from assistant.agents.participant import Log, Participant

for _name in ("autogen_core", "autogen_core.events", "autogen_agentchat", "autogen_agentchat.events"):
    # AutoGen logs a traceback on every cancel, and every message it passes on.
    logging.getLogger(_name).setLevel(logging.CRITICAL)


def refuse_to_choose(_request: ScriptedRequest) -> AssertionError:
    """The reply of a model that is asked who speaks next, which is a programming error."""
    return AssertionError("a model was asked who speaks next; assistant.core.flow decides that, without a model")


class _RunEnds(TerminationCondition):
    """Ends the run where the flow names nobody to speak next."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._ended = False

    @property
    def terminated(self) -> bool:
        return self._ended

    async def __call__(self, messages: Sequence[BaseAgentEvent | BaseChatMessage]) -> StopMessage | None:
        if next_speaker(self._log.transcript.current) is not None:
            return None
        self._ended = True
        return StopMessage(content="The run ends here.", source="flow")

    async def reset(self) -> None:
        self._ended = False


async def run(participants: Sequence[Participant], *, log: Log, first_event: Event) -> None:
    """Let the participants speak until the person is needed or the turn has ended.

    Args:
        participants: planner, coder, reviewer, human, executor.
        log: the session's log; `first_event` already stands at its end.
        first_event: the person's event that starts the run.

    Raises:
        asyncio.CancelledError: the run was stopped; every participant's work has ended.
        RuntimeError: a fault in a participant, as AutoGen reports it.
        SessionError: the participants talked without end.
    """
    team = SelectorGroupChat(
        [GroupMember(participant) for participant in participants],
        model_client=ScriptedClient(
            refuse_to_choose
        ),  # `SelectorGroupChat` requires a client for choosing who speaks next
        selector_func=lambda _messages: next_speaker(log.transcript.current),
        termination_condition=_RunEnds(log),
        max_turns=TURNS_MAX,
        allow_repeated_speaker=True,
        custom_message_types=[StructuredMessage[event] for event in MESSAGES],
    )
    token = CancellationToken()
    task = StructuredMessage[type(first_event)](content=first_event, source="user")
    running = asyncio.create_task(team.run(task=task, cancellation_token=token))
    try:
        await asyncio.shield(running)
    except asyncio.CancelledError:
        # Cancelling the task does not stop an AutoGen run; its token does, and then the run is waited for.
        token.cancel()
        await asyncio.wait([running])
        if not running.cancelled():
            running.exception()
        raise
    if next_speaker(log.transcript.current) is not None:
        raise SessionError(f"The turn took more than {TURNS_MAX} messages and was ended. Everything is kept.")
