"""What a chip may be instead: the analyst's other readings first, then everything that type-checks, with search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import islice
from typing import TYPE_CHECKING, Any, get_args

from assistant.analyst import algebra as al
from assistant.analyst.grammar.building import bare, dates
from assistant.analyst.grammar.times import dated
from assistant.analyst.interpretation.changing import (
    condition_of,
    date_of,
    groups_in,
    with_column,
    with_comparison,
    with_filters,
    with_groups,
    with_limit,
    with_measures,
    with_order,
)
from assistant.analyst.interpretation.chips import Chip, ChipKind, chip_words, is_period
from assistant.analyst.interpretation.comparing import Across, Comparison, Sides
from assistant.analyst.interpretation.composition import Composed, Composition, with_query
from assistant.analyst.meaning import Assumption
from assistant.analyst.names import words_of
from assistant.analyst.parts import GroupKey, MeasuredFigure, Period, Thing
from assistant.analyst.wording import figure_words, named, outputs_of, phrase, things
from assistant.core.events import ChartKind
from assistant.errors import InterpretationError

if TYPE_CHECKING:
    from assistant.analyst.schema import Schema

CHOICES_MAX = 200
_FUNCTIONS: dict[str, tuple[al.Function, ...]] = {
    "measure": ("sum", "mean", "median", "min", "max"),
    "duration": ("sum", "mean", "median", "min", "max"),
    "stock": ("sum", "mean", "median", "min", "max"),
    "rate": ("mean", "median", "min", "max"),
    "date": ("min", "max"),
}
_GRAINS: tuple[al.GrainName, ...] = ("year", "quarter", "month", "day", "month of year", "weekday")
_GROUPED_BY = frozenset(("category", "name", "flag", "part", "identifier"))
_SIZES = (1, 3, 5, 10, 20, 50)
_CHANGES = (-0.2, -0.1, -0.05, -0.02, 0.02, 0.05, 0.1, 0.2)
_YEARS_MAX = 10
_QUARTERS_MAX = 8
_MONTHS_MAX = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipChoice:
    """One thing that a chip may be. `also` are other exact names of it; `value` is what the edit puts in.

    `is_reading`: it comes from another reading of the question, and brings all that differs in it.
    """

    text: str
    value: object
    also: tuple[str, ...] = ()
    is_reading: bool = False


def choices(
    of: Composition, chip: Chip | ChipKind, *, search: str = "", most: int = CHOICES_MAX
) -> tuple[ChipChoice, ...]:
    """What a chip may be, each of which type-checks.

    Args:
        of: The interpretation that has the chip, or is to have one of the kind.
        chip: A chip of it, or the kind of a new one.
        search: Words that the choice has, in any form.
        most: How many at most.
    """
    kind = chip if isinstance(chip, str) else chip.kind
    every = tuple(_assumptions(of)) if kind == "Assumption" else (*_readings(of, kind), *candidates(of, kind))
    matches = sorted((rank, at) for at, choice in enumerate(every) if (rank := _matches(choice, search)) is not None)
    fitting = (every[at] for _, at in matches if _fits(of, chip, every[at]))
    texts: set[str] = set()  # the same words are offered once, whatever brings them
    different = (choice for choice in fitting if not (choice.text in texts or texts.add(choice.text)))
    return tuple(islice(different, most))


def choose(of: Composed, chip: Chip | ChipKind, choice: ChipChoice) -> Composed:
    """With a choice in the place of a chip; of a kind that has several, as a further one where only the kind is given.

    Raises:
        InterpretationError: it does not go with the rest.
    """
    value = choice.value
    if choice.is_reading:
        return with_query(replace(of, study=None), value)  # type: ignore[arg-type]
    kind = chip if isinstance(chip, str) else chip.kind
    place = chip.place if isinstance(chip, Chip) else None
    if kind == "Assumption":
        return with_assumptions(of, _put(list(changes_of(of)), place, value))
    return _with_part(of, kind, place, value)


def _with_part(of: Composed, kind: ChipKind, place: int | None, value: Any) -> Composed:
    match kind:
        case "Measure":
            home = of.rows.table if isinstance(of.rows, al.Rows) else ""
            old = [MeasuredFigure(measure, home) for measure in of.measures]
            return with_measures(of, _put(old, place, value))
        case "Show":
            return with_column(of, value)
        case "Group by":
            return with_groups(of, _put(list(of.groups), place, value))
        case "Filter" | "Period":
            return with_filters(of, _put(list(of.filters), _filter_place(of, kind, place), condition_of(of, value)))
        case "Sort":
            return with_order(of, (value,))
        case "Top":
            return with_limit(of, value)
        case "Compare":
            return with_comparison(of, value)
        case "Chart":
            return replace(of, chart=value)
        case _:
            raise InterpretationError(f"{kind!r} is not chosen from a list.")


def _put(values: Sequence[Any], place: int | None, value: object) -> list[Any]:
    return [*values, value] if place is None else [*values[:place], value, *values[place + 1 :]]


def _filter_place(of: Composition, kind: ChipKind, place: int | None) -> int | None:
    """A new period takes the place of the one there is."""
    if place is None and kind == "Period":
        return next((at for at, condition in enumerate(of.filters) if is_period(condition)), None)
    return place


def _fits(of: Composition, chip: Chip | ChipKind, choice: ChipChoice) -> bool:
    try:
        choose(of, chip, choice)
    except InterpretationError:
        return False
    return True


def _matches(choice: ChipChoice, search: str) -> int | None:
    """How far a text is from the front of the search's matches; None where it is none."""
    start = search.casefold()
    if not start or start == choice.text.casefold():
        return 0
    names = [name.casefold() for name in (choice.text, *choice.also)]
    if any(name.startswith(start) for name in names):
        return 1
    name_words = {word for name in names for word in words_of(name)}
    line = " ".join(names)
    return 2 if all(word in line or word in name_words for word in words_of(search)) else None


