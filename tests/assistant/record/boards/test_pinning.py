"""A pinned answer looks on its board as it did in its conversation: the chart that was chosen, the currency."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from assistant.bootstrap import open_workspace
from assistant.core.events import Appearance
from assistant.settings.settings import Settings

SALES = "day,region,amount\n" + "".join(
    f"2026-0{n % 5 + 1}-11,{('North', 'South', 'East')[n % 3]},{n}.5\n" for n in range(1, 40)
)
METRICS = """metrics:
  - name: turnover
    definition: All that was sold.
    table: sales
    expression: SUM(sales.amount)
    date_column: sales.day
    unit: currency
    unit_symbol: EUR
"""


def test_a_tile_keeps_the_look_and_the_currency_of_its_answer(tmp_path: Path) -> None:
    (tmp_path / "sales.csv").write_text(SALES)
    (tmp_path / "knowledge").mkdir()
    (tmp_path / "knowledge" / "metrics.yaml").write_text(METRICS)

    async def scenario() -> None:
        settings = Settings.model_validate(
            {"home": tmp_path / "home", "sources": (str(tmp_path / "sales.csv"),), "embeddings": "hashing"}
        )
        async with open_workspace(settings) as workspace:
            session = await workspace.create()
            await session.ask("turnover by region as a pie", approve=("plan", "query", "python"))
            await session.settled()
            board = await workspace.boards.pin("Monday", session.id, 1)
            (tile,) = board.tiles
            assert tile.look.chart == "pie"
            assert tile.told["turnover"].symbol == "EUR"

            await session.answers.present(1, Appearance(chart="bar", sort="region", top=2))
            board = await workspace.boards.pin("Monday", session.id, 1)
            assert board.tiles[1].shown == Appearance(chart="bar", sort="region", top=2)
            marked = board.tiles[1].model_copy(update={"changed": ((0, 1),)})
            assert marked.shown == Appearance(chart="bar"), "cells are marked by their place among all rows"

            refreshed = await workspace.boards.refresh("Monday")
            assert (refreshed.tiles[0].look, refreshed.tiles[0].told) == (tile.look, tile.told)
            file = (await workspace.boards.render_html("Monday")).decode()
            report = (await workspace.report(session.id)).decode()
            for told in (file, report):
                assert "turnover by region as a pie" in told
                assert '<th scope="col">Turnover</th>' in told, "headings as on the page"
                assert re.search(r'class="number">€\d', told), "figures with their currency, at the right"

    asyncio.run(scenario())
