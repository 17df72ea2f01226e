"""A stop ends what would go on for a minute: a silent model, one that streams, a look, a query, a cell.

How fast it does is measured by `benchmarks/stopping.py`.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
import stopping

from assistant.agents.model.lookups import Lookups

WELL_BEFORE_S = 30.0
"""Far from the minute that each would take, and from what a busy machine may take for a stop."""


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.mark.parametrize(("gap_s", "delay_s"), [(0.0, 60.0), (1.0, 0.0)], ids=["silent", "streaming"])
def test_a_stop_ends_a_models_reply(tmp_path: Path, gap_s: float, delay_s: float) -> None:
    assert asyncio.run(stopping.model(tmp_path, gap_s=gap_s, delay_s=delay_s)) < WELL_BEFORE_S


def test_a_stop_ends_a_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = lambda looking: monkeypatch.setattr(Lookups, "look_up", looking)  # noqa: E731
    assert asyncio.run(stopping.look(tmp_path, slow)) < WELL_BEFORE_S


def test_a_stop_ends_a_query(tmp_path: Path) -> None:
    assert asyncio.run(stopping.query(tmp_path)) < WELL_BEFORE_S


def test_a_stop_ends_a_cell(tmp_path: Path) -> None:
    assert asyncio.run(stopping.cell(tmp_path)) < WELL_BEFORE_S
