"""Probing tells the truth, and nothing without walls is chosen unasked."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from autogen_core import CancellationToken
from autogen_core.code_executor import CodeBlock
from open_descriptors import open_descriptors

from sandbox import levels
from sandbox.errors import LevelUnavailable
from sandbox.executor import CagedCodeExecutor
from sandbox.levels import LEVELS, Level, LevelReport, choose, find, probe


def report(level: str, *, holds: bool) -> LevelReport:
    return LevelReport(level=level, holds=holds, why_not="" if holds else f"{level} is forbidden")  # type: ignore[arg-type]


def test_every_level_was_tried_and_says_what_it_holds_or_why_not(reports: dict[str, LevelReport]) -> None:
    assert tuple(reports) == LEVELS
    for found in reports.values():
        assert bool(found.why_not) != found.holds
        assert bool(found.promises) == found.holds


def test_probing_leaves_nothing_behind(loop: asyncio.Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = open_descriptors()
    loop.run(probe())
    assert list(tmp_path.iterdir()) == []
    assert not open_descriptors() - before


def test_the_strongest_level_that_holds_is_chosen() -> None:
    found = [report("zygote", holds=False), report("bubblewrap", holds=True), report("landlock", holds=True)]
    assert choose(found).level == "bubblewrap"
    assert choose(found, "landlock").level == "landlock"


def test_no_walls_need_a_consent_and_the_refusal_names_every_reason() -> None:
    found = [report("zygote", holds=False), report("landlock", holds=False), report("process", holds=True)]
    with pytest.raises(LevelUnavailable, match=r"zygote is forbidden.*landlock is forbidden.*--uncaged"):
        choose(found)
    with pytest.raises(LevelUnavailable, match="consent"):
        choose(found, "process")
    assert choose(found, allow_process=True).level == "process"
    assert choose(found, "process", allow_process=True).level == "process"


def test_a_wanted_level_is_that_one_or_none() -> None:
    with pytest.raises(LevelUnavailable, match="zygote is forbidden"):
        choose([report("zygote", holds=False), report("bubblewrap", holds=True)], "zygote")


def test_a_weaker_level_never_wins_by_consent_alone() -> None:
    found = [report("zygote", holds=True), report("process", holds=True)]
    assert choose(found, allow_process=True).level == "zygote"


def test_what_held_is_tried_once_in_a_process(best_level: Level) -> None:
    """The same report again is the proof: each trial makes new ones."""

    async def ask() -> list[LevelReport]:
        return await asyncio.gather(find(), find(), find(best_level))

    first = asyncio.run(ask())
    assert first[0].level == best_level
    assert first[0].holds
    again = asyncio.run(ask())  # on another loop
    assert {id(found) for found in (*first, *again)} == {id(first[0])}


def test_an_executor_started_again_tries_no_cage_again(best_level: Level, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        async with CagedCodeExecutor(timeout=120) as executor:
            block = CodeBlock(code="print(6 * 7)", language="python")
            result = await executor.execute_code_blocks([block], CancellationToken())
            assert result.output == "42\n"

    async def trial(*_: object) -> None:
        pytest.fail(f"a cage was tried again, though {best_level!r} is known to hold")

    asyncio.run(find())
    monkeypatch.setattr(levels, "probe", trial)
    asyncio.run(scenario())


def test_what_did_not_hold_is_tried_again(reports: dict[str, LevelReport], monkeypatch: pytest.MonkeyPatch) -> None:
    """Bubblewrap was not there, and then it was."""
    if not reports["bubblewrap"].holds:
        pytest.skip(f"level bubblewrap: {reports['bubblewrap'].why_not}")
    with monkeypatch.context() as before:
        before.setenv("PATH", "")
        with pytest.raises(LevelUnavailable, match="not installed"):
            asyncio.run(find("bubblewrap"))
    assert asyncio.run(find("bubblewrap")).holds


def test_remembering_consents_to_nothing() -> None:
    async def scenario() -> None:
        assert (await find("process", allow_process=True)).level == "process"
        with pytest.raises(LevelUnavailable, match="consent"):
            await find("process")

    asyncio.run(scenario())


WITHOUT_NAMESPACES = """
import asyncio, pathlib, struct, sys
from sandbox.cage import linux, privileges
from sandbox.levels import choose, probe
from sandbox.pool import Pool

# unshare, clone3 and clone with a namespace among its flags are refused; all else passes.
unshare, clone, flags = (272, 56, 0x7E020080) if linux.ARCH == "x86_64" else (97, 220, 0x7E020080)
load, equal, any_of, answer = 0x20, 0x15, 0x45, 0x06
allowed, denied, absent = 0x7FFF0000, 0x50000 | 1, 0x50000 | 38
steps = (
    (load, 0, 0, 0), (equal, 0, 1, unshare), (answer, 0, 0, denied), (equal, 0, 1, 435), (answer, 0, 0, absent),
    (equal, 0, 3, clone), (load, 0, 0, 16), (any_of, 0, 1, flags), (answer, 0, 0, denied), (answer, 0, 0, allowed),
)
program = [struct.pack("HBBI", *step) for step in steps]
privileges.forbid_new()
linux.set_seccomp_filter(b"".join(program))

async def main():
    reports = await probe()
    for report in reports:
        print(report.level, report.holds, report.why_not)
    level = choose(reports).level
    async with Pool(level=level) as pool:
        base = pathlib.Path(sys.argv[1])
        kernel = await pool.lease(desk=base / "desk", data=base / "data")
        result = await kernel.execute("print('answer', 6 * 7)")
        print(level, result.outputs[0].text)

asyncio.run(main())
"""


def test_where_namespaces_are_forbidden_the_next_walls_take_over(
    reports: dict[str, LevelReport], tmp_path: Path
) -> None:
    """As in most containers."""
    if not reports["landlock"].holds:
        pytest.skip(f"level landlock: {reports['landlock'].why_not}")
    command = [sys.executable, "-c", WITHOUT_NAMESPACES, str(tmp_path)]
    said = subprocess.run(command, capture_output=True, text=True, check=False, timeout=170)
    lines = said.stdout.splitlines()
    assert [line.split()[:2] for line in lines[:4]] == [
        ["zygote", "False"],
        ["bubblewrap", "False"],
        ["landlock", "True"],
        ["process", "True"],
    ], said.stderr
    assert "Operation not permitted" in lines[0]
    assert lines[4] == "landlock answer 42"
