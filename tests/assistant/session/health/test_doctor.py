"""The doctor says what is masked, what should be, what a mask misses, and what may be done on each source."""

from __future__ import annotations

import asyncio
import sqlite3
import tomllib
from contextlib import closing
from pathlib import Path

import pytest

from assistant.bootstrap import open_workspace
from assistant.session.health.doctor import Health
from assistant.settings.config import Settings
from sandbox import temporary
from sandbox.cage.cgroup import version

pytestmark = pytest.mark.slow  # the machine is examined each time


@pytest.fixture
def crm(tmp_path: Path) -> Path:
    path = tmp_path / "crm.sqlite"
    with closing(sqlite3.connect(path)) as con, con:
        con.execute("CREATE TABLE customer (id INTEGER PRIMARY KEY, email TEXT, order_no TEXT, day DATE)")
        con.executemany(
            "INSERT INTO customer VALUES (?, ?, ?, '2024-01-02')",
            [(n, f"planted{n}@mail.example", f"O-{n:06}") for n in range(20)],
        )
    return path


def examined(folder: Path, *sources: Path, mask: tuple[str, ...] = ()) -> dict[str, Health]:
    async def work() -> dict[str, Health]:
        given = Settings(home=folder / "home", sources=tuple(map(str, sources)), mask=mask, embeddings="hashing")
        async with open_workspace(given) as workspace:
            return {health.name: health for health in await workspace.doctor()}

    return asyncio.run(work())


def test_the_locks_of_a_source_are_tried_and_told(crm: Path, tmp_path: Path) -> None:
    source = examined(tmp_path, crm)["source crm"]
    assert source.state == "ok"
    assert "a DELETE was tried and the engine refused it" in source.text
    assert "an endless query was stopped" in source.text
    assert str(tmp_path) not in source.text


def test_the_cage_is_put_to_the_test_and_who_holds_the_memory_of_a_session_is_told(crm: Path, tmp_path: Path) -> None:
    found = examined(tmp_path, crm)
    assert found["cage"].state == "missing" or "promises kept; each was put to the test" in found["cage promises"].text
    told = found["cage memory"].text
    held_in = version(temporary.make_name("probe"))
    if held_in is None:
        assert "looked at once a second" in told
    else:
        assert f"the system holds it (cgroup {held_in})" in told


def test_personal_data_is_proposed_with_the_very_line_that_masks_it(crm: Path, tmp_path: Path) -> None:
    found = examined(tmp_path, crm, mask=("other.thing.x",))["personal data in crm"]
    assert found.state == "weak"
    assert "crm.customer.email" in found.text
    assert "planted" not in f"{found}"
    assert [one.column for one in found.suggestions] == ["crm.customer.email"]
    line = found.advice.partition(": ")[2].partition("]")[0] + "]"
    mask = tuple(tomllib.loads(line)["mask"])
    assert mask == ("other.thing.x", "crm.customer.email")
    after = examined(tmp_path, crm, mask=mask)
    assert "personal data in crm" not in after
    assert "customer.email" in after["masks of crm"].text


async def test_what_was_decided_is_not_proposed_again(crm: Path, tmp_path: Path) -> None:
    given = Settings(home=tmp_path / "home", sources=(str(crm),), embeddings="hashing")
    async with open_workspace(given) as workspace:
        for mask in (False, True):
            await workspace.decide_mask("crm.customer.email", mask=mask)
            found = {health.name: health for health in await workspace.doctor()}
            assert "personal data in crm" not in found
            assert ("masks of crm" in found) == mask, "and a mask holds at once"
    assert "customer.email" in found["masks of crm"].text


@pytest.mark.parametrize(
    ("entry", "name", "state", "meant"),
    [
        ("customer.emial", "masks of crm", "missing", "'customer.email'"),
        ("crm.custmer.email", "masks of crm", "missing", "'crm.customer.email'"),
        ("custmer.email", "mask custmer.email", "weak", "'customer.email'"),
        ("hr.staff.salary", "mask hr.staff.salary", "weak", ""),
    ],
)
def test_a_misspelt_mask_is_found_with_what_was_meant(
    crm: Path, tmp_path: Path, entry: str, name: str, state: str, meant: str
) -> None:
    found = examined(tmp_path, crm, mask=(entry,))[name]
    assert found.state == state
    assert (f"did you mean {meant}" in found.text.lower()) == bool(meant)
    assert found.advice


def test_a_source_that_fails_hides_no_other(crm: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.sqlite"
    broken.write_bytes(b"SQLite format 3\x00" + b"x" * 500)
    found = examined(tmp_path, broken, tmp_path / "gone.csv", crm)
    assert found["source broken"].state == "missing"
    assert "gone.csv" in found["sources"].text
    assert found["source crm"].state == "ok"


def test_data_that_a_person_connected_is_examined_and_not_the_sample_company(crm: Path, tmp_path: Path) -> None:
    async def work() -> dict[str, Health]:
        async with open_workspace(Settings(home=tmp_path / "home", embeddings="hashing")) as workspace:
            await workspace.connections.connect_address(str(crm))
            return {health.name: health for health in await workspace.doctor()}

    found = asyncio.run(work())
    assert "source crm" in found
    assert "source company" not in found
    assert [one.column for one in found["personal data in crm"].suggestions] == ["crm.customer.email"]
