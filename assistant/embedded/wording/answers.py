"""Answers in a sentence or three: the figures in bold, with units and period, the extremes, and what deserves a note.

Works on the rows as they came; it computes nothing but totals of figures that add up.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal

from assistant.embedded.dates import MONTHS, describe, period_start
from assistant.embedded.meaning import Dimension, Grain, Meaning, Measure
from assistant.embedded.sql.headings import dimension_names, slug
from assistant.embedded.sql.measuring import adds_up
from assistant.embedded.wording.phrases import extreme_words, figure_words, restated, side_words
from assistant.embedded.wording.plain import joined
from assistant.embedded.words.lexicon import plural

Row = Sequence[object]
_NAMES_MAX = 6
_SEVERAL = 2
_SMALL = 0.1
"""Below it two decimals would make most numbers look alike."""


def word_answer(meaning: Meaning, columns: Sequence[str], rows: Sequence[Row], rows_total: int) -> str:
    """The answer in Markdown.

    Args:
        meaning: What was asked.
        columns: The result's columns.
        rows: The rows at hand, in the result's order; perhaps not all of them.
        rows_total: How many rows the result has.
    """
    title = restated(meaning)
    if rows_total == 0 and meaning.offset and not meaning.within:
        rows = _groups_word(meaning, 0) if meaning.dimensions else meaning.base_label
        return f"There are no further {rows}: the list ends before place {meaning.offset + 1}."
    if rows_total == 0:
        return f"No {meaning.base_label} matched: {_lowered(title)}."
    if meaning.verified_sql is not None and not _fits(meaning, columns):
        return f"{title}: **{rows_total:,}** row{'s' if rows_total != 1 else ''}."
    if meaning.measures and not meaning.dimensions:
        return _values(meaning, columns, rows[0])
    if meaning.measures:
        return _groups(meaning, columns, rows, rows_total)
    return _list(meaning, columns, rows, rows_total)


def _fits(meaning: Meaning, columns: Sequence[str]) -> bool:
    expected = [n for d in meaning.dimensions for n in dimension_names(d)] + [slug(m.label) for m in meaning.figures]
    return bool(meaning.measures) and all(name in columns for name in expected)


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def _values(meaning: Meaning, columns: Sequence[str], row: Row) -> str:
    shown = dict(zip(columns, row, strict=False))
    values = [(m, shown.get(slug(m.label))) for m in meaning.figures]
    title = restated(meaning)
    if meaning.portion:
        value = row[0]
        return f"{title}: **{figure(value, '%')}**." if value is not None else f"No {meaning.base_label} to compare."
    if all(value is None for _, value in values):
        return f"No {meaning.base_label} matched: {_lowered(title)}."
    if len(values) == 1:
        measure, value = values[0]
        return f"{title}: **{figure(value, measure.unit)}**."
    parts = [f"{m.label} **{figure(v, m.unit)}**" for m, v in values]
    return f"{title}: {joined(parts)}."


def _groups(meaning: Meaning, columns: Sequence[str], rows: Sequence[Row], rows_total: int) -> str:
    measure = _leading(meaning)
    name = slug(measure.label)
    if name not in columns:
        return f"{restated(meaning)}: **{rows_total:,}** rows."
    at = list(columns).index(name)
    known = [row for row in rows if row[at] is not None]
    title = restated(meaning)
    if not known:
        return f"{title}: **{rows_total:,}** rows, none with a figure."
    if meaning.limit and meaning.order and meaning.order[0].by == "measure":
        return _ranking(meaning, columns, known, measure, at)
    if rows_total == 1:
        return f"{title}: **{_called(meaning, columns, known[0])}** with **{figure(known[0][at], measure.unit)}**."
    ordered = sorted(known, key=lambda row: _sortable(row[at]))
    low, high = ordered[0], ordered[-1]
    first = (
        f"{title}: **{_called(meaning, columns, high)}** is highest with **{figure(high[at], measure.unit)}**, "
        f"**{_called(meaning, columns, low)}** lowest with **{figure(low[at], measure.unit)}**."
    )
    if _sortable(low[at]) == _sortable(high[at]):
        first = f"{title}: all {rows_total:,} have **{figure(high[at], measure.unit)}**."
    first += _further(meaning, columns, rows, measure)
    total = _total(meaning, measure, [row[at] for row in known]) if len(rows) == rows_total else None
    if total is None:
        return first
    of = f" {figure_words(meaning, measure).removeprefix('number of ')}" if len(meaning.figures) > 1 else ""
    groups = f"{rows_total:,} {_groups_word(meaning, rows_total)}"
    return f"{first} In total **{figure(total, measure.unit)}**{of} over {groups}."


def _further(meaning: Meaning, columns: Sequence[str], rows: Sequence[Row], leading: Measure) -> str:
    """The extremes of the next figure, where a second one was asked for."""
    others = [m for m in meaning.figures if m.label != leading.label and not m.context and not m.share]
    if meaning.divided or len(others) != 1 or slug(others[0].label) not in columns:
        return ""
    measure, at = others[0], list(columns).index(slug(others[0].label))
    known = sorted((row for row in rows if row[at] is not None), key=lambda row: _sortable(row[at]))
    if len(known) < _SEVERAL:
        return ""
    low, high = known[0], known[-1]
    label = figure_words(meaning, measure)
    if _sortable(low[at]) == _sortable(high[at]):
        return f" {label[:1].upper() + label[1:]}: **{figure(high[at], measure.unit)}** for each."
    return (
        f" {label[:1].upper() + label[1:]}: **{_called(meaning, columns, high)}** has most with"
        f" **{figure(high[at], measure.unit)}**, **{_called(meaning, columns, low)}** least with"
        f" **{figure(low[at], measure.unit)}**."
    )


def _leading(meaning: Meaning) -> Measure:
    if meaning.divided:
        return meaning.figures[-1]
    if meaning.order and meaning.order[0].by == "measure":
        return meaning.measures[meaning.order[0].index]
    return next((m for m in meaning.measures if not m.context), meaning.measures[0])


def _groups_word(meaning: Meaning, count: int) -> str:
    labels = [d.label for d in meaning.dimensions]
    if len(labels) > 1:
        return "groups"
    label = labels[0]
    return plural(label) if count != 1 else label


def _ranking(meaning: Meaning, columns: Sequence[str], rows: Sequence[Row], measure: Measure, at: int) -> str:
    title = restated(meaning)
    if meaning.limit == 1 and not meaning.within and not meaning.offset:
        if meaning.ties and len(rows) > 1:
            return _shared(
                [_called(meaning, columns, r) for r in rows],
                plural(meaning.dimensions[0].label),
                len(rows),
                extreme_words(meaning, figure_words(meaning, measure)),
                figure(rows[0][at], measure.unit),
            )
        name = _called(meaning, columns, rows[0])
        return f"**{name}** is the {_lowered(title)}: **{figure(rows[0][at], measure.unit)}**."
    if meaning.within:
        parts = [_first_of(meaning, columns, row, figure(row[at], measure.unit)) for row in rows[:_NAMES_MAX]]
    else:
        parts = [f"**{_called(meaning, columns, row)}** ({figure(row[at], measure.unit)})" for row in rows[:_NAMES_MAX]]
    more = len(rows) - _NAMES_MAX
    return f"{title}: {joined(parts) if more <= 0 else ', '.join(parts) + f' and {more} more'}."


def _first_of(meaning: Meaning, columns: Sequence[str], row: Row, value: str) -> str:
    """One of the first of its group: "in Furniture **Oak Table** (320)"."""
    shown = dict(zip(columns, row, strict=False))
    names = [_group_name(d, [shown.get(n) for n in dimension_names(d)]) for d in meaning.dimensions]
    return f"in {', '.join(names[: meaning.within])} **{', '.join(names[meaning.within :])}** ({value})"


def _called(meaning: Meaning, columns: Sequence[str], row: Row) -> str:
    shown = dict(zip(columns, row, strict=False))
    return ", ".join(_group_name(d, [shown.get(n) for n in dimension_names(d)]) for d in meaning.dimensions)


def _group_name(dimension: Dimension, values: Sequence[object]) -> str:
    known = [v for v in values if v is not None]
    if not known:
        return f"no {dimension.label}"
    if dimension.grain:
        return period_name(known[0], dimension.grain)
    return " ".join(str(v).strip() for v in known)


def period_name(value: object, grain: Grain) -> str:
    """A period's first day as people call the period: "July 2026", "Q3 2026"."""
    day = as_day(value)
    if day is None:
        return str(value)
    match grain:
        case "month":
            return f"{MONTHS[day.month - 1].title()} {day.year}"
        case "quarter":
            return f"Q{(day.month - 1) // 3 + 1} {day.year}"
        case "week":
            return f"week of {day.day} {MONTHS[day.month - 1].title()} {day.year}"
        case "year":
            return str(day.year)
        case "day":
            return f"{day.day} {MONTHS[day.month - 1].title()} {day.year}"


