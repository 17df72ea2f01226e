"""What a study found, in words: from the table that its Python step gave, with what the figures do not say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from assistant.analyst.algebra import Metric
from assistant.analyst.meaning import Meaning, Study, StudyKind
from assistant.analyst.presenting.answers import Result

_SURE = 0.05
_NAMED_MAX = 3
Told = tuple[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    """A result by names: `measures` where it is a list of measures with values."""

    result: Result

    @property
    def measures(self) -> Mapping[str, float]:
        return {str(row[0]): _number(row[1]) for row in self.result.rows}

    def rows(self) -> list[dict[str, object]]:
        return [dict(zip(self.result.columns, row, strict=True)) for row in self.result.rows]


def told(meaning: Meaning, result: Result) -> Told:
    """The answer in Markdown, and remarks."""
    study = meaning.study
    assert study is not None, "it is a query otherwise"
    return _TELLERS[study.kind](study, _Table(result=result))


def _trend(study: Study, table: _Table) -> Told:
    found = table.measures
    slope, p_value = found[f"change per {study.grain}"], found["p-value"]
    way = "rises" if slope > 0 else "falls"
    per = f"{_said(abs(slope), study)} a {study.grain}"
    if p_value >= _SURE:
        text = f"There is **no clear trend**: the line {way} by {per}, which chance would often give"
    else:
        text = f"There is a clear trend: it **{way} by {per}**, around an average of {_said(found['average'], study)}"
    notes = [f"Over {found[f'{study.grain}s']:.0f} whole {study.grain}s; the current one is left out."]
    if found["seasonal"]:
        notes.append("The usual course of the year was taken out first.")
    if found["without rows"]:
        notes.append(f"{found['without rows']:.0f} {study.grain}s have no rows.")
    return f"{study.subject}. {text} ({_chance(p_value)}).", (
        *notes,
        "A trend says nothing of causes, nor of what comes next.",
    )


def _forecast(study: Study, table: _Table) -> Told:
    rows = table.rows()
    lines = [
        "**{}**: {} ({} to {})".format(
            row["period"], *(_said(_number(row[n]), study) for n in ("forecast", "low", "high"))
        )
        for row in rows
    ]
    first = rows[0]
    notes = (
        f"{first['way']}: the way that was nearest when tried on the last {_number(first['tried on']):.0f} "
        f"{study.grain}s, with a typical error of {_said(_number(first['typical error']))}.",
        "Nine of ten times the figure would lie within the range, if things go on as before.",
    )
    return f"{study.subject}: {'; '.join(lines)}.", notes


def _correlation(study: Study, table: _Table) -> Told:
    found = table.measures
    r, p_value = found["correlation r"], found["p-value"]
    strength = "strong" if abs(r) >= 0.7 else "moderate" if abs(r) >= 0.4 else "weak"
    if p_value >= _SURE:
        text = f"They **do not clearly go together** (r = {r:.2f}, {_chance(p_value)})."
    else:
        way = "more of one goes with more of the other" if r > 0 else "more of one goes with less of the other"
        text = f"They go together: a **{strength}** correlation, **r = {r:.2f}** ({_chance(p_value)}); {way}."
    notes = [f"Over {found['pairs']:,.0f} pairs; by ranks the correlation is {found['rank correlation']:.2f}."]
    return f"{study.subject}. {text}", (*notes, "That two things go together does not say that one causes the other.")


def _distribution(study: Study, table: _Table) -> Told:
    found = table.measures
    text = (
        f"Half of the {found['values']:,.0f} values lie between **{_said(found['lower quartile'])}** and "
        f"**{_said(found['upper quartile'])}**, the middle at **{_said(found['median'])}**; the average is "
        f"{_said(found['average'])}, from {_said(found['least'])} to {_said(found['greatest'])}."
    )
    notes = [f"{found['missing']:,.0f} rows have no value."] if found["missing"] else []
    if abs(found["skewness"]) > 1:
        side = "high" if found["skewness"] > 0 else "low"
        notes.append(f"A few very {side} values pull the average away from the middle.")
    return f"{study.subject}. {text}", tuple(notes)


def _outliers(study: Study, table: _Table) -> Told:
    rows = table.rows()
    first = rows[0]
    usual = f"{_said(_number(first['usual from']))} to {_said(_number(first['usual to']))}"
    count, of = _number(first["unusual"]), _number(first["of"])
    if not count:
        return f"{study.subject}: **none**; all {of:,.0f} values lie within {usual}.", ()
    value = [name for name in table.result.columns if name not in ("usual from", "usual to", "unusual", "of")]
    named = [
        f"{' '.join(str(row[name]) for name in value[:-1])} ({_said(_number(row[value[-1]]))})"
        for row in rows[:_NAMED_MAX]
    ]
    text = f"**{count:,.0f}** of {of:,.0f} values lie outside {usual}; the farthest: {', '.join(named)}."
    return f"{study.subject}. {text}", ("Unusual is what lies 1.5 times the distance of the quartiles beyond them.",)


def _difference(study: Study, table: _Table) -> Told:
    rows = table.rows()
    top, low = rows[0], rows[-1]
    p_value = _number(top["p-value"])
    high, least = (f"{row['group']} ({_said(_number(row['average']))} on average)" for row in (top, low))
    text = "The groups **differ clearly**" if p_value < _SURE else "The groups **do not clearly differ**"
    ends = f"{high} is the highest, {least} the lowest"
    remark = f"{len(rows)} groups with five values or more."
    return f"{study.subject}. {text}: {ends} ({top['test']}, {_chance(p_value)}).", (remark,)


def _drivers(study: Study, table: _Table) -> Told:
    rows = table.rows()
    whole, parts = rows[0], rows[1:]
    before, now = _number(whole["before"]), _number(whole["now"])
    change = now - before
    percent = f" ({100 * change / before:+.1f} %)" if before else ""
    old, new = study.side_names
    differs = f"**{_said(change if old.startswith('mean of') else abs(change), study)}**{percent}"
    if old.startswith("mean of"):
        total = f"{new} has {_said(now, study)}, the {old} is {_said(before, study)}: a difference of {differs}."
    else:
        way = "rose" if change > 0 else "fell"
        total = f"From {_said(before, study)} ({old}) to {_said(now, study)} ({new}): it {way} by {differs}."
    same = [row for row in parts if _number(row["change"]) * change > 0]
    largest = sorted(same, key=lambda row: -abs(_number(row["change"])))[:_NAMED_MAX]
    named = [f"**{row['part']}** ({row['split by']}: {_number(row['change']):+,.0f})" for row in largest]
    text = f" Most of it is with {', '.join(named)}." if named else ""
    return f"{study.subject}. {total}{text}", ("Parts of different splits overlap; they do not add up across splits.",)


_TELLERS: dict[StudyKind, Callable[[Study, _Table], Told]] = {
    "trend": _trend,
    "forecast": _forecast,
    "correlation": _correlation,
    "distribution": _distribution,
    "outliers": _outliers,
    "difference": _difference,
    "drivers": _drivers,
}


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


def _said(value: float, study: Study | None = None) -> str:
    """A figure as people read it; with the unit of what is studied, where that is a metric."""
    unit = f" {study.figure.unit}" if study and isinstance(study.figure, Metric) and study.figure.unit else ""
    if float(value).is_integer() or abs(value) >= 1_000:
        return f"{value:,.0f}{unit}"
    return f"{value:,.2f}{unit}" if abs(value) >= 0.01 else f"{value:.2g}{unit}"


def _chance(p_value: float) -> str:
    return "p < 0.001" if p_value < 0.001 else f"p = {p_value:.3f}"
