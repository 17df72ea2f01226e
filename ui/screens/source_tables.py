"""The tables of a source: first rows, columns with role and profile, and forms to correct and to mask columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from assistant.api.errors import AssistantError
from assistant.api.sources import ROLES, ColumnShown, SourceShown, TableShown
from ui import session_hub
from ui.session_hub import SessionHub
from ui.views import tables as result_tables
from ui.views.masking import describe_masking
from ui.views.text import count, line, plain

if TYPE_CHECKING:
    from streamlit.elements.lib.column_types import ColumnConfig

_KEYS = {"primary": ":material/key: key", "foreign": ":material/link: foreign key"}
_VALUES = {
    "integer": "whole number",
    "number": "number",
    "text": "text",
    "date": "date",
    "datetime": "date and time",
    "time": "time of day",
    "boolean": "yes or no",
    "binary": "binary data",
}
"""What a column's values are, in words, by the kind that the catalog gives them."""
LISTING = "data-listing"
"""The page's state of the sources while they are read. A change drops it: what began before would show what was."""
_TOP_BARS = 8
_TOP_SHARE_MIN = 0.1
"""Where the most frequent values are less than this of the rows, as of amounts, they say nothing: some are named."""
_LABEL_CHARS = 28


def draw(live: SessionHub, source: SourceShown) -> None:
    """Choose a table; see its rows or its columns."""
    names = [table.name for table in source.tables]
    if not names:
        st.markdown(":gray[It holds no table.]")
        return
    counted = {table.name: table.rows for table in source.tables}
    selection = st.selectbox(
        "Table",
        names,
        key=f"table-of-{source.name}",
        format_func=lambda name: name if counted[name] is None else f"{name} ({count(counted[name] or 0, 'row')})",
        label_visibility="collapsed",
    )
    table = next(candidate for candidate in source.tables if candidate.name == selection)
    rows, columns = st.tabs(
        ["First rows", f"Columns ({len(table.columns)})"], key=f"tabs-{source.name}-{table.name}", on_change="rerun"
    )
    if rows.open:
        with rows:
            _draw_rows(live, source, table)
    if columns.open:
        with columns:
            for column in table.columns:
                _draw_column(live, source, table, column)


def _draw_rows(live: SessionHub, source: SourceShown, table: TableShown) -> None:
    try:
        with st.spinner("Reading the first rows", show_time=True):
            sample = live.call(live.workspace.connections.sample(source.name, table.name), timeout_s=120)
    except AssistantError as error:
        st.error(plain(str(error)), title="Its rows cannot be read", icon=":material/error:")
        return
    if not sample.rows:
        st.info("It has columns, but not a single row.", icon=":material/search_off:")
        return
    values = [result_tables.parse_days([row[n] for row in sample.rows]) for n in range(len(sample.columns))]
    frame = pd.DataFrame(dict(zip(sample.columns, values, strict=True)))
    config: dict[str, ColumnConfig] = {
        column.name: st.column_config.NumberColumn(column.name, format="%d" if column.kind == "integer" else None)
        for column in table.columns
        if column.kind in ("integer", "number") and not column.masked
    }
    st.dataframe(
        frame,
        hide_index=True,
        key=f"rows-{source.name}-{table.name}",
        column_config=config,
        alt=f"Rows of {table.name}",
    )
    total = "" if sample.total is None else f" of {sample.total:,}"
    st.caption(f"First {len(sample.rows):,}{total} rows. Click a heading to sort them, or the lens to search.")


def _draw_column(live: SessionHub, source: SourceShown, table: TableShown, column: ColumnShown) -> None:
    key = f"{source.name}-{table.name}-{column.name}"
    stays = bool(st.session_state.get(f"column-{key}"))  # under another label it would be a new one, and closed
    opened = st.expander(
        _describe(table, column), expanded=stays, key=f"column-{key}", on_change="rerun", type="compact"
    )
    if not opened.open:
        return
    with opened:
        with st.container(horizontal=True, vertical_alignment="bottom", key=f"column-acts-{key}", gap="small"):
            roles = list(ROLES)
            st.selectbox(
                "Role",
                roles,
                index=roles.index(column.role) if column.role in roles else None,
                key=f"role-{key}-{column.role}",
                format_func=lambda role: f"{role}: {ROLES[role]}",
                on_change=_correct,
                args=(f"role-{key}-{column.role}", source.name, table.name, column.name, column.guessed),
                help="A correction is kept, and holds from the next question on.",
            )
            if not column.masked:
                _mask_asked(live, f"{source.name}.{table.name}.{column.name}", key)
        if column.role != column.guessed:
            st.markdown(f":green[:material/person_check: You said so.] :gray[By its name and values: {column.guessed}]")
        if column.masked:
            st.markdown(
                ":gray[:material/visibility_off: Masked: its values never leave the source. To show them again, take "
                "it out of `masks.toml` in the home folder, or of the setting `mask`, and start Tandem again.]"
            )
            return
        _draw_profile(table, column, key)


