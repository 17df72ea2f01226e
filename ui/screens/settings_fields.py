"""Form fields for settings: a change is saved at once, and an invalid value shows its error at the field.

A setting from the environment, an administrator or the data folder is read-only and shows where it comes from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from assistant.api.errors import AssistantError
from assistant.api.settings import SettingChanges
from ui import session_hub
from ui.views.text import line, plain

Place = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A setting as a field.

    Attributes:
        place: The setting's keys.
        label: What it is called.
        unit: What its figure counts, behind it.
        is_integer: Whether its figure is a whole number.
        may_be_empty: Whether there may be none, which sets no limit.
    """

    place: Place
    label: str
    unit: str = ""
    is_integer: bool = True
    may_be_empty: bool = False

    @property
    def key(self) -> str:
        """Its key on the page."""
        return "-".join(self.place)


def draw_number(settings: SettingChanges, field: Field) -> None:
    """Draw a figure that can be changed."""
    now, reason = settings.value(field.place), settings.fixed(field.place)
    kind = int if field.is_integer else float
    key = f"set-{field.key}-{now}"
    st.number_input(
        f"{field.label}{f' ({field.unit})' if field.unit else ''}",
        value=None if now is None else kind(now),
        min_value=kind(1) if field.is_integer else 0.01,
        step=kind(1),
        format=None if field.is_integer else "%g",
        placeholder="No limit" if field.may_be_empty else "",
        disabled=bool(reason),
        key=key,
        on_change=_changed,
        args=(key, field.place, now, field.may_be_empty),
    )
    draw_outcome(field.key, reason)


def draw_choice(
    settings: SettingChanges, place: Place, label: str, options: Sequence[str], *, names: Callable[[str], str]
) -> None:
    """Draw a choice of one; the first option is that nothing is set."""
    now, reason = str(settings.value(place) or ""), settings.fixed(place)
    choices = [*options, *([now] if now not in options else [])]
    key = f"set-{'-'.join(place)}-{now}"
    st.selectbox(
        label,
        choices,
        index=choices.index(now),
        format_func=names,
        disabled=bool(reason),
        key=key,
        on_change=_changed,
        args=(key, place, settings.value(place)),
    )
    draw_outcome("-".join(place), reason)


def draw_multiple_choice(settings: SettingChanges, place: Place, label: str, options: Sequence[str]) -> None:
    """Draw a choice of several, in their order."""
    now, reason = tuple(settings.value(place) or ()), settings.fixed(place)
    key = f"set-{'-'.join(place)}-{','.join(now)}"
    st.multiselect(
        label,
        list(dict.fromkeys([*options, *now])),
        default=list(now),
        placeholder="None",
        disabled=bool(reason),
        key=key,
        on_change=_changed,
        args=(key, place, now),
    )
    draw_outcome("-".join(place), reason)


def draw_outcome(key: str, reason: str = "") -> None:
    """Say below a field what went wrong with it, that it was kept, or why it is fixed."""
    if trouble := st.session_state.pop(f"trouble-{key}", None):
        st.error(plain(str(trouble)), icon=":material/error:")
    elif st.session_state.pop(f"kept-{key}", None):
        st.markdown(":green[:small[:material/check: Saved]]")
    if reason:
        st.markdown(f":gray[:small[:material/lock: {line(reason)}]]")


def change(key: str, place: Place, value: Any, *, was: Any, consents: bool = False) -> None:
    """Keep a setting; `told(key)` then says how that went."""
    live = session_hub.current()
    try:
        live.call(live.workspace.choices.settings.change(place, value, was=was, consents=consents))
    except AssistantError as error:
        st.session_state[f"trouble-{key}"] = str(error)
        return
    st.session_state[f"kept-{key}"] = True


def _changed(key: str, place: Place, was: Any, may_be_empty: bool = True) -> None:
    name, typed = "-".join(place), st.session_state[key]
    value = None if typed in (None, "", []) else tuple(typed) if isinstance(typed, list) else typed  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    if value is None and not may_be_empty:
        st.session_state[f"trouble-{name}"] = "This needs a figure. Nothing was changed."
        return
    change(name, place, value, was=was)
