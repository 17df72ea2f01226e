"""The Python step of a study and its answer: each kind's own `cell` and `word`, chosen by the study's class."""

from __future__ import annotations

from typing import assert_never

from assistant.embedded.studies import (
    causes,
    description,
    distribution,
    forecast,
    forecast_by_group,
    groups,
    growth,
    growth_by_group,
    movers,
    relation,
    risk,
    trend,
    trend_by_group,
    twoperiods,
)
from assistant.embedded.studies.by_group import each
from assistant.embedded.studies.queries import result_names
from assistant.embedded.studies.study import (
    Causes,
    Description,
    Distribution,
    Forecast,
    Grouping,
    Groups,
    Growth,
    Periods,
    Relation,
    Risk,
    Series,
    Study,
    Trend,
)
from assistant.embedded.studies.telling import Result, Told


def cell(study: Study) -> str:
    """The code of the Python step, over the results of the study's queries."""
    frames = result_names(study)
    match study:
        case Description():
            return description.cell(study, frames)
        case Distribution():
            return distribution.cell(study, frames)
        case Relation():
            return relation.cell(study, frames)
        case Trend(series=Series(groups=None)):
            return trend.cell(study, frames)
        case Trend():
            return trend_by_group.cell(study, frames)
        case Growth(series=Series(groups=None)):
            return growth.cell(study, frames)
        case Growth():
            return growth_by_group.cell(study, frames)
        case Periods():
            return twoperiods.cell(study, frames)
        case Causes():
            return causes.cell(study, frames)
        case Forecast(series=Series(groups=None)):
            return forecast.cell(study, frames)
        case Forecast():
            return forecast_by_group.cell(study, frames)
        case Groups():
            return groups.cell(study, frames)
        case Risk():
            return risk.cell(study, frames)
        case _:
            assert_never(study)


def word(study: Study, result: Result) -> Told:
    """The answer in Markdown, from the table that the Python step gave.

    Raises:
        KeyError: the table is not the one that the study's own code gives.
        ValueError: likewise.
    """
    match study:
        case Description():
            return description.word(study, result)
        case Distribution():
            return distribution.word(study, result)
        case Relation():
            return relation.word(study, result)
        case Trend(series=Series(groups=None)):
            return trend.word(study, result)
        case Trend():
            return trend_by_group.word(study, result)
        case Growth(series=Series(groups=None)):
            return growth.word(study, result)
        case Growth():
            return growth_by_group.word(study, result)
        case Periods():
            return twoperiods.word(study, result)
        case Causes(leading=""):
            return causes.word(study, result)
        case Causes():
            return movers.word(study, result)
        case Forecast(series=Series(groups=None)):
            return forecast.word(study, result)
        case Forecast():
            return forecast_by_group.word(study, result)
        case Groups():
            return groups.word(study, result)
        case Risk():
            return risk.word(study, result)
        case _:
            assert_never(study)


def operations(study: Study) -> tuple[str, ...]:
    """What the Python step does, in plain words."""
    match study:
        case Description(aspect="columns"):
            return ("Describe every column: how full, how varied, and between which values",)
        case Description(aspect="missing"):
            return ("Count the missing values of every column",)
        case Description():
            return ("Look for rows, values and dates that are out of the ordinary",)
        case Distribution(focus="outliers"):
            return ("Find the values far beyond the quartiles",)
        case Distribution():
            return ("Compute quartiles, average and spread, and draw the histogram",)
        case Relation():
            return ("Fit a straight line between the two figures and test the correlation",)
        case Trend(series=Series(groups=None)):
            return ("Fit a straight line through the whole periods and test its slope",)
        case Trend():
            return (f"Fit a straight line for each {each(study.series)} and test the slopes together",)
        case Growth(series=Series(groups=Grouping()), against="running"):
            return (f"Add the figure up from period to period for each {each(study.series)}",)
        case Growth(series=Series(groups=Grouping())):
            return (f"Compare every {study.series.grain} with an earlier one for each {each(study.series)}",)
        case Growth(against="running"):
            return ("Add the figure up from period to period",)
        case Growth(against="year"):
            return (f"Compare every {study.series.grain} with the same one a year before",)
        case Growth():
            return (f"Compare every {study.series.grain} with the one before",)
        case Periods():
            return ("Set the two periods side by side",)
        case Causes():
            return ("Split the change by its parts and rank them",)
        case Forecast(series=Series(groups=Grouping())):
            return (
                f"Try three ways of forecasting on the past of each {each(study.series)}, and carry its best forward",
            )
        case Forecast():
            return ("Try three ways of forecasting on the past, and carry the best one forward",)
        case Groups():
            return ("Set the groups side by side and test their difference",)
        case Risk():
            return ("Compare each one's silence with their own usual interval",)
        case _:
            assert_never(study)
