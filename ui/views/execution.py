"""The result of an execution: duration, printed text, charts, and the error.

Outputs come from untrusted code. Text is shown as code, images only as PNG, HTML and Markdown never.
"""

from __future__ import annotations

import base64
import binascii
from typing import Literal

import streamlit as st
from pydantic import JsonValue

from assistant.api.events import Execution, Failure
from ui.views.text import count, format_seconds, plain, strip_colours

TEXT_CHARS = 20_000
PNG = b"\x89PNG\r\n\x1a\n"

FAILED = {
    "raised": "The code stopped with an error",
    "refused": "The code was refused before it ran",
    "timeout": "The code ran longer than it may",
    "interrupted": "Interrupted before it finished",
    "memory": "The code used more memory than it may",
    "cpu": "The code used more processor time than it may",
    "killed": "The code was killed",
    "crashed": "The code brought its Python down",
    "busy": "The code did not run: every kernel is at work",
}


def summarise(execution: Execution) -> str:
    """One line: `Ran in 1.5 s, 24 rows`."""
    if execution.failure is not None:
        took = (
            f" after {format_seconds(execution.seconds)}" if execution.seconds else ""
        )  # unknown where it was cut short
        return FAILED[execution.failure.kind] + took
    rows = sum(query.rows for query in execution.queries)
    fetched = f", {count(rows, 'row')}" if execution.queries else ""
    return f"Ran in {format_seconds(execution.seconds)}{fetched}"


def draw(execution: Execution, *, key: str) -> None:
    """Draw what it printed and drew, and its failure."""
    for n, item in enumerate(execution.outputs):
        _draw_output(item, key=f"{key}-{n}")
    if execution.failure is not None:
        draw_failure(execution.failure)
    for check in execution.checks:
        mark = ":green[:material/check:]" if check.ok else ":orange[:material/warning:]"
        st.markdown(f"{mark} {plain(check.name)}" + (f": {plain(check.detail)}" if check.detail else ""))


def draw_failure(failed: Failure) -> None:
    """Draw why a cell failed."""
    where = f" (line {failed.line})" if failed.line is not None else ""
    st.markdown(f"**{_name_failure(failed)}{where}.** {plain(_describe_failure(failed))}")
    if failed.traceback:
        with st.expander("Details", type="compact"):
            st.code(strip_colours(failed.traceback)[-TEXT_CHARS:], language=None, wrap_lines=True)


REFUSED_BY_HOST = "RequestRefused"
"""Not an error of the code: the host declined its query, and says why in words."""


def _name_failure(failed: Failure) -> str:
    """What kind of failure it was."""
    return "The data could not be read" if failed.name == REFUSED_BY_HOST else FAILED[failed.kind]


def _describe_failure(failed: Failure) -> str:
    """The failure in the words of Python or the database."""
    return f"{failed.name}: {failed.message}" if failed.name and failed.name != REFUSED_BY_HOST else failed.message


def _draw_output(item: dict[str, JsonValue], *, key: str) -> None:
    """One output of a cell: the end of its text, or a picture."""
    kind = item.get("output_type")
    if kind == "stream":
        text = _join_text(item.get("text"))
        if text.strip():
            st.code(strip_colours(text)[-TEXT_CHARS:], language=None, height=_choose_height(text))
        return
    data = item.get("data")
    if kind not in ("display_data", "execute_result") or not isinstance(data, dict):
        return
    png = data.get("image/png")
    if isinstance(png, str):
        picture = _decode_png(png)
        if picture is not None:
            st.image(picture, alt="Picture drawn by the code")
        return
    if any(mime.startswith(("application/vnd.vegalite", "application/vnd.dataresource")) for mime in data):
        return  # drawn as the answer's chart and table
    text = _join_text(data.get("text/plain"))
    if text.strip():
        st.code(strip_colours(text)[:TEXT_CHARS], language=None, height=_choose_height(text))


def _join_text(value: JsonValue) -> str:
    """Text of a notebook output, which may come as lines."""
    if isinstance(value, list):
        return "".join(part for part in value if isinstance(part, str))
    return value if isinstance(value, str) else ""


def _decode_png(encoded: str) -> bytes | None:
    """The bytes of a picture; None where they are no PNG."""
    try:
        picture = base64.b64decode(encoded, validate=False)
    except (binascii.Error, ValueError):
        return None
    return picture if picture.startswith(PNG) else None


def _choose_height(text: str) -> int | Literal["content"]:
    """Long text scrolls: the height in pixels, or that of the content."""
    return 240 if text.count("\n") > 10 else "content"