def as_day(value: object) -> date | None:
    """A value of a date column as a day; a year as its first; None if it is neither."""
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    if isinstance(value, int):
        return date(value, 1, 1) if 1 <= value <= 9999 else None
    try:
        return date.fromisoformat(str(value)[:10])
    except ValueError:
        return None


def _list(meaning: Meaning, columns: Sequence[str], rows: Sequence[Row], rows_total: int) -> str:
    title = restated(meaning)
    asked = [i for i, c in enumerate(meaning.columns) if not c.context][:2]
    person = len(asked) == 2 and "name" in columns[asked[0]] and "name" in columns[asked[1]]
    single = asked[:2] if person else asked[:1]
    names = [" ".join(str(row[i]).strip() for i in single if row[i] is not None) or "—" for row in rows[:_NAMES_MAX]]
    if meaning.within and meaning.order and len(columns) >= len(meaning.columns):
        return f"{title}: {_first_of_each(meaning, rows, rows_total)}."
    if meaning.ties and rows_total > 1:
        at = meaning.order[0].index
        extreme = f"{side_words(meaning)} {meaning.columns[at].label}"
        if at < len(columns):
            return _shared(names, meaning.base_label, rows_total, extreme, figure(rows[0][at], ""))
    if meaning.limit == 1 and rows_total == 1:
        rest = [
            f"{meaning.columns[i].label} **{figure(rows[0][i], '')}**"
            for i in range(min(len(columns), len(meaning.columns)))
            if i not in single and rows[0][i] is not None
        ]
        return f"**{names[0]}**" + (f": {joined(rest[:4])}" if rest else "") + f" ({_lowered(title)})."
    if len(meaning.columns) == 1 or len(single) == len(asked):
        more = rows_total - len(names)
        shown = (
            joined([f"**{n}**" for n in names])
            if more <= 0
            else ", ".join(f"**{n}**" for n in names) + f" and {more:,} more"
        )
        return f"{title}: **{rows_total:,}** found: {shown}."
    return f"{title}: **{rows_total:,}** row{'s' if rows_total != 1 else ''}."


