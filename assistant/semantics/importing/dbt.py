"""dbt projects: `schema.yml` (models, columns, tests) and the semantic layer (semantic models, measures, metrics).

Source: the dbt Semantic Layer's specification of semantic models and metrics (docs.getdbt.com), read directly.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.semantics.importing.building import (
    Draft,
    Imported,
    ImportFailed,
    Plain,
    a_field,
    aggregate,
    context,
    items,
    mappings,
    qualified,
    text,
)
from knowledge.errors import DocumentMalformed
from knowledge.semantic.model import Dataset, MetricMore, ModelField
from knowledge.sources.entries import load_plain

_REF = re.compile(r"""ref\(\s*(?:['"][^'"]+['"]\s*,\s*)?['"]([^'"]+)['"]\s*\)""")
_CALL = re.compile(r"""\{\{\s*(Dimension|TimeDimension|Entity|Metric)\(\s*['"]([^'"]+)['"][^)]*\)\s*\}\}""")
_WINDOW = re.compile(r"(\d+)\s+(day|week|month|quarter|year)s?")


def from_dbt(folder: Path) -> Imported:
    """The semantic model of a dbt project, or of a folder of its YAML files.

    Raises:
        ImportFailed: Nothing in it describes a table.
    """
    files = sorted(p for p in folder.rglob("*.y*ml") if not {"target", "dbt_packages"} & set(p.parts))
    contents: list[Plain] = [found for file in files if isinstance(found := _loaded(file), dict)]
    return _Project(contents=contents, draft=Draft()).imported(_name(folder, contents))


def _loaded(file: Path) -> Any:
    try:
        return load_plain(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, DocumentMalformed) as error:
        raise ImportFailed(
            f"{file.name!r} cannot be read as YAML: {text(error)[:200]}. Mend it, and import again."
        ) from None


def _name(folder: Path, contents: list[Plain]) -> str:
    named = (text(found["name"]) for found in contents if "profile" in found or "model-paths" in found)
    return next(named, folder.resolve().name)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Project:
    contents: list[Plain]
    draft: Draft

    def imported(self, name: str) -> Imported:
        semantic = list(self._all("semantic_models"))
        covered = {_table(one) for one in semantic}
        for one in semantic:
            self.draft.datasets.append(self._dataset(one))
        for model in self._all("models"):
            if text(model.get("name")) not in covered and items(model.get("columns")):
                self.draft.datasets.append(self._plain(model))
        self._entities(semantic)
        self._tests()
        measures = self._measures(semantic)
        for metric in self._all("metrics"):
            self._metric(metric, measures)
        return self.draft.finished(name)

    def _all(self, key: str) -> Iterator[Plain]:
        for found in self.contents:
            yield from mappings(found.get(key))

    # --- tables ---

    def _dataset(self, one: Plain) -> Dataset:
        described = {
            text(c.get("name")): c
            for m in self._all("models")
            if text(m.get("name")) == _table(one)
            for c in mappings(m.get("columns"))
        }
        time = text((one.get("defaults") or {}).get("agg_time_dimension"))
        fields: dict[str, ModelField] = {}
        for dimension in mappings(one.get("dimensions")):
            name = text(dimension.get("name"))
            sql = text(dimension.get("expr")) or name
            said = {**described.get(sql, {}), **dimension}
            is_time = text(dimension.get("type")) == "time" and name == (time or name)
            fields[name] = a_field(name, sql, said, is_time=is_time)
        for entity in mappings(one.get("entities")):
            name = text(entity.get("name"))
            fields.setdefault(name, a_field(name, text(entity.get("expr")) or name, entity, role="key"))
        keys = [
            text(e.get("expr")) or text(e.get("name"))
            for e in mappings(one.get("entities"))
            if text(e.get("type")) == "primary"
        ]
        return Dataset(
            name=text(one.get("name")),
            source=_table(one),
            primary_key=tuple(keys[:1]),
            description=text(one.get("description")),
            ai_context=context(one),
            fields=tuple(fields.values()),
        )

    def _plain(self, model: Plain) -> Dataset:
        name = text(model.get("name"))
        columns = mappings(model.get("columns"))
        unique = [text(c.get("name")) for c in columns if {"unique", "not_null"} <= set(_tests_of(c))]
        return Dataset(
            name=name,
            source=name,
            primary_key=tuple(unique[:1]),
            description=text(model.get("description")),
            fields=tuple(a_field(text(c.get("name")), text(c.get("name")), c) for c in columns),
        )

    def _entities(self, semantic: list[Plain]) -> None:
        """A foreign entity refers to the table that has it as its primary or unique one."""
        owners: dict[str, tuple[str, str]] = {}
        for one in semantic:
            for entity in mappings(one.get("entities")):
                if text(entity.get("type")) in ("primary", "unique", "natural"):
                    name = text(entity.get("name"))
                    owners.setdefault(name, (text(one.get("name")), text(entity.get("expr")) or name))
        for one in semantic:
            for entity in mappings(one.get("entities")):
                name = text(entity.get("name"))
                if text(entity.get("type")) == "foreign" and name in owners:
                    target, column = owners[name]
                    self.draft.relate(text(one.get("name")), target, [(text(entity.get("expr")) or name, column)])

    def _tests(self) -> None:
        """`relationships` tests of columns, where no entity says the same."""
        known = {dataset.table: dataset.name for dataset in self.draft.datasets}
        for model in self._all("models"):
            for column in mappings(model.get("columns")):
                for told in mappings(column.get("tests")) + mappings(column.get("data_tests")):
                    said = told.get("relationships")
                    if isinstance(said, dict):
                        said = said.get("arguments", said)
                        target = _REF.search(text(said.get("to")))
                        start, end = text(model.get("name")), target[1] if target else ""
                        if start in known and end in known and not self._is_related(known[start], known[end]):
                            self.draft.relate(
                                known[start], known[end], [(text(column.get("name")), text(said.get("field")))]
                            )

    def _is_related(self, start: str, end: str) -> bool:
        return any((r.start, r.end) == (start, end) for r in self.draft.relationships)

    # --- figures ---

    def _measures(self, semantic: list[Plain]) -> dict[str, tuple[str, MetricMore, Plain]]:
        """Every measure as an aggregate, with its time; those that dbt makes a metric of are metrics."""
        found: dict[str, tuple[str, MetricMore, Plain]] = {}
        for one in semantic:
            dataset = text(one.get("name"))
            default = text((one.get("defaults") or {}).get("agg_time_dimension"))
            for measure in mappings(one.get("measures")):
                name = text(measure.get("name"))
                inner = text(measure.get("expr")) or name
                sql = aggregate(text(measure.get("agg")), "*" if inner == "*" else qualified(dataset, inner))
                if inner == "1" and text(measure.get("agg")) in ("sum", "count"):
                    sql = f"COUNT({dataset}.{self._key(dataset)})"
                if sql is None:
                    self.draft.left_out.append(f"measure {name}: its aggregation {measure.get('agg')!r} is not known")
                    continue
                time = text(measure.get("agg_time_dimension")) or default
                flat = measure.get("non_additive_dimension")
                stock = isinstance(flat, dict) and text(flat.get("window_choice") or "min") == "max"
                found[name] = (sql, MetricMore(time=f"{dataset}.{time}" if time else "", stock=stock), measure)
                if str(measure.get("create_metric")).lower() == "true":
                    self.draft.measure(name, sql, measure, found[name][1])
        return found

    def _key(self, dataset: str) -> str:
        found = next(d for d in self.draft.datasets if d.name == dataset)
        return found.primary_key[0] if found.primary_key else (found.fields[0].name if found.fields else "id")

    def _metric(self, metric: Plain, measures: dict[str, tuple[str, MetricMore, Plain]]) -> None:
        name, params = text(metric.get("name")), metric.get("type_params") or {}
        filters = self._filters(metric.get("filter"), name)
        if filters is None:
            return
        match text(metric.get("type")):
            case "simple":
                self._simple(metric, name, params.get("measure"), filters, measures)
            case "ratio":
                top, bottom = (self._input(params.get(part), name) for part in ("numerator", "denominator"))
                if top and bottom and not filters:
                    self.draft.measure(name, f"{top} / {bottom}", metric, MetricMore(type="ratio"))
                else:
                    self._left_out(name, "filters of its parts are not known")
            case "derived":
                self._derived(metric, name, params, filters)
            case "cumulative":
                self._cumulative(metric, name, params, measures)
            case kind:
                self._left_out(name, f"a metric of type {kind!r} is not known")

    def _simple(
        self,
        metric: Plain,
        name: str,
        measure: object,
        filters: tuple[str, ...],
        measures: dict[str, tuple[str, MetricMore, Plain]],
    ) -> None:
        said = measure if isinstance(measure, dict) else {"name": measure}
        own = self._filters(said.get("filter"), name)
        found = measures.get(text(said.get("name")))
        if found is None or own is None:
            self._left_out(name, f"there is no measure {text(said.get('name'))!r}")
            return
        sql, more, told = found
        self.draft.metrics.pop(name, None)
        self.draft.measure(
            name,
            sql,
            metric,
            more.model_copy(update={"filters": (*filters, *own)}),
            description=text(metric.get("description") or told.get("description")),
        )

    def _derived(self, metric: Plain, name: str, params: Plain, filters: tuple[str, ...]) -> None:
        sql = text(params.get("expr"))
        parts: list[Plain] = [one if isinstance(one, dict) else {"name": one} for one in items(params.get("metrics"))]
        offset = next((one for one in parts if one.get("offset_window") or one.get("offset_to_grain")), None)
        if filters or any(one.get("filter") for one in parts) or not sql:
            self._left_out(name, "filters of a derived metric are not known")
        elif offset is not None:
            self._compared(metric, name, sql, parts, offset)
        else:
            for one in parts:
                if one.get("alias"):
                    sql = re.sub(rf"\b{re.escape(text(one['alias']))}\b", text(one["name"]), sql)
            self.draft.measure(name, sql, metric, MetricMore(type="derived"))

    def _compared(self, metric: Plain, name: str, sql: str, parts: list[Plain], offset: Plain) -> None:
        """A formula over a metric and the same some periods before: a difference or a growth."""
        window = _WINDOW.fullmatch(text(offset.get("offset_window")))
        other = next((one for one in parts if one is not offset), None)
        if window is None or other is None or text(other.get("name")) != text(offset.get("name")):
            self._left_out(name, "its offset is of another form than a number of periods of one metric")
            return
        now, before = (re.escape(text(one.get("alias") or one.get("name"))) for one in (other, offset))
        squeezed = re.sub(r"\s|nullif\(|,0\)|::\w+", "", sql.lower())
        squeezed = re.sub(r"^\((.*)\)$", r"\1", re.sub(r"\*100(\.0)?|^100(\.0)?\*", "", squeezed))
        growth = rf"\(?{now}-{before}\)?/{before}|\(?{now}/{before}\)?-1".lower()
        how = (
            "growth"
            if re.fullmatch(growth, squeezed)
            else "difference"
            if re.fullmatch(f"{now}-{before}".lower(), squeezed)
            else ""
        )
        if not how:
            self._left_out(name, f"{sql!r} is no difference and no growth")
            return
        more = MetricMore(
            type="period_over_period",
            of=text(other.get("name")),
            periods=int(window[1]),
            compare="growth" if how == "growth" else "difference",
        )
        self.draft.measure(name, text(other.get("name")), metric, more)

    def _cumulative(
        self, metric: Plain, name: str, params: Plain, measures: dict[str, tuple[str, MetricMore, Plain]]
    ) -> None:
        more = params.get("cumulative_type_params") or {}
        measure = params.get("measure")
        of = text(measure.get("name") if isinstance(measure, dict) else measure)
        window = _WINDOW.fullmatch(text(params.get("window") or more.get("window")))
        if of not in measures or params.get("grain_to_date") or more.get("grain_to_date"):
            self._left_out(name, "a total within a longer period is not known")
            return
        sql, base, told = measures[of]
        base_name = next(
            (n for n, m in self.draft.metrics.items() if m.expression.sql() == sql and not m.more.filters), of
        )
        self.draft.measure(base_name, sql, told, base)
        grain = window[2] if window and window[2] in ("day", "month", "quarter", "year") else None
        self.draft.measure(
            name,
            base_name,
            metric,
            MetricMore.model_validate(
                {"type": "cumulative", "of": base_name, "periods": int(window[1]) if window else 0, "grain": grain}
            ),
        )

    def _input(self, said: object, name: str) -> str:
        del name
        part = said if isinstance(said, dict) else {"name": said}
        return "" if part.get("filter") else text(part.get("name"))

    def _filters(self, said: object, name: str) -> tuple[str, ...] | None:
        """Filters with their Jinja calls as fields; None where one cannot be said so."""
        texts = [text(one) for one in (said if isinstance(said, list) else [said]) if one]
        found: list[str] = []
        for one in texts:
            written = _CALL.sub(lambda call: self._called(call[1], call[2]), one)
            if "{" in written:
                self._left_out(name, f"its filter {one!r} holds what is not known")
                return None
            found.append(written)
        return tuple(found)

    def _called(self, kind: str, place: str) -> str:
        """`Dimension('order__status')` as the field of the table whose primary entity that is."""
        entity, _, name = place.rpartition("__")
        name = name if entity or kind != "Entity" else place
        entity = entity.rpartition("__")[2]
        for one in self._all("semantic_models"):
            entities = {
                text(e.get("name"))
                for e in mappings(one.get("entities"))
                if text(e.get("type")) in ("primary", "unique")
            }
            entities |= {text(one.get("primary_entity"))}
            if entity in entities:
                return f"{text(one.get('name'))}.{name}"
        return name

    def _left_out(self, name: str, why: str) -> None:
        self.draft.left_out.append(f"metric {name}: {why}")


def _table(one: Plain) -> str:
    said = text(one.get("model"))
    found = _REF.search(said)
    return found[1] if found else said or text(one.get("name"))


def _tests_of(column: Plain) -> list[str]:
    found = (*items(column.get("tests")), *items(column.get("data_tests")))
    return [text(next(iter(one))) if isinstance(one, dict) else text(one) for one in found]
