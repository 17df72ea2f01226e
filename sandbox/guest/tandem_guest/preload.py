"""Imports of the zygote, which every kernel forked from it shares."""

from __future__ import annotations

import importlib
import sys

from .drawing import keep_fonts

_KERNEL = (
    *("ipykernel.kernelapp", "ipykernel.ipkernel", "ipykernel.zmqshell", "ipykernel.iostream"),
    *("ipykernel.subshell_manager", "ipykernel.debugger", "ipykernel.control", "ipykernel.shellchannel"),
    *("IPython.core.historyapp", "IPython.core.completer", "IPython.core.magics", "IPython.core.completerlib"),
    *("IPython.core.oinspect", "IPython.extensions.storemagic", "comm"),
    *("tornado.platform.asyncio", "concurrent.futures.thread", "multiprocessing", "uuid", "sqlite3", "random"),
    *("tempfile", "faulthandler", "zmq.eventloop.zmqstream"),
)
_DATA = (
    *("numpy", "pandas", "pyarrow", "pyarrow.ipc", "pyarrow.parquet", "pyarrow.compute", "pyarrow.dataset"),
    *("pandas.io.formats.format", "pandas.io.formats.html"),
)
_DRAWING = (
    *("matplotlib.backends.backend_agg", "matplotlib.pyplot", "matplotlib.dates", "matplotlib.category"),
    *("matplotlib_inline.config", "matplotlib_inline.backend_inline", "altair"),
)


def load(*, drawing: bool) -> None:
    """Import the kernel and the libraries for analysis.

    Args:
        drawing: matplotlib and Altair too. Shared by all kernels of a zygote they cost 60 MB and a third of a second
            once, and save each kernel that draws as much; a kernel alone imports them when it draws.
    """
    # The debugger would cost every kernel a tenth of a second and some megabytes, and cannot work inside a cage.
    sys.modules["debugpy"] = None  # pyright: ignore[reportArgumentType]  # the documented way to block an import
    for name in _KERNEL:
        importlib.import_module(name)
    del sys.modules["debugpy"]
    for name in (*_DATA, *(_DRAWING if drawing else ())):
        importlib.import_module(name)
    if not drawing:
        keep_fonts()
    # The first frame that is drawn compiles templates and fills caches: do it once, before the fork.
    pandas = importlib.import_module("pandas")
    frame = pandas.DataFrame({"a": [1, 2], "b": ["x", None]})
    frame._repr_html_()
    frame.groupby("a").sum()


def reseed() -> None:
    """Give a forked kernel random numbers of its own."""
    importlib.import_module("random").seed()
    importlib.import_module("numpy").random.seed()