# --- candidates, unchecked ---


def candidates(of: Composition, kind: ChipKind) -> tuple[ChipChoice, ...]:
    """What could be put into a chip of a kind, whether it fits or not, the likeliest first."""
    match kind:
        case "Measure":
            return tuple(_measures(of))
        case "Show":
            return tuple(_columns(of))
        case "Group by":
            return tuple(_groups(of))
        case "Filter":
            return tuple(_filters(of))
        case "Period":
            return tuple(_periods(of))
        case "Sort":
            return tuple(_orders(of))
        case "Top":
            return tuple(ChipChoice(text=str(n), value=n) for n in _SIZES)
        case "Compare":
            return tuple(_comparisons(of))
        case "Chart":
            return tuple(ChipChoice(text=name, value=name) for name in get_args(ChartKind))
        case _:
            return ()


def changes_of(of: Composition) -> tuple[Assumption, ...]:
    """The assumptions that a scenario changes."""
    return of.study.call.changes if of.study is not None and of.study.call is not None else ()


def with_assumptions(of: Composed, changes: Sequence[Assumption]) -> Composed:
    """A scenario with other assumptions.

    Raises:
        InterpretationError: it is no scenario, or does not know what they change.
    """
    from assistant.analyst.scenarios import is_changeable, with_changes  # few interpretations are scenarios

    if of.study is None or not is_changeable(of.study):
        raise InterpretationError("Only a scenario has assumptions. Ask “what if prices rise by 5 %?” first.")
    return replace(of, study=with_changes(of.study, changes))


def _assumptions(of: Composition) -> Iterator[ChipChoice]:
    """Other sizes of each assumption."""
    for change in changes_of(of):
        for size in _CHANGES:
            other = replace(change, low=size, likely=size, high=size)
            yield ChipChoice(text=str(other), value=other)


def _readings(of: Composition, kind: ChipKind) -> Iterator[ChipChoice]:
    """What other readings of the question have there, where they differ."""
    own = [chip.text for chip in of.chips if chip.kind == kind]
    texts_before: set[str] = set()
    for query in of.alternatives:
        reading = with_query(replace(of, study=None), query)
        texts = [chip.text for chip in reading.chips if chip.kind == kind]
        new = ", ".join(text for text in texts if text not in own)
        if texts != own and new and new not in texts_before:
            texts_before.add(new)
            yield ChipChoice(text=new, value=query, is_reading=True)


def _measures(of: Composition) -> Iterator[ChipChoice]:
    if isinstance(of.rows, al.Groups):
        yield from _measures_of_groups(of, of.rows)
        return
    schema, knowledge = of.data.schema, of.data.known
    for metric in knowledge.metrics:
        yield ChipChoice(text=metric.names[0], also=metric.names[1:], value=MeasuredFigure(metric.figure, metric.table))
    home = of.rows.table if of.rows is not None else ""
    texts: set[str] = set()
    for table in sorted(schema.tables, key=lambda name: (name != home, -_measured(schema, name))):
        rows_name = things(schema.tables[table].called)
        count = figure_words(al.Count(), schema.said(al.Grouped(al.Rows(table), (), ())))
        yield ChipChoice(
            text=count, value=MeasuredFigure(al.Count(), table), also=(rows_name, table, f"how many {rows_name}")
        )
        for column in schema.tables[table].columns:
            for choice in _of_column(schema, column):
                new = choice if choice.text not in texts else replace(choice, text=f"{choice.text} of {rows_name}")
                texts.add(new.text)
                yield new


