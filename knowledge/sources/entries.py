"""YAML files as lists of validated entries, each with the line it starts on.

A small dialect on purpose: every scalar is text but for dates and nulls (so `no` and `2024` stay what the author
typed), no aliases (they can expand to any size), no nesting deeper than any of our files needs, no key given twice.
This module does not know what the entries mean.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Annotated, Any, Generic, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, Strict, StringConstraints, ValidationError

from knowledge.errors import DocumentMalformed
from knowledge.sources.problems import Problem

_DEPTH_MAX = 12
_PLAIN_DEPTH_MAX = 60
_VALUES_MAX = 200_000
_KEPT_TAGS = ("tag:yaml.org,2002:null", "tag:yaml.org,2002:timestamp")

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Day = Annotated[date, Strict()]


class Header(BaseModel):
    """What every file and every entry may say about itself; an entry's word goes before its file's."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    author: Text | None = None
    updated: Day | None = None
    topic: Text | None = None
    source: Text | None = None


E = TypeVar("E", bound=Header)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entries(Generic[E]):
    """The readable entries of one file, each with its line, and the problems of the others."""

    header: Header
    entries: tuple[tuple[E, int], ...] = ()
    problems: tuple[Problem, ...] = ()


if TYPE_CHECKING:
    from yaml import SafeLoader as _SafeLoader
else:
    _SafeLoader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # in C where there is one: a tenth of the time


class _Loader(_SafeLoader):
    """SafeLoader that leaves words and numbers as the text they are."""


_Loader.yaml_implicit_resolvers = {
    first: kept
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    if (kept := [(tag, pattern) for tag, pattern in resolvers if tag in _KEPT_TAGS])
}


def read_entries(text: str, *, origin: str, key: str, entry: type[E], single: bool = False) -> Entries[E]:
    """Read a file that holds a header and, under `key`, a list of entries.

    Args:
        text: The file's content.
        origin: What the problems call the file.
        key: The key of the list.
        entry: The model that each entry must satisfy.
        single: Whether the file may also be one entry, without a list.
    """
    try:
        root = parse_nodes(text)
        if root is None:
            raise DocumentMalformed(f"is empty; give it a list under {key!r}, or delete it")
        if not isinstance(root, yaml.MappingNode):
            raise DocumentMalformed(f"must be a mapping with a list under {key!r}", line=1)
        fields = {str(name.value): node for name, node in root.value}
        if single and key not in fields:
            item = _validated(root, entry, origin=origin, name="entry")
            return Entries(header=Header(), entries=((item, 1),))
        listed = fields.get(key)
        if not isinstance(listed, yaml.SequenceNode):
            raise DocumentMalformed(f"has no list under {key!r}; write `{key}:` and then one `- ` per entry")
        header_pairs = [pair for pair in root.value if pair[0].value != key]
        head = yaml.MappingNode(root.tag, header_pairs, start_mark=root.start_mark)
        header = _validated(head, Header, origin=origin, name="header", extra=(key,))
    except DocumentMalformed as error:
        return Entries(header=Header(), problems=(Problem(origin=origin, line=error.line, message=str(error)),))
    entries: list[tuple[E, int]] = []
    problems: list[Problem] = []
    for number, node in enumerate(listed.value, start=1):
        line = node.start_mark.line + 1
        try:
            entries.append((_validated(node, entry, origin=origin, name="entry"), line))
        except DocumentMalformed as error:
            label = f"entry {number} of {key!r}"
            problems.append(Problem(origin=origin, line=error.line or line, entry=label, message=str(error)))
    return Entries(header=header, entries=tuple(entries), problems=tuple(problems))


def read_header(text: str, *, origin: str) -> Header:
    """Read a Markdown file's front matter.

    Raises:
        DocumentMalformed: It is not YAML, or holds something else than a header does.
    """
    root = parse_nodes(text)
    if root is None:
        return Header()
    return _validated(root, Header, origin=origin, name="front matter")


def topic_of(origin: str) -> str:
    """The topic that a file's place gives it: the folders it lies in, but for those that name a kind."""
    folders = PurePosixPath(origin).parts[:-1]
    return "/".join(folder for folder in folders if folder not in {"queries", "terms", "notes"})


def parse_nodes(text: str) -> yaml.Node | None:
    """Parse into nodes, which know their lines.

    Raises:
        DocumentMalformed: Not YAML, or more than the dialect allows.
    """
    try:
        _refuse_deep(text, _DEPTH_MAX, has_aliases=False)
        root = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        message = f"is not valid YAML ({error.problem or error.context}); check indentation, colons and quotes"
        raise DocumentMalformed(message, line=mark.line + 1 if mark else None) from error
    except yaml.YAMLError as error:
        place = getattr(error, "position", None)  # a ReaderError has no mark
        line = text.count("\n", 0, place) + 1 if isinstance(place, int) else None
        raise DocumentMalformed("holds a character that YAML does not allow; retype that line", line=line) from error
    _refuse_doubles(root)
    return root


def _refuse_deep(text: str, depth_max: int, *, has_aliases: bool) -> None:
    """Go on only where a text is not nested too deep for what recurs over it.

    Raises:
        DocumentMalformed: It is, or uses an alias where it may not.
        YAMLError: It is not YAML.
    """
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        line = event.start_mark.line + 1 if event.start_mark else None
        if isinstance(event, yaml.AliasEvent) and not has_aliases:
            raise DocumentMalformed(f"uses the alias *{event.anchor}; write the value out", line=line)
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > depth_max:
            raise DocumentMalformed(f"is nested deeper than {depth_max} levels", line=line)


