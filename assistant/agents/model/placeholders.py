"""Placeholders for personal values in what a model writes: the person reads the values, in words, tables and code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from assistant.agents.model.replies import ModelReply

T = TypeVar("T", bound="ModelReply")

_PLACEHOLDER = re.compile(r"‹[^‹›\n]{1,60} \d+(?:: word \d+)?›")
_UNFINISHED = re.compile(r"‹[^›\n]{0,80}$")
HIDDEN = "•••"
"""What stands for a personal value where no placeholder can: in what is told of other sessions."""
_CODE = "code"
"""The field of a reply that holds code."""
_QUERY = "query"
"""The function by which a cell of Python asks a source."""


def name_placeholder(column: str, number: int, *, word: int = 0) -> str:
    """The placeholder of a value: its column's name and a number; of a word of it, which one, from 1."""
    label = " ".join(re.sub(r"[‹›_]", " ", column).split())[:40].strip() or "value"
    return f"‹{label} {number}{f': word {word}' if word else ''}›"


def restore_text(text: str, values: Mapping[str, str]) -> str:
    """A text with values in the place of their placeholders; placeholders that are unknown stay."""
    return _PLACEHOLDER.sub(lambda match: values.get(match[0], match[0]), text)


def hide_placeholders(text: str) -> str:
    """A text with one sign for all placeholders, for where their numbers mean nothing."""
    return _PLACEHOLDER.sub(HIDDEN, text)


def restore_unfinished_text(text: str, values: Mapping[str, str]) -> str:
    """A text that is still being written, without the beginning of a placeholder at its end."""
    return restore_text(_UNFINISHED.sub("", text), values)


def restore_code(code: str, values: Mapping[str, str]) -> str:
    """Code with values in the place of placeholders in its literals, with quotes as the literal needs them."""
    if _PLACEHOLDER.search(code) is None:
        return code
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError):
        return _PLACEHOLDER.sub(lambda match: values.get(match[0], match[0]).replace("'", "''"), code)
    queries = list(_find_queries(tree, code))

    def write(match: re.Match[str]) -> str:
        value = values.get(match[0], match[0])
        at = len(code[: match.start()].encode())
        quote = r"\'\'" if any(start <= at < end for start, end in queries) else r"\'"
        return value.replace("\\", "\\\\").replace("'", quote).replace('"', r"\"").replace("\n", r"\n")

    return _PLACEHOLDER.sub(write, code)


def restore_values(part: Any, values: Mapping[str, str], *, field: str = "") -> Any:
    """The fields of a reply, or the arguments of a look-up, with values in the place of placeholders."""
    match part:
        case str():
            return restore_code(part, values) if field == _CODE else restore_text(part, values)
        case dict():
            return {name: restore_values(value, values, field=str(name)) for name, value in part.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]  # JSON
        case tuple() | list():
            return [restore_values(value, values, field=field) for value in part]  # pyright: ignore[reportUnknownVariableType]  # JSON
        case _:
            return part


def restore_reply(reply: T, values: Mapping[str, str]) -> T:
    """A reply as the person reads it."""
    if not values or "‹" not in reply.model_dump_json():
        return reply
    return type(reply).model_validate(restore_values(reply.model_dump(), values))


def find_unknown_placeholder(reply: ModelReply, values: Mapping[str, str]) -> str | None:
    """A placeholder that stands for nothing, in words for the model; None where there is none."""
    unknown = next((match for match in _PLACEHOLDER.findall(reply.model_dump_json()) if match not in values), None)
    return f"{unknown} stands for nothing. Write placeholders exactly as they stand in the prompt." if unknown else None


def _find_queries(tree: ast.AST, code: str) -> Iterator[tuple[int, int]]:
    """Where the arguments of queries begin and end in a cell, in bytes."""
    starts = [0]
    for line in code.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == _QUERY:
            for argument in node.args:
                end_line, end = argument.end_lineno or argument.lineno, argument.end_col_offset or 0
                yield starts[argument.lineno - 1] + argument.col_offset, starts[end_line - 1] + end
