"""Files are read in a worker: what they cost is its own, and a file that costs too much is refused in words."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from rights_of_person import PERSON

from assistant.core.data_errors import SourceError
from assistant.sources.addresses import parse_addresses
from assistant.sources.reading.loading import load_files
from assistant.sources.workers import converting


def test_the_server_imports_no_engine_to_read_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,b\n1,x\n")
    code = (
        "import asyncio, sys\n"
        "from pathlib import Path\n"
        "from assistant.sources.addresses import parse_addresses\n"
        "from assistant.sources.opening import open_source\n"
        "from assistant.trust.rights import Rights\n"
        "async def work():\n"
        "    source = await open_source(parse_addresses(sys.argv[1], Rights(requester='person', private=()))[0], folder=Path(sys.argv[2]))\n"
        "    assert (await source.run('SELECT * FROM a')).rows == 1\n"
        "    await source.catalog()\n"
        "    await source.close()\n"
        "asyncio.run(work())\n"
        "print([name for name in ('duckdb', 'python_calamine', 'openpyxl') if name in sys.modules])\n"
    )
    given = [sys.executable, "-c", code, str(tmp_path / "a.csv"), str(tmp_path / "made")]
    done = subprocess.run(given, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"


def test_a_file_that_takes_too_long_is_given_up_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(converting, "LIMIT_S", 0.001)
    (tmp_path / "a.csv").write_text("a,b\n1,x\n")
    with pytest.raises(SourceError, match="was not read within"):
        load_files(parse_addresses(str(tmp_path / "a.csv"), PERSON)[0], tmp_path / "made")
    assert list((tmp_path / "made").iterdir()) == []


def test_a_file_that_takes_too_much_memory_says_how_to_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(converting, "LOADING_MEMORY_BYTES", 24 << 20)
    (tmp_path / "a.csv").write_text("a,b\n" + "1,x\n" * 100_000)
    with pytest.raises(SourceError, match=r"more memory than .* Parquet"):
        load_files(parse_addresses(str(tmp_path / "a.csv"), PERSON)[0], tmp_path / "made")
    assert list((tmp_path / "made").iterdir()) == []
