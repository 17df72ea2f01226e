"""The progress of reading a file: steps done, rows and bytes so far, elapsed time, and a Stop button."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import streamlit as st

from assistant.api.progress import Progress
from ui.components.clock import draw_clock
from ui.reading import Reading
from ui.views.text import count, line

EVERY_S = 0.5
_SOON_S = 0.5
"""What is there by then is not announced."""
_MB = 1_000_000
_PARTS = {"rows": (0.0, 0.5), "types": (0.5, 0.7), "table": (0.7, 1.0)}
"""Which part of the whole each step is, as measured on a CSV file of 200 MB: 14, 6 and 8 s."""
_STEPS = {
    "unpacking": "Unpacking {file}",
    "checking": "Looking at {file}",
    "rows": "Reading {file}",
    "types": "{file} is read. Finding the types of its columns",
    "table": "{file} is read. Writing its table",
    "columns": "Looking at the columns of {file}",
}


def describe(progress: Progress) -> str:
    """How far it is, in a line."""
    parts = [_STEPS[progress.step].format(file=line(progress.file))]
    if progress.rows is not None and progress.rows_total:
        parts.append(f"{progress.rows:,} of {progress.rows_total:,} rows")
    elif progress.rows:
        parts.append(count(progress.rows, "row"))
    if progress.step == "rows" and progress.bytes_read is not None and progress.bytes_total >= _MB:
        parts.append(f"{progress.bytes_read / _MB:,.0f} of {progress.bytes_total / _MB:,.0f} MB")
    return " · ".join(parts)


def share(progress: Progress) -> float:
    """How much of the whole is done, 0 to 1."""
    begins, ends = _PARTS.get(progress.step, (0.0, 0.0))
    return begins + (ends - begins) * (progress.share or 0.0)


def draw_bar(
    title: str,
    progress: Progress | None,
    *,
    since: datetime,
    question: bool = False,
    stop: Callable[..., None],
    args: tuple[Any, ...] = (),
) -> None:
    """Draw it once, with the way to stop it.

    Args:
        title: What is being done, as long as nothing tells how far it is.
        progress: How far it is.
        since: Since when.
        question: Whether a question waits for it.
        stop: Stops it.
        args: What `stop` is called with.
    """
    with st.container(horizontal=True, vertical_alignment="center", key="bar", wrap=False):
        waits = " Your question waits for it." if question else ""
        st.markdown(f":gray[{line(title)}.{waits}]", width="stretch")
        draw_clock(key=f"reading-{since}", since=since, after_s=1)
        st.button("Stop", icon=":material/stop_circle:", key="stop-reading", on_click=stop, args=args)
    if progress is not None:
        st.progress(share(progress), text=describe(progress))


def draw_until_done(reading: Reading[Any], key: str) -> bool:
    """Whether it has ended; where it has not, draw how far it is, and draw the page anew once it has.

    Args:
        reading: The work.
        key: Tells it from others on the page.
    """
    if reading.is_done(_SOON_S):
        return True

    @st.fragment(run_every=EVERY_S)
    def draw() -> None:
        if reading.is_done():
            st.rerun()
        with st.container(key=f"reading-{key}", gap="small"):
            with st.container(horizontal=True, vertical_alignment="center", wrap=False):
                st.markdown(f":shimmer[{line(reading.what)}]", width="stretch")
                draw_clock(key=f"clock-{key}-{reading.since}", since=reading.since, after_s=1)
                st.button("Stop", icon=":material/stop_circle:", key=f"stop-{key}", on_click=reading.stop)
            if reading.progress is not None:
                st.progress(share(reading.progress), text=describe(reading.progress))

    draw()
    return False
