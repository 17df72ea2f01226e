"""Summarises the turns that leave the prompt of a long session, with the planner's model.

A summary is an event of the log, so it survives a restart, and one call covers many turns. If the model fails, the
extractive summary is used; a turn never fails because of it.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence

from assistant.agents.model.dialogue import Dialogue, ModelRequest
from assistant.agents.model.prompts import fill_prompt
from assistant.agents.model.replies import HistoryReply
from assistant.core.events import Event, HistorySummarised
from assistant.errors import ModelError
from assistant.record.memory.summary import SUMMARY_TOKENS
from assistant.record.memory.tiers import fold_tiers
from assistant.record.memory.tokens import cut, estimate
from assistant.record.memory.wording import describe_digest

_LOG = logging.getLogger(__name__)
_WORDS = SUMMARY_TOKENS // 2
_TURNS_TOKENS = 12_000


class Summariser:
    """Summarises old turns when they outgrow their share of the prompt.

    Args:
        dialogue: The line to the planner's model.
        keep: Makes a summary durable.
    """

    def __init__(self, dialogue: Dialogue, *, keep: Callable[[HistorySummarised], Awaitable[object]]) -> None:
        self._dialogue = dialogue
        self._keep = keep

    async def summarise_if_due(self, log: Sequence[Event]) -> None:
        """Summarise the turns that leave the prompt, if there are enough of them to be worth a call."""
        tiers = fold_tiers(log)
        digests = [describe_digest(digest, sees=self._dialogue.sees) for digest in tiers.older]
        if estimate("\n".join(digests)) <= SUMMARY_TOKENS:
            return
        request = ModelRequest(
            log=(),
            system=fill_prompt("summariser"),
            task=fill_prompt(
                "task_history",
                summary=tiers.summary or "(none)",
                turns=cut("\n\n".join(digests), _TURNS_TOKENS),
                words=str(_WORDS),
            ),
            turn=log[-1].turn,
            keeps_placeholders=True,
        )
        try:
            reply = await self._dialogue.ask(HistoryReply, request, problem_of=_find_problem)
        except ModelError:
            _LOG.warning("the history could not be summarised; older turns stay in extracts", exc_info=True)
            return
        text = cut(_format_reply(reply), SUMMARY_TOKENS * 2 // 3)
        await self._keep(HistorySummarised(turn=log[-1].turn, upto=tiers.older[-1].turn, text=text))


def _find_problem(reply: HistoryReply) -> str | None:
    return None if _format_reply(reply) else "All lists are empty. Write down what the turns say."


def _format_reply(reply: HistoryReply) -> str:
    parts = (
        ("Facts", reply.facts),
        ("Definitions", reply.definitions),
        ("Decisions", reply.decisions),
        ("Found", reply.results),
    )
    return "\n".join(f"{title}:\n" + "\n".join(f"- {line}" for line in lines) for title, lines in parts if lines)
