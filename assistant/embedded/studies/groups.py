"""Groups side by side: "compare the north with the south", "is the average order value different between them?".

The figures as they are, and a test of whether single values differ by more than chance: orders or rows where the figure
is an average of them, months where it is a total.
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date

from assistant.embedded.meaning import ColumnRef, Dimension, Filter, Meaning, Measure
from assistant.embedded.source.schema import Attribute, repeats
from assistant.embedded.sql.headings import column_names
from assistant.embedded.studies.asking import Asked, Read, figure_of, stripped, titled
from assistant.embedded.studies.drawing import axis_title, filled, frequency, literal
from assistant.embedded.studies.outcomes import Recognised, Refused
from assistant.embedded.studies.periods import whole
from assistant.embedded.studies.sides import ACROSS, TWO_SIDES
from assistant.embedded.studies.study import Figure, Groups
from assistant.embedded.studies.telling import SURE, Result, Told, amount, chance, difference, lowered, number, percent
from assistant.embedded.wording.phrases import condition_words
from assistant.embedded.wording.plain import joined
from assistant.embedded.words.lexicon import plural, singular

FIGURES_MAX = 6
_SUMMED = re.compile(r"\b(?:total|sum|overall)\b", re.IGNORECASE)
_PER_ENTITY = re.compile(
    r"^\s*(?P<sum>SUM\(.+\))\s*/\s*(?:NULLIF\s*\(\s*)?COUNT\s*\(\s*DISTINCT\s+(?P<table>\w+)\.(?P<key>\w+)\s*\)",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A figure of some members of one column."""

    read: Read
    column: Filter
    members: tuple[str, ...]


def recognise(asked: Asked) -> tuple[Recognised, ...] | Refused | None:
    """Read a question for a comparison of groups; None where it compares something else, or nothing."""
    for pattern in TWO_SIDES:
        match = pattern.match(asked.text)
        if match is None:
            continue
        figure = (match.groupdict().get("figure") or "").strip()
        a, b = match["a"].strip(), match["b"].strip()
        # "urgent and low tickets": the last word says of what, and belongs to both.
        shorter = a.rpartition(" ")[0] or a, b.rpartition(" ")[0] or b
        for names in dict.fromkeys(((a, b), (a, shorter[1]), shorter, (singular(shorter[0]), singular(shorter[1])))):
            side = _side(asked, figure, *names)
            if side is not None:
                return _study(asked, side)
    match = ACROSS.match(asked.text)
    return across(asked, match["figure"], match["by"]) if match is not None else None


def across(asked: Asked, figure: str, by: str) -> tuple[Recognised, ...] | None:
    """A figure over all members of a column, and whether they differ; None where the words are not such."""
    for words in (f"{figure} by {by}", f"average {figure} by {by}"):
        found = asked.read(words)
        kept = () if isinstance(found, Refused) else tuple(r for r in found if _is_split(r.meaning))
        if kept:
            if kept[0].meaning.measures[0].aggregate == "sum" and not _SUMMED.search(figure):
                continue  # how a column differs is asked of its single values, not of how many rows there are
            group = kept[0].meaning.dimensions[0]
            column = Filter(column=group.column, operator="present", label=group.label)
            side = Side(read=replace(kept[0], meaning=stripped(kept[0].meaning)), column=column, members=())
            return _study(asked, side)
    return None


def _is_split(meaning: Meaning) -> bool:
    one = len(meaning.dimensions) == 1 and not meaning.dimensions[0].more and meaning.dimensions[0].grain is None
    return one and bool(meaning.measures) and meaning.verified_sql is None


def _side(asked: Asked, figure: str, a: str, b: str) -> Side | None:
    """The figure with both members as values of one column; the company's own figures where none is named."""
    names = [figure, f"average {figure}"] if figure else _own_figures(asked)
    for name in names:
        first, second = _figures(asked, f"{name} for {a}"), _figures(asked, f"{name} for {b}")
        if isinstance(first, Refused) or isinstance(second, Refused):
            continue
        for left in first:
            for right in second:
                column = _same_column(left.meaning, right.meaning)
                if column is not None:
                    own, other = column
                    members = (str(own.values[0]), str(other.values[0]))
                    rest = tuple(f for f in left.meaning.filters if f is not own)
                    meaning = left.meaning.model_copy(update={"filters": rest})
                    return Side(read=replace(left, meaning=meaning), column=own, members=members)
    return None


def _figures(asked: Asked, words: str) -> tuple[Read, ...] | Refused:
    """A figure that is named as such: no list of rows is counted in its place, unless it is rows that are named."""
    found = asked.read(words)
    kept = (
        () if isinstance(found, Refused) else tuple(r for r in found if r.meaning.measures and not r.meaning.dimensions)
    )
    return tuple(replace(r, meaning=stripped(r.meaning)) for r in kept) or Refused(reason=f"“{words}” is not a figure.")


