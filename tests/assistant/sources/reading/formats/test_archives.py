"""Archives: their files become tables; nothing of them reaches another place, and a bomb is refused."""

from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path

import pytest
from loaded_file import LoadedFile, refusal
from rights_of_person import PERSON

from assistant.core.data_errors import SourceError
from assistant.sources.addresses import parse_addresses
from assistant.sources.reading import file_limits
from assistant.sources.reading.formats import archives
from assistant.sources.reading.formats.archives import Archive

ORDERS = "id;shop;amount\n1;a;1,50\n2;b;2,25\n3;a;3,00\n"
SHOPS = "shop,town\na,Bern\nb,Basel\n"


def packed(path: Path, members: dict[str, bytes | str]) -> Path:
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in members.items():
                archive.writestr(name, content)
        return path
    mode = {"tgz": "w:gz", "gz": "w:gz", "bz2": "w:bz2", "xz": "w:xz"}.get(path.suffix[1:], "w")
    with tarfile.open(path, mode) as archive:  # pyright: ignore
        for name, content in members.items():
            entry, data = tarfile.TarInfo(name), content.encode() if isinstance(content, str) else content
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return path


@pytest.mark.parametrize("name", ["d.zip", "d.tar", "d.tgz", "d.tar.gz", "d.tar.bz2", "d.tar.xz"])
def test_files_of_an_archive_are_tables(tmp_path: Path, name: str) -> None:
    loaded = LoadedFile(packed(tmp_path / name, {"in/orders.csv": ORDERS, "shops.csv": SHOPS, "__MACOSX/x.csv": "x"}))
    assert loaded.names == ["orders", "shops"]
    assert loaded.rows("SELECT town, sum(amount) FROM orders JOIN shops USING (shop) GROUP BY ALL ORDER BY ALL") == [
        ("Basel", 2.25),
        ("Bern", 4.5),
    ]
    assert [(table.file, table.member) for table in loaded.loaded.tables] == [
        (name, "in/orders.csv"),
        (name, "shops.csv"),
    ]
    assert f"{name}: orders.csv: columns are separated by a semicolon" in loaded.loaded.notes
    loaded.check_notebook()


def test_files_of_one_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    loaded = LoadedFile(packed(tmp_path / "d.zip", {"north/sales.csv": "n\n1\n", "south/sales.csv": "n\n2\n"}))
    assert loaded.names == ["north_sales", "south_sales"]
    loaded.check_notebook()


def test_what_is_not_read_is_said(tmp_path: Path) -> None:
    inner = packed(tmp_path / "inner.zip", {"a.csv": SHOPS}).read_bytes()
    loaded = LoadedFile(packed(tmp_path / "d.zip", {"shops.csv": SHOPS, "inner.zip": inner, "read.me": "x"}))
    (doubt,) = [doubt for doubt in loaded.loaded.doubts if doubt.kind == "not_read"]
    assert doubt.chosen.startswith("Not read from the archive: 'inner.zip' and 'read.me'. 'inner.zip' is an archive")


def test_one_broken_file_does_not_lose_the_others(tmp_path: Path) -> None:
    loaded = LoadedFile(packed(tmp_path / "d.zip", {"shops.csv": SHOPS, "bad.parquet": b"PAR1 no"}))
    assert loaded.names == ["shops"]
    assert "'bad.parquet' cannot be read as Parquet" in loaded.loaded.doubts[-1].chosen


def test_a_correction_beside_the_archive_holds_for_its_file(tmp_path: Path) -> None:
    path = packed(tmp_path / "d.zip", {"orders.csv": ORDERS})
    (tmp_path / "d.zip.tandem.toml").write_text('[types]\nid = "text"\n')
    loaded = LoadedFile(path)
    assert loaded.columns("orders")["id"][0] == "VARCHAR"
    assert "d.zip: orders.csv: read as d.zip.tandem.toml says" in loaded.loaded.notes


