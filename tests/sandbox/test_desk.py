"""The work folder: whatever a session has made of it, the next lease finds it usable."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox import trees
from sandbox.levels import Level
from sandbox.pool import Pool

NEST = "import os\nfor n in range(1500):\n    os.mkdir('folder'); os.chdir('folder')\nopen('last', 'w').close()"
CLOSE = (
    "import os\nos.makedirs('closed/inner')\n"
    "for folder, mode in (('closed/inner', 0), ('closed', 0o555), ('.', 0)):\n    os.chmod(folder, mode)"
)


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Path]:
    """A session's folder, which pytest itself could not remove again."""
    yield tmp_path / "session"
    assert trees.remove(tmp_path / "session")


@pytest.mark.parametrize("code", [NEST, CLOSE], ids=["nested 1,500 deep", "closed to its owner"])
@pytest.mark.parametrize("warm", [False, True], ids=["fresh", "warm"])
def test_a_session_is_leased_again_whatever_it_left_in_its_folder(
    loop: asyncio.Runner, walled_level: Level, tmp_path: Path, session: Path, code: str, warm: bool
) -> None:
    async def scenario() -> None:
        desk, data = session / "desk", session / "data"
        async with Pool(level=walled_level, size=int(warm), slots=tmp_path / "slots") as pool:
            for _ in range(2):
                async with asyncio.timeout(120):
                    while warm and walled_level == "zygote" and not pool.ready:
                        await asyncio.sleep(0.01)
                kernel = await pool.lease(desk=desk, data=data)
                entered = await kernel.execute("import os; os.chdir(os.environ['HOME']); open('mine', 'w').write('x')")
                assert entered.ok, entered.failure
                ran = await kernel.execute(code)
                assert ran.ok or "exists" in str(ran.failure), ran.failure
                await kernel.close()
        assert desk.stat().st_uid == os.getuid()

    loop.run(scenario())
