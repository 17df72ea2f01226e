"""Asking a model for a typed reply: lookups while it thinks, a second chance when it is malformed, a clear end.

One `Dialogue` serves one role. It keeps no history: every exchange starts from the log, folded to fit the budget. How
a single call is limited, shown and counted is `calls`.
"""

from __future__ import annotations

import inspect
import time
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, TypeVar, cast

from autogen_core.models import (
    AssistantMessage,
    CreateResult,
    FunctionExecutionResult,
    FunctionExecutionResultMessage,
    SystemMessage,
    UserMessage,
)

from assistant.agents.model.calls import Calls
from assistant.agents.model.forms import LookupCall, LookupCalls, MalformedReply, ValidReply, make_request, parse_reply
from assistant.agents.model.placeholders import find_unknown_placeholder, restore_reply, restore_values
from assistant.agents.model.prompts import fill_prompt
from assistant.agents.model.redaction import Redaction, list_typed_texts, redact_messages
from assistant.core.events import Looked, Role, Usage
from assistant.core.turns import fold_events
from assistant.errors import ContextOverflow, ModelError, ModelUnavailable
from assistant.models.errors import without_secrets
from assistant.models.requests import FormRefused
from assistant.record.memory.context import FoldedContext, PromptSection
from assistant.record.memory.pins import Pin
from assistant.record.memory.recall import Compare, compare_nothing
from assistant.record.memory.tokens import PER_MESSAGE, cut, estimate
from assistant.record.memory.wording import Sees

if TYPE_CHECKING:
    from assistant.agents.model.lookups import Lookups
    from assistant.agents.model.replies import ModelReply
    from assistant.agents.model.value_index import ValueIndex
    from assistant.core.catalog import Catalog
    from assistant.core.events import Event
    from assistant.models.budget import Account
    from assistant.models.capabilities import Form
    from assistant.models.providers import Model
    from assistant.query.personal import PersonalValue
    from assistant.record.store.sent_calls import SentCall

RETRIES_MAX = 2
"""How often a malformed reply is sent back with what is wrong with it."""
ROUNDS_MAX = 6
"""How many rounds of lookups a model has before it must reply."""
LOOKS_MAX = 12
"""How many lookups one exchange may take."""
_ECHO_TOKENS = 600
_QUESTION_TOKENS = 100
"""Room that a question has beside the task, or more."""
_QUOTED_TOKENS = 120
_NO_MORE_LOOKS = "This was not looked up: there have been enough lookups."
_LOOK_WORDS_CHARS = 200
_REPLY_NOW = "There are no more lookups. Reply now with what you have."

T = TypeVar("T", bound="ModelReply")
Problem = str | None
"""What is wrong with a reply; None where nothing is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """What a model is asked.

    Attributes:
        log: The session's events.
        system: The role's instructions.
        task: What it is to do now.
        sections: What it is told of sources, documents and results, the most important first.
        step: The step at hand, where it is about one.
        prose: The field of the reply that is shown to the person while it is being written; empty for none.
        turn: The turn that the call is counted under; by default the last of the log.
        instructs: Whether the task holds the instruction of the step at hand.
        tells_variables: Whether what the kernel holds is told: not to one who writes no code.
        keeps_placeholders: Whether the reply keeps its placeholders of personal values: where only models read it.
    """

    log: Sequence[Event]
    system: str
    task: str
    sections: tuple[PromptSection, ...] = ()
    step: int | None = None
    prose: str = ""
    turn: int | None = None
    instructs: bool = False
    tells_variables: bool = True
    keeps_placeholders: bool = False

    @property
    def at_turn(self) -> int:
        """The turn at hand: the log's last one where no other is said."""
        return self.turn if self.turn is not None else max((event.turn for event in self.log), default=0)


class Personal(Protocol):
    """Knows what of a session's data is personal."""

    def without_values(self, catalogs: Sequence[Catalog]) -> tuple[Catalog, ...]:
        """The catalogs without values of personal columns."""
        ...

    def columns(self, catalog: Catalog) -> Mapping[str, Collection[str]]:
        """The columns that look personal, by table, in lower case."""
        ...

    async def values(self) -> Sequence[PersonalValue]:
        """The personal values that the person and the session's queries brought up, in the order in which they came."""
        ...

    async def stored_values(self) -> ValueIndex[PersonalValue]:
        """The personal and masked values that the sources hold."""
        ...


