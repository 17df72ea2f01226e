"""The effect of a knowledge entry on the data: a figure or the first rows, and the query."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from assistant.api.figures import FigureProperties, columns_of, shown
from assistant.api.knowledge import Effect
from ui.components import editor
from ui.views import result
from ui.views.text import count, line, plain


def draw(effects: Sequence[Effect], *, key: str) -> None:
    """Draw each effect."""
    for place, effect in enumerate(effects):
        with st.container(border=True, key=f"effect-{place}-{key}", gap="small"):
            _draw_effect(effect, key=f"{place}-{key}")


def _draw_effect(effect: Effect, *, key: str) -> None:
    """One result: a figure or a table, its words, and its query behind a click."""
    if len(effect.rows) == 1 and len(effect.columns) == 1:
        with st.container(key=f"figure-{key}"):
            st.markdown(plain(_format_cells(effect)[0][0]))
    elif effect.rows:
        _draw_table(effect, key=key)
    if effect.text:
        st.markdown(plain(effect.text))
    if effect.sql:
        with st.expander("The query", type="compact", key=f"effect-sql-{key}", on_change="rerun") as opened:
            if opened.open:
                editor.show(effect.sql, key=f"effect-code-{key}", label="The query that was run", language="sql")


def _draw_table(effect: Effect, *, key: str) -> None:
    """The rows of a result, and how many more there are."""
    names = [f"{name}{' ' * n}" for n, name in enumerate(effect.columns)]  # two columns may have one name
    st.dataframe(
        pd.DataFrame(_format_cells(effect), columns=names),
        hide_index=True,
        key=f"effect-table-{key}",
        alt=f"Table: {line(effect.text)}, {count(effect.total, 'row')}",
    )
    if effect.total > len(effect.rows):
        st.caption(f"First {len(effect.rows)} of {count(effect.total, 'row')}")


def _format_cells(effect: Effect) -> list[list[str]]:
    """The rows as the person writes figures and days."""

    money = {"%": FigureProperties(unit="percent", symbol="%"), "": None}.get(
        effect.unit, FigureProperties(unit="currency", symbol=effect.unit)
    )
    properties = dict.fromkeys(effect.columns, money) if money is not None else {}
    columns, code = columns_of(effect, properties), result.get_locale()
    return [
        ["" if value is None else shown(value, column, code=code) for value, column in zip(row, columns, strict=True)]
        for row in effect.rows
    ]
