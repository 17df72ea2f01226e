"""Calls of tested functions on the sample company: their query run, their cell executed."""

from __future__ import annotations

from typing import Any

import pandas as pd
from sample_analyst import AS_OF, rows_of, sample_analyst

from assistant.analyst.meaning import Meaning
from assistant.analyst.presenting.answers import AnswerRows
from assistant.analyst.presenting.headings import column_names
from assistant.analyst.studies.cells import computation
from assistant.analyst.studies.study_descriptions import describe_study
from assistant.cells.functions import order_functions, render_definitions
from assistant.functions.library import list_shipped


def computed(meaning: Meaning) -> pd.DataFrame:
    """The table that the cell of a function displays."""
    assert meaning.study is not None
    assert meaning.study.call is not None
    rows = pd.DataFrame(rows_of(sample_analyst().sql(meaning)), columns=list(column_names(meaning.query)))
    shown: list[pd.DataFrame] = []
    scope: dict[str, Any] = {"rows_read": rows, "display": shown.append}
    sources = {function.name: function.source for function in list_shipped()}
    exec(render_definitions(order_functions([meaning.study.call.function], sources.get)), scope)
    exec(computation(meaning, frame="rows_read", today=AS_OF), scope)
    return shown[-1]


def described(meaning: Meaning) -> str:
    """The answer of a function, in words."""
    table = computed(meaning)
    rows = [tuple(row) for row in table.itertuples(index=False)]
    return describe_study(meaning, AnswerRows(columns=list(table.columns), rows=rows, total=len(rows)))[0]
