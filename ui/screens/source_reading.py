"""Import options of a source's files, and the form that changes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import pandas as pd
import streamlit as st

from assistant.api.errors import AssistantError
from assistant.api.sources import FileReading, SourceShown
from ui.session_hub import SessionHub
from ui.views.text import line, plain

GUESS = "as guessed"
_ENCODINGS = (
    *("utf-8", "utf-16", "utf-32", "cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257"),
    *("latin-1", "koi8-r", "mac-roman", "cp437", "cp850", "cp852", "cp866", "shift_jis", "euc_jp", "cp949", "gb18030"),
    *("big5",),
)
_DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "space"}
_YES_NO = {True: "The first line holds names", False: "There is no line of names"}
_DECIMALS = {".": "1,234.56: a point", ",": "1.234,56: a comma"}
_TOTALS = {"drop": "Leave them out", "keep": "Keep them as rows"}
_TYPES = ("text", "integer", "number", "boolean", "date", "datetime", "date %d/%m/%Y", "date %m/%d/%Y", "date %d.%m.%Y")


def draw(live: SessionHub, source: SourceShown) -> None:
    """Each file with what was found in it, and the form."""
    try:
        readings = live.call(live.workspace.connections.readings(source.name), timeout_s=300)
    except AssistantError as error:
        st.error(plain(str(error)), title="How this was read cannot be shown", icon=":material/error:")
        return
    for reading in readings:
        if len(readings) > 1:
            st.markdown(f"**{line(reading.file)}**")
        _draw_file(live, source, reading)


def _draw_file(live: SessionHub, source: SourceShown, reading: FileReading) -> None:
    if reading.first_lines:
        st.code("\n".join(reading.first_lines), language=None)
    if reading.format not in ("csv", "excel"):
        st.markdown(":gray[There is no form for this kind of file. `FILE.tandem.toml` beside it says how it is read.]")
        return
    key = f"reading-{source.name}-{reading.file}"
    with st.form(key, border=False, enter_to_submit=False):
        choices = _draw_fields(source, reading, key)
        with st.container(horizontal=True, gap="small"):
            is_submitted = st.form_submit_button("Read it so", icon=":material/check:", type="primary")
            back = bool(reading.choices) and st.form_submit_button("Guess everything again", icon=":material/undo:")
    if is_submitted or back:
        _read(live, source, reading, {} if back else choices)


def _draw_fields(source: SourceShown, reading: FileReading, key: str) -> dict[str, object]:
    choices: dict[str, object] = {}
    text = reading.format == "csv"
    left, right = st.columns(2)
    with left:
        if text:
            choices["encoding"] = _draw_choice(
                "Encoding", "encoding", dict(zip(_ENCODINGS, _ENCODINGS, strict=True)), reading, key
            )
            choices["header"] = _draw_choice("Names of columns", "header", _YES_NO, reading, key)
        choices["decimal"] = _draw_choice("Decimals", "decimal", _DECIMALS, reading, key)
    with right:
        if text:
            choices["delimiter"] = _draw_choice("Between columns", "delimiter", _DELIMITERS, reading, key)
            lines_to_skip = reading.choices.get("skip")
            choices["skip"] = st.number_input(
                "Lines above the names",
                min_value=0,
                max_value=1000,
                value=lines_to_skip if isinstance(lines_to_skip, int) else None,
                placeholder=f"{GUESS}: {reading.guesses.get('skip', 0)}",
                key=f"{key}-skip",
            )
        choices["totals"] = _draw_choice("Rows that sum up the others", "totals", _TOTALS, reading, key)
    choices["missing"] = _draw_words("What means no value", "missing", (), reading, key, adds=True)
    if reading.sheets:
        choices["sheets"] = _draw_words("Sheets to read", "sheets", reading.sheets, reading, key, adds=False)
    choices["types"] = _draw_types(source, reading, key)
    return choices


def _draw_words(
    label: str, word: str, options: Sequence[str], reading: FileReading, key: str, *, adds: bool
) -> list[str]:
    """Several words: of those there are, or (`adds`) any that are typed."""
    stored = reading.choices.get(word)
    values = [str(word_value) for word_value in cast("list[object]", stored)] if isinstance(stored, list) else []
    return st.multiselect(
        label,
        list(dict.fromkeys([*options, *values])),
        default=values,
        accept_new_options=adds,
        key=f"{key}-{word}",
        placeholder="As guessed: n/a, - and their like. Type others" if adds else "All of them",
    )


def _draw_choice(label: str, word: str, options: Mapping[Any, str], reading: FileReading, key: str) -> object:
    values: list[object] = [None, *options]
    stored, guessed = reading.choices.get(word), reading.guesses.get(word)
    if stored not in values:
        values.append(stored)
    automatic = GUESS if guessed is None else f"{GUESS}: {options.get(guessed, str(guessed)).lower()}"

    def told(value: object) -> str:
        return automatic if value is None else options.get(value, str(value))

    return st.selectbox(label, values, index=values.index(stored), key=f"{key}-{word}", format_func=told)


def _draw_types(source: SourceShown, reading: FileReading, key: str) -> dict[str, str]:
    """The types of columns that the person says; the others are guessed."""
    stored = reading.choices.get("types")
    types = cast("dict[str, str]", stored) if isinstance(stored, dict) else {}
    names = list(dict.fromkeys([*(c.name for table in source.tables for c in table.columns), *types]))
    frame = pd.DataFrame({"column": names, "type": [types.get(name) for name in names]})
    with st.expander("Types of columns", type="compact", expanded=bool(types)):
        edited = st.data_editor(
            frame,
            hide_index=True,
            disabled=["column"],
            key=f"{key}-types",
            column_config={
                "column": st.column_config.TextColumn("Column"),
                "type": st.column_config.SelectboxColumn(
                    "Read as", options=list(dict.fromkeys([*_TYPES, *types.values()]))
                ),
            },
        )
    return {str(row["column"]): str(row["type"]) for row in edited.to_dict("records") if row["type"]}


def _read(live: SessionHub, source: SourceShown, reading: FileReading, choices: dict[str, object]) -> None:
    try:
        with st.spinner(f"Reading {reading.file}", show_time=True):
            live.call(live.workspace.connections.read_as(source.name, reading.file, choices), timeout_s=600)
    except AssistantError as error:
        st.error(plain(str(error)), title="It cannot be read so; nothing was changed", icon=":material/error:")
        return
    live.forget_starters()
    st.session_state["data-done"] = f"{reading.file} is read so from now on, in every new question."
    st.rerun()
