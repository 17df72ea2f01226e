"""The Python step of a study: a template of readable pandas, filled for the rows at hand."""

from __future__ import annotations

import json
import math
from datetime import date
from importlib.resources import files
from string import Template

from assistant.analyst.checking import adds_up
from assistant.analyst.meaning import FunctionCall, Meaning, Study
from assistant.analyst.wording import outputs_of

_FREQUENCIES = {"year": "Y", "quarter": "Q", "month": "M", "day": "D"}
_SEASONS = {"year": 1, "quarter": 4, "month": 12, "day": 7}
_LEAST = {"trend": 6, "forecast": 8}


def computation(meaning: Meaning, *, frame: str, today: date) -> str:
    """The Python step of a study over the DataFrame `frame`."""
    study = meaning.study
    assert study is not None, "it is a query otherwise"
    if study.call is not None:
        return _write_call(study.call, frame, study.subject)
    words = outputs_of(meaning.query)
    values = {
        "frame": frame,
        "title": _text(study.subject),
        "axis": _text(words[-1].capitalize()),
        "x_axis": _text(words[-2].capitalize() if len(words) > 1 else ""),
        "scale": _scale(study),
    }
    if study.grain and study.kind in _LEAST:
        values |= _of_course(study, today)
        series, own = _template("series").substitute(values), _template(study.kind).substitute(values)
        return f"{series}\n{own}".rstrip("\n")
    return _template(study.kind).substitute(values).rstrip("\n")


def _of_course(study: Study, today: date) -> dict[str, str]:
    """What the templates of a course hold besides; a period without rows is zero for counts and sums alone."""
    return {
        "grain": study.grain,
        "frequency": _FREQUENCIES[study.grain],
        "today": today.isoformat(),
        "minimum": str(_LEAST[study.kind]),
        "season": str(_SEASONS[study.grain]),
        "ahead": str(study.ahead),
        "gaps": "fillna(0.0)" if study.figure is not None and adds_up(study.figure) else "interpolate()",
        "imports": "from scipy import stats\n" if study.kind == "trend" else "",
    }


def _write_call(call: FunctionCall, frame: str, title: str) -> str:
    """The cell of a function: the columns by the names of its inputs, the call, and its chart where it has one."""
    names: list[str] = []
    lines: list[str] = []
    for name, width in call.inputs:
        parts = [name, *(f"{name} {number}" for number in range(2, width + 1))]
        names.extend(parts)
        if width > 1:
            lines.append(f'rows[{_text(name)}] = rows[{json.dumps(parts)}].astype(str).agg(" · ".join, axis=1)')
    if any(column == "item" and "item" not in names for _, column in call.columns):
        lines.append('rows["item"] = "All"')
    values = json.dumps(list(call.values))
    lines.append(f'rows[{values}] = rows[{values}].apply(pd.to_numeric, errors="coerce").astype(float)')
    arguments = [f"{parameter}={_text(column)}" for parameter, column in call.columns]
    arguments += [f"{name}={value!r}" for name, value in (*call.arguments, *_changes(call))]
    values_of = {
        "frame": frame,
        "function": call.function,
        "names": json.dumps(names, ensure_ascii=False),
        "prepared": "\n".join(lines),
        "arguments": ", ".join(["rows", *arguments]),
        "title": _text(title),
        "axis": _text(call.figure[:1].upper() + call.figure[1:]),
    }
    texts = [_template("function").substitute(values_of)]
    if call.chart:
        texts.append(_template(f"chart_of_{call.chart}").substitute(values_of))
    return "\n".join(texts).rstrip("\n")


def _changes(call: FunctionCall) -> tuple[tuple[str, object], ...]:
    """The arguments that are the assumptions of a scenario: single numbers, or what each lies between."""
    if not call.changes:
        return ()
    if call.function != "scenario":
        return (("changes", {change.name: (change.low, change.likely, change.high) for change in call.changes}),)
    growth = math.prod(1 + change.likely for change in call.changes if change.is_monthly) - 1
    changes = {change.name: change.likely for change in call.changes if not change.is_monthly}
    return (("changes", changes), *((("growth", round(growth, 12)),) if growth else ()))


def _scale(study: Study) -> str:
    """How the other side is made comparable: the mean of several groups is their sum by their number."""
    group_count = study.side_names[0].removeprefix("mean of the other ") if study.side_names else ""
    return f'rows["before"] /= {group_count}  # the mean of the other groups' if group_count.isdigit() else ""


def _template(name: str) -> Template:
    return Template(files("assistant.analyst.studies").joinpath(f"templates/{name}.py.txt").read_text(encoding="utf-8"))


def _text(value: str) -> str:
    """A Python string literal."""
    return json.dumps(value, ensure_ascii=False)
