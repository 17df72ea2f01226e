"""Avro and ORC files: declared types, nested records, and files that are broken or packed to fill memory."""

from __future__ import annotations

import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import fastavro
import pyarrow as pa
import pytest
from loaded_file import LoadedFile, refusal
from pyarrow import orc

from assistant.sources.workers import converting

LINE = {"name": "line", "type": "record", "fields": [{"name": "sku", "type": "string"}, {"name": "n", "type": "int"}]}
AMOUNT = {"type": "bytes", "logicalType": "decimal", "precision": 8, "scale": 2}
FIELDS: list[dict[str, Any]] = [
    {"name": "id", "type": "long"},
    {"name": "amount", "type": ["null", AMOUNT], "doc": "net amount"},
    {"name": "day", "type": {"type": "int", "logicalType": "date"}},
    {"name": "place", "type": {"type": "record", "name": "place", "fields": [{"name": "city", "type": "string"}]}},
    {"name": "lines", "type": {"type": "array", "items": LINE}},
]
ORDERS = [
    {
        "id": number,
        "amount": Decimal("1.25") if number else None,
        "day": datetime.date(2026, 1, number + 1),
        "place": {"city": "Bern"},
        "lines": [{"sku": "a", "n": number}, {"sku": "b", "n": 2}],
    }
    for number in range(3)
]


def write_avro(path: Path, codec: str, fields: list[dict[str, Any]], records: list[Any]) -> Path:
    schema = fastavro.parse_schema({"type": "record", "name": "orders", "doc": "Orders of 2026", "fields": fields})
    with path.open("wb") as file:
        fastavro.writer(file, schema, records, codec=codec)
    return path


@pytest.mark.parametrize("codec", ["null", "deflate", "snappy", "zstandard"])
def test_avro_has_the_types_and_descriptions_of_its_schema(tmp_path: Path, codec: str) -> None:
    loaded = LoadedFile(write_avro(tmp_path / "orders.avro", codec, FIELDS, ORDERS))
    assert loaded.names == ["orders", "orders_lines"]
    assert loaded.rows("SELECT id, amount, day, place_city FROM orders WHERE id = 1") == [
        (1, Decimal("1.25"), datetime.date(2026, 1, 2), "Bern")
    ]
    assert loaded.rows("SELECT orders_id, sum(n) FROM orders_lines GROUP BY ALL ORDER BY ALL") == [
        (0, 2),
        (1, 3),
        (2, 4),
    ]
    assert loaded.columns("orders")["amount"][1] == "net amount"
    assert loaded.rows("SELECT comment FROM duckdb_tables() WHERE table_name = 'orders'") == [("Orders of 2026",)]
    loaded.check_notebook()


def test_avro_of_countless_records_without_a_byte_is_refused(tmp_path: Path) -> None:
    nothing = [{"name": "a", "type": "null"}]
    whole = write_avro(tmp_path / "few.avro", "null", nothing, [{"a": None}] * 3).read_bytes()
    assert LoadedFile(tmp_path / "few.avro").rows("SELECT count(*) FROM few") == [(3,)]
    mark = whole[-16:]
    head = whole[: whole.index(mark) + 16]
    count = bytes([*[0x80] * 5, 0x40])  # 2**40, as Avro writes a number
    bomb = tmp_path / "claims" / "bomb.avro"
    bomb.parent.mkdir()
    bomb.write_bytes(head + count + b"\0" + mark)
    assert "claims far more records" in refusal(bomb)


def test_values_of_several_types_are_text(tmp_path: Path) -> None:
    mixed = [{"name": "v", "type": ["null", "long", "string"]}]
    loaded = LoadedFile(write_avro(tmp_path / "m.avro", "null", mixed, [{"v": 1}, {"v": "x"}, {"v": None}]))
    assert loaded.rows("SELECT v FROM m") == [("1",), ("x",), (None,)]


def test_orc_has_its_types(tmp_path: Path) -> None:
    orc.write_table(pa.table({"a": [1, 2], "day": [datetime.date(2026, 1, 1), None]}), str(tmp_path / "o.orc"))
    loaded = LoadedFile(tmp_path / "o.orc")
    assert loaded.rows("SELECT a, day FROM o ORDER BY a") == [(1, datetime.date(2026, 1, 1)), (2, None)]
    loaded.check_notebook()


def test_broken_files_are_refused(tmp_path: Path) -> None:
    whole = write_avro(tmp_path / "orders.avro", "deflate", FIELDS, ORDERS).read_bytes()
    for part in (whole[:200], whole[: len(whole) - 30]):
        (tmp_path / "broken.avro").write_bytes(part)
        assert "cannot be read as Avro" in refusal(tmp_path / "broken.avro")
    (tmp_path / "broken.orc").write_bytes(b"ORC" + b"\x00" * 40)
    assert "cannot be read as ORC" in refusal(tmp_path / "broken.orc")


def test_a_bomb_ends_its_worker_and_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(converting, "LOADING_MEMORY_BYTES", 256 << 20)
    path = write_avro(tmp_path / "bomb.avro", "deflate", [{"name": "v", "type": "string"}], [{"v": "x" * (300 << 20)}])
    assert path.stat().st_size < 1 << 20
    assert "needs more memory" in refusal(path)
