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
    contents: list[Plain] = [content for file in files if isinstance(content := _loaded(file), dict)]
    return _Project(contents=contents, draft=ModelDraft()).imported(_name(folder, contents))


def _loaded(file: Path) -> Any:
    try:
        return load_plain(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, DocumentMalformed) as error:
        raise ImportFailed(
            f"{file.name!r} cannot be read as YAML: {to_text(error)[:200]}. Fix it, then import again."
        ) from None


def _name(folder: Path, contents: list[Plain]) -> str:
    names = (to_text(content["name"]) for content in contents if "profile" in content or "model-paths" in content)
    return next(names, folder.resolve().name)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Project:
    contents: list[Plain]
    draft: ModelDraft

    def imported(self, name: str) -> Imported:
        semantic = list(self._all("semantic_models"))
        covered = {_table(semantic_model) for semantic_model in semantic}
        for semantic_model in semantic:
            self.draft.datasets.append(self._dataset(semantic_model))
        for model in self._all("models"):
            if to_text(model.get("name")) not in covered and list_items(model.get("columns")):
                self.draft.datasets.append(self._plain(model))
        self._entities(semantic)
        self._tests()
        measures = self._measures(semantic)
        for metric in self._all("metrics"):
            self._metric(metric, measures)
        return self.draft.finished(name)

    def _all(self, key: str) -> Iterator[Plain]:
        for content in self.contents:
            yield from list_mappings(content.get(key))

    # --- tables ---

    def _dataset(self, model: Plain) -> Dataset:
        described = {
            to_text(c.get("name")): c
            for m in self._all("models")
            if to_text(m.get("name")) == _table(model)
            for c in list_mappings(m.get("columns"))
        }
        time = to_text((model.get("defaults") or {}).get("agg_time_dimension"))
        fields: dict[str, ModelField] = {}
        for dimension in list_mappings(model.get("dimensions")):
            name = to_text(dimension.get("name"))
            sql = to_text(dimension.get("expr")) or name
            properties = {**described.get(sql, {}), **dimension}
            is_time = to_text(dimension.get("type")) == "time" and name == (time or name)
            fields[name] = a_field(name, sql, properties, is_time=is_time)
        for entity in list_mappings(model.get("entities")):
            name = to_text(entity.get("name"))
            fields.setdefault(name, a_field(name, to_text(entity.get("expr")) or name, entity, role="key"))
        keys = [
            to_text(e.get("expr")) or to_text(e.get("name"))
            for e in list_mappings(model.get("entities"))
            if to_text(e.get("type")) == "primary"
        ]
        return Dataset(
            name=to_text(model.get("name")),
            source=_table(model),
            primary_key=tuple(keys[:1]),
            description=to_text(model.get("description")),
            ai_context=context(model),
            fields=tuple(fields.values()),
        )

    def _plain(self, model: Plain) -> Dataset:
        name = to_text(model.get("name"))
        columns = list_mappings(model.get("columns"))
        unique = [to_text(c.get("name")) for c in columns if {"unique", "not_null"} <= set(_tests_of(c))]
        return Dataset(
            name=name,
            source=name,
            primary_key=tuple(unique[:1]),
            description=to_text(model.get("description")),
            fields=tuple(a_field(to_text(c.get("name")), to_text(c.get("name")), c) for c in columns),
        )

    def _entities(self, semantic: list[Plain]) -> None:
        """A foreign entity refers to the table that has it as its primary or unique one."""
        owners: dict[str, tuple[str, str]] = {}
        for model in semantic:
            for entity in list_mappings(model.get("entities")):
                if to_text(entity.get("type")) in ("primary", "unique", "natural"):
                    name = to_text(entity.get("name"))
                    owners.setdefault(name, (to_text(model.get("name")), to_text(entity.get("expr")) or name))
        for model in semantic:
            for entity in list_mappings(model.get("entities")):
                name = to_text(entity.get("name"))
                if to_text(entity.get("type")) == "foreign" and name in owners:
                    target, column = owners[name]
                    self.draft.relate(
                        to_text(model.get("name")), target, [(to_text(entity.get("expr")) or name, column)]
                    )

    def _tests(self) -> None:
        """`relationships` tests of columns, where no entity says the same."""
        datasets = {dataset.table: dataset.name for dataset in self.draft.datasets}
        for model in self._all("models"):
            for column in list_mappings(model.get("columns")):
                for test in list_mappings(column.get("tests")) + list_mappings(column.get("data_tests")):
                    relation = test.get("relationships")
                    if isinstance(relation, dict):
                        relation = relation.get("arguments", relation)
                        target = _REF.search(to_text(relation.get("to")))
                        start, end = to_text(model.get("name")), target[1] if target else ""
                        if (
                            start in datasets
                            and end in datasets
                            and not self._is_related(datasets[start], datasets[end])
                        ):
                            self.draft.relate(
                                datasets[start],
                                datasets[end],
                                [(to_text(column.get("name")), to_text(relation.get("field")))],
                            )

    def _is_related(self, start: str, end: str) -> bool:
        return any((r.start, r.end) == (start, end) for r in self.draft.relationships)

    # --- figures ---

    def _measures(self, semantic: list[Plain]) -> dict[str, tuple[str, MetricMore, Plain]]:
        """Every measure as an aggregate, with its time; those that dbt makes a metric of are metrics."""
        measures: dict[str, tuple[str, MetricMore, Plain]] = {}
        for model in semantic:
            dataset = to_text(model.get("name"))
            default = to_text((model.get("defaults") or {}).get("agg_time_dimension"))
            for measure in list_mappings(model.get("measures")):
                name = to_text(measure.get("name"))
                inner = to_text(measure.get("expr")) or name
                sql = translate_aggregate(to_text(measure.get("agg")), "*" if inner == "*" else qualify(dataset, inner))
                if inner == "1" and to_text(measure.get("agg")) in ("sum", "count"):
                    sql = f"COUNT({dataset}.{self._key(dataset)})"
                if sql is None:
                    self.draft.left_out.append(f"measure {name}: its aggregation {measure.get('agg')!r} is not known")
                    continue
                time = to_text(measure.get("agg_time_dimension")) or default
                flat = measure.get("non_additive_dimension")
                stock = isinstance(flat, dict) and to_text(flat.get("window_choice") or "min") == "max"
                measures[name] = (sql, MetricMore(time=f"{dataset}.{time}" if time else "", stock=stock), measure)
                if str(measure.get("create_metric")).lower() == "true":
                    self.draft.measure(name, sql, measure, measures[name][1])
        return measures

    def _key(self, dataset: str) -> str:
        dataset_entry = next(d for d in self.draft.datasets if d.name == dataset)
        return (
            dataset_entry.primary_key[0]
            if dataset_entry.primary_key
            else (dataset_entry.fields[0].name if dataset_entry.fields else "id")
        )

    def _metric(self, metric: Plain, measures: dict[str, tuple[str, MetricMore, Plain]]) -> None:
        name, params = to_text(metric.get("name")), metric.get("type_params") or {}
        filters = self._filters(metric.get("filter"), name)
        if filters is None:
            return
        match to_text(metric.get("type")):
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
        reference = measure if isinstance(measure, dict) else {"name": measure}
        own = self._filters(reference.get("filter"), name)
        definition = measures.get(to_text(reference.get("name")))
        if definition is None or own is None:
            self._left_out(name, f"there is no measure {to_text(reference.get('name'))!r}")
            return
        sql, more, properties = definition
        self.draft.metrics.pop(name, None)
        self.draft.measure(
            name,
            sql,
            metric,
            more.model_copy(update={"filters": (*filters, *own)}),
            description=to_text(metric.get("description") or properties.get("description")),
        )

    def _derived(self, metric: Plain, name: str, params: Plain, filters: tuple[str, ...]) -> None:
        sql = to_text(params.get("expr"))
        parts: list[Plain] = [
            part if isinstance(part, dict) else {"name": part} for part in list_items(params.get("metrics"))
        ]
        offset = next((part for part in parts if part.get("offset_window") or part.get("offset_to_grain")), None)
        if filters or any(part.get("filter") for part in parts) or not sql:
            self._left_out(name, "filters of a derived metric are not known")
        elif offset is not None:
            self._compared(metric, name, sql, parts, offset)
        else:
            for part in parts:
                if part.get("alias"):
                    sql = re.sub(rf"\b{re.escape(to_text(part['alias']))}\b", to_text(part["name"]), sql)
            self.draft.measure(name, sql, metric, MetricMore(type="derived"))

    def _compared(self, metric: Plain, name: str, sql: str, parts: list[Plain], offset: Plain) -> None:
        """A formula over a metric and the same some periods before: a difference or a growth."""
        window = _WINDOW.fullmatch(to_text(offset.get("offset_window")))
        current = next((part for part in parts if part is not offset), None)
        if window is None or current is None or to_text(current.get("name")) != to_text(offset.get("name")):
            self._left_out(name, "its offset is of another form than a number of periods of one metric")
            return
        now, before = (re.escape(to_text(part.get("alias") or part.get("name"))) for part in (current, offset))
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
            of=to_text(current.get("name")),
            periods=int(window[1]),
            compare="growth" if how == "growth" else "difference",
        )
        self.draft.measure(name, to_text(current.get("name")), metric, more)

    def _cumulative(
        self, metric: Plain, name: str, params: Plain, measures: dict[str, tuple[str, MetricMore, Plain]]
    ) -> None:
        more = params.get("cumulative_type_params") or {}
        measure = params.get("measure")
        of = to_text(measure.get("name") if isinstance(measure, dict) else measure)
        window = _WINDOW.fullmatch(to_text(params.get("window") or more.get("window")))
        if of not in measures or params.get("grain_to_date") or more.get("grain_to_date"):
            self._left_out(name, "a total within a longer period is not known")
            return
        sql, base, properties = measures[of]
        base_name = next(
            (n for n, m in self.draft.metrics.items() if m.expression.sql() == sql and not m.more.filters), of
        )
        self.draft.measure(base_name, sql, properties, base)
        grain = window[2] if window and window[2] in ("day", "month", "quarter", "year") else None
        self.draft.measure(
            name,
            base_name,
            metric,
            MetricMore.model_validate(
                {"type": "cumulative", "of": base_name, "periods": int(window[1]) if window else 0, "grain": grain}
            ),
        )

    def _input(self, reference: object, name: str) -> str:
        del name
        part = reference if isinstance(reference, dict) else {"name": reference}
        return "" if part.get("filter") else to_text(part.get("name"))

    def _filters(self, filters: object, name: str) -> tuple[str, ...] | None:
        """Filters with their Jinja calls as fields; None where one cannot be said so."""
        texts = [
            to_text(filter_text) for filter_text in (filters if isinstance(filters, list) else [filters]) if filter_text
        ]
        translated: list[str] = []
        for filter_text in texts:
            replaced = _CALL.sub(lambda call: self._called(call[1], call[2]), filter_text)
            if "{" in replaced:
                self._left_out(name, f"its filter {filter_text!r} holds what is not known")
                return None
            translated.append(replaced)
        return tuple(translated)

    def _called(self, kind: str, place: str) -> str:
        """`Dimension('order__status')` as the field of the table whose primary entity that is."""
        entity, _, name = place.rpartition("__")
        name = name if entity or kind != "Entity" else place
        entity = entity.rpartition("__")[2]
        for model in self._all("semantic_models"):
            entities = {
                to_text(e.get("name"))
                for e in list_mappings(model.get("entities"))
                if to_text(e.get("type")) in ("primary", "unique")
            }
            entities |= {to_text(model.get("primary_entity"))}
            if entity in entities:
                return f"{to_text(model.get('name'))}.{name}"
        return name

    def _left_out(self, name: str, why: str) -> None:
        self.draft.left_out.append(f"metric {name}: {why}")


def _table(model: Plain) -> str:
    reference = to_text(model.get("model"))
    match = _REF.search(reference)
    return match[1] if match else reference or to_text(model.get("name"))


def _tests_of(column: Plain) -> list[str]:
    tests = (*list_items(column.get("tests")), *list_items(column.get("data_tests")))
    return [to_text(next(iter(test))) if isinstance(test, dict) else to_text(test) for test in tests]
