"""Opening and closing workspaces in one process takes the memory of one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

_SCRIPT = """
import asyncio, gc, sys
from pathlib import Path
from assistant.bootstrap import open_workspace
from assistant.settings.settings import Settings

folder = Path(sys.argv[1])

def resident_mb():
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 // 2**20

async def main():
    for _ in range(9):
        settings = Settings(home=folder / "home", sources=(str(folder / "sales.csv"),), knowledge=folder / "knowledge")
        async with open_workspace(settings) as workspace:
            session = await workspace.create()
            await session.ask("revenue by region", approve=("plan", "query"))
            await session.settled()
        gc.collect()
        print(resident_mb())

asyncio.run(main())
"""
GROWTH_MAX_MB = 60
"""The knowledge base alone takes about 100 MB; the ninth opening must not hold a second one."""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_workspaces_that_were_closed_hold_no_memory(tmp_path: Path) -> None:
    (tmp_path / "sales.csv").write_text("region,amount\nNorth,3\nSouth,4\n")
    (tmp_path / "knowledge").mkdir()
    (tmp_path / "knowledge" / "glossary.yaml").write_text("- term: revenue\n  definition: The sum of amount.\n")
    script = [sys.executable, "-c", _SCRIPT, str(tmp_path)]
    output = subprocess.run(script, capture_output=True, text=True, check=True, timeout=300).stdout
    sizes = [int(line) for line in output.split()]
    assert len(sizes) == 9
    assert sizes[-1] - sizes[1] < GROWTH_MAX_MB, sizes