def _measured(schema: Schema, table: str) -> int:
    """How many columns of a table are measured: more of them speak for a table that a person computes from."""
    return sum(schema.typed[column].is_measured for column in schema.tables[table].columns)


def _of_column(schema: Schema, column: al.Column) -> Iterator[ChipChoice]:
    role = schema.typed[column].role
    is_told = role in ("name", "category", "identifier") and column not in schema.tables[column.table].label
    functions = _FUNCTIONS.get(role, ("distinct",) if is_told else ())
    usual = bare(schema, column).figure if schema.typed[column].is_measured else None
    names = _names(column)
    for function in functions:
        figure = al.Aggregate(function, column)
        readable: al.Grouped = schema.said(al.Grouped(al.Rows(column.table), (), (figure,)))
        also = tuple(f"{function}({name})" for name in names) + (names if figure == usual else ())
        yield ChipChoice(
            text=figure_words(readable.figures[0], readable), value=MeasuredFigure(figure, column.table), also=also
        )


def _measures_of_groups(of: Composition, rows: al.Groups) -> Iterator[ChipChoice]:
    query = al.Grouped(rows, (), ())
    functions: tuple[al.Function, ...] = ("mean", "median", "sum", "min", "max")
    for place in range(al.width(rows.query)):
        for function in functions:
            figure = al.Aggregate(function, al.Output(place))
            yield ChipChoice(text=figure_words(figure, of.data.schema.said(query)), value=MeasuredFigure(figure, ""))
    yield ChipChoice(text="number of them", value=MeasuredFigure(al.Count(), ""))


def _groups(of: Composition) -> Iterator[ChipChoice]:
    """What a row belongs to, then its columns, then periods, those of the usual date first."""
    if isinstance(of.rows, al.Groups):
        for place, text in enumerate(outputs_of(of.data.schema.said(of.rows.query))):
            yield ChipChoice(text=text, value=al.Output(place))
        return
    schema = of.data.schema
    tables = groups_in(schema, of.rows.table) if of.rows is not None else tuple(schema.tables)
    usual = date_of(of)
    for table in tables:
        label = schema.tables[table].label
        also = (table, things(schema.tables[table].called), *(_names(label[0]) if len(label) == 1 else ()))
        yield ChipChoice(text=_singular(schema, table), value=GroupKey(None, thing=Thing(table)), also=also)
    every = [column for table in tables for column in schema.tables[table].columns]
    for column in every:
        if (choice := _grouped_by(of, column)) is not None:
            yield choice
    days = [column for column in every if schema.typed[column].role == "date"]
    for column in sorted(days, key=lambda column: column != usual):
        yield from _grains(of, column, is_usual=column == usual)


def _columns(of: Composition) -> Iterator[ChipChoice]:
    """What a list of rows may show: what they hold, then what the rows that they lead to hold."""
    if isinstance(of.rows, al.Groups):
        return
    schema, words = of.data.schema, chip_words(of)
    for table in groups_in(schema, of.rows.table) if of.rows is not None else tuple(schema.tables):
        for column in schema.tables[table].columns:
            if schema.typed[column].role != "key" and column not in of.columns:
                yield ChipChoice(text=words.group(column), value=column, also=_names(column))


def _singular(schema: Schema, table: str) -> str:
    return " ".join(schema.tables[table].words)


def _grouped_by(of: Composition, column: al.Column) -> ChipChoice | None:
    """A column to group by; None where its values are no groups, or those of its table."""
    schema, text = of.data.schema, chip_words(of).group(column)
    role, is_home = schema.typed[column].role, of.rows is None or of.rows == al.Rows(column.table)
    if role not in _GROUPED_BY and not (role == "key" and is_home):
        return None
    if text == _singular(schema, column.table) or schema.tables[column.table].label == (column,):
        return None
    return ChipChoice(text=text, value=GroupKey(column), also=_names(column))


def _grains(of: Composition, column: al.Column, *, is_usual: bool) -> Iterator[ChipChoice]:
    words = chip_words(of)
    for grain in _GRAINS:
        also = tuple(f"{grain} of {name}" for name in _names(column))
        alone = (grain, f"{grain}s") if is_usual else ()
        text = words.group(al.Grain(column, grain))
        yield ChipChoice(text=text, value=GroupKey(column, grain), also=(*alone, *also))


def _names(column: al.Column) -> tuple[str, ...]:
    """How a column is written."""
    return (column.name, f"{column.table}.{column.name}", named(column.name))


