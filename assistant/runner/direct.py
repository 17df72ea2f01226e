"""Runs a turn without AutoGen, where no language model takes part.

Participants, log and flow are those of the group chat (`assistant.runner.group_chat`); here the speaker that the flow
names is called directly. There is no model client, no message and no handoff for AutoGen to carry, and its import would
take a fifth of the embedded analyst's time for a question on the command line.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assistant.core.flow import TURNS_MAX, next_speaker
from assistant.errors import SessionError

if TYPE_CHECKING:
    from assistant.agents.participant import Log, Participant


async def run(participants: Sequence[Participant], *, log: Log) -> None:
    """Let the participants speak until the person is needed or the turn has ended.

    Args:
        participants: planner, coder, reviewer, human, executor.
        log: The session's log; the person's event that starts the run stands at its end.

    Raises:
        asyncio.CancelledError: The run was stopped, and with it the work of who was speaking.
        SessionError: The participants talked without end.
    """
    by_name = {participant.name: participant for participant in participants}
    for _ in range(TURNS_MAX):
        speaker = next_speaker(log.transcript.current)
        if speaker is None:
            return
        await by_name[speaker].take_turn()
    if next_speaker(log.transcript.current) is not None:
        raise SessionError(f"The turn took more than {TURNS_MAX} messages and was ended. Everything is kept.")
