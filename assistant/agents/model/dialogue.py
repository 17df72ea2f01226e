"""Asking a model for a typed reply: lookups while it thinks, a second chance when it is malformed, a clear end.

One `Dialogue` serves one role. It keeps no history (every exchange starts from the log, folded to fit the budget), and
remembers only which form of reply its endpoint can give: a JSON schema, a function call, or JSON in plain text.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, cast

from autogen_core.models import (
    AssistantMessage,
    CreateResult,
    FunctionExecutionResult,
    FunctionExecutionResultMessage,
    LLMMessage,
    SystemMessage,
    UserMessage,
)

from assistant.agents.model.forms import Heard, LookedUp, Malformed, request_of, said_in
from assistant.agents.model.partial import readable
from assistant.errors import ModelError
from assistant.events import Role, Usage
from assistant.memory.context import FoldedContext, Section
from assistant.memory.tokens import PER_MESSAGE, cut, estimate
from assistant.memory.wording import Sees
from assistant.models.faults import caught, is_about_form, model_error, without_secrets
from assistant.models.usage import cost

if TYPE_CHECKING:
    from assistant.agents.model.lookups import Lookups
    from assistant.agents.model.replies import Reply
    from assistant.events import Event
    from assistant.models.providers import Form, Model

RETRIES_MAX = 2
"""How often a malformed reply is sent back with what is wrong with it."""
ROUNDS_MAX = 6
"""How many rounds of lookups a model has before it must reply."""
_ECHO_TOKENS = 600
_QUOTED_TOKENS = 120
_REPLY_NOW = "There are no more lookups. Reply now with what you have."

T = TypeVar("T", bound="Reply")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a model is asked.

    Attributes:
        log: The session's events.
        system: The role's instructions.
        task: What it is to do now.
        sections: What it is told of sources, documents and results, the most important first.
        step: The step at hand, where it is about one.
        prose: The field of the reply that is shown to the person while it is being written; empty for none.
        turn: The turn that the call is counted under; by default the last of the log.
    """

    log: Sequence[Event]
    system: str
    task: str
    sections: tuple[Section, ...] = ()
    step: int | None = None
    prose: str = ""
    turn: int | None = None


