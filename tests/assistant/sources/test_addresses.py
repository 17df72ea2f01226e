"""What a person gives as a source is understood, or refused with what to do next."""

from __future__ import annotations

import gzip
import os
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import duckdb
import pytest
from rights_of_person import PERSON

from assistant.core.data_errors import AddressError, clean_message
from assistant.sources.addresses import parse_addresses
from assistant.sources.file_names import identifier


def make_sqlite(path: Path) -> Path:
    with closing(sqlite3.connect(path)) as con:
        con.execute("CREATE TABLE t (a)")
        con.commit()
    return path


def test_files_are_told_apart_by_what_they_are(tmp_path: Path) -> None:
    make_sqlite(tmp_path / "Shop Data.db")
    make_sqlite(tmp_path / "other.bin")
    duckdb.connect(str(tmp_path / "d.db")).close()
    (tmp_path / "2024 sales.csv").write_text("a\n1\n")
    with gzip.open(tmp_path / "z.jsonl.gz", "wt") as file:
        file.write('{"a": 1}\n')
    found = {
        name: parse_addresses(str(tmp_path / name), PERSON)[0]
        for name in ("Shop Data.db", "other.bin", "d.db", "2024 sales.csv", "z.jsonl.gz")
    }
    assert [(one.name, one.kind) for one in found.values()] == [
        ("shop_data", "sqlite"),
        ("other", "sqlite"),
        ("d", "duckdb"),
        ("t_2024_sales", "files"),
        ("z", "files"),
    ]


def test_a_duckdb_file_whose_checksum_begins_like_gzip_is_still_duckdb(tmp_path: Path) -> None:
    path = tmp_path / "unlucky.duckdb"
    path.write_bytes(b"\x1f\x8b" + bytes(6) + b"DUCK" + bytes(4096))
    assert parse_addresses(str(path), PERSON)[0].kind == "duckdb"


def test_a_name_can_be_given(tmp_path: Path) -> None:
    path = make_sqlite(tmp_path / "x.db")
    assert parse_addresses(f"shop={path}", PERSON)[0].name == "shop"
    assert parse_addresses(f"shop=sqlite:///{path}", PERSON)[0].name == "shop"
    odd = tmp_path / "a=b.csv"
    odd.write_text("a\n1\n")
    assert parse_addresses(f"{odd}", PERSON)[0].name == "a_b"


def test_a_folder_is_one_source_of_its_files_and_one_of_each_database(tmp_path: Path) -> None:
    for name in ("a.csv", "b.tsv", ".hidden.csv", "readme.md"):
        (tmp_path / name).write_text("a\n1\n")
    make_sqlite(tmp_path / "c.sqlite")
    found = parse_addresses(str(tmp_path), PERSON)
    assert [(one.kind, [file.name for file in one.files]) for one in found] == [
        ("files", ["a.csv", "b.tsv"]),
        ("sqlite", ["c.sqlite"]),
    ]


def test_a_password_is_neither_shown_nor_printed() -> None:
    for text in (
        "postgresql://me:p%40ss-w0rd@db.example/shop?sslmode=require",
        "mysql://me:p%40ss-w0rd@db.example/shop",
    ):
        (address,) = parse_addresses(text, PERSON)
        assert address.kind == "server"
        assert address.name == "shop"
        for shown in (address.display, repr(address), str(address)):
            assert "w0rd" not in shown
        assert "p@ss-w0rd" in address.secrets
        assert clean_message("bad p@ss-w0rd and p%40ss-w0rd", secrets=address.secrets) == "bad *** and ***"


def test_messages_lose_urls_passwords_and_folders() -> None:
    assert clean_message("at postgresql://me:secret@host/x") == "at postgresql://***@host/x"
    assert clean_message("password=secret host=x") == "password=*** host=x"
    assert clean_message('open "/home/me/data/x.csv"', folders=("/home/me/data",)) == 'open "x.csv"'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "No source was given"),
        ("nowhere.csv", "There is no file 'nowhere.csv'"),
        ("nosuch://host/db", "No database is known by the scheme"),
        ("postgresql://me:pw@host:port/db", "cannot be read"),
        ("oracle://me:pw@host/db", "driver"),
        ("sqlite://", "in memory"),
        ("sqlite:///nowhere.db", "There is no file"),
    ],
)
def test_a_wrong_address_says_what_is_wrong(
    text: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AddressError, match=says) as caught:
        parse_addresses(text, PERSON)
    assert "pw" not in str(caught.value)
    assert str(tmp_path) not in str(caught.value)


def test_a_file_that_cannot_be_used_says_why(tmp_path: Path) -> None:
    (tmp_path / "empty.csv").touch()
    (tmp_path / "notes.docx").write_bytes(b"PK\x03\x04")
    (tmp_path / "fake.sqlite").write_text("this is no database at all, whatever its name")
    (tmp_path / "cut.csv.gz").write_bytes(gzip.compress(b"a,b\n" * 1000)[:15])
    (tmp_path / "bare").mkdir()
    for name, says in (
        ("empty.csv", "is empty"),
        ("notes.docx", "of no kind"),
        ("fake.sqlite", "neither a SQLite nor a DuckDB"),
        ("cut.csv.gz", "damaged"),
        ("bare", "holds no data file"),
    ):
        with pytest.raises(AddressError, match=says):
            parse_addresses(str(tmp_path / name), PERSON)


def test_a_file_that_may_not_be_read_says_so(tmp_path: Path) -> None:
    path = tmp_path / "secret.csv"
    path.write_text("a\n1\n")
    path.chmod(0)
    me = os.geteuid()
    if me == 0:
        os.seteuid(65534)  # root reads every file, permissions or not
    try:
        with pytest.raises(AddressError, match="may not be read"):
            parse_addresses(str(path), PERSON)
    finally:
        os.seteuid(me)


def test_names_become_identifiers() -> None:
    assert [identifier(text) for text in ("Größe 1", "2024", "class", "***", "a-b.c")] == [
        "größe_1",
        "t_2024",
        "t_class",
        "source",
        "a_b_c",
    ]


def test_a_short_password_strikes_out_no_part_of_a_word() -> None:
    assert clean_message("the port is closed to p", secrets=("p",)) == "the port is closed to ***"
    assert clean_message("postgres://u:abcde@h xabcdey", secrets=("abcde",)).count("abcde") == 0


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("snowflake://me@account/db", "pip install 'tandem-analyst[snowflake]'"),
        ("bigquery://project", "pip install 'tandem-analyst[bigquery]'"),
        ("trino://host/catalog", "pip install 'tandem-analyst[trino]'"),
        ("s3://bucket/sales.parquet", "download the file and give that"),
        ("postgrsql://host/db", "Did you mean postgresql://?"),
    ],
)
def test_an_unknown_scheme_says_what_to_install(url: str, said: str) -> None:
    with pytest.raises(AddressError, match=re.escape(said)):
        parse_addresses(url, PERSON)


def test_a_database_of_an_old_duckdb_says_how_to_bring_it_over(tmp_path: Path) -> None:
    path = tmp_path / "old.duckdb"
    path.write_bytes(b"\x01" * 8 + b"DUCK" + (51).to_bytes(8, "little") + bytes(4096))
    with pytest.raises(AddressError, match=r"'old\.duckdb' was written by DuckDB 0\.9 or older.*EXPORT DATABASE"):
        parse_addresses(str(path), PERSON)