def _own_figures(asked: Asked) -> list[str]:
    """What is compared where no figure is named: the knowledge base's figures, else how many rows there are."""
    metrics = [m.name for s in asked.analyst.sources.values() for m in s.known.metrics]
    entities = [e for s in asked.schemas.values() for e in s.entities.values() if not e.bridge]
    tables = sorted(entities, key=lambda e: -(e.table.rows or 0))
    return [*metrics[:6], "revenue", *(f"number of {e.many}" for e in tables[:6])]


def _same_column(left: Meaning, right: Meaning) -> tuple[Filter, Filter] | None:
    """The one filter in which two meanings differ: the same column, other values."""
    ours, theirs = set(left.filters), set(right.filters)
    own, other = [f for f in left.filters if f not in theirs], [f for f in right.filters if f not in ours]
    if len(own) != 1 or len(other) != 1 or left.base != right.base or left.source != right.source:
        return None
    one, two = own[0], other[0]
    plain = one.operator == two.operator == "=" and len(one.values) == len(two.values) == 1
    return (one, two) if plain and one.column == two.column else None


def _study(asked: Asked, side: Side) -> tuple[Recognised, ...]:
    meaning, column = side.read.meaning, side.column
    label = _label(asked, meaning, column)
    group = Dimension(column=column.column, label=label)
    chosen = Filter(column=column.column, operator="in", values=side.members, label=label) if side.members else None
    filters = (*meaning.filters, chosen) if chosen is not None else meaning.filters
    base = meaning.model_copy(update={"filters": filters})
    named = bool(re.search(re.escape(meaning.measures[0].label.split()[-1]), asked.text, re.IGNORECASE))
    measures = base.measures if named else _further(asked, base)
    totals = base.model_copy(update={"measures": measures, "dimensions": (group,)})
    units = _units(asked, replace(side.read, meaning=base), group)
    names = column_names(totals)[-len(measures) :]
    figures = tuple(
        figure_of(base.model_copy(update={"measures": (m,)})).model_copy(update={"column": n})
        for m, n in zip(measures, names, strict=True)
    )
    members = joined([f"“{m}”" for m in side.members]) if side.members else f"all {plural(label)}"
    conditions = condition_words(meaning)
    scope = f", where {joined(conditions)}" if conditions else ""
    rows = (totals,) if units is None else (totals, units.meaning)
    study = Groups(
        asked=asked.question,
        title=titled(f"{_named(figures)} of {members}{scope}"),
        source=meaning.source,
        rows=rows,
        figures=figures,
        tested=figures[0].model_copy(update={"column": units.column}) if units else figures[0],
        group=column_names(totals)[0],
        group_label=label,
        unit=units.unit if units else "",
        units=units.units if units else "",
        members=side.members,
        time=units.time if units else "",
        first=units.first if units else None,
        end=units.end if units else None,
    )
    return (Recognised(study=study, assumptions=side.read.assumptions, cited=side.read.cited),)


def _named(figures: tuple[Figure, ...]) -> str:
    more = len(figures) - 1
    return figures[0].label + (f" and {more} further figure{'s' if more > 1 else ''}" if more else "")


def _label(asked: Asked, meaning: Meaning, column: Filter) -> str:
    """What is compared: the rows by their name, where it tells them apart, else the column."""
    entity = asked.schema(meaning.source).entities[column.column.table]
    named = (column.column.column,) == entity.label
    apart = bool(entity.key) or not repeats(entity.attributes[column.column.column], entity)
    return entity.one if named and apart else column.label or column.column.column


def _further(asked: Asked, base: Meaning) -> tuple[Measure, ...]:
    """Further figures of the knowledge base that stand on the same rows, where no figure was named."""
    found = [base.measures[0]]
    if base.once:
        return tuple(found)
    entity = asked.schema(base.source).entities[base.base]
    if not asked.analyst.sources[base.source].known.metrics:
        rows = Measure(aggregate="count", label=entity.many)
        known = found[0].expression or ""
        adding = [a for a in entity.attributes.values() if a.adds_up and a.name not in known and not a.settled_by]
        sums = [_total(a) for a in adding]
        return (*found, *(m for m in (rows, *sums) if m.label != found[0].label))[:FIGURES_MAX]
    for metric in asked.analyst.sources[base.source].known.metrics:
        if metric.table == base.base and len(found) < FIGURES_MAX and metric.name != found[0].metric:
            read = asked.read(metric.name)
            if (
                not isinstance(read, Refused)
                and read
                and read[0].meaning.base == base.base
                and read[0].meaning.measures
            ):
                found.append(read[0].meaning.measures[0])
    return tuple(found)


def _total(attribute: Attribute) -> Measure:
    column = ColumnRef(table=attribute.table, column=attribute.name)
    words = attribute.words
    return Measure(aggregate="sum", column=column, label=words if words.startswith("total") else f"total {words}")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Units:
    """The single values that are tested: their meaning, and which column of it holds the value."""

    meaning: Meaning
    column: str
    unit: str
    units: str
    time: str = ""
    first: date | None = None
    end: date | None = None


