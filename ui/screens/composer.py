"""The input box: the first question, a follow-up, the answer to a clarification, or a requested change."""

from __future__ import annotations

from typing import Any, TypeAlias

import streamlit as st

from assistant.api.session import Session
from assistant.api.sources import pasted_table
from assistant.api.turns import Transcript
from ui import actions, session_hub

FILE_TYPES = [
    *("csv", "tsv", "tab", "txt", "xlsx", "xlsm", "xls", "xlsb", "ods"),
    *("parquet", "pq", "arrow", "feather", "avro", "orc", "json", "jsonl", "ndjson"),
    *("geojson", "geojsonl", "xml", "html", "htm", "log", "sql", "dump"),
    *("sav", "zsav", "por", "dta", "sas7bdat", "xpt"),
    *("zip", "tar", "tgz", "bz2", "xz", "gz", "sqlite", "sqlite3", "db", "db3", "duckdb", "ddb", "toml"),
]  # fmt: skip
"""What may be added: all that can be read as data, and `FILE.tandem.toml`, which says how `FILE` is read."""
Files: TypeAlias = tuple[tuple[str, bytes], ...]
STARTED_DRAFT = "begun"
"""The first question of this tab, with its files, until its session is made."""
BUILD = "build"
"""In the page's address: a session without a question is begun, to build a query in."""
FIRST = "Ask about your data, or add a file"


def draw_first() -> None:
    """Draw it on the page without a session."""
    st.chat_input(FIRST, key="first", accept_file="multiple", file_type=FILE_TYPES, on_submit=_submit_first)


def queue_question(text: str, files: tuple[tuple[str, bytes], ...] = ()) -> None:
    """Have a session begun with this question at the next drawing."""
    st.session_state[STARTED_DRAFT] = (text, files)


def _submit_first() -> None:
    text, files = _with_pasted(*_read_input(st.session_state.get("first")))
    if text or files:
        queue_question(text, files)


def draw(session: Session, view: Transcript, *, busy: bool) -> None:
    """Draw it in a session; `busy` while nothing can be said."""
    waiting = view.waiting
    if busy:
        placeholder = "Working"
    elif waiting is None:
        placeholder = "Ask a follow-up, or add a file" if view.turns else FIRST
    elif waiting.kind == "clarification":
        placeholder = "Or answer in your own words"
    else:
        placeholder = "Say what to change, or ask another question"
    st.chat_input(
        placeholder,
        key="composer",
        accept_file="multiple",
        file_type=FILE_TYPES,
        disabled=busy,
        on_submit=_submit,
        args=(session.id,),
    )


def _submit(session_id: str) -> None:
    live = session_hub.current()
    session = live.open(session_id)
    text, files = _read_input(st.session_state.get("composer"))
    waiting = live.of(session).view().waiting
    if waiting is None or files:
        text, files = _with_pasted(text, files)
        actions.ask(live, session, text, files)
    elif waiting.kind == "clarification":
        actions.clarify(live, session, waiting, text)
    elif text:
        actions.change_or_ask(live, session, waiting, text)


def _with_pasted(text: str, files: Files) -> tuple[str, Files]:
    """The question without a table that is pasted in it, and that table as one of the files."""
    table = pasted_table(text)
    return (text, files) if table is None else (table.question, (*files, (table.name, table.content)))


def _read_input(value: Any) -> tuple[str, Files]:
    """The composer's text and files."""
    if isinstance(value, str):
        return value.strip(), ()
    text = getattr(value, "text", "") or ""
    files = getattr(value, "files", None) or ()
    return str(text).strip(), tuple((str(file.name), bytes(file.getvalue())) for file in files)
