"""A figure as a series of whole periods, or one series for each group where it is broken down by groups."""

from __future__ import annotations

from dataclasses import replace

from assistant.embedded.meaning import Dimension, Grain, Meaning
from assistant.embedded.sql.headings import column_names
from assistant.embedded.studies.asking import Asked, Read, figure_of, period_of, titled
from assistant.embedded.studies.outcomes import Refused
from assistant.embedded.studies.periods import fitting_grain, whole
from assistant.embedded.studies.study import Grouping, Series
from assistant.embedded.wording.phrases import figure_words
from assistant.embedded.wording.plain import joined


def series_of(asked: Asked, read: Read, grain: Grain | None) -> tuple[Read, Series] | Refused:
    """A figure as a series of whole periods. Without a grain, one that fits the length of the data."""
    group = _group(asked, read)
    if isinstance(group, Refused):
        return group
    by = asked.by_months(read) if grain is None else asked.by_period(read, grain)
    if isinstance(by, Refused):
        return by
    days = asked.dates(by.meaning)
    if days is None or days[0] > days[1]:
        return Refused(
            reason=f"{titled(read.meaning.measures[0].label)} has no dates to follow it by.", understood=True
        )
    dimension = period_of(by.meaning)
    assert dimension is not None
    chosen: Grain = "year" if dimension.grain is None else grain or fitting_grain(*days)
    if dimension.grain is not None and chosen != dimension.grain:
        by = asked.by_period(read, chosen)
        if isinstance(by, Refused):
            return by
    first, end, cut = whole(*days, asked.today, chosen, days=asked.different_days(by.meaning))
    if group is not None:
        by = replace(
            by,
            meaning=_broken_down(by.meaning, group),
            assumptions=(*by.assumptions, *_without_group(asked, group, by.meaning.source)),
        )
    period, *columns = column_names(by.meaning)
    series = Series(
        figure=figure_of(by.meaning),
        period=period,
        grain=chosen,
        first=first,
        end=end,
        cut=cut,
        groups=Grouping(column=columns[0], label=group.label) if group is not None else None,
    )
    return by, series


def named(figure: str, series: Series) -> str:
    """A figure by its periods, and by its groups where it has some, as the middle of a title."""
    each = f" for each {series.groups.label}" if series.groups is not None else ""
    return f"{figure} by {series.grain}{each}"


def _group(asked: Asked, read: Read) -> Dimension | Refused | None:
    """By what the figure is broken down; None where it is not, or where one group alone is meant by a condition."""
    groups = tuple(group for group in read.by if not _one_alone(group, read.meaning))
    if not groups:
        return None
    group, figure = groups[0], figure_words(read.meaning, read.meaning.measures[0])
    if len(groups) > 1:
        return Refused(
            reason=f"I can follow {figure} through time by one kind of groups, and not for each"
            f" {joined([d.label for d in groups])} at once.",
            hint=f"Ask for one of them, as in “is there a trend in {figure} by {group.label}?”.",
            understood=True,
        )
    if group.more or group.part or group.edges or _same_names(asked, group, read.meaning):
        return Refused(
            reason=f"I can follow one figure through time, and not one for each {group.label}.",
            hint=f"Ask for {figure} as a whole, or by month and {group.label}.",
            understood=True,
        )
    return group


def _one_alone(group: Dimension, meaning: Meaning) -> bool:
    """Whether a condition leaves one group only: "for each region" says nothing then."""
    return any(
        (f.column.table, f.column.column) == (group.column.table, group.column.column)
        and f.operator == "="
        and len(f.values) == 1
        for f in meaning.filters
    )


def _same_names(asked: Asked, group: Dimension, meaning: Meaning) -> bool:
    """Whether several groups go by one name, so that their rows could not be told apart."""
    if not group.key:
        return False
    entity = asked.schema(meaning.source).entities[group.column.table]
    profile = entity.attributes[group.column.column].column.profile
    return profile is None or entity.table.rows is None or profile.distinct < entity.table.rows


def _without_group(asked: Asked, group: Dimension, source: str) -> tuple[str, ...]:
    """What is said where rows on the way to the groups may have none: they are in no line."""
    schema = asked.schema(source)
    for step in group.column.steps:
        for name in step.left_columns:
            profile = schema.attribute(step.left, name).column.profile
            if profile is not None and profile.nulls:
                return (f"{schema.entities[step.left].many} without a {group.label} are left out",)
    return ()


def _broken_down(by: Meaning, group: Dimension) -> Meaning:
    return by.model_copy(update={"dimensions": (by.dimensions[0], group)})
