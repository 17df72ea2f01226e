"""The three ways to get a typed reply out of a model: what is sent for each, and how its reply is read.

- schema: the endpoint holds the model to a JSON schema; lookups are function calls.
- functions: the model replies by calling the function `reply`; lookups are other functions.
- text: the model is told the schema and writes JSON in a fence; a lookup is such a JSON too.

Reading is forgiving about form (a fence where none was asked for, JSON where a call was) and strict about content.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from autogen_core import FunctionCall
from autogen_core.models import CreateResult
from autogen_core.tools import ParametersSchema, ToolSchema
from pydantic import JsonValue

from assistant.agents.model.prompts import fill_prompt
from assistant.agents.model.replies import (
    CodeReply,
    ModelReply,
    find_fenced_code,
    find_json,
    make_strict_schema,
    validate_reply,
)
from assistant.record.memory.tokens import estimate

if TYPE_CHECKING:
    from assistant.agents.model.lookups import Lookup
    from assistant.models.capabilities import Form

REPLY = "reply"


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidReply:
    """A reply of the right shape."""

    reply: ModelReply


@dataclass(frozen=True, slots=True, kw_only=True)
class LookupCall:
    """One thing that the model wants to look up."""

    name: str
    arguments: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])


@dataclass(frozen=True, slots=True, kw_only=True)
class LookupCalls:
    """The model wants to look things up first."""

    calls: tuple[LookupCall, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MalformedReply:
    """A reply that cannot be used, and what is wrong with it; `misshapen` where no schema can have held it."""

    problem: str
    misshapen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is sent besides the messages.

    Attributes:
        instructions: What the model is told about the form of its reply.
        again: How it is reminded of that after a malformed reply.
        lookups: The tools for lookups.
        reply: The tool to reply with, where that is the form.
        response_format: The schema the endpoint is to hold it to, where that is the form.
        schema: The schema in words for the model, for endpoints that hold it to none.
    """

    instructions: str
    again: str
    lookups: tuple[ToolSchema, ...] = ()
    reply: ToolSchema | None = None
    response_format: dict[str, JsonValue] | None = None
    schema: str = ""

    @property
    def tokens(self) -> int:
        """What tools and schema take of the context, estimated."""
        return estimate(json.dumps([*self.lookups, self.reply, self.response_format]))

    def tools(self, *, with_lookups: bool) -> tuple[ToolSchema, ...]:
        """The functions that the model may call."""
        return (*(self.lookups if with_lookups else ()), *((self.reply,) if self.reply is not None else ()))


def make_request(
    form: Form, reply_type: type[ModelReply], lookups: Sequence[Lookup], *, schema_in_prompt: bool = False
) -> Request:
    """What to send for a typed reply in a form.

    Args:
        form: The form.
        reply_type: The type of the reply.
        lookups: What the model may look up meanwhile.
        schema_in_prompt: Whether the endpoint is known to hold no model to a schema: then the instructions tell it.
    """
    schema = make_strict_schema(reply_type)
    in_words = fill_prompt("reply_by_text", schema=json.dumps(schema, ensure_ascii=False))
    tools = tuple(lookup.schema for lookup in lookups)
    name = reply_type.__name__
    match form:
        case "schema":
            json_schema: dict[str, JsonValue] = {"name": name, "schema": schema, "strict": True}
            return Request(
                instructions=in_words if schema_in_prompt else "",
                again="Reply with JSON of the given schema.",
                schema=in_words,
                lookups=tools,
                response_format={"type": "json_schema", "json_schema": json_schema},
            )
        case "functions":
            parameters: dict[str, Any] = {"type": "object", "properties": schema["properties"]}
            parameters |= {key: schema[key] for key in ("required", "$defs") if key in schema}
            reply = ToolSchema(
                name=REPLY,
                description=(reply_type.__doc__ or "").strip(),
                parameters=ParametersSchema(**parameters),
            )
            return Request(
                instructions=in_words if schema_in_prompt else fill_prompt("reply_by_function"),
                again=f"Call the function {REPLY!r} once.",
                schema=in_words,
                lookups=tools,
                reply=reply,
            )
        case "text":
            described = "\n".join(
                f"- {lookup.name} ({', '.join(lookup.schema.get('parameters', {}).get('properties', {}))}): "
                f"{lookup.description}"
                for lookup in lookups
            )
            asking = fill_prompt("look_up_by_text", lookups=described) if described else ""
            return Request(
                instructions=f"{in_words}\n\n{asking}".strip(),
                again="Write one fenced JSON object of the schema, nothing else.",
            )


def parse_reply(
    form: Form, result: CreateResult, reply_type: type[ModelReply]
) -> ValidReply | LookupCalls | MalformedReply:
    """Read a model's reply."""
    if not isinstance(result.content, str):
        return _parse_calls(result.content, reply_type)
    if result.finish_reason == "length":
        return MalformedReply(problem="It was cut off because it is too long. Be shorter.")
    values = find_json(result.content)
    if values is None and reply_type is CodeReply:
        values = find_fenced_code(result.content)
    if values is None:
        problem = "There is no JSON object in it." if result.content.strip() else "It is empty."
        return MalformedReply(problem=problem, misshapen=True)
    if form == "text" and isinstance(looked_up := values.get("lookup"), dict):
        arguments = looked_up.get("arguments")
        name = str(looked_up.get("name", ""))
        return LookupCalls(calls=(LookupCall(name=name, arguments=arguments if isinstance(arguments, dict) else {}),))
    return _validate(values, reply_type)


def _parse_calls(
    calls: Sequence[FunctionCall], reply_type: type[ModelReply]
) -> ValidReply | LookupCalls | MalformedReply:
    wishes: list[LookupCall] = []
    for call in calls:
        values = find_json(call.arguments) if call.arguments.strip() else {}
        if values is None:
            return MalformedReply(problem=f"The arguments of {call.name!r} are not a JSON object.")
        if call.name == REPLY:
            return _validate(values, reply_type)
        wishes.append(LookupCall(name=call.name, arguments=values))
    return LookupCalls(calls=tuple(wishes)) if wishes else MalformedReply(problem="It is empty.")


def _validate(values: Mapping[str, JsonValue], reply_type: type[ModelReply]) -> ValidReply | MalformedReply:
    reply = validate_reply(values, reply_type)
    return MalformedReply(problem=reply, misshapen=True) if isinstance(reply, str) else ValidReply(reply=reply)