def construct_value(node: yaml.Node) -> Any:
    """The value of a node, with safe types alone.

    Raises:
        DocumentMalformed: A part has a tag that is not known here, or is no value of its type, as 2026-02-31.
    """
    line = node.start_mark.line + 1
    try:
        return _Loader("").construct_document(node)
    except yaml.constructor.ConstructorError as error:
        mark = error.problem_mark or error.context_mark
        message = f"holds a value that cannot be read ({error.problem or error.context}); write it as plain text"
        raise DocumentMalformed(message, line=mark.line + 1 if mark else line) from error
    except (yaml.YAMLError, ValueError, TypeError, ArithmeticError, RecursionError) as error:
        raise DocumentMalformed(f"holds a value that cannot be read ({error})", line=line) from error


def load_plain(text: str, *, has_aliases: bool = True) -> Any:
    """A YAML file as plain values.

    Args:
        text: The file.
        has_aliases: Whether it may use aliases, as files of other tools do: within bounds.

    Raises:
        DocumentMalformed: Not YAML, or more than may be read.
    """
    try:
        _refuse_deep(text, _PLAIN_DEPTH_MAX, has_aliases=has_aliases)
        root = yaml.compose(text, Loader=_SafeLoader)
        if root is None:
            return None
        if _size_of(root) > _VALUES_MAX:
            raise DocumentMalformed(f"holds more than {_VALUES_MAX:,} values, its anchors written out")
        return _SafeLoader("").construct_document(root)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise DocumentMalformed(f"{error.problem or error.context}", line=mark.line + 1 if mark else None) from error
    except (yaml.YAMLError, ValueError, TypeError, ArithmeticError, RecursionError) as error:
        raise DocumentMalformed(" ".join(str(error).split())[:200]) from error


def format_scalar(value: object) -> str:
    """A value of a YAML file as text.

    Raises:
        DocumentMalformed: It is a list or a mapping.
    """
    if not isinstance(value, str | int | float | date):
        raise DocumentMalformed("has a list or a mapping where one piece of text must be")
    return str(value)


def _size_of(node: yaml.Node, sizes: dict[int, int] | None = None) -> int:
    """How many values a node holds, with each anchor counted where it is used.

    Raises:
        RecursionError: It holds itself, or is nested too deep.
    """
    sizes = {} if sizes is None else sizes
    if id(node) in sizes:
        return sizes[id(node)]
    inner = (
        [part for pair in node.value for part in pair]
        if isinstance(node, yaml.MappingNode)
        else node.value
        if isinstance(node, yaml.SequenceNode)
        else []
    )
    sizes[id(node)] = size = 1 + sum(_size_of(part, sizes) for part in inner)
    return size


def _refuse_doubles(node: yaml.Node | None) -> None:
    if isinstance(node, yaml.MappingNode):
        names: set[str] = set()
        for name, value in node.value:
            if not isinstance(name, yaml.ScalarNode):
                raise DocumentMalformed("has a key that is not a word", line=name.start_mark.line + 1)
            if name.value in names:
                raise DocumentMalformed(f"gives {name.value!r} twice; keep one", line=name.start_mark.line + 1)
            names.add(name.value)
            _refuse_doubles(value)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            _refuse_doubles(item)


V = TypeVar("V", bound=Header)


def _validated(node: yaml.Node, model: type[V], *, origin: str, name: str, extra: tuple[str, ...] = ()) -> V:
    line = node.start_mark.line + 1
    value = construct_value(node)
    if not isinstance(value, dict):
        fields = ", ".join(model.model_fields)
        raise DocumentMalformed(f"must be a mapping with some of: {fields}", line=line)
    try:
        return model.model_validate(value)
    except ValidationError as error:
        # A misspelt field is told before the missing one that it was meant to be.
        first = min(error.errors(include_url=False), key=lambda fault: fault["type"] != "extra_forbidden")
        field = ".".join(str(part) for part in first["loc"])
        field_names = (*model.model_fields, *extra)
        raise DocumentMalformed(
            _explanation(first["type"], field, first["msg"], field_names, name),
            line=_line_of(node, first["loc"]) or line,
        ) from error


def explain_error(error: ValidationError, node: yaml.Node, *, field_names: tuple[str, ...]) -> tuple[str, int | None]:
    """The first fault of a whole file in words, and its line.

    Args:
        error: What pydantic found.
        node: The file.
        field_names: The words that its parts may have.
    """
    # A misspelt field is told before the missing one that it was meant to be.
    first = min(error.errors(include_url=False), key=lambda fault: fault["type"] != "extra_forbidden")
    place = tuple(
        part for part in first["loc"] if isinstance(part, int) or part in field_names or first["type"] != "missing"
    )
    field = str(first["loc"][-1]) if first["loc"] else "file"
    path = ".".join(str(part) for part in first["loc"][:-1]) or "file"
    return _explanation(first["type"], field, first["msg"], field_names, path), _line_of(node, place)


def _explanation(kind: str, field: str, message: str, field_names: tuple[str, ...], name: str) -> str:
    if kind == "missing":
        return f"the {name} lacks {field!r}"
    if kind == "extra_forbidden":
        near = get_close_matches(field, [word for word in field_names if word != field], n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"it may hold: {', '.join(field_names)}"
        return f"the {name} does not know {field!r}; {hint}"
    if kind == "string_type":
        return f"{field!r} must be one piece of text"
    if kind == "date_type":
        return f"{field!r} must be a date without quotes, such as 2026-01-31"
    return f"{field!r} is not right: {message}"


def _line_of(node: yaml.Node, path: tuple[int | str, ...]) -> int | None:
    """The line of the deepest node on `path` that exists."""
    for part in path:
        if isinstance(node, yaml.MappingNode):
            child = next((value for key, value in node.value if key.value == part), None)
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            child = node.value[part]
        else:
            child = None
        if child is None:
            break
        node = child
    return node.start_mark.line + 1
