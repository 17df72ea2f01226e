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

from assistant.agents.model.prompts import prompt
from assistant.agents.model.replies import Reply, json_in, schema_of, validated
from assistant.record.memory.tokens import estimate

if TYPE_CHECKING:
    from assistant.agents.model.lookups import Lookup
    from assistant.models.capabilities import Form

REPLY = "reply"


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A reply of the right shape."""

    reply: Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """One thing that the model wants to look up."""

    name: str
    arguments: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])


@dataclass(frozen=True, slots=True, kw_only=True)
class LookedUp:
    """The model wants to look things up first."""

    calls: tuple[Wish, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Malformed:
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


def request_of(form: Form, wanted: type[Reply], lookups: Sequence[Lookup], *, schema_told: bool = False) -> Request:
    """What to send for a typed reply in a form.

    Args:
        form: The form.
        wanted: The type of the reply.
        lookups: What the model may look up meanwhile.
        schema_told: Whether the endpoint is known to hold no model to a schema: then the instructions tell it.
    """
    schema = schema_of(wanted)
    in_words = prompt("reply_by_text", schema=json.dumps(schema, ensure_ascii=False))
    tools = tuple(lookup.schema for lookup in lookups)
    name = wanted.__name__
    match form:
        case "schema":
            held: dict[str, JsonValue] = {"name": name, "schema": schema, "strict": True}
            return Request(
                instructions=in_words if schema_told else "",
                again="Reply with JSON of the given schema.",
                schema=in_words,
                lookups=tools,
                response_format={"type": "json_schema", "json_schema": held},
            )
        case "functions":
            parameters: dict[str, Any] = {"type": "object", "properties": schema["properties"]}
            parameters |= {key: schema[key] for key in ("required", "$defs") if key in schema}
            reply = ToolSchema(
                name=REPLY,
                description=(wanted.__doc__ or "").strip(),
                parameters=ParametersSchema(**parameters),
            )
            return Request(
                instructions=in_words if schema_told else prompt("reply_by_function"),
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
            asking = prompt("look_up_by_text", lookups=described) if described else ""
            return Request(
                instructions=f"{in_words}\n\n{asking}".strip(),
                again="Write one fenced JSON object of the schema, nothing else.",
            )


def said_in(form: Form, result: CreateResult, wanted: type[Reply]) -> Heard | LookedUp | Malformed:
    """Read a model's reply."""
    if not isinstance(result.content, str):
        return _called(result.content, wanted)
    if result.finish_reason == "length":
        return Malformed(problem="It was cut off because it is too long. Be shorter.")
    values = json_in(result.content)
    if values is None:
        said = "There is no JSON object in it." if result.content.strip() else "It is empty."
        return Malformed(problem=said, misshapen=True)
    if form == "text" and isinstance(looked_up := values.get("lookup"), dict):
        arguments = looked_up.get("arguments")
        name = str(looked_up.get("name", ""))
        return LookedUp(calls=(Wish(name=name, arguments=arguments if isinstance(arguments, dict) else {}),))
    return _validated(values, wanted)


def _called(calls: Sequence[FunctionCall], wanted: type[Reply]) -> Heard | LookedUp | Malformed:
    read: list[Wish] = []
    for call in calls:
        values = json_in(call.arguments) if call.arguments.strip() else {}
        if values is None:
            return Malformed(problem=f"The arguments of {call.name!r} are not a JSON object.")
        if call.name == REPLY:
            return _validated(values, wanted)
        read.append(Wish(name=call.name, arguments=values))
    return LookedUp(calls=tuple(read)) if read else Malformed(problem="It is empty.")


def _validated(values: Mapping[str, JsonValue], wanted: type[Reply]) -> Heard | Malformed:
    reply = validated(values, wanted)
    return Malformed(problem=reply, misshapen=True) if isinstance(reply, str) else Heard(reply=reply)
