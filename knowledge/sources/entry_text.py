"""Replaces one entry in the text of a knowledge file; every other character stays unchanged. Pure.

In YAML only the changed fields are written, so comments and layout stay. In Markdown the whole section is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import yaml

from knowledge.errors import KnowledgeError
from knowledge.sources.entries import parse_nodes
from knowledge.sources.file_writer import format_fields
from knowledge.sources.markdown import MarkdownSection

_LISTS = ("terms", "metrics", "queries")


def item_of(text: str, identity: Mapping[str, str]) -> yaml.MappingNode:
    """The entry of a YAML file whose fields say this.

    Args:
        text: The file.
        identity: Fields that tell the entry from the others, with their values.

    Raises:
        KnowledgeError: There is none, or it is written in a way that is not changed here.
    """
    root = parse_nodes(text)
    for node in _items(root):
        values = {str(key.value): str(value.value).strip() for key, value in node.value}
        if all(values.get(field) == value for field, value in identity.items()):
            if node.flow_style:
                raise KnowledgeError("It is written on one line, in braces. Change it in its file.")
            return node
    raise KnowledgeError("It is not there any more: somebody changed its file. Open it again.")


def _items(root: yaml.Node | None) -> Iterable[yaml.MappingNode]:
    if not isinstance(root, yaml.MappingNode):
        return ()
    lists = [value for key, value in root.value if key.value in _LISTS and isinstance(value, yaml.SequenceNode)]
    if not lists:
        return (root,)
    return (node for sequence in lists for node in sequence.value if isinstance(node, yaml.MappingNode))


def with_fields(text: str, item: yaml.MappingNode, changed: Mapping[str, object]) -> str:
    """A file in which some fields of an entry say something else; one that says nothing is left out.

    Args:
        text: The file.
        item: The entry, as `item_of` finds it in this text.
        changed: The fields to write, in the order in which new ones are added.
    """
    indent = item.value[0][0].start_mark.column
    fields = {str(key.value): (key, value) for key, value in item.value}
    first = str(item.value[0][0].value)  # the dash of a list stands before it, so it is never taken out
    stay = [name for name in fields if name == first or changed.get(name, "stays")]
    pieces: list[tuple[int, int, str]] = []
    for name, (key, node) in fields.items():
        start, end = key.start_mark.index, _end(text, node)
        if name not in stay:
            line = text.rfind("\n", 0, start) + 1
            pieces.append((line, min(len(text), text.find("\n", end) + 1 or len(text)), ""))
        elif name in changed:
            pieces.append((start, end, _field(name, changed[name], indent) if changed[name] else f"{name}: []"))
    added = [_field(name, value, indent) for name, value in changed.items() if value and name not in fields]
    end = text.find("\n", _end(text, fields[stay[-1]][1]))
    after = len(text) if end < 0 else end
    pieces.append((after, after, "".join(f"\n{' ' * indent}{line}" for line in added)))
    for start, end, piece in sorted(pieces, key=lambda insertion: insertion[:2], reverse=True):
        text = text[:start] + piece + text[end:]
    return text


def without_item(text: str, item: yaml.MappingNode) -> str:
    """A file without one entry of its list."""
    start = text.rfind("\n", 0, item.start_mark.index) + 1
    end = text.find("\n", _end(text, item))
    return (text[:start] + (text[end + 1 :].lstrip("\n") if end >= 0 else "")).rstrip() + "\n"


def section_lines(text: str, sections: Sequence[MarkdownSection], section: MarkdownSection) -> tuple[int, int]:
    """The first line of a section and the one after its last, from 0."""
    later = [other_section.line - 1 for other_section in sections if other_section.line > section.line]
    return section.line - 1, min(later, default=len(text.splitlines()))


def with_lines(text: str, start: int, end: int, instead: Sequence[str]) -> str:
    """A file in which some lines are replaced; a blank line stands after them where more follows."""
    lines = text.splitlines()
    after = lines[end:]
    return "\n".join([*lines[:start], *instead, *([""] if instead and after else []), *after]).rstrip() + "\n"


def _field(name: str, value: object, indent: int) -> str:
    """A field as YAML, its further lines below its first."""
    first, *more = format_fields({name: list(value) if isinstance(value, tuple) else value}).rstrip("\n").split("\n")
    return "\n".join([first, *(f"{' ' * indent}{line}" if line else "" for line in more)])


def _end(text: str, node: yaml.Node) -> int:
    """Where a node's last character stands: what follows is a comment, a blank line, or the next field."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _end(text, last[1] if isinstance(last, tuple) else last)
    return len(text[: node.end_mark.index].rstrip())