def _units(asked: Asked, read: Read, group: Dimension) -> _Units | None:
    """One value per row for a column's average, per order for a figure per order, per month for anything else."""
    meaning, measure = read.meaning, read.meaning.measures[0]
    schema = asked.schema(meaning.source)
    base = schema.entities[meaning.base]
    if measure.of_rows is not None and measure.aggregate in ("average", "minimum", "maximum"):
        value = Dimension(column=measure.of_rows, label=measure.label.removeprefix("average "))
        rows = meaning.model_copy(update={"measures": (), "columns": (group, value)})
        return _Units(meaning=rows, column=column_names(rows)[-1], unit=base.one, units=base.many)
    per = _PER_ENTITY.match(measure.expression or "")
    if per is not None and (attribute := schema.find(per["table"], per["key"])) is not None:
        key = asked.dimension(meaning, attribute, label=attribute.words)
        entity = schema.entities[attribute.table]
        if key is not None:
            single = measure.model_copy(update={"expression": per["sum"], "label": f"{measure.label} of one"})
            rows = meaning.model_copy(update={"measures": (single,), "dimensions": (group, key)})
            return _Units(meaning=rows, column=column_names(rows)[-1], unit=entity.one, units=entity.many)
    by = asked.by_period(replace(read, meaning=stripped(meaning)), "month")
    held = None if isinstance(by, Refused) else asked.dates(by.meaning)
    if isinstance(by, Refused) or held is None or by.meaning.over_time is None:
        return None
    first, end, _ = whole(*held, asked.today, "month", days=asked.different_days(by.meaning))
    rows = by.meaning.model_copy(update={"dimensions": (group, by.meaning.dimensions[0]), "order": ()})
    names = column_names(rows)
    return _Units(meaning=rows, column=names[-1], unit="month", units="months", time=names[1], first=first, end=end)


def cell(study: Groups, frames: tuple[str, ...]) -> str:
    """The Python step."""
    if len(study.rows) < 2:
        values = filled("no_values", group=literal(study.group))
    elif study.time:
        assert study.first is not None
        assert study.end is not None
        values = filled(
            "values_by_month",
            frame=frames[1],
            group=literal(study.group),
            period=literal(study.time),
            value=literal(study.tested.column),
            first=literal(study.first.isoformat()),
            end=literal(study.end.isoformat()),
            frequency=literal(frequency("month")),
            gaps=".fillna(0)" if study.tested.adds_up else "",
        )
    else:
        values = filled(
            "values_by_row", frame=frames[1], group=literal(study.group), value=literal(study.tested.column)
        )
    return filled(
        "groups",
        values=values,
        totals=frames[0],
        group=literal(study.group),
        group_axis=literal(f"{study.group}:N"),
        figure=literal(study.figures[0].column),
        paired=bool(study.time),
        units=study.units or "values",
        title=literal(
            titled(f"{study.figures[0].label} by {study.group_label}" + (f", {study.units}" if study.units else ""))
        ),
        axis=literal(axis_title(study.figures[0])),
    )


def _relative(gap: float, low: float) -> str:
    """How much more that is: a percentage, or how many times as much where that says it better."""
    if low <= 0:
        return ""
    ratio = gap / low + 1
    return f" ({ratio:,.0f} times as much)" if ratio >= 4 else f" ({percent(gap / low, signed=True)})"


def word(study: Groups, result: Result) -> Told:
    """The answer: the figures of each group, their difference, and whether it is more than chance."""
    rows = result.records
    main = study.figures[0]
    ordered = sorted(rows, key=lambda r: -number(r[main.column]))
    high, low = ordered[0], ordered[-1]
    gap = number(high[main.column]) - number(low[main.column])
    share = _relative(gap, number(low[main.column]))
    text = (
        f"{titled(main.label)} is **{amount(high[main.column], main)}** for **{high[study.group]}** and "
        f"**{amount(low[main.column], main)}** for **{low[study.group]}**: {difference(gap, main).lstrip('+')} more{share}"
        + (f", with {len(rows) - 2} more between them." if len(rows) > 2 else ".")
    )
    if len(rows) == 2:
        for figure in study.figures[1:]:
            parts = [f"{r[study.group]} **{amount(r[figure.column], figure)}**" for r in (high, low)]
            text += f" {titled(figure.label)}: {joined(parts)}."
    notes: list[str] = []
    p = high.get("p-value")
    if p is None:
        notes.append("There are too few single values to tell whether the difference is more than chance.")
        return Told(text=text, notes=tuple(notes))
    test = str(high["test"])
    counted = sum(int(number(r["values"])) for r in rows)
    if study.time:
        counted = int(number(high["values"]))
    basis = f"{test} over {counted:,} {study.units}, {chance(p)}"
    what = f"the difference in {lowered(main.label)}"
    if number(p) < SURE:
        text += f" **{titled(what)} is more than chance would explain** ({basis})."
    else:
        text += f" {titled(what)} could well be chance ({basis})."
    if test.startswith(("Mann", "Kruskal")):
        notes.append(
            "Ranks are compared rather than averages: with several groups, few values or some far out they err less."
        )
    if study.time:
        notes.append("The groups are compared month by month, over whole months only.")
    notes.append("A difference says nothing of its reason: the groups may differ in other ways as well.")
    return Told(text=text, notes=tuple(notes))
