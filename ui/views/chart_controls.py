"""Controls of an answer's display: chart kind, columns, sort order, top n, number format.

A change runs no code and asks nobody. It is an event, so it survives a refresh and is part of the export.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from assistant.api.charts import NAMES
from assistant.api.events import Appearance
from assistant.api.session import Session
from assistant.api.turns import Turn
from ui import actions
from ui.session_hub import SessionHub
from ui.views.result import Result
from ui.views.text import line

OWN = "own"
"""The chart that the code of the answer drew itself."""
ICONS: dict[str, str] = {
    "own": ":material/draw:",
    "bar": ":material/bar_chart:",
    "line": ":material/show_chart:",
    "area": ":material/area_chart:",
    "stacked": ":material/stacked_bar_chart:",
    "scatter": ":material/scatter_plot:",
    "histogram": ":material/equalizer:",
    "box": ":material/candlestick_chart:",
    "heatmap": ":material/grid_on:",
    "pie": ":material/pie_chart:",
    "multiples": ":material/grid_view:",
    "map": ":material/public:",
    "none": ":material/visibility_off:",
}
UPRIGHT = {True: "Vertical", False: "Horizontal"}
VISIBILITY = {True: "Show", False: "Hide"}
SCALES = {"": "In full", "thousands": "In thousands", "millions": "In millions"}


def draw_kinds(
    live: SessionHub, session: Session, turn: Turn, result: Result, *, own: bool, current_kind: str, key: str
) -> None:
    """A menu of the kinds of chart that suit, each with its name; its button names the one that is shown."""
    options = [*((OWN,) if own else ()), *result.kinds, "none"]
    if len(options) < 2:
        return

    def choose() -> None:
        choice = st.session_state.get(name)
        if choice not in (None, current_kind):
            change(live, session, turn.number, {"chart": None if choice == OWN else choice})

    name = f"kind-{key}"
    st.menu_button(
        _name(current_kind) if current_kind == "none" else f"Chart: {_name(current_kind).lower()}",
        options,
        format_func=lambda kind: f"{ICONS[kind]} {_name(kind)}",
        icon=ICONS[current_kind],
        type="tertiary",
        key=name,
        on_click=choose,
        help="Choose how the figures are drawn",
    )


def draw_adjustments(live: SessionHub, session: Session, turn: int, result: Result, *, key: str) -> None:
    """The rest: columns, order, first n, shares, thousands, decimals, names."""
    with (
        st.popover("Adjust", icon=":material/tune:", type="tertiary", key=f"adjust-{key}"),
        st.container(key=f"looks-{key}"),
    ):
        look, columns = result.look, {column.name: column.label for column in result.came}
        write = _Writer(live, session, turn, key)
        figures = [column.name for column in result.came if column.role == "measure"]
        groups = [column.name for column in result.came if column.role != "measure"]
        if result.kinds:
            write.draw_choice("y", "Figure", figures, columns, now=look.y, otherwise="Automatic")
            along = [*groups, *(figures if len(figures) > 1 else ())]
            write.draw_choice("x", "Along the axis", along, columns, now=look.x, otherwise="Automatic")
            write.draw_choice("colour", "Split by", groups, columns, now=look.colour, otherwise="Automatic")
        if result.chart is not None and result.chart.can_be_log:
            write.draw_toggle("log", "Logarithmic scale", look.log)
        if result.chart is not None and result.chart.kind == "bar":
            write.draw_choice("upright", "Bars", [True, False], UPRIGHT, now=look.upright, otherwise="Automatic")
        if result.chart is not None and result.chart.kind in ("bar", "line"):
            write.draw_choice(
                "figures", "Values on the chart", [True, False], VISIBILITY, now=look.figures, otherwise="Automatic"
            )
        write.draw_choice("sort", "Sort by", list(columns), columns, now=look.sort, otherwise="As computed")
        if look.sort is not None:
            write.draw_toggle("descending", "Largest first", look.descending)
        write.count("top", "Only the first", look.top, result.shaped.total)
        shares = [column.name for column in result.came if column.additive]
        if shares:
            write.draw_toggle("percent", "As shares of the total", bool(look.percent), on=tuple(shares), off=())
        write.draw_choice("scale", "Large figures", ["", "thousands", "millions"], SCALES, now=look.scale)
        write.draw_choice(
            "decimals",
            "Decimals",
            [0, 1, 2, 3],
            {n: str(n) for n in range(4)},
            now=look.decimals,
            otherwise="Automatic",
        )
        write.draw_names(columns)
        if look != Appearance():
            st.button(
                "Reset",
                icon=":material/undo:",
                type="tertiary",
                key=f"reset-{key}",
                on_click=actions.present,
                args=(live, session, turn, Appearance()),
            )


def change(live: SessionHub, session: Session, turn: int, changes: Mapping[str, Any]) -> None:
    """Change how an answer is shown now. What is so already is not recorded: a browser may send a choice twice."""
    look = _look(live, session, turn)
    changed = look.model_copy(update=dict(changes))
    if changed != look:
        actions.present(live, session, turn, changed)


def _look(live: SessionHub, session: Session, turn: int) -> Appearance:
    """How an answer is shown by now, which may be later than the page that a person sees."""
    return next(
        (turn_view.appearance for turn_view in live.of(session).view().turns if turn_view.number == turn), Appearance()
    )


def _name(kind: str) -> str:
    """What a kind of chart is called in the list."""
    if kind == OWN:
        return "As drawn"
    return next(label for name, label in NAMES.items() if name == kind)


class _Writer:
    """Draws one field of the look after the other; each writes its own change.

    A browser hands on a field that it has not taken away yet with whatever else is done, and Streamlit calls that a
    change: a field that gives what it was drawn with writes nothing, so it undoes nothing that was said meanwhile.
    """

    def __init__(self, live: SessionHub, session: Session, turn: int, key: str) -> None:
        self._live, self._session, self._turn, self._key = live, session, turn, key

    def draw_choice(
        self,
        name: str,
        label: str,
        options: list[Any],
        words: Mapping[Any, str],
        *,
        now: Any,
        otherwise: str | None = None,
    ) -> None:
        """One of several, or none of them where `otherwise` says what that means."""
        offered = [None, *options] if otherwise is not None else options
        key = self._build_key(name, now)
        st.selectbox(
            label,
            offered,
            index=offered.index(now) if now in offered else 0,
            format_func=lambda option: (otherwise or "") if option is None else line(words.get(option, str(option))),
            key=key,
            on_change=self._write,
            args=(name, key, now),
        )

    def draw_toggle(self, name: str, label: str, now: bool, *, on: Any = True, off: Any = False) -> None:
        """On or off."""
        key = self._build_key(name, now)

        def write() -> None:
            if st.session_state[key] != now:
                self._change({name: on if st.session_state[key] else off})

        st.toggle(label, value=now, key=key, on_change=write)

    def count(self, name: str, label: str, now: int | None, most: int) -> None:
        """A number of rows, or empty for all."""
        key = self._build_key(name, now)
        st.number_input(
            label,
            min_value=1,
            max_value=max(1, most, now or 1),  # words may ask for more rows than there are
            value=now,
            key=key,
            placeholder="All rows",
            on_change=self._write,
            args=(name, key, now),
        )

    def draw_names(self, columns: Mapping[str, str]) -> None:
        """What columns are called."""
        with st.expander("Rename columns", type="compact", key=f"rename-{self._key}"):
            for column, label in columns.items():
                key = self._build_key(f"name-{column}", label)
                st.text_input(line(column), value=label, key=key, on_change=self._rename, args=(column, key, label))

    def _build_key(self, name: str, now: object) -> str:
        """A key that changes with the value in the log, so that a field always shows what holds."""
        return f"look-{self._key}-{name}-{now!r}"

    def _rename(self, column: str, key: str, now: str) -> None:
        new_name = str(st.session_state.get(key) or "").strip()
        if new_name == now:
            return
        names = {**dict(_look(self._live, self._session, self._turn).names), column: new_name}
        self._change({"names": tuple((name, label) for name, label in names.items() if label)})

    def _write(self, name: str, key: str, now: object) -> None:
        if st.session_state.get(key) != now:
            self._change({name: st.session_state.get(key)})

    def _change(self, changes: Mapping[str, Any]) -> None:
        change(self._live, self._session, self._turn, changes)
