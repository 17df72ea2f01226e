"""Connections are kept without their passwords, which lie in the keyring or in the environment."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from keyring.errors import NoKeyringError
from rights_of_person import PERSON, person

from assistant.connections.connection_store import FILE, ConnectionStore
from assistant.core.data_errors import AddressError
from assistant.errors import ConfigError
from assistant.trust.requester import NotAllowed

URL = "postgresql+psycopg://reader:s3cr3t-word@db.example:5433/shop"


class Ring:
    """A keyring in memory."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, name: str) -> str | None:
        return self.kept.get((service, name))

    def set_password(self, service: str, name: str, password: str) -> None:
        self.kept[service, name] = password

    def delete_password(self, service: str, name: str) -> None:
        del self.kept[service, name]


class NoRing(Ring):
    """A machine without one."""

    def set_password(self, service: str, name: str, password: str) -> None:
        raise NoKeyringError("no backend")


def test_a_password_goes_to_the_keyring_and_into_no_file(tmp_path: Path) -> None:
    ring = Ring()
    store = ConnectionStore(tmp_path, rights=person, keyring=ring)
    assert store.add(URL, PERSON, password_place="keyring") == ("shop",)
    assert list(ring.kept.values()) == ["s3cr3t-word"]
    text = (tmp_path / FILE).read_text()
    assert "s3cr3t" not in text
    assert (tmp_path / FILE).stat().st_mode & 0o077 == 0
    assert ConnectionStore(tmp_path, rights=person, keyring=ring).given() == (f"shop={URL}",)
    store.remove("shop")
    assert not ring.kept
    assert not store.given()


def test_a_password_may_stand_in_the_environment(tmp_path: Path) -> None:
    store = ConnectionStore(tmp_path, rights=person, keyring=NoRing(), environment={"SHOP_PASSWORD": "s3cr3t-word"})
    bare = URL.replace(":s3cr3t-word", "")
    store.add(bare, PERSON, password_place="environment", variable="SHOP_PASSWORD")
    assert store.given() == (f"shop={URL}",)
    with pytest.raises(ConfigError, match="SHOP_PASSWORD"):
        ConnectionStore(tmp_path, rights=person, keyring=NoRing(), environment={}).given()


def test_no_keyring_and_no_place_are_refused_and_nothing_is_kept(tmp_path: Path) -> None:
    store = ConnectionStore(tmp_path, rights=person, keyring=NoRing())
    with pytest.raises(ConfigError, match="no keyring"):
        store.add(URL, PERSON, password_place="keyring")
    with pytest.raises(AddressError, match="never kept in a file"):
        store.add(URL, PERSON)
    assert not (tmp_path / FILE).exists()


@pytest.mark.parametrize("option", ["password=s3cr3t", "sslpassword=s3cr3t", "passwd=s3cr3t", "access_token=s3cr3t"])
@pytest.mark.parametrize("start", [URL, URL.replace(":s3cr3t-word", "")])
def test_a_secret_among_the_options_is_not_kept(tmp_path: Path, start: str, option: str) -> None:
    ring = Ring()
    store = ConnectionStore(tmp_path, rights=person, keyring=ring)
    for place in ("none", "keyring"):
        with pytest.raises(NotAllowed, match=f"The option '{option.split('=', maxsplit=1)[0]}'") as refused:
            store.add(f"{start}?{option}", PERSON, password_place=place)  # type: ignore[arg-type]
        assert "s3cr3t" not in str(refused.value)
    assert not (tmp_path / FILE).exists()
    assert not ring.kept


def test_a_token_that_a_driver_takes_as_an_option_is_used_and_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sqlalchemy.URL.get_dialect", lambda *_: TrinoDialect)
    store = ConnectionStore(tmp_path, rights=person, keyring=Ring())
    with pytest.raises(AddressError, match="never kept in a file"):
        store.add("trino://me@db.example/shop?access_token=s3cr3t", PERSON)
    assert not (tmp_path / FILE).exists()


class TrinoDialect:
    """Stands in for a driver that is not installed."""

    @staticmethod
    def import_dbapi() -> None:
        """It is here."""


def test_a_name_is_kept_once_and_must_be_one(tmp_path: Path) -> None:
    file = tmp_path / "shop.sqlite"
    with sqlite3.connect(file) as db:
        db.execute("CREATE TABLE t (a)")
    db.close()
    store = ConnectionStore(tmp_path / "home", rights=person)
    (tmp_path / "home").mkdir()
    assert store.add(str(file), PERSON) == ("shop",)
    with pytest.raises(AddressError, match="already"):
        store.add(str(file), PERSON)
    with pytest.raises(AddressError, match="cannot be a name"):
        store.add(str(file), PERSON, name="my shop")
    assert store.add(str(file), PERSON, name="second") == ("second",)
    assert [one.name for one in store.connections] == ["shop", "second"]


def test_a_damaged_file_is_told_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("{")
    with pytest.raises(ConfigError, match="Fix or move the file"):
        ConnectionStore(tmp_path, rights=person).given()
    assert (tmp_path / FILE).read_text() == "{"
