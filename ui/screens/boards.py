"""The boards screen: pinned answers side by side, refreshed by their approved queries, and exported as one file."""

from __future__ import annotations

from collections.abc import Coroutine
from datetime import datetime
from typing import Any

import streamlit as st
from babel.dates import format_date, format_time

from assistant.api.boards import Board, Tile
from assistant.api.errors import AssistantError
from assistant.api.figures import locale_of
from ui import session_hub
from ui.screens.routes import build_pages
from ui.session_hub import SessionHub
from ui.views import charts, result
from ui.views import tables as result_tables
from ui.views.text import build_file_name, count, line, plain, prose, shorten

_CHANGED = (("background-color", "rgb(217 119 6 / 22%)"), ("font-weight", "600"))
_FRESH = "board-fresh"
"""The board that was opened, so that drawing it again runs nothing."""


def forget_board() -> None:
    """The person is elsewhere: whatever board is shown next is opened anew."""
    st.session_state.pop(_FRESH, None)


def draw() -> None:
    """Draw the screen."""
    live = session_hub.current()
    st.title("Boards", anchor=False)
    try:
        boards = live.call(live.workspace.boards.all())
    except AssistantError as error:
        st.error(plain(str(error)), title="The boards cannot be read", icon=":material/error:")
        return
    if not boards:
        st.markdown(":gray[Nothing pinned yet. Pin an answer from its conversation, at the top right.]")
        st.page_link(build_pages()["chat"], label="Ask a question", icon=":material/edit_square:")
        return
    names = [board.name for board in boards]
    board_id = st.query_params.get("board")
    selection = st.segmented_control(
        "Board",
        names,
        default=board_id if board_id in names else names[0],
        required=True,
        key="board-chosen",
        label_visibility="collapsed",
    )
    name = selection or names[0]
    with st.container(horizontal=True, vertical_alignment="center", key="board-bar", gap="small"):
        chosen_board = next(board for board in boards if board.name == name)
        on_open = _on_open(live, chosen_board)
        with st.container(
            horizontal=True, vertical_alignment="center", wrap=False, width="content", gap="small", key="board-acts"
        ):
            refresh = st.button("Refresh", icon=":material/refresh:", type="tertiary", key="board-refresh")
            _draw_downloads(live, name)
    fresh = st.session_state.get(_FRESH) == name
    board = _open_board(live, name, run=refresh or (on_open and not fresh))
    if board is None:
        return
    st.session_state[_FRESH] = name
    if not board.tiles:
        st.markdown(":gray[Nothing on this board. Pin an answer from its conversation, at the top right.]")
    for tile in board.tiles:
        _draw_tile(live, board, tile)


def _draw_downloads(live: SessionHub, name: str) -> None:
    """The board as a file, and on paper."""
    boards = live.workspace.boards  # the file is made outside of the script, where nobody is signed in
    st.download_button(
        "Download",
        data=lambda: live.call(boards.render_html(name), timeout_s=300),
        file_name=f"{build_file_name(name, fallback='board')}.html",
        mime="text/html",
        icon=":material/download:",
        type="tertiary",
        on_click="ignore",
        key="board-export",
        help="The board as one HTML file, with its charts",
    )
    st.link_button(
        "Print or PDF",
        live.print_document(("board", name), lambda: live.call(boards.render_html(name), timeout_s=300)),
        icon=":material/print:",
        type="tertiary",
        key="board-print",
        help="Opens the board laid out for paper, and the browser's dialog that prints it or saves it as PDF",
    )


def _on_open(live: SessionHub, board: Board) -> bool:
    """Whether the board is refreshed whenever it is opened: kept with it."""
    refresh = st.toggle(
        "Refresh when opened", key=f"board-auto-{board.name}", value=board.refresh_on_open, width="stretch"
    )
    if refresh != board.refresh_on_open:
        try:
            live.call(live.workspace.boards.refresh_on_open(board.name, enabled=refresh))
        except AssistantError as error:
            st.error(plain(str(error)), icon=":material/error:")
    return refresh


