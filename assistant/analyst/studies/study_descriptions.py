"""What a study found, in words: from the table that its Python step gave, with what the figures do not say.

The sentences are in `lexicon/studies.yaml`; this module chooses them and fills them in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from string import Template
from typing import TypeAlias

from assistant.analyst.algebra import Metric
from assistant.analyst.lexicon.files import section
from assistant.analyst.meaning import FunctionCall, Meaning, Study, StudyKind
from assistant.analyst.presenting.answers import AnswerRows

_SURE = 0.05
_NAMED_MAX = 3
StudyText = tuple[str, tuple[str, ...]]
_Row: TypeAlias = Mapping[str, object]
_Telling: TypeAlias = tuple[str, tuple[str, ...], _Row]
"""The names of the sentence and of the remarks, and what stands in them."""


class _Figure(float):
    """A number that is written as people write it, unless a format is asked for."""

    def __format__(self, spec: str) -> str:
        if spec:
            return super().__format__(spec)
        if self.is_integer() or abs(self) >= 1_000:
            return super().__format__(",.0f")
        return super().__format__(",.2f" if abs(self) >= 0.01 else ".2g")


def describe_study(meaning: Meaning, result: AnswerRows) -> StudyText:
    """The answer in Markdown, and remarks."""
    study = meaning.study
    assert study is not None, "it is a query otherwise"
    if study.call is not None:
        return _of_function(study, study.call, result)
    rows = [dict(zip(result.columns, row, strict=True)) for row in result.rows]
    text, remarks, values = _TELLERS[study.kind](study, rows)
    values = {"subject": study.subject, "grain": study.grain, "unit": _unit(study), **values}
    p_value = _number(values.get("p-value"))
    values["chance"] = "p < 0.001" if p_value < 0.001 else f"p = {p_value:.3f}"
    return _said(study.kind, text, values), tuple(_said(study.kind, remark, values) for remark in remarks)


def _of_function(study: Study, call: FunctionCall, result: AnswerRows) -> StudyText:
    """The answer of a tested function: the words of its YAML, with the values of the first row."""
    first = dict(zip(result.columns, result.rows[0], strict=True)) if result.rows else {}
    names = {name for name, _ in call.inputs} - {*call.values}  # a number that names something is no figure
    cells = {name: value if name in names else _value(value) for name, value in first.items()}
    values = {name.replace(" ", "_"): f"{value}" for name, value in cells.items()}
    values |= {"subject": study.subject, "n": f"{result.total:,}"}
    if not result.rows:
        return _said("function", "none", values), ()
    return Template(call.answer).safe_substitute(values), ()


def _said(kind: StudyKind, name: str, values: _Row) -> str:
    return str(section("studies", kind)[name]).format_map({key: _value(value) for key, value in values.items()})


def _measures(rows: Sequence[_Row]) -> dict[str, _Figure]:
    """The result by names, where it is a list of measures with values."""
    return {str(name): _number(value) for name, value, *_ in (row.values() for row in rows)}


def _clear(values: _Row) -> str:
    return "clear" if _number(values["p-value"]) < _SURE else "unclear"


def _trend(study: Study, rows: Sequence[_Row]) -> _Telling:
    measures = _measures(rows)
    slope = measures[f"change per {study.grain}"]
    values = {
        "way": "rises" if slope > 0 else "falls",
        "per": _Figure(abs(slope)),
        "n": measures[f"{study.grain}s"],
        **measures,
    }
    remarks = (
        "whole",
        *("seasonal",) * bool(measures["seasonal"]),
        *("gaps",) * bool(measures["without rows"]),
        "limits",
    )
    return _clear(values), remarks, values


def _forecast(study: Study, rows: Sequence[_Row]) -> _Telling:
    lines = (_said("forecast", "line", {"unit": _unit(study), **row}) for row in rows)
    return "text", ("way", "range"), {"lines": "; ".join(lines), **rows[0]}


def _correlation(study: Study, rows: Sequence[_Row]) -> _Telling:
    measures = _measures(rows)
    r = measures["correlation r"]
    strength = "strong" if abs(r) >= 0.7 else "moderate" if abs(r) >= 0.4 else "weak"
    values = {"strength": strength, "way": "more" if r > 0 else "less", **measures}
    return _clear(values), ("pairs", *("left out",) * bool(measures["left out"]), "limits"), values


def _distribution(study: Study, rows: Sequence[_Row]) -> _Telling:
    measures = _measures(rows)
    remarks = (*("missing",) * bool(measures["missing"]), *("skewed",) * (abs(measures["skewness"]) > 1))
    return "text", remarks, {"side": "high" if measures["skewness"] > 0 else "low", **measures}


def _outliers(study: Study, rows: Sequence[_Row]) -> _Telling:
    first = rows[0]
    if not first["unusual"]:
        return "none", (), first
    value = [name for name in first if name not in ("usual from", "usual to", "unusual", "of")]
    outlier_names = [
        f"{' '.join(str(row[name]) for name in value[:-1])} ({_value(row[value[-1]])})" for row in rows[:_NAMED_MAX]
    ]
    return "some", ("meaning",), {"named": ", ".join(outlier_names), **first}


def _difference(study: Study, rows: Sequence[_Row]) -> _Telling:
    top, low = rows[0], rows[-1]
    ends = {"top": str(top["group"]), "high": top["average"], "bottom": str(low["group"]), "low": low["average"]}
    return _clear(top), ("groups",), {"ends": _said("difference", "ends", ends), "n": len(rows), **top}


def _drivers(study: Study, rows: Sequence[_Row]) -> _Telling:
    before, now = _number(rows[0]["before"]), _number(rows[0]["now"])
    change = _Figure(now - before)
    old, new = study.side_names
    same_direction = [row for row in rows[1:] if _number(row["change"]) * change > 0]
    largest = sorted(same_direction, key=lambda row: -abs(_number(row["change"])))[:_NAMED_MAX]
    names = ", ".join(_said("drivers", "part", row) for row in largest)
    values = {
        **{"before": before, "now": now, "change": change, "size": _Figure(abs(change)), "old": old, "new": new},
        "way": "rose" if change > 0 else "fell",
        "percent": _said("drivers", "percent", {"percent": 100 * change / before}) if before else "",
        "most": _said("drivers", "most", {"named": names}) if names else "",
    }
    return "mean" if old.startswith("mean of") else "change", ("overlap",), values


_TELLERS: dict[StudyKind, Callable[[Study, Sequence[_Row]], _Telling]] = {
    "trend": _trend,
    "forecast": _forecast,
    "correlation": _correlation,
    "distribution": _distribution,
    "outliers": _outliers,
    "difference": _difference,
    "drivers": _drivers,
}


def _unit(study: Study) -> str:
    """The unit of a metric that is studied, behind its figures."""
    return f" {study.figure.unit}" if isinstance(study.figure, Metric) and study.figure.unit else ""


def _value(value: object) -> object:
    return _Figure(value) if isinstance(value, int | float) else value


def _number(value: object) -> _Figure:
    return _Figure(value) if isinstance(value, int | float) else _Figure(0)