class Dialogue:
    """One role's line to its model.

    Args:
        model: The model.
        role: Whose line it is; usage is counted under it.
        sees: How much of the data the model may see.
        fallbacks: The models that are asked, in this order, while the one before cannot be.
        may_ask: Is called before each model call, and raises where a budget is used up; gives the limit of seconds
            that is nearest. A call that reaches it is broken off.
        on_usage: Is told of each model call that was made, of those that failed too.
        on_look: Is told of each look.
        on_text: Is shown what the model is writing, as far as it can be read, and None when it has finished.
        before: Is shown each call before it is made, and may raise.
        keep: Keeps each call with its reply, and gives the name that its usage carries.
        personal: What of the data is personal and withheld at every level; nothing where none is given.
        compare: Compares texts by meaning.
        read_pins: Gives what the person said in other sessions and holds here.
    """

    def __init__(
        self,
        model: Model,
        *,
        role: Role,
        sees: Sees,
        fallbacks: Sequence[Model] = (),
        may_ask: Callable[[Role], Account | None] | None = None,
        on_usage: Callable[[Usage], Awaitable[object]] | None = None,
        on_look: Callable[[Looked], Awaitable[object]] | None = None,
        on_text: Callable[[Role, str | None], None] | None = None,
        before: Callable[[SentCall], None] | None = None,
        keep: Callable[[SentCall], Awaitable[str]] | None = None,
        personal: Personal | None = None,
        compare: Compare = compare_nothing,
        read_pins: Callable[[], Awaitable[Sequence[Pin]]] | None = None,
    ) -> None:
        self.sees: Sees = sees
        self.compare = compare
        self._read_pins = read_pins
        self._personal = personal
        self._models = (model, *fallbacks)
        self._role: Role = role
        self._failed: tuple[int, int] = (0, 0)
        self._on_look = on_look
        self._calls = Calls(
            role, sees=sees, may_ask=may_ask, on_usage=on_usage, on_text=on_text, before=before, keep=keep
        )

    @property
    def context_tokens(self) -> int:
        """The smallest context of the models that may be asked."""
        return min(model.choice.context_tokens for model in self._models)

    def readable(self, catalogs: Sequence[Catalog]) -> tuple[Catalog, ...]:
        """The catalogs as the model may read them: without values of personal columns."""
        return tuple(catalogs) if self._personal is None else self._personal.without_values(catalogs)

    def withheld(self, catalog: Catalog) -> Mapping[str, Collection[str]]:
        """The columns whose values are withheld from the model, by table, in lower case."""
        return {} if self._personal is None else self._personal.columns(catalog)

    async def ask(
        self,
        reply_type: type[T],
        request: ModelRequest,
        lookups: Lookups | None = None,
        *,
        problem_of: Callable[[T], Problem | Awaitable[Problem]] = lambda _: None,
    ) -> T:
        """Ask for a typed reply.

        Args:
            reply_type: The type of the reply.
            request: What the model is asked.
            lookups: What it may look up meanwhile.
            problem_of: What is wrong with a reply that has the right shape; None where nothing is.

        Raises:
            ModelError: no model can be reached, or its replies stay malformed; the text says what to do.
            BudgetReached: nothing more may be asked in this turn or session.
        """
        turn, failed = self._failed
        first = failed if turn == request.at_turn else 0  # what failed in this turn is not waited for again
        try:
            for place, model in enumerate(self._models[first:], first):
                try:
                    return await self._ask(model, reply_type, request, lookups, problem_of)
                except ModelUnavailable as error:
                    if place + 1 == len(self._models):
                        raise
                    self._failed = (request.at_turn, place + 1)
                    following = self._models[place + 1].choice
                    self._calls.note = f"{error} Went on with {following.name or following.model!r}."
            raise AssertionError("a dialogue has at least one model")
        finally:
            self._calls.end_text()

    async def _ask(
        self,
        model: Model,
        reply_type: type[T],
        request: ModelRequest,
        lookups: Lookups | None,
        problem_of: Callable[[T], Problem | Awaitable[Problem]],
    ) -> T:
        """Ask one model, in the best form that its endpoint takes; with less where the request is too long for it."""
        learnt = model.learnt
        tokens = model.choice.context_tokens
        overflow: ContextOverflow | None = None
        while True:
            forms = learnt.now.forms
            try:
                return await self._exchange(
                    model, forms[0], reply_type, request, lookups, problem_of=problem_of, context_tokens=tokens
                )
            except ContextOverflow as error:
                if overflow is not None:
                    raise overflow from error
                overflow, tokens = error, min(error.tokens_max or tokens, tokens) * 2 // 3
            except FormRefused as refused:
                if len(forms) == 1:
                    learnt.revert()
                    raise refused.error from None
                learnt.change(forms=forms[1:], schema_told=())

    async def _exchange(
        self,
        model: Model,
        form: Form,
        reply_type: type[T],
        exchange: ModelRequest,
        lookups: Lookups | None,
        *,
        problem_of: Callable[[T], Problem | Awaitable[Problem]],
        context_tokens: int,
    ) -> T:
        offered = lookups.offered if lookups is not None else ()
        is_schema_in_prompt = self._role in model.learnt.now.schema_told
        request = make_request(form, reply_type, offered, schema_in_prompt=is_schema_in_prompt)
        redaction = Redaction(())
        if self._personal is not None:
            redaction = Redaction(
                await self._personal.values(),
                typed=list_typed_texts(fold_events(exchange.log).turns),
                stored=await self._personal.stored_values(),
                is_anonymous=exchange.keeps_placeholders,
            )
        values = {} if exchange.keeps_placeholders else redaction.values
        placeholder_tokens = estimate(fill_prompt("placeholders")) if redaction else 0
        names = ", ".join(f"`{lookup.name}`" for lookup in offered)  # an instruction names no look-up that is not there
        instructions = exchange.system.replace("{{look_ups}}", f" ({names})" if names else "")
        system = "\n\n".join(filter(None, (instructions, request.instructions)))
        stored = await self._read_pins() if self._read_pins is not None and exchange.log else ()
        context = self._make_context(
            model, exchange, context_tokens, fixed=estimate(system) + placeholder_tokens + request.tokens, stored=stored
        )
        rounds, looks, tries = 0, 0, 0
        while True:
            prompt_messages = redact_messages(await context.get_messages(), redaction)
            explained = fill_prompt("placeholders") if redaction.values else ""
            messages = [SystemMessage(content="\n\n".join(filter(None, (system, explained)))), *prompt_messages]
            can_look_up = lookups is not None and rounds < ROUNDS_MAX and looks < LOOKS_MAX
            result = await self._calls.make(
                model,
                messages,
                request,
                reply_type,
                turn=exchange.at_turn,
                prose=exchange.prose,
                looks=can_look_up,
                values=values,
            )
            parsed = parse_reply(form, result, reply_type)
            match parsed:
                case ValidReply(reply=reply):
                    reply = restore_reply(cast(T, reply), values)
                    problem = find_unknown_placeholder(reply, redaction.values) if redaction.values else None
                    problem = problem or await _find_problem(reply, problem_of)
                    if problem is None:
                        return reply
                    parsed = MalformedReply(problem=problem)
                case LookupCalls() if can_look_up and lookups is not None:
                    rounds += 1
                    left = LOOKS_MAX - looks
                    calls = [
                        replace(wish, arguments=restore_values(wish.arguments, values)) for wish in parsed.calls[:left]
                    ]
                    results = [await self._look(lookups, wish, exchange.at_turn) for wish in calls]
                    looks += len(results)
                    results += [_NO_MORE_LOOKS] * (len(parsed.calls) - len(results))
                    await self._tell(context, form, result, results)
                    continue
                case LookupCalls():
                    parsed = MalformedReply(problem=_REPLY_NOW)
                case MalformedReply():
                    pass
            tries += 1
            if tries > RETRIES_MAX:
                raise self._make_error(model, tries, parsed.problem, result)
            again = request.again
            if parsed.misshapen and request.schema and not is_schema_in_prompt and isinstance(result.content, str):
                # The endpoint took the schema and held the model to nothing: no message of this exchange tells it yet.
                is_schema_in_prompt, again = True, request.schema
                roles = model.learnt.now.schema_told
                model.learnt.change(schema_told=tuple(dict.fromkeys((*roles, self._role))))
            await self._tell(context, form, result, [f"That reply cannot be used: {parsed.problem} {again}"])

    def _make_context(
        self, model: Model, exchange: ModelRequest, context_tokens: int, *, fixed: int, stored: Sequence[Pin]
    ) -> FoldedContext:
        """What the model is told besides its instructions, which take `fixed` tokens."""
        choice = model.choice
        room = context_tokens - min(choice.reply_tokens, context_tokens // 4) - fixed - PER_MESSAGE
        # Without its task and question a model would make them up.
        if room < estimate(exchange.task) + _QUESTION_TOKENS:
            raise ContextOverflow(
                f"The model {choice.model!r} at {choice.endpoint!r} may be sent {context_tokens} tokens, too few for "
                f"this question. Your question is kept. Give it more: {choice.name_setting('context_tokens')}."
            )
        return FoldedContext(
            exchange.log,
            tokens_max=room,
            sees=self.sees,
            step=exchange.step,
            sections=exchange.sections,
            task=exchange.task,
            instructs=exchange.instructs,
            tells_variables=exchange.tells_variables,
            stored=stored,
            compare=self.compare,
        )

    async def log_look(self, event: Looked) -> None:
        """Log that something was looked up outside an exchange."""
        if self._on_look is not None:
            await self._on_look(event)

    async def _look(self, lookups: Lookups, wish: LookupCall, turn: int) -> str:
        """Look something up, and log that it was."""
        began = time.monotonic()
        result = await lookups.look_up(wish.name, wish.arguments)
        if self._on_look is not None:
            lines = result.count("\n") + 1
            arguments = ", ".join(str(value) for value in wish.arguments.values() if value not in ("", None, []))
            looked = Looked(
                turn=turn,
                role=self._role,
                look=wish.name,
                asked=arguments[:_LOOK_WORDS_CHARS],
                found="1 line" if lines == 1 else f"{lines} lines",
                seconds=round(time.monotonic() - began, 3),
            )
            await self._on_look(looked)
        return result

    async def _tell(
        self, context: FoldedContext, form: Form, result: CreateResult, result_texts: Sequence[str]
    ) -> None:
        """Put a reply and what became of it into the context: results behind their calls, in the calls' order."""
        if isinstance(result.content, str):
            text = cut(result.content, _ECHO_TOKENS) or "(nothing)"
            await context.add_message(AssistantMessage(content=text, source=self._role))
            await context.add_message(UserMessage(content="\n\n".join(result_texts), source="lookups"))
            return
        await context.add_message(AssistantMessage(content=result.content, source=self._role))
        results = [
            # A retry says the same to all calls of a message: each call must have its result.
            FunctionExecutionResult(
                content=result_texts[n] if n < len(result_texts) else result_texts[-1], name=call.name, call_id=call.id
            )
            for n, call in enumerate(result.content)
        ]
        await context.add_message(FunctionExecutionResultMessage(content=results))

    def _make_error(self, model: Model, tries: int, problem: str, last: CreateResult) -> ModelError:
        choice = model.choice
        reason = without_secrets(cut(" ".join(problem.split()), 60), model.secret)
        # A model that refuses says so in prose; that is what the person needs to read.
        words = without_secrets(" ".join(last.content.split()), model.secret) if isinstance(last.content, str) else ""
        quoted = f" Its words: “{cut(words, _QUOTED_TOKENS)}”" if words and words[0] not in "{[`" else ""
        return ModelError(
            f"The model {choice.model!r} at {choice.endpoint!r} gave no usable reply as {self._role} in {tries} tries "
            f"({reason}). Your question is kept. Ask again, or choose another model for the {self._role}: "
            f"TANDEM_{self._role.upper()}_MODEL.{quoted}"
        )


async def _find_problem(reply: T, problem_of: Callable[[T], Problem | Awaitable[Problem]]) -> Problem:
    problem = problem_of(reply)
    return await problem if inspect.isawaitable(problem) else problem
