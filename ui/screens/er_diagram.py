"""The entity-relationship diagram of a source, in the DOT language, which Streamlit draws. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from assistant.api.sources import ColumnShown, LinkShown, TableShown

COLUMNS_MAX = 12
_COLOURS = {"light": ("#171B1A", "#5E6864", "#F4F5F3", "#9AA5A1"), "dark": ("#EEF2F0", "#A6B0AC", "#1B201F", "#5E6864")}
"""Of each theme: text, quiet text, the head of a table, lines."""
_DOUBTED = "#C0392B"


def build_dot(tables: Sequence[TableShown], *, theme: str) -> str:
    """The diagram. Keys stand first in each table; inferred ones are drawn dashed, and doubted ones dotted in red."""
    text, quiet, head, line = _COLOURS.get(theme, _COLOURS["light"])
    names = {table.name for table in tables}
    lines = [
        "digraph {",
        'rankdir=LR; bgcolor="transparent"; nodesep=0.3; ranksep=0.7;',
        f'node [shape=plain fontname="Helvetica" fontsize=11 fontcolor="{text}"];',
        f'edge [color="{quiet}" arrowsize=0.7];',
    ]
    lines += [_build_node(table, quiet, head, line) for table in tables]
    for table in tables:
        for link in table.links:
            if link.table in names:
                lines.append(f"{_build_id(table.name)} -> {_build_id(link.table)}{_build_style(link)};")
    return "\n".join([*lines, "}"])


def _build_style(link: LinkShown) -> str:
    if link.doubt:
        return f' [style=dotted color="{_DOUBTED}" tooltip="declared, but the rows do not keep it"]'
    return ' [style=dashed tooltip="found from names and values"]' if link.inferred else ""


def describe_keys(tables: Sequence[TableShown]) -> str:
    """The same in words, for who does not see the picture."""
    links = [
        f"{table.name}.{', '.join(link.columns)} refers to {link.table}.{', '.join(link.target_columns)}"
        + (f" (declared, but {link.doubt}; not used)" if link.doubt else "")
        + (f" ({describe_matches(link)})" if link.matched is not None else "")
        for table in tables
        for link in table.links
    ]
    return "; ".join(links) or "No table refers to another."


def describe_matches(link: LinkShown) -> str:
    """How many rows match by a key whose matches were counted."""
    return f"{link.matched:,} of {link.filled:,} rows match"


def _build_node(table: TableShown, quiet: str, head: str, line: str) -> str:
    keys = [column for column in table.columns if column.key]
    plain_columns = [column for column in table.columns if not column.key]
    columns = [*keys, *plain_columns][:COLUMNS_MAX]
    rows = "".join(_build_row(column, quiet) for column in columns)
    more = len(table.columns) - len(columns)
    if more:
        rows += f'<TR><TD ALIGN="LEFT"><FONT COLOR="{quiet}">{more} more</FONT></TD></TR>'
    return (
        f"{_build_id(table.name)} "
        f'[label=<<TABLE BORDER="1" COLOR="{line}" CELLBORDER="0" CELLSPACING="0" CELLPADDING="3">'
        f'<TR><TD ALIGN="LEFT" BGCOLOR="{head}"><B>{escape(table.name)}</B></TD></TR>{rows}</TABLE>>];'
    )


def _build_row(column: ColumnShown, quiet: str) -> str:
    name = escape(column.name)
    mark = {"primary": " key", "foreign": " refers"}.get(column.key, "")
    marked = f'{name}<FONT COLOR="{quiet}">{mark}</FONT>' if mark else name
    return f'<TR><TD ALIGN="LEFT">{marked}</TD></TR>'


def _build_id(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
