"""LookML: views on tables with dimensions and measures, and the joins of explores.

Source: Looker's reference of LookML (cloud.google.com/looker/docs). The package `lkml` parses; `lookml_views` resolves
`extends` and refinements; Liquid and derived tables are left out and reported.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, cast

import lkml

from assistant.semantics.importing.building import (
    Imported,
    ImportFailed,
    ModelDraft,
    Plain,
    a_field,
    context,
    list_items,
    list_mappings,
    qualify,
    to_text,
    translate_aggregate,
)
from assistant.semantics.importing.lookml_views import resolve_views
from knowledge.semantic.model import Dataset, MetricMore, ModelField

SUFFIX = ".lkml"
_OWN = re.compile(r"\$\{TABLE\}\.")
_REFERENCE = re.compile(r"\$\{\s*(?:(\w+)\.)?(\w+)\s*\}")
_JOIN = re.compile(r"\s*(?:\$\{\s*)?(\w+)\.(\w+)(?:\s*\})?\s*=\s*(?:\$\{\s*)?(\w+)\.(\w+)(?:\s*\})?\s*")
_COLUMN = re.compile(r"\w+")
_NUMBER = re.compile(r"(>=|<=|<>|!=|=|>|<)?\s*(-?\d+(?:\.\d+)?)")
_PLAIN_WORD = re.compile(r"[^\W\d_][\w ./&]*")
_RESERVED = {"empty", "null", "not"}
_CONDITIONS = ("sql_always_where", "sql_always_having", "always_filter", "conditionally_filter", "access_filters")
_DEPTH_MAX = 10
_SQL_CHARS_MAX = 100_000
"""Dimensions that name others many times grow with every level; so long a text is given up."""
_Side: TypeAlias = tuple[str, Sequence[str | None]]
"""A view of a join, with its columns; None for a key that is no column."""


def from_lookml(path: Path) -> Imported:
    """The semantic model of a LookML file, or of all such files of a project's folder.

    Raises:
        ImportFailed: A file cannot be read, or none describes a table.
    """
    files = sorted(path.rglob(f"*{SUFFIX}")) if path.is_dir() else [path]
    parsed = [_parsed(file) for file in files]
    draft = ModelDraft()
    said_views = [view_entry for content in parsed for view_entry in list_mappings(content.get("views"))]
    views = {name: _View(view_entry) for name, view_entry in resolve_views(said_views).items()}
    tables = {name: view for name, view in views.items() if _is_table(draft, name, view)}
    names = Counter(to_text(measure.get("name")) for view in tables.values() for measure in view.measures)
    metrics = {
        (view, name): name if names[name] == 1 else f"{view}_{name}"
        for view, view_with_measures in tables.items()
        for name in (to_text(measure.get("name")) for measure in view_with_measures.measures)
    }
    for name, view in tables.items():
        _dataset(draft, name, view)
        for measure in view.measures:
            _measure(draft, name, view, measure, metrics)
    for content in parsed:
        for explore in list_mappings(content.get("explores")):
            _explore(draft, explore, tables)
    return draft.finished(path.stem.split(".")[0])


class _View:
    """A view, with what its names stand for."""

    def __init__(self, properties: Plain) -> None:
        self.said = properties
        self.measures = list_mappings(properties.get("measures"))
        self.groups = [
            group for group in list_mappings(properties.get("dimension_groups")) if to_text(group.get("type")) == "time"
        ]
        self.dimensions = list_mappings(properties.get("dimensions"))
        self._by_name = {to_text(field.get("name")): field for field in (*self.dimensions, *self.groups)}

    def dimension(self, name: str) -> Plain | None:
        """What is said of a dimension."""
        return self._by_name.get(name)

    def sql(self, properties: Plain, depth: int = 0) -> str | None:
        """The SQL of a dimension or measure over the view's own columns; None where it needs more than those."""
        sql = _OWN.sub("", to_text(properties.get("sql"))) or to_text(properties.get("name"))
        is_plain = depth < _DEPTH_MAX and "{%" not in sql and "{{" not in sql
        parts: dict[str, str] = {}
        for match in {reference[0]: reference for reference in _REFERENCE.finditer(sql)}.values() if is_plain else ():
            field = self._by_name.get(match[2]) if match[1] in (None, to_text(self.said.get("name"))) else None
            inner = self.sql(field, depth + 1) if field is not None else None
            if inner is None or len(inner) * len(sql) > _SQL_CHARS_MAX:
                return None
            parts[match[0]] = inner if _COLUMN.fullmatch(inner) else f"({inner})"
        return _REFERENCE.sub(lambda match: parts[match[0]], sql) if is_plain and _braced(sql) == len(parts) else None

    def column(self, name: str) -> str | None:
        """The column that a dimension is; a name that is no dimension is a column. None for an expression."""
        dimension = self._by_name.get(name)
        sql = self.sql(dimension) if dimension is not None else name
        return sql if sql is not None and _COLUMN.fullmatch(sql) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Filter:
    field: str
    value: str