def _open_board(live: SessionHub, name: str, *, run: bool) -> Board | None:
    work: Coroutine[Any, Any, Board] = live.workspace.boards.refresh(name) if run else live.workspace.boards.open(name)
    try:
        with st.spinner("Running its queries again" if run else "Opening it", show_time=True):
            return live.call(work, timeout_s=600)
    except AssistantError as error:
        st.error(plain(str(error)), title="That was not done", icon=":material/error:")
        return None


def _draw_tile(live: SessionHub, board: Board, tile: Tile) -> None:
    with st.container(border=True, key=f"tile-{tile.id}", gap="small"):
        st.markdown(f"**{line(shorten(tile.title, 90))}**")
        if tile.text and not tile.changed:
            st.markdown(prose(tile.text))
        if tile.fault:
            st.warning(plain(tile.fault), icon=":material/warning:")
        if tile.rows:
            _draw_table(live, tile)
        changed = f" · {count(len(tile.changed), 'cell')} changed" if tile.changed else ""
        with st.container(horizontal=True, vertical_alignment="center", key=f"tile-foot-{tile.id}", gap="small"):
            first = f"First {len(tile.rows):,} of " if len(tile.rows) < tile.total else ""
            caption = (
                f"{first}{count(tile.total, 'row')} from {line(tile.source)} · as of {_format_time(tile.at)}{changed}"
            )
            st.markdown(f":gray[:small[{caption}]]", width="stretch")
            acts = st.container(
                horizontal=True, vertical_alignment="center", wrap=False, width="content", key=f"tile-acts-{tile.id}"
            )
            with acts:
                st.page_link(
                    build_pages()["chat"],
                    label="Conversation",
                    icon=":material/forum:",
                    query_params={"s": tile.session},
                )
                if st.button("Unpin", key=f"unpin-{tile.id}", icon=":material/keep_off:", type="tertiary"):
                    live.call(live.workspace.boards.unpin(board.name, tile.id))
                    st.rerun()


def _format_time(at: datetime) -> str:
    """A moment as the person writes it."""
    day = format_date(at.astimezone(), "medium", locale=locale_of(result.get_locale()))
    return f"{day}, {format_time(at.astimezone(), 'short', locale=locale_of(result.get_locale()))}"


def _draw_table(live: SessionHub, tile: Tile) -> None:
    """Its chart and its rows, as an answer shows them; cells that changed are marked."""
    code = result.get_locale()
    key = (tile.session, "tile", tile.id, tile.at, tile.shown, code)
    table_result = live.results.get_or_make(
        key, lambda: result.build_result(tile, None, tile.shown, code, key=key, properties=tile.told)
    )
    if table_result.chart is not None:
        charts.draw(table_result.chart, key=f"tile-{tile.id}")
    st.dataframe(
        result_tables.get_words(live, table_result).styled(tile.changed, _CHANGED),
        hide_index=True,
        key=f"tile-table-{tile.id}",
        column_config=result_tables.build_headings(table_result),
        alt=f"Table: {tile.title}, {count(tile.total, 'row')}",
    )


def draw_pin_form(live: SessionHub, session_id: str, turns: dict[int, str]) -> None:
    """The way to pin an answer of a conversation."""
    with st.popover("Pin", icon=":material/keep:", type="tertiary", key="pin", help="Pin an answer to a board"):
        turn = st.selectbox(
            "Answer", list(turns), index=len(turns) - 1, format_func=lambda n: shorten(turns[n], 60), key="pin-turn"
        )
        names = [board.name for board in live.call(live.workspace.boards.all())]
        name = st.selectbox(
            "Board", names or ["My board"], accept_new_options=True, key="pin-board", help="Choose one, or type a name"
        )
        if st.button("Pin it", type="primary", key="pin-it", disabled=not name):
            try:
                live.call(live.workspace.boards.pin(str(name), session_id, turn))
            except AssistantError as error:
                st.error(plain(str(error)), icon=":material/error:")
                return
            st.success(f"Pinned to {line(str(name))}.", icon=":material/check:")
