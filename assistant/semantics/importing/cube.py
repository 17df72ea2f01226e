"""Cube data models as YAML: cubes with joins, dimensions, measures.

Source: Cube's reference of the data model (cube.dev/docs), read directly.
"""

from __future__ import annotations

import re

from assistant.semantics.importing.building import (
    Imported,
    ModelDraft,
    Plain,
    a_field,
    context,
    list_mappings,
    qualify,
    to_text,
    translate_aggregate,
)
from knowledge.semantic.model import Dataset, MetricMore

_OWN = re.compile(r"\$?\{\s*CUBE\s*\}\.?")
_REFERENCE = re.compile(r"\$?\{\s*(\w+)(?:\.(\w+))?\s*\}")
_JOIN = re.compile(r"(\w+)\.(\w+)\s*=\s*(\w+)\.(\w+)")


def from_cube(content: Plain) -> Imported:
    """The semantic model of Cube's YAML.

    Raises:
        ImportFailed: It describes no table.
    """
    draft = ModelDraft()
    cubes = list_mappings(content.get("cubes"))
    for cube in cubes:
        if to_text(cube.get("sql")) and not to_text(cube.get("sql_table")):
            draft.left_out.append(f"cube {to_text(cube.get('name'))}: it is a query and no table")
            continue
        _cube(draft, cube)
    dataset_names = {dataset.name for dataset in draft.datasets}
    for cube in cubes:
        for join in list_mappings(cube.get("joins")):
            _join(draft, to_text(cube.get("name")), join, dataset_names)
    return draft.finished(to_text(content.get("name")) or "cube")


def _cube(draft: ModelDraft, cube: Plain) -> None:
    name = to_text(cube.get("name"))
    dimensions = list_mappings(cube.get("dimensions"))
    times = [to_text(d.get("name")) for d in dimensions if to_text(d.get("type")) == "time"]
    keys = [_sql(name, d) for d in dimensions if str(d.get("primary_key")).lower() == "true"]
    draft.datasets.append(
        Dataset(
            name=name,
            source=to_text(cube.get("sql_table")) or name,
            primary_key=tuple(key for key in keys if re.fullmatch(r"\w+", key)),
            description=to_text(cube.get("description")),
            ai_context=context(cube),
            fields=tuple(
                a_field(to_text(d.get("name")), _sql(name, d), d, is_time=to_text(d.get("name")) in times[:1])
                for d in dimensions
            ),
        )
    )
    time = f"{name}.{times[0]}" if times else ""
    for measure in list_mappings(cube.get("measures")):
        _measure(draft, name, measure, time, keys)


def _measure(draft: ModelDraft, cube: str, measure: Plain, time: str, keys: list[str]) -> None:
    name, kind = to_text(measure.get("name")), to_text(measure.get("type"))
    filters = tuple(qualify(cube, _own(to_text(entry.get("sql")))) for entry in list_mappings(measure.get("filters")))
    raw = to_text(measure.get("sql"))
    if kind == "number":
        formula = _REFERENCE.sub(lambda part: part[2] or part[1], _own(raw))
        draft.measure(name, formula, measure, MetricMore(type="derived"))
        return
    inner = qualify(cube, _own(raw)) if raw else f"{cube}.{keys[0]}" if keys else "*"
    sql = translate_aggregate(kind, inner)
    if sql is None or "{" in sql:
        draft.left_out.append(f"measure {name}: its type {kind!r} or its SQL is not known")
        return
    draft.measure(name, sql, measure, MetricMore(time=time, filters=filters))


def _join(draft: ModelDraft, start: str, join: Plain, dataset_names: set[str]) -> None:
    end, relation = (
        to_text(join.get("name")),
        to_text(join.get("relationship")).replace("belongsTo", "many_to_one"),
    )
    condition = _REFERENCE.sub(
        lambda part: f"{part[1]}.{part[2]}" if part[2] else part[1], _OWN.sub(f"{start}.", to_text(join.get("sql")))
    )
    match = _JOIN.search(condition)
    if match is None or not {start, end} <= dataset_names:
        draft.left_out.append(f"join {start} to {end}: it is no equality of two columns of tables")
        return
    sides = {match[1]: match[2], match[3]: match[4]}
    if start not in sides or end not in sides:
        draft.left_out.append(f"join {start} to {end}: it names other tables")
    elif relation in ("many_to_one", "one_to_one", "belongs_to"):
        draft.relate(start, end, [(sides[start], sides[end])])
    else:
        draft.relate(end, start, [(sides[end], sides[start])])


def _sql(cube: str, dimension: Plain) -> str:
    del cube
    return _own(to_text(dimension.get("sql"))) or to_text(dimension.get("name"))


def _own(sql: str) -> str:
    return _OWN.sub("", sql)
