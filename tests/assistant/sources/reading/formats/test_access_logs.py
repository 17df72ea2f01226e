"""Logs of web servers are tables; lines of another form are said, and other logs are read as text."""

from __future__ import annotations

import datetime
from pathlib import Path

from loaded_file import LoadedFile

COMMON = '127.0.0.1 - frank [10/Oct/2025:13:55:36 -0700] "GET /a.gif?x=1 HTTP/1.0" 200 2326\n'
COMBINED = (
    '10.0.0.1 - - [11/Oct/2025:01:02:03 +0000] "POST /api HTTP/1.1" 404 - "http://a/b" "Mozilla/5.0 (\\"x\\")"\n'
    'shop.example:443 2001:db8::1 - - [11/Oct/2025:01:02:04 +0000] "GET / HTTP/2.0" 200 12 "-" "-"\n'
)


def test_the_common_format(tmp_path: Path) -> None:
    (tmp_path / "access.log").write_text(COMMON * 3)
    loaded = LoadedFile(tmp_path / "access.log")
    assert loaded.rows("SELECT DISTINCT * FROM access") == [
        (
            *("127.0.0.1", "frank", datetime.datetime(2025, 10, 10, 13, 55, 36), "GET", "/a.gif", "x=1", "HTTP/1.0"),
            *(200, 2326, None, None),
        )
    ]
    assert loaded.loaded.doubts == ()
    loaded.check_notebook()


def test_the_combined_format_with_names_of_hosts(tmp_path: Path) -> None:
    (tmp_path / "access.log").write_text(COMBINED)
    loaded = LoadedFile(tmp_path / "access.log")
    assert loaded.rows("SELECT host, status, bytes, referrer FROM access ORDER BY status") == [
        ("2001:db8::1", 200, 12, None),
        ("10.0.0.1", 404, None, "http://a/b"),
    ]
    loaded.check_notebook()


def test_other_lines_and_zones_are_doubts(tmp_path: Path) -> None:
    (tmp_path / "access.log").write_text(COMMON * 9 + "restarted\n" + COMBINED)
    loaded = LoadedFile(tmp_path / "access.log")
    assert loaded.rows("SELECT count(*) FROM access") == [(11,)]
    left_out, zones = loaded.loaded.doubts
    assert (left_out.kind, left_out.rows) == ("rows_left_out", 1)
    assert left_out.chosen == "1 line is of another form and left out, such as 'restarted'."
    assert zones.chosen == "Times are read as written, in the zones +0000 and -0700."


def test_bytes_that_are_no_unicode_stay_readable(tmp_path: Path) -> None:
    (tmp_path / "access.log").write_bytes(COMMON.replace("/a.gif", "/caf\xe9").encode("latin-1") * 2)
    assert LoadedFile(tmp_path / "access.log").rows("SELECT DISTINCT path FROM access") == [("/café",)]


def test_another_log_is_delimited_text(tmp_path: Path) -> None:
    (tmp_path / "run.log").write_text("day;level;n\n2026-01-01;info;1\n2026-01-02;warn;2\n")
    loaded = LoadedFile(tmp_path / "run.log")
    assert loaded.rows("SELECT sum(n) FROM run") == [(3,)]
