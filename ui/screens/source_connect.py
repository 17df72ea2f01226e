"""Forms that connect data: file upload, database credentials, or an address or path."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError
from typing import Any, cast

import streamlit as st

from assistant.api.errors import AssistantError
from assistant.api.figures import joined
from assistant.api.session import Session
from assistant.api.sources import Login, PasswordPlace
from ui.reading import Reading
from ui.screens.composer import FILE_TYPES
from ui.session_hub import SessionHub
from ui.views import reading
from ui.views.text import plain

Work = Callable[[], Coroutine[Any, Any, tuple[str, ...]]]

_CONNECTING = "connecting"
_KINDS = {"postgresql": "PostgreSQL", "mysql": "MySQL", "mariadb": "MariaDB"}
_PORTS = {"postgresql": 5432, "mysql": 3306, "mariadb": 3306}
_ANY_ENGINE = "another, by its SQLAlchemy name"
_PLACES: dict[PasswordPlace, str] = {
    "keyring": "In the keyring of this computer",
    "environment": "In an environment variable",
    "none": "There is none",
}


def draw(live: SessionHub, *, expanded: bool) -> None:
    """Draw the ways to connect."""
    with st.expander("Connect data", icon=":material/add_link:", key="connect", expanded=expanded):
        _finish(live)
        ways = _list_ways(live)
        for tab, draw_tab in zip(st.tabs(list(ways)), ways.values(), strict=True):
            with tab:
                draw_tab(live)
        if "Address or path" not in ways:
            st.caption("Other files, folders and databases of this server are connected by whoever runs it.")


def _list_ways(live: SessionHub) -> dict[str, Callable[[SessionHub], None]]:
    """The ways to connect that are the person's; `Connections` refuses the others as well."""
    connections = live.workspace.connections
    ways = {"Files": _draw_files}
    if connections.can_name_places or connections.hosts:
        ways["Database"] = _draw_database
    if connections.can_name_places:
        ways["Address or path"] = _draw_address
    return ways


def _draw_files(live: SessionHub) -> None:
    most = st.get_option("server.maxUploadSize")
    st.markdown(
        ":gray[Drop CSV, Excel, OpenDocument, Parquet, JSON, SPSS, Stata, SAS, XML, zip, SQL dump, SQLite or DuckDB "
        f"files here, each of at most {most} MB. They are copied into Tandem's folder and stay connected for every "
        "new question; tables that are dropped together can be joined. For one conversation alone, add the file where "
        "you ask.]"
    )
    count = st.session_state.get("dropped-count", 0)
    dropped = st.file_uploader(
        "Files", type=FILE_TYPES, accept_multiple_files=True, key=f"dropped-{count}", label_visibility="collapsed"
    )
    if dropped and st.button("Connect them" if len(dropped) > 1 else "Connect it", type="primary", key="connect-files"):
        uploads = [(file.name, file.getvalue()) for file in dropped]
        _kept(live, lambda: live.workspace.connections.connect_files(uploads))


def _draw_database(live: SessionHub) -> None:
    kinds: list[str] = [*_KINDS, _ANY_ENGINE]
    kind: str = st.selectbox("Kind", kinds, format_func=lambda option: _KINDS.get(option) or option, key="login-kind")
    if kind == _ANY_ENGINE:
        kind = st.text_input("SQLAlchemy name", placeholder="snowflake", key="login-other") or ""
    left, right = st.columns([3, 1])
    host = left.text_input("Host", placeholder="db.example.com", key="login-host")
    port = right.number_input("Port", min_value=1, max_value=65535, value=_PORTS.get(kind), key=f"login-port-{kind}")
    left, right = st.columns(2)
    database = left.text_input("Database", key="login-database")
    user = right.text_input("User", help="A login that may only read is best.", key="login-user")
    place = st.selectbox("Password", list(_PLACES), format_func=lambda option: _PLACES[option], key="login-place")
    password, variable = "", ""
    if place == "keyring":
        password = st.text_input("The password", type="password", key="login-password", autocomplete="off")
    elif place == "environment":
        variable = st.text_input("The variable's name", placeholder="TANDEM_DB_SHOP", key="login-variable")
    login = Login(
        kind=kind,
        host=(host or "").strip(),
        port=int(port) if port else None,
        database=(database or "").strip(),
        user=(user or "").strip(),
        password=password or "",
        password_place=place,
        variable=(variable or "").strip(),
    )
    ready = bool(login.kind and login.host and login.database)
    with st.container(horizontal=True, gap="small"):
        test = st.button("Test", icon=":material/network_check:", disabled=not ready, key="login-test")
        connect = st.button("Connect", type="primary", disabled=not ready, key="login-connect")
    if test:
        _try(live, login)
    if connect:
        _kept(live, lambda: live.workspace.connections.connect(login))


