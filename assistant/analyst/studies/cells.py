"""The Python step of a study: a template of readable pandas, filled for the rows at hand."""

from __future__ import annotations

import json
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
        return _template("function").substitute(_of_call(study.call, frame)).rstrip("\n")
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


def _of_call(call: FunctionCall, frame: str) -> dict[str, str]:
    """What the template of a function holds: the columns by the names of its inputs, and the call."""
    names: list[str] = []
    joined: list[str] = []
    for name, width in call.inputs:
        parts = [name, *(f"{name} {number}" for number in range(2, width + 1))]
        names.extend(parts)
        if width > 1:
            joined.append(f'rows[{_text(name)}] = rows[{json.dumps(parts)}].astype(str).agg(" · ".join, axis=1)\n')
    arguments = [f"{parameter}={_text(column)}" for parameter, column in call.columns]
    arguments += [f"{name}={value!r}" for name, value in call.arguments]
    return {
        "frame": frame,
        "function": call.function,
        "names": json.dumps(names, ensure_ascii=False),
        "joined": "".join(joined),
        "figure": _text(names[-1]),
        "arguments": ", ".join(["rows", *arguments]),
    }


def _scale(study: Study) -> str:
    """How the other side is made comparable: the mean of several groups is their sum by their number."""
    group_count = study.side_names[0].removeprefix("mean of the other ") if study.side_names else ""
    return f'rows["before"] /= {group_count}  # the mean of the other groups' if group_count.isdigit() else ""


def _template(name: str) -> Template:
    return Template(files("assistant.analyst.studies").joinpath(f"templates/{name}.py.txt").read_text(encoding="utf-8"))


def _text(value: str) -> str:
    """A Python string literal."""
    return json.dumps(value, ensure_ascii=False)