def _filters(of: Composition) -> Iterator[ChipChoice]:
    if not isinstance(of.rows, al.Rows):
        return
    schema, words = of.data.schema, chip_words(of)
    for definition in of.data.known.terms:
        yield ChipChoice(text=definition.names[0], also=definition.names[1:], value=definition.value)
    for table in groups_in(schema, of.rows.table):
        for column in schema.tables[table].columns:
            profile = schema.profiled[column].profile
            if schema.typed[column].role not in ("category", "flag", "name", "part") or profile is None:
                continue
            values = profile.values or tuple(value for value, _ in profile.top)
            text_of = words.value(column)
            for value in values:
                condition = al.Compare(column, "=", al.Constant(value))
                yield ChipChoice(text=text_of(value), value=condition, also=(str(value),))


def _periods(of: Composition) -> Iterator[ChipChoice]:
    """Years, quarters and months of the data, the latest first, of the usual date and then of others."""
    if not isinstance(of.rows, al.Rows):
        return
    schema, words = of.data.schema, chip_words(of)
    usual = date_of(of)
    dates_beside = (c for c in dates(schema, of.rows.table, ()) if schema.reaches_one(of.rows.table, c.table))
    for column in dict.fromkeys((*((usual,) if usual else ()), *dates_beside)):
        for period in _spans(schema, column, of.data.today):
            condition = dated(schema, column, period)
            if condition is not None:
                text = words.filter(condition)
                also = (text.removeprefix(f"{words.group(column)} in "),) if column == usual else ()
                yield ChipChoice(text=text, value=condition, also=also)


def _spans(schema: Schema, column: al.Column, today: date) -> Iterator[Period]:
    profile = schema.profiled[column].profile
    if profile is None or profile.low is None or profile.high is None:
        return
    try:
        first, last = (date.fromisoformat(_day(value)) for value in (profile.low, profile.high))
    except ValueError:
        return
    if schema.typed[column].open_until != "" or last.year == date.max.year:
        last = min(last, today)  # "until 9999-01-01" is no time that rows are of
    for months, most in ((12, _YEARS_MAX), (3, _QUARTERS_MAX), (1, _MONTHS_MAX)):
        month = (last.year * 12 + last.month - 1) // months * months
        for _ in range(most):
            start, end = _month(month), _month(month + months)
            if end <= first or start.year < 1:
                break
            yield Period(start.isoformat(), end.isoformat())
            month -= months


def _day(value: object) -> str:
    return f"{value:04d}-01-01" if isinstance(value, int) else str(value)[:10]


def _month(number: int) -> date:
    return date(number // 12, number % 12 + 1, 1)


def _orders(of: Composition) -> Iterator[ChipChoice]:
    words = chip_words(of)
    visible = ((place, output) for place, output in enumerate(of.outputs) if not of.is_hidden(output))
    for place, output in visible:
        is_figure = isinstance(output, al.Figure)
        text = words.measure(output) if is_figure else words.group(output)
        for descending in (is_figure, not is_figure):
            in_order = phrase("chips", "highest" if descending else "lowest", text)
            usual = (text,) if descending == is_figure else ()
            yield ChipChoice(text=in_order, value=al.Order(place, descending), also=usual)


def _comparisons(of: Composition) -> Iterator[ChipChoice]:
    comparisons: list[Comparison] = []
    groups = [at for at, group in enumerate(of.groups) if not of.is_hidden(group)]
    times = [at for at in groups if isinstance(of.groups[at], al.Grain)]
    if groups and of.measures:
        comparisons += [Across(how="share"), Across(how="rank", is_beside=True)]
        comparisons += [Across(how="share", within=(at,)) for at in groups if len(groups) > 1]
        for at in times:
            within = tuple(place for place in range(len(of.groups)) if place != at)
            comparisons += [
                Across(how="running", along=at, within=within),
                Across(how="lag", along=at, within=within, is_beside=True),
            ]
            comparisons += [Across(how="moving", along=at, within=within, n=3)]
    comparisons += _two_periods(of)
    for comparison in comparisons:
        chip = next(chip for chip in replace(of, comparison=comparison).chips if chip.kind == "Compare")
        yield ChipChoice(
            text=chip.text, value=comparison, also=(comparison.how,) if isinstance(comparison, Across) else ()
        )


def _two_periods(of: Composition) -> list[Comparison]:
    """The last two years, quarters and months of the data side by side."""
    day = date_of(of)
    if day is None or not isinstance(of.rows, al.Rows) or not of.measures or any(map(is_period, of.filters)):
        return []
    schema = of.data.schema
    pairs: list[tuple[Period, Period]] = []
    spans = list(_spans(schema, day, of.data.today))
    for earlier, later in zip(spans[1:], spans, strict=False):
        if earlier.end == later.start and len({p[0] for p in pairs}) < _QUARTERS_MAX:
            pairs.append((earlier, later))
    comparisons: list[Comparison] = []
    for earlier, later in pairs:
        first, second = dated(schema, day, earlier), dated(schema, day, later)
        if first is not None and second is not None:
            comparisons.append(Sides(first=first, second=second, how="growth"))
    return comparisons
