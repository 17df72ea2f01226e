"""One call of a role's model: shown before it is made, held to its limits, counted when it has ended.

What is asked, and what becomes of a reply, is `dialogue`; how an endpoint is spoken to is `assistant.models.requests`.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from assistant.agents.model.partial_replies import read_partial_field
from assistant.agents.model.placeholders import restore_unfinished_text
from assistant.agents.model.sent_messages import add_reply, format_message, name_speaker
from assistant.core.events import Role, Usage
from assistant.errors import BudgetReached, ModelError
from assistant.models.budget import describe_limit
from assistant.models.requests import call
from assistant.models.usage import compute_cost
from assistant.record.memory.tokens import PER_MESSAGE, estimate
from assistant.record.store.sent_calls import SentCall, SentMessage

if TYPE_CHECKING:
    from autogen_core.models import CreateResult, LLMMessage

    from assistant.agents.model.forms import Request
    from assistant.agents.model.replies import ModelReply
    from assistant.models.budget import Account
    from assistant.models.providers import Model
    from assistant.record.memory.wording import Sees


class Calls:
    """The calls of one role. The arguments are those of `Dialogue`.

    Attributes:
        note: Why another model is asked than was to be asked first; goes out once, with the next usage.
    """

    def __init__(
        self,
        role: Role,
        *,
        sees: Sees,
        may_ask: Callable[[Role], Account | None] | None,
        on_usage: Callable[[Usage], Awaitable[object]] | None,
        on_text: Callable[[Role, str | None], None] | None,
        before: Callable[[SentCall], None] | None,
        keep: Callable[[SentCall], Awaitable[str]] | None,
    ) -> None:
        self.note = ""
        self._role: Role = role
        self._sees: Sees = sees
        self._may_ask = may_ask
        self._on_usage = on_usage
        self._on_text = on_text
        self._before = before
        self._keep = keep

    def end_text(self) -> None:
        """Say that nothing is being written any more."""
        if self._on_text is not None:
            self._on_text(self._role, None)

    async def make(
        self,
        model: Model,
        messages: Sequence[LLMMessage],
        request: Request,
        reply_type: type[ModelReply],
        *,
        turn: int,
        prose: str,
        looks: bool,
        values: Mapping[str, str],
    ) -> CreateResult:
        """Make one call.

        Args:
            model: The model.
            messages: What it is told.
            request: The form in which it is to reply.
            reply_type: The type of the reply.
            turn: The turn that the call is counted under.
            prose: The field of the reply that is shown while it is being written; empty for none.
            looks: Whether it is offered its lookups.
            values: What placeholders in its reply stand for, for the person who reads it meanwhile.

        Raises:
            ModelError: it cannot be reached, or gave no reply.
            FormRefused: its endpoint does not take the form.
            BudgetReached: a limit is used up, or was reached in the middle of the call.
        """
        call_record = self._make_record(model, messages, request, looks=looks)
        if self._before is not None:
            self._before(call_record)
        limit = self._may_ask(self._role) if self._may_ask is not None else None
        began = time.monotonic()
        try:
            async with asyncio.timeout(limit.left if limit is not None else None):
                result = await call(
                    model,
                    messages,
                    tools=request.tools(with_lookups=looks),
                    response_format=request.response_format,
                    reply_type=reply_type if request.response_format is not None else None,
                    on_piece=self._make_on_piece(prose, values) if prose and self._on_text is not None else None,
                )
        except TimeoutError:
            assert limit is not None  # what else takes too long, `call` names by itself
            reached = describe_limit(replace(limit, used=limit.limit))
            await self._count(model, call_record, None, turn, time.monotonic() - began)
            raise BudgetReached(reached) from None
        except ModelError:
            await self._count(model, call_record, None, turn, time.monotonic() - began)
            raise
        await self._count(model, call_record, result, turn, time.monotonic() - began)
        return result

    def _make_on_piece(self, prose: str, values: Mapping[str, str]) -> Callable[[str], None]:
        """Shows the person what is being written, as far as it can be read."""
        text_so_far, visible = "", ""

        def show(piece: str) -> None:
            nonlocal text_so_far, visible
            text_so_far += piece
            text = restore_unfinished_text(read_partial_field(text_so_far, prose), values)
            if text != visible and self._on_text is not None:
                visible = text
                self._on_text(self._role, text)

        return show

    async def _count(
        self, model: Model, call_record: SentCall, result: CreateResult | None, turn: int, seconds: float
    ) -> None:
        """Tell of a call: its tokens, its cost, its time; of one that gave no reply, its time alone."""
        if self._on_usage is None:
            return
        choice, note, input_estimate, output_estimate = model.choice, "", 0, 0
        if result is not None:
            note, self.note = self.note, ""
            # Some endpoints do not count; an estimate is nearer to the truth than nothing.
            input_estimate = result.usage.prompt_tokens or sum(
                estimate(m.text) + PER_MESSAGE for m in call_record.messages
            )
            output_estimate = result.usage.completion_tokens or estimate(str(result.content))
        await self._on_usage(
            Usage(
                turn=turn,
                role=self._role,
                model=choice.model or choice.name,
                input_tokens=input_estimate,
                output_tokens=output_estimate,
                cost=compute_cost(choice.known_price, input_tokens=input_estimate, output_tokens=output_estimate)
                if result is not None
                else 0.0,
                seconds=round(seconds, 3),
                note=note,
                sent=await self._keep(add_reply(call_record, result)) if self._keep is not None else "",
            )
        )

    def _make_record(self, model: Model, messages: Sequence[LLMMessage], request: Request, *, looks: bool) -> SentCall:
        form = [*request.tools(with_lookups=looks), *([request.response_format] if request.response_format else [])]
        return SentCall(
            role=self._role,
            model=model.choice.model or model.choice.name,
            endpoint=model.choice.endpoint,
            sees=self._sees,
            messages=tuple(
                SentMessage(role=name_speaker(message), text=format_message(message)) for message in messages
            ),
            offered=_indent_schema(json.dumps(form, ensure_ascii=False)) if form else "",
        )


@lru_cache(maxsize=32)
def _indent_schema(text: str) -> str:
    """JSON with a line for each value, for people. The same few forms go out with every call."""
    return json.dumps(json.loads(text), ensure_ascii=False, indent=1)