def _first_of_each(meaning: Meaning, rows: Sequence[Row], rows_total: int) -> str:
    """The first rows of each group, all that share the first place: "in IT **Ada** (98) and in HR **Bo** (99)"."""
    told = len(dimension_names(meaning.columns[0])) - 1  # a person's name takes two columns
    inside, by = range(meaning.within + told), meaning.order[0].index + told
    columns = enumerate(meaning.columns, start=told)
    named = [i for i, column in columns if i not in inside and i != by and not column.context][:1]
    parts = []
    for row in rows[:_NAMES_MAX]:
        name = " ".join(str(row[i]).strip() for i in named or [by])
        value = f" ({figure(row[by], '')})" if named else ""
        group = (" " if told else ", ").join(str(row[i]).strip() for i in inside)
        parts.append(f"{'of' if told else 'in'} {group} **{name}**{value}")
    more = rows_total - len(parts)
    return joined(parts) if more <= 0 else f"{', '.join(parts)} and {more:,} more"


def _shared(names: Sequence[str], rows: str, count: int, extreme: str, value: str) -> str:
    """Several have the extreme: how many, which extreme, and the first of them."""
    shown = [f"**{name}**" for name in names[:_NAMES_MAX]]
    more = count - len(shown)
    listed = joined(shown) if more <= 0 else f"{', '.join(shown)} and {more:,} more"
    return f"**{count:,}** {rows} share the {extreme}, **{value}**: {listed}."


