"""The code editor: CodeMirror 6, bundled once (`npm ci && npm run build && npm run licences` in this folder).

Read-only, it shows code in the colours of the theme. While a person edits, it shows the difference from the proposal.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Literal

from streamlit.components.v2 import component

from ui.asgi import compute_fingerprint

HTML = '<div id="editor"></div>'
LINE_PX = 21
PADDING_PX = 22
HEIGHT_MAX_PX = 320

LOADER = """
const ready = import(new URL("/assets/editor.js?v=%s", location.origin).href);
export default function (component) {
  const root = component.parentElement.querySelector("#editor");
  root.style.minHeight = component.data.height + "px";
  let off = null, gone = false;
  ready.then(editor => { if (!gone) { off = editor.default(component); root.style.minHeight = ""; } });
  return () => { gone = true; if (off) off(); };
}
"""
"""The bundle is fetched once and cached by the browser; an inline script would travel with every redraw."""


@cache
def _build_loader() -> str:
    return LOADER % compute_fingerprint("editor.js")


def _compute_height(code: str) -> int:
    return min(HEIGHT_MAX_PX, LINE_PX * (code.count("\n") + 1) + PADDING_PX)


def show(
    code: str, *, key: str, label: str, original: str | None = None, language: Literal["python", "sql"] = "python"
) -> None:
    """Show code, and where `original` is given the difference from it. A SQL step's cell is Python."""
    mount = component("tandem_editor", html=HTML, js=_build_loader())
    mount(
        key=key,
        data={
            "id": key,
            "value": code,
            "original": original if original != code else None,
            "language": language,
            "readonly": True,
            "wrap": True,
            "label": label,
            "height": _compute_height(code),
        },
    )


def edit(
    code: str,
    *,
    key: str,
    label: str,
    original: str,
    focus: bool,
    on_code: Callable[[], None],
    on_run: Callable[[], None],
) -> None:
    """Edit code. The text is `st.session_state[key]["code"]`; Ctrl+Enter in the editor sets `["run"]`.

    With `focus` the editor takes the focus when it is first there: the person has just asked for it.
    """
    mount = component("tandem_editor", html=HTML, js=_build_loader())
    mount(
        key=key,
        data={
            "id": key,
            "value": code,
            "original": original,
            "language": "python",
            "readonly": False,
            "wrap": True,
            "label": label,
            "height": _compute_height(code),
            "focus": focus,
        },
        on_code_change=on_code,
        on_run_change=on_run,
    )