class Dialogue:
    """One role's line to its model.

    Args:
        model: The model.
        role: Whose line it is; usage is counted under it.
        sees: How much of the data the model may see.
        on_usage: Is told of each model call that gave a reply.
        on_text: Is shown what the model is writing, as far as it can be read, and None when it has finished.
    """

    def __init__(
        self,
        model: Model,
        *,
        role: Role,
        sees: Sees,
        on_usage: Callable[[Usage], Awaitable[object]] | None = None,
        on_text: Callable[[Role, str | None], None] | None = None,
    ) -> None:
        self.sees: Sees = sees
        self._model = model
        self._role: Role = role
        self._on_usage = on_usage
        self._on_text = on_text
        self._forms: tuple[Form, ...] = model.choice.forms

    async def ask(
        self,
        wanted: type[T],
        asked: Asked,
        lookups: Lookups | None = None,
        *,
        problem_of: Callable[[T], str | None] = lambda _: None,
    ) -> T:
        """Ask for a typed reply.

        Args:
            wanted: The type of the reply.
            asked: What the model is asked.
            lookups: What it may look up meanwhile.
            problem_of: What is wrong with a reply that has the right shape; None where nothing is.

        Raises:
            ModelError: the model cannot be reached, or its replies stay malformed; the text says what to do.
        """
        try:
            while True:
                form = self._forms[0]
                try:
                    return await self._exchange(form, wanted, asked, lookups, problem_of)
                except _FormRefused as refused:
                    if len(self._forms) == 1:
                        raise self._error(refused.reason) from None
                    self._forms = self._forms[1:]
        finally:
            if self._on_text is not None:
                self._on_text(self._role, None)

    async def _exchange(
        self,
        form: Form,
        wanted: type[T],
        asked: Asked,
        lookups: Lookups | None,
        problem_of: Callable[[T], str | None],
    ) -> T:
        request = request_of(form, wanted, lookups.offered if lookups is not None else ())
        system = f"{asked.system}\n\n{request.instructions}".strip()
        choice = self._model.choice
        fixed = estimate(system) + PER_MESSAGE + request.tokens
        context = FoldedContext(
            asked.log,
            tokens_max=choice.context_tokens - choice.reply_tokens - fixed,
            sees=self.sees,
            step=asked.step,
            sections=asked.sections,
            task=asked.task,
        )
        turn = asked.turn if asked.turn is not None else max((event.turn for event in asked.log), default=0)
        rounds, tries = 0, 0
        while True:
            messages: list[LLMMessage] = [SystemMessage(content=system), *await context.get_messages()]
            can_look_up = lookups is not None and rounds < ROUNDS_MAX
            result = await self._create(messages, request.arguments(with_lookups=can_look_up), asked.prose, turn)
            said = said_in(form, result, wanted)
            match said:
                case Heard(reply=reply):
                    problem = problem_of(cast(T, reply))
                    if problem is None:
                        return cast(T, reply)
                    said = Malformed(problem=problem)
                case LookedUp() if can_look_up and lookups is not None:
                    rounds += 1
                    found = [await lookups.look_up(call.name, call.arguments) for call in said.calls]
                    await self._tell(context, form, result, found)
                    continue
                case LookedUp():
                    said = Malformed(problem=_REPLY_NOW)
                case Malformed():
                    pass
            tries += 1
            if tries > RETRIES_MAX:
                raise self._unusable(tries, said.problem, result)
            await self._tell(context, form, result, [f"That reply cannot be used: {said.problem} {request.again}"])

    async def _tell(self, context: FoldedContext, form: Form, result: CreateResult, found: Sequence[str]) -> None:
        """Put a reply and what became of it into the context: results behind their calls, in the calls' order."""
        if isinstance(result.content, str):
            text = cut(result.content, _ECHO_TOKENS) or "(nothing)"
            await context.add_message(AssistantMessage(content=text, source=self._role))
            await context.add_message(UserMessage(content="\n\n".join(found), source="desk"))
            return
        await context.add_message(AssistantMessage(content=result.content, source=self._role))
        results = [
            # A retry says the same to all calls of a message: each call must have its result.
            FunctionExecutionResult(content=found[n] if n < len(found) else found[-1], name=call.name, call_id=call.id)
            for n, call in enumerate(result.content)
        ]
        await context.add_message(FunctionExecutionResultMessage(content=results))

    async def _create(
        self, messages: Sequence[LLMMessage], arguments: dict[str, Any], prose: str, turn: int
    ) -> CreateResult:
        choice = self._model.choice
        try:
            # The whole request has this long: a client's own timeout is per read, and a trickle would never end.
            async with asyncio.timeout(choice.timeout_s):
                streams = choice.streams and self._on_text is not None and bool(prose)
                result = await (self._stream if streams else self._whole)(messages, arguments, prose)
        except caught() as error:
            if is_about_form(error):
                raise _FormRefused(error) from None
            # Not chained: what a provider's package raises can hold the request, and with it what nobody should log.
            raise self._error(error) from None
        await self._count(messages, result, turn)
        return result

    async def _whole(self, messages: Sequence[LLMMessage], arguments: dict[str, Any], prose: str) -> CreateResult:
        return await self._model.client.create(messages, **arguments)

    async def _stream(self, messages: Sequence[LLMMessage], arguments: dict[str, Any], prose: str) -> CreateResult:
        extra = {**arguments.pop("extra_create_args", {}), "stream_options": {"include_usage": True}}
        written, shown, result = "", "", None
        stream = self._model.client.create_stream(messages, **arguments, extra_create_args=extra)
        async with aclosing(stream):
            async for piece in stream:
                if isinstance(piece, CreateResult):
                    result = piece
                    continue
                written += piece
                text = readable(written, prose)
                if text != shown and self._on_text is not None:
                    shown = text
                    self._on_text(self._role, text)
        if result is None:
            raise ValueError("The stream ended before the reply did.")
        return result

    async def _count(self, messages: Sequence[LLMMessage], result: CreateResult, turn: int) -> None:
        if self._on_usage is None:
            return
        choice = self._model.choice
        # Some endpoints do not count; an estimate is nearer to the truth than nothing.
        sent = result.usage.prompt_tokens or sum(estimate(str(m.content)) + PER_MESSAGE for m in messages)
        said = result.usage.completion_tokens or estimate(str(result.content))
        price = cost(choice.known_price, input_tokens=sent, output_tokens=said)
        await self._on_usage(
            Usage(turn=turn, role=self._role, model=choice.model, input_tokens=sent, output_tokens=said, cost=price)
        )

    def _error(self, error: BaseException) -> ModelError:
        return model_error(error, self._model.choice, secret=self._model.secret)

    def _unusable(self, tries: int, problem: str, last: CreateResult) -> ModelError:
        choice = self._model.choice
        said = without_secrets(cut(" ".join(problem.split()), 60), self._model.secret)
        # A model that refuses says so in prose; that is what the person needs to read.
        words = (
            without_secrets(" ".join(last.content.split()), self._model.secret) if isinstance(last.content, str) else ""
        )
        quoted = (
            f" Its words: “{cut(words, _QUOTED_TOKENS)}”" if words and not words.startswith(("{", "[", "```")) else ""
        )
        return ModelError(
            f"The model {choice.model!r} at {choice.endpoint!r} gave no usable reply as {self._role} in {tries} tries "
            f"({said}). Your question is kept. Ask again, or choose another model for the {self._role}.{quoted}"
        )


class _FormRefused(Exception):
    """The endpoint does not know the form of reply it was asked for."""

    def __init__(self, reason: BaseException) -> None:
        super().__init__()
        self.reason = reason