def _total(meaning: Meaning, measure: Measure, values: Sequence[object]) -> float | None:
    """The total over all groups, where it means something: never of averages, ratios or rows in several groups."""
    adds = measure.aggregate in ("count", "sum") or (
        measure.metric is not None and measure.unit != "%" and adds_up(measure.expression or "")
    )
    partial = measure.share or meaning.portion or measure.per is not None or measure.until is not None
    if not adds or partial or meaning.within or meaning.having or any(d.column.multiplies for d in meaning.dimensions):
        return None
    return float(sum(_sortable(v) for v in values))


def _sortable(value: object) -> float:
    if isinstance(value, bool | int | float | Decimal):
        return float(value)
    day = as_day(value)
    return float(day.toordinal()) if day else 0.0


def figure(value: object, unit: str) -> str:
    """A value as it is printed: thousands separators, two decimals where there are any (more below 0.1), its unit."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        text = f"{value:,}"
    elif isinstance(value, float | Decimal):
        number = float(value)
        if unit == "%":
            text = f"{number:,.1f}"
        elif number == int(number) and not unit:
            text = f"{int(number):,}"
        else:
            text = f"{number:,.2f}" if unit or abs(number) >= _SMALL else f"{number:.4f}".rstrip("0").ljust(4, "0")
    else:
        return str(value)
    return f"{text} %" if unit == "%" else f"{text} {unit}".strip()


def notes(
    meaning: Meaning, columns: Sequence[str], rows: Sequence[Row], rows_total: int, today: date
) -> tuple[str, ...]:
    """What was not asked but matters: an unfinished period, groups without a name, rows that were cut."""
    found: list[str] = []
    timed = meaning.over_time
    if timed and timed.grain:
        name = dimension_names(timed)[0]
        if name in columns:
            days = [as_day(row[list(columns).index(name)]) for row in rows]
            current = period_start(today, timed.grain)
            if current in days and current != today:
                found.append(f"The current {timed.grain} is not over yet; its figure will still grow or change.")
    tomorrow = today + timedelta(days=1)
    for time in meaning.times:
        unfinished = time.start and time.end and time.start <= today and time.end > tomorrow
        if unfinished and not (timed and timed.grain):
            found.append(f"{time.label} is not over yet: the figures are those up to {describe(today, tomorrow)}.")
    for dimension in meaning.dimensions:
        name = dimension_names(dimension)[0]
        if name in columns and any(row[list(columns).index(name)] is None for row in rows):
            found.append(f"Some rows have no {dimension.label}; they are shown as a group of their own.")
    for measure in meaning.measures:
        name = slug(measure.label)
        if name in columns and measure.aggregate not in ("count", "distinct"):
            missing = sum(1 for row in rows if row[list(columns).index(name)] is None)
            if missing and rows_total > 1:
                found.append(f"{missing:,} of the groups have no {measure.label}.")
    return tuple(dict.fromkeys(found))  # two dates may lie in one period
