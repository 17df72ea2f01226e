"""Nobody opens Tandem's own files as data: not by any path, link, name or URL, and not after a link was turned."""

from __future__ import annotations

import asyncio
import gzip
import os
import shutil
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from assistant.bootstrap import rights_of
from assistant.connections.reading import describe_readings
from assistant.core.data_errors import SourceError
from assistant.errors import AssistantError
from assistant.session.sources.raw_files import RawFiles
from assistant.session.sources.sources import SessionSources
from assistant.settings.credentials import Credentials
from assistant.settings.settings import Settings
from assistant.sources.addresses import parse_addresses
from assistant.sources.catalog.catalogs import Catalogs
from assistant.sources.opening import open_source
from assistant.sources.reading.loading import load_files
from assistant.trust.places import is_within
from assistant.trust.requester import NotAllowed, Requester
from assistant.trust.rights import Rights

if TYPE_CHECKING:
    from assistant.session.sources.personal_values import PersonalValues

REQUESTERS: tuple[Requester, ...] = ("folder", "member", "person", "administrator")


def database(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with sqlite3.connect(path) as con:
        con.execute("CREATE TABLE events (session TEXT)")
        con.execute("INSERT INTO events VALUES ('theirs')")
    con.close()
    return path


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home folder as a server has it, in the middle of other data."""
    home = tmp_path / "srv" / "home"
    database(home / "tandem.sqlite")
    database(home / "backups" / "store-1.sqlite")
    session = home / "sessions" / "0123456789abcdef"
    (session / "uploads").mkdir(parents=True)
    (session / "uploads" / "salaries.csv").write_text("name,salary\nAda,1\n")
    (session / "sources.json").write_text('[{"a": 1}]')
    (home / "credentials.json").write_text('[{"a": 1}]')
    (tmp_path / "srv" / "sales.csv").write_text("region,amount\nNorth,1\n")
    return home


def judged(home: Path, requester: Requester = "person", **settings: object) -> Rights:
    return rights_of(Settings.model_validate({"home": home, **settings}), requester)


PRIVATE = (
    "tandem.sqlite",
    "backups",
    "backups/store-1.sqlite",
    "sessions/0123456789abcdef/uploads",
    "sessions/0123456789abcdef/uploads/salaries.csv",
    "sessions/0123456789abcdef/sources.json",
    "credentials.json",
    "missing.csv",
    "",
)


@pytest.mark.parametrize("requester", REQUESTERS)
@pytest.mark.parametrize("name", PRIVATE)
def test_nothing_under_the_home_is_named_by_anybody(home: Path, name: str, requester: Requester) -> None:
    path = home / name
    spellings = [
        f"{path}",
        f"x={path}",
        f"{home}/../home/{name}",
        f"{home}/sessions/../{name}",
        f"//{str(path).lstrip('/')}",
        f"/proc/self/root{path}",
        f"/proc/{os.getpid()}/root{path}",
        f"file://{path}",
        f"x=file://{path}",
        f"sqlite:///{path}",
        f"sqlite:////{str(path).lstrip('/')}",
        f"sqlite:///file:{path}",
        f"sqlite:///file:{path}?mode=ro&uri=true",
        f"duckdb:///{path}",
        f"sales={home.parent}/sales.csv + theirs={path}",
        f"all=({home.parent}/sales.csv + {path})",
        f"all=(theirs={path} + {home.parent}/sales.csv on a.b = c.d)",
    ]
    for given in spellings:
        with pytest.raises(NotAllowed):
            parse_addresses(given, judged(home, requester))


def test_a_relative_path_and_the_persons_folder_lead_there_too(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home / "sessions")
    for given in ("../tandem.sqlite", "./../tandem.sqlite", "sqlite:///../tandem.sqlite", ".."):
        with pytest.raises(NotAllowed):
            parse_addresses(given, judged(home))
    monkeypatch.setenv("HOME", str(home))
    for given in ("~/tandem.sqlite", "x=~/tandem.sqlite", "sqlite:///~/tandem.sqlite", "~"):
        with pytest.raises(NotAllowed):
            parse_addresses(given, judged(home))


def test_links_lead_there_too(home: Path, tmp_path: Path) -> None:
    (tmp_path / "file.sqlite").symlink_to(home / "tandem.sqlite")
    (tmp_path / "folder").symlink_to(home, target_is_directory=True)
    (tmp_path / "twice.sqlite").symlink_to(tmp_path / "folder" / "tandem.sqlite")
    os.link(home / "tandem.sqlite", tmp_path / "second.sqlite")
    (tmp_path / "mixed").mkdir()
    shutil.copy(home.parent / "sales.csv", tmp_path / "mixed")
    (tmp_path / "mixed" / "more.json").symlink_to(home / "credentials.json")
    for name in ("file.sqlite", "folder", "folder/tandem.sqlite", "twice.sqlite", "second.sqlite", "mixed"):
        with pytest.raises(NotAllowed):
            parse_addresses(str(tmp_path / name), judged(home))


def test_what_was_moved_to_another_disk_stays_private(home: Path, tmp_path: Path) -> None:
    shutil.move(home / "sessions", tmp_path / "disk")
    (home / "sessions").symlink_to(tmp_path / "disk", target_is_directory=True)
    upload = tmp_path / "disk" / "0123456789abcdef" / "uploads" / "salaries.csv"
    os.link(upload, tmp_path / "again.csv")
    for path in (upload, upload.parent, tmp_path / "again.csv"):
        with pytest.raises(NotAllowed):
            parse_addresses(str(path), judged(home))
    hers = judged(home).within(home / "sessions" / "0123456789abcdef" / "uploads")
    assert parse_addresses(str(upload), hers)[0].kind == "files"


def test_a_file_with_several_names_of_its_own_is_no_secret(home: Path, tmp_path: Path) -> None:
    os.link(home.parent / "sales.csv", tmp_path / "again.csv")
    assert parse_addresses(str(tmp_path / "again.csv"), judged(home))[0].kind == "files"


def test_the_folder_around_the_home_is_read_without_it(home: Path) -> None:
    (address,) = parse_addresses(str(home.parent), judged(home))
    assert [file.name for file in address.files] == ["sales.csv"]


def test_a_session_store_elsewhere_is_private_with_what_lies_beside_it(home: Path, tmp_path: Path) -> None:
    store = database(tmp_path / "data" / "store.sqlite")
    rights = judged(home, store=f"sqlite:///{store}")
    shutil.copy(store, store.with_name("store.sqlite-wal"))
    with pytest.raises(NotAllowed):
        parse_addresses(str(store), rights)
    with pytest.raises(NotAllowed, match=r"store\.sqlite"):
        parse_addresses(str(store.parent), rights)
    with pytest.raises(NotAllowed):
        rights.check_file(store.with_name("store.sqlite-wal"))


def test_what_the_system_shows_as_files_is_no_data(home: Path, tmp_path: Path) -> None:
    (tmp_path / "environment.csv").symlink_to("/proc/self/environ")
    with pytest.raises(NotAllowed):
        parse_addresses(str(tmp_path / "environment.csv"), judged(home))


def test_a_refusal_does_not_tell_a_member_what_exists(home: Path) -> None:
    there, missing = str(home.parent / "sales.csv"), str(home.parent / "none.csv")
    texts: set[str] = set()
    for given in (there, missing, f"{there} + {missing}", "postgresql://db.example/x", f"x={there}"):
        with pytest.raises(NotAllowed) as refused:
            parse_addresses(given, judged(home, "member"))
        texts.add(str(refused.value))
    assert len(texts) == 1


@pytest.mark.parametrize("kind", ["sqlite", "csv"])
def test_a_link_that_is_turned_after_it_was_named_is_refused(home: Path, tmp_path: Path, kind: str) -> None:
    own = database(tmp_path / "own.sqlite") if kind == "sqlite" else home.parent / "sales.csv"
    theirs = home / ("tandem.sqlite" if kind == "sqlite" else "sessions/0123456789abcdef/uploads/salaries.csv")
    link = tmp_path / f"link.{kind}"
    link.symlink_to(own)
    (address,) = parse_addresses(str(link), judged(home))
    link.unlink()
    link.symlink_to(theirs)

    async def opened() -> None:
        await open_source(address, folder=tmp_path / "loaded")

    with pytest.raises(SourceError, match="cannot be connected"):
        asyncio.run(opened())
    if kind == "csv":
        with pytest.raises(SourceError, match="cannot be connected"):
            load_files(address, tmp_path / "loaded")


def test_a_link_that_is_turned_while_the_source_is_open_is_not_followed(home: Path, tmp_path: Path) -> None:
    own, link = database(tmp_path / "own.sqlite"), tmp_path / "link.sqlite"
    link.symlink_to(own)
    (address,) = parse_addresses(str(link), judged(home))

    async def scenario() -> None:
        source = await open_source(address, folder=tmp_path / "loaded")
        link.unlink()
        link.symlink_to(home / "tandem.sqlite")
        try:
            # Two at a time, so that a second worker is started now.
            answers = await asyncio.gather(
                *(source.run("SELECT count(*) AS n FROM events") for _ in range(2)), return_exceptions=True
            )
        finally:
            await source.close()
        assert any(isinstance(one, SourceError) and "cannot be connected" in str(one) for one in answers)

    asyncio.run(scenario())


def test_what_says_how_a_file_is_read_is_judged_as_well(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "own.csv"
    file.write_text("a\n1\n")
    (address,) = parse_addresses(str(file), judged(home))
    (home / "tandem.toml").write_text('api = "planted"\n')
    (tmp_path / "own.csv.tandem.toml").symlink_to(home / "tandem.toml")
    with pytest.raises(AssistantError) as refused:
        load_files(address, tmp_path / "loaded")
    assert "planted" not in str(refused.value)


def test_a_link_that_is_turned_after_it_was_read_shows_no_line_and_is_not_handed_out(
    home: Path, tmp_path: Path
) -> None:
    theirs = home / "sessions" / "0123456789abcdef" / "uploads" / "salaries.csv"
    link = tmp_path / "link.csv"
    link.symlink_to(home.parent / "sales.csv")
    sources = SessionSources(
        tmp_path / "session",
        catalogs=Catalogs(),
        loaded=tmp_path / "loaded",
        credentials=Credentials(tmp_path),
        rights=lambda: judged(home),
    )
    raw = RawFiles(sources, personal=cast("PersonalValues", NothingPersonal()), mask=tuple)

    async def scenario() -> None:
        await sources.add(str(link), judged(home))
        (address,) = sources.addresses
        assert describe_readings(address, tmp_path / "loaded", show_lines=True)[0].first_lines
        assert await raw.find("link.csv") == link
        link.unlink()
        link.symlink_to(theirs)
        with pytest.raises(SourceError, match="cannot be connected"):
            describe_readings(address, tmp_path / "loaded", show_lines=True)
        with pytest.raises(SourceError, match="cannot be connected"):
            await raw.find("link.csv")
        (event,) = await sources.read_anew()
        assert "cannot be connected" in event.notes[0]
        assert {row for table in event.tables for row in table.columns} == {"region", "amount"}
        await sources.close()

    asyncio.run(scenario())


class NothingPersonal:
    """Finds no column that looks personal."""

    def columns(self, _catalog: object) -> dict[str, set[str]]:
        return {}


def test_a_packed_file_is_judged_before_it_is_unpacked(home: Path) -> None:
    with gzip.open(home / "x.csv.gz", "wt") as packed:
        packed.write("a\n1\n")
    with pytest.raises(NotAllowed):
        parse_addresses(str(home / "x.csv.gz"), judged(home))


def test_tandem_opens_what_it_keeps_for_its_people(home: Path) -> None:
    uploads = home / "sessions" / "0123456789abcdef" / "uploads"
    for requester in REQUESTERS:
        (address,) = parse_addresses(str(uploads / "salaries.csv"), judged(home, requester).within(uploads))
        assert address.check() == (uploads / "salaries.csv",)
    (home / "files" / "ab").mkdir(parents=True)
    kept = home / "files" / "ab" / "shop.csv"
    kept.write_text("a\n1\n")
    assert parse_addresses(str(kept), judged(home, "member").granted())[0].kind == "files"
    with pytest.raises(NotAllowed):
        parse_addresses(str(kept), judged(home, "person"))
    (uploads / "out.sqlite").symlink_to(home / "tandem.sqlite")
    with pytest.raises(NotAllowed):
        parse_addresses(str(uploads / "out.sqlite"), judged(home).within(uploads))


def test_a_place_is_known_by_what_it_is_and_not_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    assert is_within(tmp_path / "a" / "b" / "new.csv", (tmp_path / "a",))
    assert is_within(tmp_path / "a", (tmp_path / "a",))
    assert not is_within(tmp_path / "ab", (tmp_path / "a",))
    assert not is_within(tmp_path, (tmp_path / "a",))


def test_a_text_that_is_no_path_is_refused_in_words(home: Path) -> None:
    for given in ("a\0b.csv", "~nobody-of-that-name/x.csv"):
        with pytest.raises(AssistantError):
            parse_addresses(given, judged(home))
