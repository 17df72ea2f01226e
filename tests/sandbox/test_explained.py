"""The page about the cage names every file, and counts what it says it counts."""

from __future__ import annotations

import re
import runpy
from collections import Counter
from pathlib import Path

import sandbox
from sandbox.cage import calls

ROOT = Path(sandbox.__file__).parent
PAGE = (ROOT.parent / "docs" / "explanation" / "cage.md").read_text()


def test_the_page_says_what_every_file_promises() -> None:
    rooms = {"host": ROOT, "walls": ROOT / "cage", "guest": ROOT / "guest" / "tandem_guest"}
    tables = re.split(r"^The .*, in `.*`:$", PAGE, flags=re.MULTILINE)
    for (room, folder), table in zip(rooms.items(), tables, strict=True):
        named = {
            name
            for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)
            for name in re.findall(r"`(\w+\.py)`", row)
        }
        assert named == {path.name for path in folder.glob("*.py")} - {"__init__.py"}, room


def test_the_tests_that_the_page_names_are_there() -> None:
    tests = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    assert len(named) >= 3
    assert {name for name in named if f"def {name}(" not in tests} == set()


def test_the_numbers_on_the_page_are_true() -> None:
    attempts = runpy.run_path(str(Path(__file__).with_name("test_escapes.py")))["ATTEMPTS"]
    teeth = Counter(attempt.teeth.name for attempt in attempts)
    assert f"{len(attempts)} attempts by cells" in PAGE
    assert f"{teeth['YES'] + teeth['SAME_USER'] + teeth['HELD']} are run there too" in PAGE
    whole, alone = (
        len(calls.list_allowed("x86_64", by_path=by_path)) + len(calls.EXAMINED) for by_path in (True, False)
    )
    assert re.search(rf"{whole} on x86_64, {alone} of them at level\s+landlock", PAGE)
