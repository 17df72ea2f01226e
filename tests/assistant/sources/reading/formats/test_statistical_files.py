"""SPSS, Stata and SAS files: their values, labels and declared missing values."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pyreadstat
import pytest
from loaded_file import LoadedFile, refusal

SURVEY = pd.DataFrame(
    {
        "id": [1, 2, 3, 4],
        "answer": [1.0, 2.0, 1.0, 9.0],
        "score": [1, 5, None, 3],
        "name": ["Ann", "", "Zoë", "Bo"],
        "day": [datetime.date(2020, 1, 1), None, datetime.date(2021, 2, 3), datetime.date(1999, 1, 1)],
        "paid": [1.5, 2.25, None, 7.0],
    }
)
ANSWERS: dict[int | float, str] = {1: "Yes", 2: "No", 9: "Refused"}
ROWS = [
    (1, 1, "Ann", datetime.date(2020, 1, 1), 1.5),
    (2, 5, None, None, 2.25),
    (3, None, "Zoë", datetime.date(2021, 2, 3), None),
    (4, 3, "Bo", datetime.date(1999, 1, 1), 7.0),
]


WRITE: Any = pyreadstat  # its types know a protocol of their own for frames


def survey(path: Path) -> Path:
    if path.suffix == ".dta":
        WRITE.write_dta(
            SURVEY,
            str(path),
            file_label="Survey of 2020",
            column_labels=["", "Do you agree?", "", "", "", ""],
            variable_value_labels={"answer": ANSWERS},
        )
    elif path.suffix == ".xpt":
        WRITE.write_xport(SURVEY, str(path), table_name="SURVEY")
    else:
        WRITE.write_sav(
            SURVEY,
            str(path),
            file_label="Survey of 2020",
            column_labels={"answer": "Do you agree?"},
            variable_value_labels={"answer": ANSWERS, "score": {1: "bad", 5: "good"}},
            missing_ranges={"answer": [9]},
            compress=path.suffix == ".zsav",
        )
    return path


@pytest.mark.parametrize("suffix", ["sav", "zsav", "dta", "xpt"])
def test_values_have_their_types(tmp_path: Path, suffix: str) -> None:
    loaded = LoadedFile(survey(tmp_path / f"survey.{suffix}"))
    assert loaded.names == ["survey"]
    assert loaded.rows("SELECT id, score, name, day, paid FROM survey ORDER BY id") == ROWS
    loaded.check_notebook()


def test_labels_are_the_values_and_describe_columns(tmp_path: Path) -> None:
    loaded = LoadedFile(survey(tmp_path / "survey.dta"))
    assert loaded.rows("SELECT answer FROM survey ORDER BY id") == [("Yes",), ("No",), ("Yes",), ("Refused",)]
    assert loaded.columns("survey")["answer"] == ("VARCHAR", "Do you agree?; 1 = Yes, 2 = No, 9 = Refused")
    assert loaded.rows("SELECT comment FROM duckdb_tables()") == [("Survey of 2020",)]


def test_a_column_with_labels_for_its_ends_alone_stays_a_number(tmp_path: Path) -> None:
    loaded = LoadedFile(survey(tmp_path / "survey.sav"))
    assert loaded.columns("survey")["score"] == ("BIGINT", "1 = bad, 5 = good")


def test_values_declared_as_missing_are_empty_and_said(tmp_path: Path) -> None:
    loaded = LoadedFile(survey(tmp_path / "survey.sav"))
    assert loaded.rows("SELECT answer FROM survey WHERE id = 4") == [(None,)]
    (doubt,) = [doubt for doubt in loaded.loaded.doubts if doubt.kind == "missing_values"]
    assert (doubt.columns, doubt.rows) == (("answer",), 1)
    assert doubt.chosen == "The file declares 9 as missing in 'answer': empty in 1 row."


def test_a_person_reads_the_codes_instead(tmp_path: Path) -> None:
    path = survey(tmp_path / "survey.dta")
    (doubt,) = LoadedFile(path).loaded.doubts
    assert doubt.correction is not None
    assert doubt.correction.value == {"answer": "integer"}
    (tmp_path / "survey.dta.tandem.toml").write_text('[types]\nanswer = "integer"\n')
    loaded = LoadedFile(path)
    assert loaded.rows("SELECT sum(answer) FROM survey") == [(13,)]
    assert loaded.loaded.doubts == ()
    loaded.check_notebook()


def test_a_type_of_a_column_that_is_not_there_is_refused(tmp_path: Path) -> None:
    path = survey(tmp_path / "survey.dta")
    (tmp_path / "survey.dta.tandem.toml").write_text('[types]\nanswr = "integer"\n')
    assert "tells the type of 'answr'; 'survey.dta' has 'id', 'answer'" in refusal(path)


@pytest.mark.parametrize("suffix", ["sav", "dta", "sas7bdat", "xpt", "por"])
def test_a_broken_file_is_refused(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"broken.{suffix}"
    whole = survey(tmp_path / f"survey.{suffix if suffix in ('dta', 'xpt') else 'sav'}").read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    assert "cannot be read" in refusal(path)
