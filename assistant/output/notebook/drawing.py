"""Renders a chart as a PNG, in a separate process.

A specification comes out of the cage, and the converter cannot be trusted with it: it fetches the pictures of image
marks whatever addresses are allowed, and a sequence of a billion numbers ends the process. So a specification that
could load something is refused first, and the rest is rendered by a child without network, with a time limit and no
secrets.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Literal

from pydantic import JsonValue

from assistant.cells.charts import why_unsafe

TIMEOUT_S = 20.0
PICTURES_MAX = 64
"""So many pictures wait for the next export of their session: to draw one takes a second or more."""
_NOWHERE = "http://127.0.0.1:9"
_BEGINS = {"png": b"\x89PNG\r\n\x1a\n", "svg": b"<svg"}


def picture_of(specification: Mapping[str, JsonValue], kind: Literal["png", "svg"]) -> bytes | None:
    """A picture of a Vega-Lite chart, not kept; None where it is not safe to draw, or cannot be drawn."""
    if why_unsafe(dict(specification)) is not None:
        return None
    return render_chart(json.dumps(specification), kind=kind)


def png_of(specification: Mapping[str, JsonValue]) -> bytes | None:
    """A picture of a Vega-Lite chart; None where it is not safe to draw, or cannot be drawn."""
    if why_unsafe(dict(specification)) is not None:
        return None
    try:
        return _kept(json.dumps(specification))
    except ValueError:
        return None


@lru_cache(maxsize=PICTURES_MAX)
def _kept(specification: str) -> bytes:
    """The picture, drawn once. What could not be drawn is tried again: the machine may have been busy."""
    picture = render_chart(specification)
    if picture is None:
        raise ValueError("it cannot be drawn")
    return picture


def render_chart(
    specification: str, *, timeout_s: float = TIMEOUT_S, kind: Literal["png", "svg"] = "png"
) -> bytes | None:
    """Draw a specification, given as JSON, in a child process; None if it takes too long or fails."""
    script = (resources.files("assistant.output.notebook") / "cells" / "draw.py.txt").read_text(encoding="utf-8")
    proxies = {name: _NOWHERE for kind in ("http_proxy", "https_proxy", "all_proxy") for name in (kind, kind.upper())}
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-c", script, kind],
            input=specification.encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=timeout_s,
            env={"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", **proxies},
            check=False,
        )
    except (subprocess.TimeoutExpired, OSError):
        return None
    return done.stdout if done.returncode == 0 and done.stdout.startswith(_BEGINS[kind]) else None