def test_no_path_or_link_of_an_archive_is_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("secret\n42\n")
    path = tmp_path / "d.tar"
    with tarfile.open(path, "w") as archive:
        for name, target in (("link.csv", "secret.csv"), ("hard.csv", "../secret.csv")):
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname = (tarfile.SYMTYPE if name == "link.csv" else tarfile.LNKTYPE), target
            archive.addfile(entry)
        entry = tarfile.TarInfo("../../../outside.csv")
        entry.size = len(SHOPS)
        archive.addfile(entry, io.BytesIO(SHOPS.encode()))
    loaded = LoadedFile(path)
    assert loaded.names == ["outside"]
    assert "'link.csv' is a link, which is not followed" in loaded.loaded.doubts[0].chosen
    assert not list(tmp_path.parent.glob("outside.csv"))
    with Archive(path) as archive, archive.unpacked(archive.members[0], tmp_path / "loaded") as plain:
        assert plain.parent.parent == tmp_path / "loaded"


def test_a_name_that_is_too_long_for_a_file_is_cut(tmp_path: Path) -> None:
    path = packed(tmp_path / "d.zip", {"é" * 150 + ".csv": SHOPS, "shops.csv": SHOPS})
    assert len(LoadedFile(path).names) == 2


def test_what_is_said_of_a_damaged_archive_names_no_folder_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(36, "File name too long", "/home/somebody/unpacked.csv")

    path = packed(tmp_path / "d.zip", {"shops.csv": SHOPS})
    monkeypatch.setattr(archives, "unpack", fail)
    with (
        Archive(path) as archive,
        pytest.raises(ValueError, match=r"cannot be unpacked: File name too long\. Check"),
        archive.unpacked(archive.members[0], tmp_path),
    ):
        pass


def test_a_link_in_a_zip_is_not_followed(tmp_path: Path) -> None:
    path = tmp_path / "d.zip"
    with zipfile.ZipFile(path, "w") as archive:
        link = zipfile.ZipInfo("link.csv")
        link.create_system, link.external_attr = 3, 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    assert "holds no file that can be read as a table" in refusal(path)


@pytest.mark.parametrize("name", ["bomb.zip", "bomb.tar.gz"])
def test_a_bomb_is_refused(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_limits, "UNPACKED_BYTES_MAX", 1 << 20)
    path = packed(tmp_path / name, {"bomb.csv": b"a,b\n" + b"1,2\n" * (1 << 20)})
    (tmp_path / "room").mkdir()
    with (
        Archive(path) as archive,
        pytest.raises(SourceError, match=r"unpacks to more than 1\.0 MB"),
        archive.unpacked(archive.members[0], tmp_path / "room"),
    ):
        raise AssertionError("it is not unpacked")
    assert list((tmp_path / "room").iterdir()) == []


def test_locked_damaged_and_empty_archives_are_refused(tmp_path: Path) -> None:
    whole = packed(tmp_path / "d.zip", {"orders.csv": ORDERS * 50}).read_bytes()
    locked = bytearray(whole)
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        locked[locked.index(mark) + place] |= 1
    (tmp_path / "locked.zip").write_bytes(locked)
    assert "'locked.zip' is locked with a password" in refusal(tmp_path / "locked.zip")
    damaged = bytearray(whole)
    damaged[60:80] = b"\xff" * 20
    (tmp_path / "damaged.zip").write_bytes(damaged)
    assert "'damaged.zip' cannot be unpacked" in refusal(tmp_path / "damaged.zip")
    (tmp_path / "cut.zip").write_bytes(whole[:-40])
    assert "'cut.zip' cannot be unpacked" in refusal(tmp_path / "cut.zip")
    assert "holds no file that can be read" in refusal(packed(tmp_path / "none.zip", {"a.pdf": b"%PDF"}))
    whole = packed(tmp_path / "d.tar.gz", {"orders.csv": ORDERS * 50}).read_bytes()
    (tmp_path / "cut.tar.gz").write_bytes(whole[: len(whole) // 2])
    assert "'cut.tar.gz' cannot be unpacked" in refusal(tmp_path / "cut.tar.gz")


def test_an_archive_beside_data_is_not_read_with_its_folder(tmp_path: Path) -> None:
    (tmp_path / "shops.csv").write_text(SHOPS)
    packed(tmp_path / "backup.zip", {"shops.csv": SHOPS})
    (address,) = parse_addresses(str(tmp_path), PERSON)
    assert [file.name for file in address.files] == ["shops.csv"]
