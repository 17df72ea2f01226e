"""A counter of elapsed time that runs in the browser."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from pathlib import Path

from streamlit.components.v2 import component

from ui import clock

HTML = '<span id="elapsed" role="timer" aria-live="off"></span>'
CSS = """
#elapsed {
  color: var(--st-gray-text-color);
  font-size: 0.875rem;
  font-variant-numeric: tabular-nums;
  white-space: nowrap;
}
"""


@cache
def _load_script() -> str:
    return (Path(__file__).parent / "clock.js").read_text(encoding="utf-8")


def draw_clock(*, key: str, since: datetime | None, after_s: int = 0) -> None:
    """Show the time since `since`, once it is at least `after_s` seconds."""
    elapsed = 0.0 if since is None else max(0.0, (clock.now() - since).total_seconds())
    mount = component("tandem_clock", html=HTML, css=CSS, js=_load_script())
    mount(key=f"clock-{key}", data={"id": key, "elapsed": elapsed, "after": after_s}, width="content", height="content")
