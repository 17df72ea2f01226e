"""Files that claim or unpack to more than they should: each is refused in words, and costs the server no memory."""

from __future__ import annotations

import gzip
import io
import re
import resource
import struct
import zipfile
from collections.abc import Callable, Generator
from pathlib import Path

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from rights_of_person import PERSON

from assistant.core.data_errors import SourceError
from assistant.sources.addresses import parse_addresses
from assistant.sources.reading import file_limits
from assistant.sources.reading.loading import load_files

SERVER_BYTES_MAX = 500 << 20


@pytest.fixture(autouse=True)
def _no_memory_of_the_server() -> Generator[None]:  # pyright: ignore
    def most() -> int:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

    before = most()
    yield
    assert most() - before < SERVER_BYTES_MAX


def refusal(path: Path) -> str:
    with pytest.raises(SourceError) as refused:
        load_files(parse_addresses(str(path), PERSON)[0], path.parent / "made")
    assert list((path.parent / "made").iterdir()) == []
    assert path.name in str(refused.value)
    return str(refused.value)


def workbook(path: Path, change: Callable[[bytes], bytes]) -> Path:
    """A workbook of one small sheet, its XML changed."""
    made, content = openpyxl.Workbook(), io.BytesIO()
    sheet = made.active
    assert sheet is not None
    sheet.append(["a", "b"])
    sheet.append(["x", 1])
    made.save(content)
    with zipfile.ZipFile(content) as parts, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for name in parts.namelist():
            xml = parts.read(name)
            target.writestr(name, change(xml) if "sheet1" in name else xml)
    return path


def with_rows(xml: bytes, rows: bytes) -> bytes:
    return xml.replace(b"</sheetData>", rows + b"</sheetData>")


def test_a_workbook_that_is_packed_as_no_program_packs_it_is_refused(tmp_path: Path) -> None:
    rows = b'<row r="3">%s</row>' % (b"<c><v>1</v></c>" * 4_000_000)
    path = workbook(tmp_path / "packed.xlsx", lambda xml: with_rows(xml, rows))
    assert path.stat().st_size < 1 << 20
    assert re.search(r"holds 57\.\d MB in 0\.\d MB: packed \d{3} times", refusal(path))


def test_a_workbook_of_too_many_bytes_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_limits, "WORKBOOK_BYTES_MAX", 1000)
    path = workbook(tmp_path / "large.xlsx", lambda xml: xml)
    with pytest.raises(SourceError, match=r"'large\.xlsx' holds .* unpacked; a workbook is read up to"):
        file_limits.check_workbook(path)


@pytest.mark.parametrize("cell", [1, "yes"])
def test_an_ordinary_workbook_of_equal_cells_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cell: int | str
) -> None:
    monkeypatch.setattr(file_limits, "_WORKBOOK_BYTES_TRUSTED", 0)  # so that how it is packed decides
    made = openpyxl.Workbook(write_only=True)
    sheet = made.create_sheet()
    for _ in range(10_000):
        sheet.append([cell] * 20)
    made.save(tmp_path / "equal.xlsx")
    file_limits.check_workbook(tmp_path / "equal.xlsx")


def test_a_workbook_whose_last_cell_is_far_away_is_refused(tmp_path: Path) -> None:
    far = b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    path = workbook(tmp_path / "far.xlsx", lambda xml: with_rows(xml, far))
    assert "needs more memory than reading a file may take" in refusal(path)


def test_entities_that_grow_are_refused(tmp_path: Path) -> None:
    entities = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    head = f'<?xml version="1.0"?><!DOCTYPE w [<!ENTITY l0 "lol">{entities}]>'.encode()
    cell = b'<row r="3"><c r="A3" t="inlineStr"><is><t>&l9;</t></is></c></row>'
    path = workbook(
        tmp_path / "entities.xlsx", lambda xml: head + with_rows(re.sub(rb"^<\?xml[^>]*\?>", b"", xml), cell)
    )
    assert "cannot be read as a workbook" in refusal(path)


