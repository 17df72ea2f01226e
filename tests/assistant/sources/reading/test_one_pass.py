"""Long text is loaded in one pass where every value fits; what comes of it is what staging it gives."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest
from corpus.collection import all_cases, sample_cases
from corpus.values import Case

from assistant.core.data_errors import SourceError
from assistant.core.doubts import Doubt
from assistant.progress import Progress
from assistant.sources.addresses import parse_addresses
from assistant.sources.file_names import file_format
from assistant.sources.reading import column_types, delimited_text
from assistant.sources.reading.conversion import Conversion
from assistant.sources.reading.load_results import LoadedTable
from assistant.sources.reading.metering import Meter
from assistant.sources.reading.sidecar import beside
from assistant.trust.rights import Rights

_PERSON = Rights(requester="person", private=(), variables=("*",))
_FIRST_ROWS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What a load gave: the tables, their columns and rows, what was said of them, or why there are none."""

    tables: tuple[LoadedTable, ...] = ()
    columns: tuple[object, ...] = ()
    rows: tuple[object, ...] = ()
    notes: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    refusal: str = ""


def load(file: Path, *, at_once: bool, monkeypatch: pytest.MonkeyPatch) -> tuple[Load, bool]:
    """Load a file, in one pass where that may be; and whether it was."""
    monkeypatch.setattr(delimited_text, "AT_ONCE_BYTES_MIN", 0 if at_once else 1 << 60)
    (address,) = parse_addresses(str(file), _PERSON)
    folder = file.parent / f"{file.name}-{at_once}"
    folder.mkdir()
    steps: list[Progress] = []
    with closing(duckdb.connect()) as con, Meter(con.query_progress, steps.append) as meter:
        work = Conversion(con, folder, meter)
        try:
            work.load(address)
        except SourceError as problem:
            return Load(refusal=str(problem)), False
        columns = con.execute(
            "SELECT table_name, column_name, data_type, comment FROM duckdb_columns() WHERE NOT internal"
        ).fetchall()
        rows = [repr(con.execute(f'SELECT * FROM "{table.name}"').fetchall()) for table in work.tables]
        outcome = Load(
            tables=tuple(work.tables),
            columns=tuple(columns),
            rows=tuple(rows),
            notes=tuple(work.notes),
            doubts=tuple(work.doubts),
        )
    assert not list(folder.iterdir())
    return outcome, all(progress.step != "table" for progress in steps)


def compare(file: Path, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Check that both ways give the same; whether one pass was enough."""
    outcome, in_one_pass = load(file, at_once=True, monkeypatch=monkeypatch)
    assert outcome == load(file, at_once=False, monkeypatch=monkeypatch)[0], file.name
    return in_one_pass


def compare_cases(cases: Sequence[Case], folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare what both ways give of the texts among some cases; some must have been loaded in one pass."""
    texts = [case for case in cases if file_format(Path(f"a{case.suffix}")) == "csv"]
    in_one_pass = 0
    for number, case in enumerate(texts):
        file = folder / f"t{number}{case.suffix}"
        case.write(file)
        in_one_pass += compare(file, monkeypatch)
    assert 0 < in_one_pass < len(texts)


@pytest.mark.slow
def test_texts_of_a_sample_are_loaded_as_if_they_were_staged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compare_cases(sample_cases(), tmp_path, monkeypatch)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_every_text_of_the_corpus_is_loaded_as_if_it_was_staged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compare_cases(all_cases(), tmp_path, monkeypatch)


PLAIN = "7,2024-01-05,2.5,north,true,12.5 kg,"
"""A row whose values are all written plainly; its last column is empty."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("row", "in_one_pass"),
    [
        (PLAIN, True),
        ("8,2024-2-6,1e3,south,FALSE,3 kg,", True),
        ("007,2024-01-05,2.5,north,true,12.5 kg,", False),
        ("7.5,2024-01-05,2.5,north,true,12.5 kg,", False),
        (" 7,2024-01-05,2.5,north,true,12.5 kg,", False),
        ("7,05/01/2024,2.5,north,true,12.5 kg,", False),
        ("7,2024-01-05 10:00,2.5,north,true,12.5 kg,", True),
        ("7,2024-01-05,inf,north,true,12.5 kg,", False),
        ('7,2024-01-05,"2,5",north,true,12.5 kg,', False),
        ("7,2024-01-05,2.5,north ,true,12.5 kg,", False),
        ("7,2024-01-05,2.5,N/A,true,12.5 kg,", False),
        ("7,2024-01-05,2.5,--,true,12.5 kg,", False),
        ("7,2024-01-05,2.5,north,maybe,12.5 kg,", False),
        ("7,2024-01-05,2.5,north,true,12.5 lb,", False),
        ("7,2024-01-05,2.5,north,true,12.5 kg,late", False),
        ("7,2024-01-05,2.5,north,true,12.5 kg,,more", False),
        (",,,,,,", False),
        ("1225,,125,Total,,,", False),
    ],
)
def test_a_row_below_the_first_rows_is_read_as_if_it_was_staged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, row: str, in_one_pass: bool
) -> None:
    header = "count,day,rate,place,open,weight,nothing"
    for module in (delimited_text, column_types):
        monkeypatch.setattr(module, "FIRST_ROWS", _FIRST_ROWS)
    rows = "\n".join(PLAIN.replace("7", str(n), 1).replace("true", str(n % 2 > 0)) for n in range(_FIRST_ROWS))
    file = tmp_path / "long.csv"
    file.write_text(f"{header}\n{rows}\n{row}\n", encoding="utf-8")
    assert compare(file, monkeypatch) is in_one_pass


def test_a_type_that_a_person_names_is_never_loaded_in_one_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "codes.csv"
    file.write_text("code,n\n1,2\n3,4\n", encoding="utf-8")
    beside(file).write_text('[types]\ncode = "text"\n', encoding="utf-8")
    assert not compare(file, monkeypatch)