def _parsed(file: Path) -> Plain:
    try:
        return cast("Plain", lkml.load(file.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, SyntaxError, RecursionError) as error:
        reason = " ".join(str(error).split())[:200]
        raise ImportFailed(f"{file.name!r} cannot be read as LookML: {reason}. Fix it, then import again.") from None


def _is_table(draft: ModelDraft, name: str, view: _View) -> bool:
    if name.startswith("+"):
        draft.left_out.append(f"view {name}: there is no view of that name that it could change")
    elif view.said.get("derived_table"):
        draft.left_out.append(f"view {name}: it is a query and no table")
    elif to_text(view.said.get("extension")) != "required":  # else it is a part of others, and nothing is lost
        return True
    return False


def _braced(sql: str) -> int:
    """How many different references a text holds, of whatever form."""
    return len(set(re.findall(r"\$\{[^}]*\}?", sql)))


def _dataset(draft: ModelDraft, name: str, view: _View) -> None:
    fields: list[ModelField] = []
    for dimension in (*view.dimensions, *view.groups):
        sql = view.sql(dimension)
        if sql is None:
            draft.left_out.append(
                f"dimension {name}.{to_text(dimension.get('name'))}: its SQL needs more than its table"
            )
            continue
        is_time = bool(view.groups) and dimension is view.groups[0]
        fields.append(a_field(to_text(dimension.get("name")), sql, dimension, is_time=is_time))
    draft.datasets.append(
        Dataset(
            name=name,
            source=to_text(view.said.get("sql_table_name")).replace("`", "") or name,
            primary_key=tuple(_keys(view)),
            description=to_text(view.said.get("description")),
            ai_context=context(view.said),
            fields=tuple(fields),
        )
    )


def _keys(view: _View) -> list[str]:
    names = [
        to_text(dimension.get("name"))
        for dimension in view.dimensions
        if to_text(dimension.get("primary_key")) == "yes"
    ]
    return [column for name in names if (column := view.column(name)) is not None]


def _measure(draft: ModelDraft, name: str, view: _View, measure: Plain, metrics: dict[tuple[str, str], str]) -> None:
    own, kind = to_text(measure.get("name")), to_text(measure.get("type"))
    metric = metrics[name, own]
    if kind == "number":
        formula = _formula(name, to_text(measure.get("sql")), metrics)
        if formula is None:
            draft.left_out.append(f"measure {name}.{own}: its formula holds more than measures")
        else:
            draft.measure(metric, formula, measure, MetricMore(type="derived"))
        return
    keys = _keys(view)
    inner = view.sql(measure) if measure.get("sql") else keys[0] if keys and kind == "count" else None
    counted = f"COUNT({name}.{keys[0]})" if keys else "COUNT(*)"
    sql = counted if kind == "count" else translate_aggregate(kind, qualify(name, inner)) if inner else None
    conditions = [_condition(name, view, entry) for entry in _filters(measure)]
    if sql is None or None in conditions:
        draft.left_out.append(f"measure {name}.{own}: its type {kind!r}, its SQL or its filter is not known")
        return
    time = f"{name}.{to_text(view.groups[0].get('name'))}" if view.groups else ""
    draft.measure(metric, sql, measure, MetricMore(time=time, filters=tuple(entry for entry in conditions if entry)))


def _formula(view: str, sql: str, metrics: dict[tuple[str, str], str]) -> str | None:
    """A formula over metrics; None where it names something else."""
    references = list(_REFERENCE.finditer(sql))
    is_resolvable = all((reference[1] or view, reference[2]) in metrics for reference in references)
    if (
        not is_resolvable
        or "{%" in sql
        or "{{" in sql
        or not references
        or _braced(sql) != len({reference[0] for reference in references})
    ):
        return None
    return _REFERENCE.sub(lambda reference: metrics[reference[1] or view, reference[2]], sql)


def _filters(measure: Plain) -> list[_Filter]:
    """The filters of a measure, in both ways to write them."""
    filters: list[_Filter] = []
    for group in list_items(measure.get("filters__all")):
        for entry in list_mappings(group) if isinstance(group, list) else [cast("Plain", group)]:
            if set(entry) == {"field", "value"}:
                filters.append(_Filter(field=to_text(entry["field"]), value=to_text(entry["value"])))
            else:
                filters += [_Filter(field=to_text(field), value=to_text(value)) for field, value in entry.items()]
    return filters


def _condition(name: str, view: _View, condition: _Filter) -> str | None:
    """A filter as SQL; None for what only Looker's language of filters can say, as "7 days" or "-a%"."""
    dimension = view.dimension(condition.field.removeprefix(f"{name}."))
    sql = view.sql(dimension) if dimension is not None else None
    if dimension is None or sql is None:
        return None
    column, kind, value = qualify(name, sql), to_text(dimension.get("type")) or "string", condition.value
    if kind == "yesno":
        return {"yes": f"({column})", "no": f"NOT ({column})"}.get(value.lower())
    if kind == "number":
        compared = _NUMBER.fullmatch(value)
        return f"({column}) {compared[1] or '='} {compared[2]}" if compared else None
    words = [word.strip() for word in value.split(",")]
    if kind != "string" or any(_PLAIN_WORD.fullmatch(w) is None or w.split()[0].lower() in _RESERVED for w in words):
        return None
    listed = ", ".join(f"'{word}'" for word in words)
    return f"({column}) IN ({listed})"


def _explore(draft: ModelDraft, explore: Plain, tables: dict[str, _View]) -> None:
    name = to_text(explore.get("name"))
    draft.left_out += [f"explore {name}: its {key} is applied to no metric" for key in _CONDITIONS if key in explore]
    renamed = to_text(explore.get("from")) or to_text(explore.get("view_name")) or name
    for join in list_mappings(explore.get("joins")):
        end, sql = to_text(join.get("name")), to_text(join.get("sql_on"))
        pairs = [_JOIN.fullmatch(part) for part in re.split(r"\sand\s", sql, flags=re.IGNORECASE)]
        join_sides = [side for pair in pairs if pair for side in ((pair[1], pair[2]), (pair[3], pair[4]))]
        sides = [(renamed if view == name else view, column) for view, column in join_sides]
        starts = {view for view, _ in sides} - {end}
        aliased = join.get("from") or name.startswith("+")
        if None in pairs or aliased or len(starts) != 1 or not {end, *starts} <= set(tables):
            unknown_tables = sorted({end, *starts} - set(tables))
            why = (
                f"{unknown_tables[0]} is no table here"
                if unknown_tables
                else "it is no equality of columns of two tables"
            )
            draft.left_out.append(f"join {name} to {end}: {why}")
            continue
        start = starts.pop()
        start_columns, end_columns = (
            [tables[view].column(name) for view, name in sides if view == side] for side in (start, end)
        )
        _join(draft, (start, start_columns), (end, end_columns), to_text(join.get("relationship")) or "many_to_one")


def _join(draft: ModelDraft, start_side: _Side, end_side: _Side, relation: str) -> None:
    (start, start_columns), (end, end_columns) = start_side, end_side
    pairs = [(a, b) for a, b in zip(start_columns, end_columns, strict=False) if a is not None and b is not None]
    if len(start_columns) != len(end_columns) or len(pairs) != len(start_columns) or relation == "many_to_many":
        draft.left_out.append(
            f"join {start} to {end}: its keys are no columns, or it reaches many rows from both sides"
        )
    elif relation == "one_to_many":
        _relate(draft, end, start, [(b, a) for a, b in pairs])
    else:
        _relate(draft, start, end, pairs)


def _relate(draft: ModelDraft, start: str, end: str, pairs: list[tuple[str, str]]) -> None:
    """Add a relationship once: several explores may hold the same join."""
    start_columns, end_columns = [a for a, _ in pairs], [b for _, b in pairs]
    existing = ((r.start, r.end, list(r.from_columns), list(r.to_columns)) for r in draft.relationships)
    if (start, end, start_columns, end_columns) not in existing:
        draft.relate(start, end, pairs)
