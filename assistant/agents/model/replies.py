"""What a model is asked to reply, as types: flat, so that a small model can fill them in.

A model is held to the schema of these types where it can be, and told of it where it cannot. Missing optional fields
are forgiven; what matters is checked, and the text of the error goes back to the model.
"""

from __future__ import annotations

import json
import keyword
import re
from collections.abc import Mapping
from functools import cache
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from assistant.claims.typed import ClaimReply
from assistant.core.events import Language


class ModelReply(BaseModel):
    """Base of all replies: frozen, and deaf to fields nobody asked for."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class StepReply(ModelReply):
    """One step of a plan."""

    title: str = Field(description="A few words for the person.")
    language: Language = Field(description="sql to get data out of a source, python to work on results.")
    instruction: str = Field(default="", description="What the coder is to do, precisely, in words.")
    hard: bool = Field(default=False, description="True only where the code is easy to get wrong.")


class PlanReply(ModelReply):
    """A plan, a question back, or a decline."""

    reasoning: str = Field(default="", description="Think first, briefly: what matters here, what could be wrong.")
    kind: Literal["plan", "clarify", "decline"]
    text: str = Field(description="plan: the question in your words; clarify: what to ask; decline: why, plainly.")
    steps: tuple[StepReply, ...] = Field(default=(), description="plan: the steps in order, as few as will do.")
    options: tuple[str, ...] = Field(default=(), description="clarify: two to four answers to choose from.")
    tables: tuple[str, ...] = Field(default=(), description="plan: the tables it reads, by their names.")
    assumptions: tuple[str, ...] = Field(default=(), description="plan: what you took for granted.")
    citations: tuple[str, ...] = Field(default=(), description="plan: ids of the documents you relied on.")
    hint: str = Field(default="", description="decline: how the person could ask instead.")


class JudgeReply(ModelReply):
    """Whether the plan still holds, now that a step's result is there."""

    reasoning: str = Field(default="", description="Think first: is this result what the step was to give?")
    verdict: Literal["go_on", "revise", "stop"] = Field(
        description="go_on: the plan holds; revise: the rest of it must change; stop: what is there answers already."
    )
    reason: str = Field(default="", description="One sentence for the person; revise: what changes, and why.")
    steps: tuple[StepReply, ...] = Field(
        default=(), description="revise: all steps that are still to come, in order; else empty."
    )


class AnswerReply(ModelReply):
    """The answer to the question."""

    reasoning: str = Field(default="", description="Think first, briefly: what matters here, what could be wrong.")
    text: str = Field(description="One to three sentences with the figures, their units and their period.")
    answered: bool = Field(description="False where the results do not answer the question.")
    steps: tuple[StepReply, ...] = Field(
        default=(), description="Where not answered: one or two further steps that get what is missing; else empty."
    )
    results: tuple[str, ...] = Field(
        default=(),
        description="Names of earlier results that the person needs beside the last one, as counts beside their test.",
    )
    notes: tuple[str, ...] = Field(default=(), description="What matters and was not asked: gaps, odd values.")
    overruled: tuple[str, ...] = Field(
        default=(),
        description="Assumptions of the plan, word for word, that an edit or a rejection of the person has overruled.",
    )
    claims: tuple[ClaimReply, ...] = Field(default=(), description="What the sentences compare, rank or deny.")
    follow_ups: tuple[str, ...] = Field(default=(), description="Up to three next questions, as the person would ask.")


class CheckReply(ModelReply):
    """Something that must hold of the step's result. The program looks at it once the code has run."""

    kind: Literal["not_empty", "one_row", "unique", "no_missing", "range", "same_rows", "same_total"] = Field(
        description="unique: one row for each combination of columns; no_missing: no empty value in columns; range: "
        "columns within low and high; same_rows, same_total: as many rows, or the same sum, as an earlier result."
    )
    columns: tuple[str, ...] = Field(default=(), description="Columns of the step's result.")
    low: float | None = None
    high: float | None = None
    result: str = Field(default="", description="same_rows, same_total: the name of the earlier result.")
    of: str = Field(default="", description="same_total: the column there, if it has another name.")


