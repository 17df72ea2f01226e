"""The sources of a session: opened again from what was kept, files loaded once, secrets for the owner alone."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest
from rights_of_person import PERSON, person

from assistant.errors import DataError
from assistant.session.sources.sources import SessionSources
from assistant.settings.credentials import Credentials
from assistant.sources.catalog.catalogs import Catalogs


def visits(folder: Path, text: str = "city,people\nBern,3\nBasel,4\n") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "visits.csv"
    path.write_text(text)
    return path


async def test_files_are_loaded_once_for_all_sessions_and_uploads_stay_with_theirs(tmp_path: Path) -> None:
    catalogs = Catalogs()
    own = visits(tmp_path / "mine")
    sessions = [
        SessionSources(
            tmp_path / name,
            catalogs=catalogs,
            loaded=tmp_path / "loaded",
            credentials=Credentials(tmp_path),
            rights=person,
        )
        for name in ("a", "b")
    ]
    for one in sessions:
        await one.add(str(own), PERSON)
        await one.catalogs()
    assert len(list((tmp_path / "loaded").glob("*.duckdb"))) == 1
    uploaded = visits(tmp_path / "a" / "uploads")
    await sessions[0].add(f"upload={uploaded}", PERSON)
    assert len(list((tmp_path / "a" / "loaded").glob("*.duckdb"))) == 1
    assert len(list((tmp_path / "loaded").glob("*.duckdb"))) == 1
    for one in sessions:
        await one.close()


async def test_a_file_that_changed_is_read_anew(tmp_path: Path) -> None:
    catalogs = Catalogs()
    path = visits(tmp_path / "mine")
    first = SessionSources(
        tmp_path / "a",
        catalogs=catalogs,
        loaded=tmp_path / "loaded",
        credentials=Credentials(tmp_path),
        rights=person,
    )
    await first.add(str(path), PERSON)
    assert (await first.catalogs())[0].tables[0].rows == 2
    await first.close()
    visits(tmp_path / "mine", "city,people\nBern,3\nBasel,4\nZug,5\n")
    second = SessionSources(
        tmp_path / "b",
        catalogs=catalogs,
        loaded=tmp_path / "loaded",
        credentials=Credentials(tmp_path),
        rights=person,
    )
    await second.add(str(path), PERSON)
    assert (await second.catalogs())[0].tables[0].rows == 3
    await second.close()


async def test_what_was_added_opens_again_and_is_for_the_owner_alone(tmp_path: Path) -> None:
    sources = SessionSources(
        tmp_path / "a",
        catalogs=Catalogs(),
        loaded=tmp_path / "loaded",
        credentials=Credentials(tmp_path),
        rights=person,
    )
    await sources.add(f"town={visits(tmp_path / 'mine')}", PERSON)
    await sources.close()
    again = SessionSources(
        tmp_path / "a",
        catalogs=Catalogs(),
        loaded=tmp_path / "loaded",
        credentials=Credentials(tmp_path),
        rights=person,
    )
    assert [source.name for source in await again.sources()] == ["town"]
    await again.close()
    assert stat.S_IMODE(os.stat(tmp_path / "a" / "sources.json").st_mode) == 0o600


def test_a_damaged_list_of_sources_is_said(tmp_path: Path) -> None:
    sources = SessionSources(
        tmp_path, catalogs=Catalogs(), loaded=tmp_path / "loaded", credentials=Credentials(tmp_path), rights=person
    )
    for damage in ("{", "[1]", json.dumps([{"name": "x"}])):
        (tmp_path / "sources.json").write_text(damage)
        with pytest.raises(DataError, match="Add the sources again"):
            _ = sources.addresses


async def test_a_file_that_changes_while_a_session_is_open_is_read_anew_and_that_is_said(tmp_path: Path) -> None:
    path = visits(tmp_path / "mine")
    sources = SessionSources(
        tmp_path / "a",
        catalogs=Catalogs(),
        loaded=tmp_path / "loaded",
        credentials=Credentials(tmp_path),
        rights=person,
    )
    await sources.add(f"visits={path}", PERSON)
    assert (await sources.catalogs())[0].tables[0].rows == 2
    assert await sources.read_anew() == (), "nothing changed"
    visits(tmp_path / "mine", "city,people\nBern,3\nBasel,4\nZug,5\n")
    (event,) = await sources.read_anew()
    assert event.tables[0].rows == 3
    assert "it changed and was read anew" in event.notes[0]
    assert event.as_of
    found = await sources.opened["visits"].run("SELECT sum(people) AS s FROM visits")
    assert found.table.to_pylist() == [{"s": 12}]
    path.unlink()
    (event,) = await sources.read_anew()
    assert "it is gone, and is used as it was read before" in event.notes[0]
    assert await sources.read_anew() == (), "it is said once"
    await sources.close()
