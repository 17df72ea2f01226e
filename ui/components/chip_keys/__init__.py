"""Keyboard navigation of chips: arrows move between chips, an opened chip focuses its field, Backspace clears it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import streamlit as st
from streamlit.components.v2 import component


@cache
def _script() -> str:
    return (Path(__file__).parent / "chip_keys.js").read_text(encoding="utf-8")


def chip_keys(bar: str, *, on_drop: Callable[[str], None]) -> None:
    """Mount the keys of a bar.

    Args:
        bar: The key of the container that holds the chips.
        on_drop: Is given the name of the chip on which Backspace was pressed.
    """
    key = f"keys-{bar}"

    def drop() -> None:
        on_drop(str(st.session_state[key]["drop"]))

    component("tandem_chip_keys", html="<span></span>", js=_script())(
        key=key, data={"bar": bar}, width=1, height=1, on_drop_change=drop
    )
