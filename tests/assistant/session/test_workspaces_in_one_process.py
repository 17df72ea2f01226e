"""Workspaces that are opened one after the other in one process leave no index, engine or model behind."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from assistant.bootstrap import open_workspace
from assistant.settings.settings import Settings
from knowledge.embedding import choose_embedder
from knowledge.errors import EmbedderUnavailable
from knowledge.minilm import _MODELS, MiniLM  # pyright: ignore[reportPrivateUsage]


def open_stores() -> dict[str, Any]:
    """Chroma's engines that are open, by path."""
    from chromadb.api.shared_system_client import SharedSystemClient

    return SharedSystemClient._identifier_to_system  # pyright: ignore[reportPrivateUsage]


def test_a_closed_workspace_has_let_go_of_its_index(tmp_path: Path) -> None:
    (tmp_path / "shop.csv").write_text("city,amount\nKiel,1\nBonn,2\n")
    before = len(open_stores())
    seen: list[int] = []

    async def scenario(number: int) -> None:
        settings = Settings(
            home=tmp_path / f"home-{number}", sources=(str(tmp_path / "shop.csv"),), embeddings="hashing"
        )
        async with open_workspace(settings) as workspace:
            await workspace.knowledge.read()  # as the page Knowledge does; it opens the index
            await workspace.create()
            async with asyncio.timeout(60):
                while len(open_stores()) == before:
                    await asyncio.sleep(0.02)
            seen.append(len(open_stores()) - before)

    for number in range(4):
        asyncio.run(scenario(number))
        assert len(open_stores()) == before
    assert seen == [1, 1, 1, 1], "each was open while it was used"


def test_workspaces_share_one_model() -> None:
    try:
        embedders = [choose_embedder("minilm").embedder for _ in range(5)]
    except EmbedderUnavailable as error:
        pytest.skip(str(error))
    for each in embedders:
        assert isinstance(each, MiniLM)
        each.embed(["a word"])
    models = {id(each._model) for each in embedders if isinstance(each, MiniLM)}  # pyright: ignore[reportPrivateUsage]
    assert len(models) == 1
    assert len(_MODELS) == 1
