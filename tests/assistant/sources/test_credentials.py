"""A password of a database is in one file outside the sessions, and nowhere else; it goes with its last session."""

from __future__ import annotations

import asyncio
import json
import shutil
import stat
from pathlib import Path
from typing import Any

import pytest
from rights_of_person import PERSON

from assistant.bootstrap import open_workspace
from assistant.errors import ConfigError
from assistant.session.workspace import Workspace
from assistant.settings.config import Settings
from assistant.settings.credentials import FILE, Credentials
from assistant.sources.address_file import AddressFile, entry_of, used_credentials
from assistant.sources.addresses import SourceAddress, parse_addresses

PASSWORD = "s3cret-w0rd"
URL = f"postgresql+psycopg://reader:{PASSWORD}@db.example:5433/shop"


def server(name: str = "shop", url: str = URL) -> SourceAddress:
    return parse_addresses(f"{name}={url}", PERSON)[0]


def holding(folder: Path) -> list[str]:
    """The files below a folder that hold the password."""
    return [
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file() and PASSWORD.encode() in path.read_bytes()
    ]


def old(address: SourceAddress) -> dict[str, Any]:
    """An entry as earlier versions wrote it."""
    return {
        "name": address.name,
        "kind": address.kind,
        "display": address.display,
        "files": [str(file) for file in address.files],
        "secret": address.secret,
        "parts": [old(part) for part in address.parts],
        "keys": list(address.keys),
    }


def test_the_list_of_a_session_names_a_credential_and_holds_no_password(tmp_path: Path) -> None:
    kept = AddressFile(tmp_path / "sessions" / "a", Credentials(tmp_path))
    kept.write([entry_of(server())])
    assert holding(tmp_path) == [FILE]
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
    assert stat.S_IMODE(kept.path.stat().st_mode) == 0o600
    assert [address.secret for address in kept.addresses(PERSON)] == [URL]
    assert [address.display for address in kept.addresses(PERSON)] == [server().display]


def test_a_list_of_an_earlier_version_is_rewritten_when_it_is_first_read(tmp_path: Path) -> None:
    (tmp_path / "goal.csv").write_text("region_id\n1\n")
    whole = parse_addresses(f"all=(shop={URL} + {tmp_path / 'goal.csv'} on a.b = c.d)", PERSON)
    folder = tmp_path / "sessions" / "a"
    folder.mkdir(parents=True)
    (folder / "sources.json").write_text(json.dumps([old(server()), old(whole[0])]))
    kept = AddressFile(folder, Credentials(tmp_path))
    first, second = kept.addresses(PERSON)
    assert first.secret == URL
    assert [part.secret for part in second.parts] == [URL, ""]
    assert second.keys == ("a.b = c.d",)
    assert holding(tmp_path) == [FILE]
    assert stat.S_IMODE(kept.path.stat().st_mode) == 0o600
    assert kept.addresses(PERSON) == (first, second)


def test_a_password_that_is_gone_is_said(tmp_path: Path) -> None:
    kept = AddressFile(tmp_path / "sessions" / "a", Credentials(tmp_path))
    kept.write([entry_of(server())])
    (tmp_path / FILE).unlink()
    with pytest.raises(ConfigError, match="Connect the database again"):
        kept.addresses(PERSON)


def test_a_list_that_cannot_be_rewritten_loses_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "sessions" / "a"
    folder.mkdir(parents=True)
    text = json.dumps([old(server())])
    (folder / "sources.json").write_text(text)
    (folder / "sources.new").mkdir()  # stands in the way of the draft
    with pytest.raises(OSError, match="directory"):
        AddressFile(folder, Credentials(tmp_path)).entries()
    assert (folder / "sources.json").read_text() == text


def test_a_credential_goes_with_the_last_session_that_names_it(tmp_path: Path) -> None:
    credentials, sessions = Credentials(tmp_path), tmp_path / "sessions"
    other = server("other", URL.replace("db.example", "other.example"))
    AddressFile(sessions / "a", credentials).write([entry_of(server())])
    AddressFile(sessions / "b", credentials).write([entry_of(server()), entry_of(other)])

    def remove(session: str) -> list[str]:
        shutil.rmtree(sessions / session)
        credentials.remove_unused(lambda known: used_credentials(sessions, known))
        return sorted(json.loads((tmp_path / FILE).read_text())["urls"].values())

    assert remove("a") == sorted([URL, other.secret])
    AddressFile(sessions / "c", credentials).write([entry_of(server())])
    assert remove("b") == [URL]
    assert remove("c") == []
    assert holding(tmp_path) == []


def planted(workspace: Workspace, home: Path, session: str) -> None:
    """Give a session a database as an earlier version wrote it down."""
    (home / "sessions" / session).mkdir(parents=True, exist_ok=True)
    (home / "sessions" / session / "sources.json").write_text(json.dumps([old(server())]))


def test_no_copy_of_a_session_and_no_deleted_session_leaves_a_password(tmp_path: Path) -> None:
    home = tmp_path / "home"

    async def scenario() -> None:
        chosen = Settings.model_validate({"home": home, "embeddings": "hashing", "uncaged": True})
        async with open_workspace(chosen) as workspace:
            first = await workspace.create(bare=True)
            planted(workspace, home, first.id)
            copied = await workspace.history.copy(first.id)
            assert holding(home) == [FILE]
            assert [
                address.secret
                for address in AddressFile(home / "sessions" / copied, Credentials(home)).addresses(PERSON)
            ] == [URL]
            await workspace.delete(first.id)
            assert holding(home) == [FILE]
            await workspace.delete(copied)
            assert holding(home) == []

    asyncio.run(scenario())
