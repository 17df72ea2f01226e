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

from assistant.claims.typed_claims import ClaimReply
from assistant.core.events import ChartKind, Language

_THINK = "think first, briefly"


class ModelReply(BaseModel):
    """Base of all replies: frozen, and deaf to fields nobody asked for."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class StepReply(ModelReply):
    """One step of a plan."""

    title: str = Field(description="a few words")
    language: Language
    instruction: str = ""
    hard: bool = False


class FactReply(ModelReply):
    """Something that the person stated."""

    text: str = Field(description="in the person's words")
    word: str = Field(default="", description="the word that it defines")


class PlanReply(ModelReply):
    """A plan, a question back, or a decline; a plan of one step with its cell."""

    reasoning: str = Field(default="", description=_THINK)
    kind: Literal["plan", "clarify", "decline"]
    text: str = Field(description="the question in your words, what to ask, or why not")
    steps: tuple[StepReply, ...] = ()
    options: tuple[str, ...] = Field(default=(), description="clarify: answers to choose from")
    tables: tuple[str, ...] = Field(default=(), description="tables it reads")
    code: str = Field(default="", description="of a plan of one step")
    result: str = Field(default="", description="Python name of the code's result")
    source: str = Field(default="", description="SQL: source it reads, of several")
    sentence: str = Field(default="", description="the answer with {column} for each value")
    assumptions: tuple[str, ...] = ()
    citations: tuple[str, ...] = Field(default=(), description="ids of documents relied on")
    facts: tuple[FactReply, ...] = Field(default=(), description="what the question states for later questions, too")
    hint: str = ""


class JudgeReply(ModelReply):
    """Whether the plan still holds, now that a step's result is there."""

    reasoning: str = Field(default="", description=_THINK)
    verdict: Literal["go_on", "revise", "stop"]
    reason: str = Field(default="", description="one sentence for the person")
    steps: tuple[StepReply, ...] = Field(default=(), description="revise: all steps still to come")


class ChartReply(ModelReply):
    """How the last result is drawn; the program draws it."""

    kind: ChartKind | None = None
    dimension: str = Field(default="", description="column along the axis")
    measure: str = Field(default="", description="column of figures")
    highlight: str = Field(default="", description="value that stands out")
    title: str = Field(default="", description="what the chart shows, checked like a sentence")


class AnswerReply(ModelReply):
    """The answer to the question."""

    reasoning: str = Field(default="", description=_THINK)
    text: str = Field(description="one to three sentences")
    answered: bool = Field(description="false where the results do not suffice")
    steps: tuple[StepReply, ...] = Field(default=(), description="then one or two that get what is missing")
    results: tuple[str, ...] = Field(default=(), description="earlier results to show beside the last")
    notes: tuple[str, ...] = ()
    overruled: tuple[str, ...] = Field(default=(), description="assumptions that no longer hold, word for word")
    chart: ChartReply | None = Field(default=None, description="where a chart of the last result helps")
    claims: tuple[ClaimReply, ...] = ()
    follow_ups: tuple[str, ...] = ()


class CheckReply(ModelReply):
    """Something that must hold of the step's result. The program looks at it once the code has run."""

    kind: Literal["not_empty", "one_row", "unique", "no_missing", "range", "same_rows", "same_total"]
    columns: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    result: str = Field(default="", description="same_*: earlier result")
    of: str = Field(default="", description="same_total: column there")


class CodeReply(ModelReply):
    """Code for one step, a question back, or that the step needs no code."""

    reasoning: str = Field(default="", description=_THINK)
    kind: Literal["code", "clarify", "skip"]
    title: str = ""
    why: str = Field(default="", description="one sentence for the person")
    operations: tuple[str, ...] = Field(default=(), description="what the code does, one plain operation each")
    code: str = Field(default="", description="SQL statement or Python cell")
    result: str = Field(default="", description="Python name of its result")
    checks: tuple[CheckReply, ...] = ()
    source: str = Field(default="", description="SQL: source it reads, of several")
    text: str = Field(default="", description="clarify: what to ask; skip: why")
    options: tuple[str, ...] = Field(default=(), description="clarify: answers to choose from")


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
    line: int | None = None


class ReviewReply(ModelReply):
    """The verdict on code."""

    reasoning: str = Field(default="", description=_THINK)
    findings: tuple[FindingReply, ...] = ()
    verdict: Literal["ok", "concerns", "revise"]


class DiagnosisReply(ModelReply):
    """Why a cell failed."""

    reasoning: str = Field(default="", description=_THINK)
    cause: str
    fix: str = ""
    category: Literal["environment", "logic", "check", "data", "plan"]
    repairable: bool = True


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
_CODE_FENCED = re.compile(r"```(sql|python|py)[ \t]*\n(.*?)```", re.DOTALL | re.IGNORECASE)
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


def find_fenced_code(text: str) -> dict[str, JsonValue] | None:
    """The values of a reply for code in the last fence of a text: a model may write code where JSON was asked for."""
    blocks = _CODE_FENCED.findall(_THOUGHT.sub("", text))
    if not blocks:
        return None
    language, code = blocks[-1]
    is_python = language.casefold() in ("python", "py")
    return {"kind": "code", "code": code.strip(), "result": "" if is_python else "result"} if code.strip() else None


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
                fields.pop("description", None)  # a type's docstring is for readers of the code
            return fields
        case list():
            return [_make_node_strict(value) for value in node]
        case _:
            return node