class CodeReply(ModelReply):
    """Code for one step, a question back, or that the step needs no code."""

    reasoning: str = Field(default="", description="Think first, briefly: what matters here, what could be wrong.")
    kind: Literal["code", "clarify", "skip"]
    title: str = Field(default="", description="code: what it does, in a few words.")
    why: str = Field(default="", description="code: one sentence for the person.")
    operations: tuple[str, ...] = Field(default=(), description="code: what it does, one plain operation each.")
    code: str = Field(default="", description="code: the SQL statement, or the Python cell.")
    result: str = Field(default="", description="code: the Python name that holds the result.")
    checks: tuple[CheckReply, ...] = Field(
        default=(),
        description="code: what must hold of the result if the code is right; none where nothing is at risk.",
    )
    source: str = Field(default="", description="code: for SQL, the source to ask; empty for the only one.")
    text: str = Field(default="", description="clarify: what to ask the person; skip: why no code is needed.")
    options: tuple[str, ...] = Field(default=(), description="clarify: two to four answers to choose from.")


class HistoryReply(ModelReply):
    """What is to be remembered of turns that leave the prompt."""

    facts: tuple[str, ...] = Field(default=(), description="What the person told: names, amounts, dates, plans.")
    definitions: tuple[str, ...] = Field(default=(), description="What words mean here, as the person said.")
    decisions: tuple[str, ...] = Field(default=(), description="What was approved, edited or rejected, and why.")
    results: tuple[str, ...] = Field(default=(), description="What was found, with figures, and each result's name.")


class FindingReply(ModelReply):
    """One thing a review saw."""

    level: Literal["ok", "note", "warning", "danger"]
    text: str
    line: int | None = Field(default=None, description="The line of the cell, from 1.")


class ReviewReply(ModelReply):
    """The verdict on code."""

    reasoning: str = Field(default="", description="Think first, briefly: what matters here, what could be wrong.")
    findings: tuple[FindingReply, ...] = ()
    verdict: Literal["ok", "concerns", "revise"]


class DiagnosisReply(ModelReply):
    """Why a cell failed."""

    reasoning: str = Field(default="", description="Think first, briefly: what matters here, what could be wrong.")
    cause: str = Field(description="The root cause in one sentence.")
    fix: str = Field(default="", description="The smallest change that mends it.")
    category: Literal["environment", "logic", "check", "data", "plan"]
    repairable: bool = Field(default=True, description="False where another attempt would fail likewise.")


@cache
def make_strict_schema(reply: type[BaseModel]) -> dict[str, JsonValue]:
    """The reply's JSON schema in the strict form that endpoints demand: every field required, none besides.

    Source: OpenAI, Structured Outputs, "Supported schemas".
    """
    return _make_strict(reply.model_json_schema())


def validate_reply(values: Mapping[str, JsonValue], reply: type[ModelReply]) -> ModelReply | str:
    """The values as a reply; a string says what is wrong with them."""
    try:
        return reply.model_validate(values)
    except ValidationError as error:
        problems = (f"{'.'.join(str(p) for p in e['loc']) or 'reply'}: {e['msg']}" for e in error.errors()[:5])
        return "; ".join(problems)


_THOUGHT = re.compile(r"^\s*<think>.*?</think>", re.DOTALL)
_FENCED = re.compile(r"```(?:json)?\s*\n(.*?)```", re.DOTALL)
_STARTS_MAX = 40


def find_json(text: str) -> dict[str, JsonValue] | None:
    """The JSON object that a text is or holds: the last fenced one, else the first that can be read."""
    text = _THOUGHT.sub("", text)
    for block in [text, *reversed(_FENCED.findall(text))]:
        try:
            values = json.loads(block)
        except ValueError:
            continue
        if isinstance(values, dict):
            return values
    start = -1
    for _ in range(_STARTS_MAX):
        start = text.find("{", start + 1)
        if start < 0:
            return None
        try:
            values, _ = json.JSONDecoder().raw_decode(text, start)
        except ValueError:
            continue
        if isinstance(values, dict):
            return values
    return None


def is_name(text: str) -> bool:
    """Whether a text can be a result's name in the kernel."""
    return text.isidentifier() and not keyword.iskeyword(text) and not text.startswith("_")


def _make_strict(node: JsonValue) -> dict[str, JsonValue]:
    strict = _make_node_strict(node)
    assert isinstance(strict, dict)  # a model's schema is an object
    return strict


def _make_node_strict(node: JsonValue) -> JsonValue:
    match node:
        case dict():
            fields: dict[str, JsonValue] = {
                k: _make_node_strict(v) for k, v in node.items() if k not in ("default", "title")
            }
            properties = node.get("properties")
            if isinstance(properties, dict):
                # A field may be called "title" or "default": its own name stays.
                fields["properties"] = {name: _make_node_strict(value) for name, value in properties.items()}
                fields["required"] = list(properties)
                fields["additionalProperties"] = False
            return fields
        case list():
            return [_make_node_strict(value) for value in node]
        case _:
            return node