def test_a_parquet_file_that_claims_a_trillion_rows_is_refused(tmp_path: Path) -> None:
    rows, claimed = 123_457, 10**12
    content = io.BytesIO()
    pq.write_table(pa.table({"a": [7] * rows}), content, store_schema=False, compression="none")
    raw = content.getvalue()
    (size,) = struct.unpack("<I", raw[-8:-4])
    footer = raw[-8 - size : -8]
    assert footer.count(as_i64(rows)) == 3  # of the file, of its row group, and of its column
    footer = footer.replace(as_i64(rows), as_i64(claimed))
    path = tmp_path / "claims.parquet"
    path.write_bytes(raw[: -8 - size] + footer + struct.pack("<I", len(footer)) + b"PAR1")
    assert "claims 1,000,000,000,000 rows" in refusal(path)


def as_i64(number: int) -> bytes:
    """A field of a Parquet footer: 64 bits in Thrift's compact protocol, one field after the one before."""
    rest, field = number << 1, b"\x16"
    while rest >= 128:
        field, rest = field + bytes([rest & 127 | 128]), rest >> 7
    return field + bytes([rest])


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_line_that_is_no_row_is_refused_by_its_number(tmp_path: Path, end: str) -> None:
    path = tmp_path / "line.csv"
    with path.open("wb") as file:
        file.write(f"a,b{end}1,2{end}3,".encode())
        for _ in range(17):
            file.write(b"x" * (1 << 20))
        file.write(f"{end}4,5{end}".encode())
    assert "line 3 is longer than 16.0 MB" in refusal(path)


def test_many_lines_are_no_long_one(tmp_path: Path) -> None:
    path = tmp_path / "lines.csv"
    path.write_bytes(b"a,b\n" + (b"1," + b"x" * 100_000 + b"\n") * 400)
    assert [table.name for table in load_files(parse_addresses(str(path), PERSON)[0], tmp_path / "made").tables] == [
        "lines"
    ]


def test_what_unpacks_to_too_much_is_refused_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "bomb.csv.gz"
    path.write_bytes(gzip.compress(bytes(20 << 20), 9))
    assert path.stat().st_size * 900 < 20 << 20
    monkeypatch.setattr(file_limits, "UNPACKED_BYTES_MAX", 10 << 20)
    folder = tmp_path / "draft"
    folder.mkdir()
    with (
        pytest.raises(SourceError, match=r"'bomb\.csv\.gz' unpacks to more than .*, and at most 10\.0 MB can be read"),
        file_limits.unpacked(path, folder),
    ):
        pytest.fail("it was unpacked")
    assert list(folder.iterdir()) == []


def test_what_the_disk_has_no_room_for_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "rows.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n" + b"1,2\n" * 1_000_000))
    monkeypatch.setattr(file_limits, "_KEPT_FREE_BYTES", 1 << 60)
    with pytest.raises(SourceError, match="there is no room on the disk"), file_limits.unpacked(path, tmp_path):
        pytest.fail("it was unpacked")
    assert [entry.name for entry in tmp_path.iterdir()] == ["rows.csv.gz"]


@pytest.mark.slow
def test_a_packed_file_loads_where_its_plain_one_does(tmp_path: Path) -> None:
    path = tmp_path / "big.csv.gz"
    with gzip.open(path, "wt", compresslevel=1) as file:
        file.write("id,name,amount\n")
        for start in range(0, 10_000_000, 100_000):
            file.writelines(
                f"{n},customer {n * 7919 % 1000003},{n % 9973}.{n % 97}\n" for n in range(start, start + 100_000)
            )
    assert [table.name for table in load_files(parse_addresses(str(path), PERSON)[0], tmp_path / "made").tables] == [
        "big"
    ]


@pytest.mark.slow
def test_a_line_of_two_gigabytes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "line.csv"
    with path.open("wb") as file:
        file.write(b"a,b\n1,")
        for _ in range(2048):
            file.write(b"x" * (1 << 20))
    try:
        assert "line 2 is longer than 16.0 MB" in refusal(path)
    finally:
        path.unlink()
