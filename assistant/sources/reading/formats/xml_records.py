"""XML files as tables: elements that occur several times under one parent are rows.

Attributes and single elements inside a row are its columns; elements that repeat inside it are rows of a table of their
own, which names the row they belong to. Entities and external documents are not read. The notebook contains this code,
so nothing of Tandem is imported.
"""

from __future__ import annotations

from collections import Counter, deque
from typing import Any, TypeAlias, cast

import pyarrow as pa
from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]  # it is compiled, without stubs

Path: TypeAlias = tuple[str, ...]
Row: TypeAlias = dict[str, str]
_DEPTH_MAX = 30
_KEYS = ("id", "key", "code", "number", "no", "nr", "uuid")
_COLUMNS_MAX = 5_000


def read_tables(file: str) -> list[tuple[str, Any]]:
    """The tables of a file, all values as text.

    Raises:
        ValueError: It is no XML, damaged, or declares entities.
    """
    parser: Any = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True, remove_pis=True
    )
    try:
        tree = etree.parse(file, parser)
    except (etree.XMLSyntaxError, OSError) as problem:
        raise ValueError(f"cannot be read as XML: {str(problem).rstrip('. ')}. Check that the file is whole") from None
    declared: Any = tree.docinfo.internalDTD
    if declared is not None and any(True for _ in declared.iterentities()):
        raise ValueError("declares entities, which are not read. Save it without them")
    root: Any = tree.getroot()
    repeated = sorted(_repeated(root), key=len)  # a row's table comes before those of what is in it
    tables: dict[Path, list[Row]] = {path: [] for path in repeated} or {(_name(root),): []}
    if repeated:
        _collect(root, (_name(root),), tables, "", "")
    else:
        tables[(_name(root),)].append(_row(root, (_name(root),), set()))
    for path, rows in tables.items():
        _refer_by_key(path, rows, tables)
    filled = {path: rows for path, rows in tables.items() if any(rows)}
    if not filled:
        raise ValueError("has no element that holds a value")
    return [(path[-1], _table(rows)) for path, rows in filled.items()]


def _repeated(root: Any) -> list[Path]:
    """The paths of elements of which one parent has several, in the order of the file."""
    repeated: dict[Path, None] = {}
    pending: deque[tuple[Any, Path]] = deque([(root, (_name(root),))])
    while pending:
        element, path = pending.popleft()
        if len(path) > _DEPTH_MAX:
            raise ValueError(f"has elements inside each other more than {_DEPTH_MAX} deep")
        names = Counter(map(_name, element))
        repeated |= {(*path, name): None for name, count in names.items() if count > 1}
        pending += [(child, (*path, _name(child))) for child in element]
    return list(repeated)


def _collect(element: Any, path: Path, tables: dict[Path, list[Row]], parent: str, number: str) -> None:
    """Add the rows in an element; `parent` names the table of the row around it, and `number` that row."""
    if path in tables:
        row = _row(element, path, set(tables))
        rows = tables[path]
        own = f"{path[-1]}_row"
        if any(other[: len(path)] == path and other != path for other in tables):
            row = {own: str(len(rows) + 1), **row}
        rows.append({parent: number, **row} if parent else row)
        parent, number = own, str(len(rows))
    for child in element:
        _collect(child, (*path, _name(child)), tables, parent, number)


def _refer_by_key(path: Path, rows: list[Row], tables: dict[Path, list[Row]]) -> None:
    """Let rows name the row they belong to by its key, where it has one, instead of its number."""
    own = f"{path[-1]}_row"
    key = next((name for name in _KEYS if rows and len({row.get(name) for row in rows} - {None}) == len(rows)), "")
    if not key or own not in rows[0]:
        return
    for row in (row for other, inner in tables.items() if other[: len(path)] == path != other for row in inner):
        if own in row:
            number = row.pop(own)
            rest = dict(row)
            row.clear()
            row.update({f"{path[-1]}_{key}": rows[int(number) - 1][key], **rest})
    for row in rows:
        del row[own]


def _row(element: Any, path: Path, repeated: set[Path]) -> Row:
    """The attributes, the text and the single elements of an element, by their names joined."""
    row: Row = {}

    def add(inner: Any, inner_path: Path, names: Path) -> None:
        for name, value in inner.attrib.items():
            row["_".join((*names, _local(name)))] = value
        text = " ".join((inner.text or "").split())
        if text:
            row["_".join(names) or "value"] = text
        for child in inner:
            child_path = (*inner_path, _name(child))
            if child_path not in repeated:
                add(child, child_path, (*names, _name(child)))

    add(element, path, ())
    if len(row) > _COLUMNS_MAX:
        raise ValueError(f"has an element with more than {_COLUMNS_MAX:,} values")
    return row


def _table(rows: list[Row]) -> Any:
    names = list(dict.fromkeys(name for row in rows for name in row))
    return pa.table({name: pa.array([row.get(name) for row in rows], pa.string()) for name in names})


def _name(element: Any) -> str:
    return _local(cast("str", element.tag))


def _local(name: str) -> str:
    """A name without its namespace."""
    return name.rpartition("}")[2]
