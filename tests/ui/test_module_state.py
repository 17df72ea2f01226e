"""Two tabs and two people share the server's modules, so drawing a page may leave nothing in one."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from types import ModuleType

import pytest
import recorded
from hubs import installed
from recorded import ALL
from streamlit.testing.v1 import AppTest

import ui
from ui import session_hub

SERVERS_OWN = {"ui.session_hub._Holder.live"}
"""What a module may hold: the hub, whose sessions know whose they are."""


def modules() -> list[ModuleType]:
    names = [found.name for found in pkgutil.walk_packages(ui.__path__, "ui.") if found.name != "ui.page"]
    return [importlib.import_module(name) for name in names]


def held(module: ModuleType) -> Iterator[tuple[str, str]]:
    """The values of a module and of its classes that a later call may find changed."""
    owners = [(module.__name__, vars(module))]
    for name, one in vars(module).items():
        if isinstance(one, type) and one.__module__ == module.__name__:
            owners.append((f"{module.__name__}.{name}", dict(vars(one))))
    for owner, values in owners:
        for name, value in values.items():
            plain = isinstance(value, dict | list | set | tuple | str | int | float | frozenset) or value is None
            if not name.startswith("__") and (plain or (hasattr(value, "__dict__") and not callable(value))):
                yield f"{owner}.{name}", repr(value)


@pytest.fixture
def live() -> Iterator[session_hub.SessionHub]:
    with installed(recorded.open_workspace) as hub:
        yield hub


def test_two_tabs_leave_nothing_behind_in_a_module(live: session_hub.SessionHub) -> None:
    known = modules()
    before = {name: value for module in known for name, value in held(module) if name not in SERVERS_OWN}
    assert len(before) > 100, "there is something to compare"
    for session in (f"at-{len(ALL)}", "at-5", None):
        app = AppTest.from_file(f"{ui.__path__[0]}/page.py", default_timeout=120)
        if session is not None:
            app.query_params["s"] = session
        app.run()
        assert not app.exception
    after = {name: value for module in known for name, value in held(module) if name not in SERVERS_OWN}
    assert after == before


def test_what_is_cached_for_the_whole_server_depends_on_no_person() -> None:
    cached = {
        f"{module.__name__}.{name}": one.__wrapped__.__code__.co_varnames[: one.__wrapped__.__code__.co_argcount]
        for module in modules()
        for name, one in vars(module).items()
        if hasattr(one, "cache_parameters") and one.__module__ == module.__name__
    }
    assert cached, "there is something to look at"
    asset = {"ui.asgi.compute_fingerprint"}
    assert {name for name, arguments in cached.items() if arguments} == asset, "the name of one of our files"