def _try(live: SessionHub, login: Login) -> None:
    with st.spinner("Trying it", show_time=True):
        trial = live.call(live.workspace.connections.try_out(login), timeout_s=180)
    if trial.ok:
        st.success(plain(trial.text), icon=":material/check:")
        if trial.advice:
            st.info(plain(trial.advice), icon=":material/lightbulb:")
    else:
        st.error(plain(trial.text), title="It could not be opened", icon=":material/error:")


def _draw_address(live: SessionHub) -> None:
    st.markdown(
        ":gray[A database address, or the path of a CSV, TSV, Excel, Parquet, JSON, SQLite or DuckDB file, or of a "
        "folder of such files. Several together, each on a line of its own. All are opened read-only.]"
    )
    with st.form("connect-form", border=False):
        text = st.text_area(
            "Addresses or paths",
            key="address",
            placeholder="/home/me/sales.xlsx\npostgresql://reader@db.example/shop",
            label_visibility="collapsed",
            height=68,
        )
        remember = st.checkbox("Keep it for every new question", key="address-remember")
        is_submitted = st.form_submit_button("Connect", icon=":material/add_link:")
    addresses = tuple(filter(None, map(str.strip, (text or "").splitlines())))
    if not (is_submitted and addresses):
        return
    if remember:
        _kept(live, lambda: _connect_all(live, addresses))
    else:
        _ask_on(live, addresses)


async def _connect_all(live: SessionHub, addresses: tuple[str, ...]) -> tuple[str, ...]:
    names: list[str] = []
    for address in addresses:
        names.extend(await live.workspace.connections.connect_address(address))
    return tuple(names)


def _kept(live: SessionHub, work: Work) -> None:
    """Begin to connect data for every new question; what comes of it is told by `_finish`."""
    st.session_state[_CONNECTING] = live.begin_reading("Reading the data", work())
    _finish(live)


def _ask_on(live: SessionHub, addresses: tuple[str, ...]) -> None:
    """Begin a conversation on data of its own."""
    st.session_state[_CONNECTING] = live.begin_session(addresses)
    _finish(live)


def _finish(live: SessionHub) -> None:
    """Draw how far connecting is, and what came of it; a press of Stop comes by here as well."""
    connection = st.session_state.get(_CONNECTING)
    if not isinstance(connection, Reading):
        return
    connecting = cast("Reading[tuple[str, ...] | Session]", connection)
    if not reading.draw_until_done(connecting, "connecting"):
        return
    del st.session_state[_CONNECTING]
    try:
        names = connecting.result()
    except CancelledError:
        st.info("Reading the data was stopped. Nothing was connected.", icon=":material/info:")
        return
    except AssistantError as error:
        live.forget_starters()  # files beside a broken one are connected
        st.error(plain(str(error)), title="That could not be connected", icon=":material/error:")
        return
    if not isinstance(names, tuple):
        from ui.screens.routes import build_pages

        st.switch_page(build_pages()["chat"], query_params={"s": names.id})
    live.forget_starters()
    st.session_state["dropped-count"] = st.session_state.get("dropped-count", 0) + 1
    st.session_state["data-done"] = (
        f"{joined(names)} {'is' if len(names) == 1 else 'are'} connected: new questions use it."
    )
    st.rerun()