def _describe(table: TableShown, column: ColumnShown) -> str:
    parts = [f"**{line(column.name)}**", *dict.fromkeys(filter(None, (_VALUES.get(column.kind, ""), column.role)))]
    if column.key:
        parts.append(_KEYS[column.key])
    if column.masked:
        parts.append(":material/visibility_off: masked")
    elif column.nulls and table.rows:
        parts.append(
            f":orange[:material/warning:] {column.nulls / table.rows:.0%} empty"
            if column.nulls / table.rows >= 0.005
            else ""
        )
    return " · ".join(filter(None, parts))


def _draw_profile(table: TableShown, column: ColumnShown, key: str) -> None:
    facts = [count(column.distinct, "distinct value"), f"{column.nulls:,} empty"]
    if column.low is not None and column.high is not None:
        facts.append(f"from {_shorten(column.low)} to {_shorten(column.high)}")
    if column.sampled:
        facts.append("in the first rows")
    st.markdown(f":gray[{plain(', '.join(facts))}]")
    top = [(_shorten(value), counted) for value, counted in column.top if value is not None][:_TOP_BARS]
    if not has_repeats(column, table.rows):
        examples = ", ".join(text for text, _ in top[:5])
        if examples:
            st.markdown(f":gray[For example] {plain(examples)}")
        return
    st.vega_lite_chart(
        {
            "data": {"values": [{"value": text, "rows": counted} for text, counted in top]},
            "height": {"step": 20},
            "layer": [
                {"mark": {"type": "bar", "height": 12, "cornerRadius": 2}},
                {
                    "mark": {"type": "text", "align": "left", "dx": 4},
                    "encoding": {"text": {"field": "rows", "type": "quantitative", "format": ","}},
                },
            ],
            "encoding": {
                "y": {"field": "value", "type": "nominal", "sort": None, "title": None, "axis": {"labelLimit": 180}},
                "x": {"field": "rows", "type": "quantitative", "title": None, "axis": None},
            },
        },
        key=f"profile-{key}",
        alt=f"The most frequent values of {column.name}: " + ", ".join(f"{text} {counted}" for text, counted in top),
    )


def has_repeats(column: ColumnShown, rows: int | None) -> bool:
    """Whether the most frequent values say something of a column: they repeat, and are more than a few of its rows."""
    counts = [counted for value, counted in column.top if value is not None][:_TOP_BARS]
    values = (rows or 0) - column.nulls
    few = not column.sampled and sum(counts) < _TOP_SHARE_MIN * values
    return max(counts, default=0) > 1 and not few


def _shorten(value: object) -> str:
    text = f"{value:,.10g}" if isinstance(value, float) else str(value)
    return text if len(text) <= _LABEL_CHARS else f"{text[: _LABEL_CHARS - 1]}…"


def _correct(state: str, source: str, table: str, column: str, guessed: str) -> None:
    live = session_hub.current()
    role = str(st.session_state[state] or "")
    try:
        live.call(live.workspace.connections.correct(source, table, column, "" if role == guessed else role))
    except AssistantError as error:
        st.session_state["data-trouble"] = str(error)
        return
    live.forget_starters()
    st.session_state.pop(LISTING, None)
    text = f"{column} is a {role} from the next question on: {ROLES.get(role, '')}."
    st.session_state["data-done"] = text


def _mask_asked(live: SessionHub, column: str, key: str) -> None:
    """The button that masks a column, once the person knows what that takes."""
    with st.popover("Mask", icon=":material/visibility_off:", key=f"masking-{key}"):
        st.markdown(
            "Its values never leave the source any more. Answers that used them, in all conversations, are withheld "
            "for good."
        )
        if st.button("Mask it", key=f"mask-{key}", type="primary"):
            _mask(live, column)


def _mask(live: SessionHub, column: str) -> None:
    try:
        with st.spinner("Masking it"):
            withheld = live.decide_mask(column, mask=True)
    except AssistantError as error:
        st.error(plain(str(error)), title="That was not done everywhere", icon=":material/error:")
        return
    live.workspace.connections.refresh()
    st.session_state.pop(LISTING, None)
    st.session_state["data-done"] = describe_masking(column, withheld)
    st.rerun()
