"""Matplotlib and Altair: imported and configured when a cell first uses them.

Importing both takes a third of a second, and most kernels draw nothing. Figures are shown inline; charts hold frames of
up to 20,000 rows and are shown as Vega-Lite.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

CHART_ROWS_MAX = 20_000
_RENDERER = "tandem"
_INLINE_BACKEND = "module://matplotlib_inline.backend_inline"
_fonts: dict[str, bytes] = {}


class Later(ModuleType):
    """A module that is imported when something of it is first used, and is that module from then on."""

    def __getattribute__(self, name: str) -> Any:
        return getattr(_imported(self), name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(_imported(self), name, value)

    def __delattr__(self, name: str) -> None:
        delattr(_imported(self), name)


def _imported(module: Later) -> ModuleType:
    return importlib.import_module(ModuleType.__getattribute__(module, "__name__"))


def later(name: str) -> ModuleType:
    """The module of that name: itself where it is imported already, else a `Later`."""
    return sys.modules.get(name) or Later(name)


def install(shell: Any) -> None:
    """Make what is imported ready for `shell`, and the rest at the moment it is imported."""
    ready: dict[str, Callable[[ModuleType], None]] = {
        "altair": prepare_charts,
        "matplotlib": lambda _: _prepare_figures(shell),
    }
    for name, prepare in list(ready.items()):
        if name in sys.modules:
            prepare(sys.modules[name])
            del ready[name]
    if ready:
        sys.meta_path.insert(0, _Watch(ready))  # pyright: ignore[reportArgumentType]  # a finder needs find_spec alone


def prepare_charts(altair: Any) -> None:
    """Let a chart hold frames of up to 20,000 rows, and show it as Vega-Lite itself, not as a page with a script."""
    altair.renderers.register(_RENDERER, _chart_bundle)
    altair.renderers.enable(_RENDERER)
    altair.data_transformers.enable("default", max_rows=CHART_ROWS_MAX)


def _chart_bundle(spec: dict[str, Any], **_: Any) -> dict[str, Any]:
    """A chart as Vega-Lite, under a name that notebooks may hold: altair's own (`...v6.json`) is not one."""
    version = str(spec.get("$schema", "v6")).rpartition("/v")[2].split(".")[0]
    mime = f"application/vnd.vegalite.v{version if version.isdigit() else '6'}+json"
    return {mime: spec, "text/plain": "<Vega-Lite chart>"}


def keep_fonts() -> None:
    """Remember matplotlib's list of fonts: it takes a second to make, and its file is out of reach in a cage."""
    for file in Path(os.environ.get("MPLCONFIGDIR", "/nonexistent")).glob("fontlist-*.json"):
        _fonts[file.name] = file.read_bytes()


def _prepare_figures(shell: Any) -> None:
    if _fonts:
        folder = Path(os.environ["MPLCONFIGDIR"])
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in _fonts.items():
            (folder / name).write_bytes(content)
    from IPython.core.pylabtools import activate_matplotlib
    from matplotlib_inline.backend_inline import configure_inline_support

    activate_matplotlib(_INLINE_BACKEND)
    configure_inline_support(shell, _INLINE_BACKEND)


class _Watch:
    """Finds some modules as the other finders do, and makes each ready once it is imported."""

    def __init__(self, ready: Mapping[str, Callable[[ModuleType], None]]) -> None:
        self._ready = dict(ready)

    def find_spec(self, name: str, _path: Any, _target: Any = None) -> Any:
        prepare = self._ready.pop(name, None)
        if prepare is None:
            return None
        spec = importlib.util.find_spec(name)
        if spec is None or spec.loader is None:
            return None
        execute = spec.loader.exec_module

        def execute_and_prepare(module: ModuleType) -> None:
            execute(module)
            prepare(module)

        spec.loader.exec_module = execute_and_prepare
        return spec
