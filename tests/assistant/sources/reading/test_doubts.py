"""What may be wrong with a reading is a value that stays with the loaded files."""

from __future__ import annotations

from pathlib import Path

from rights_of_person import PERSON

from assistant.core.doubts import Correction
from assistant.sources.addresses import addresses
from assistant.sources.reading.loading import load_files


def test_total_rows_left_out_are_a_doubt_that_says_how_many_and_how_to_keep_them(tmp_path: Path) -> None:
    (tmp_path / "fees.csv").write_text("course,fee\nYoga,12\nSpin,8\nTotal,20\n")
    (address,) = addresses(str(tmp_path / "fees.csv"), PERSON)
    first = load_files(address, tmp_path / "own")
    (doubt,) = first.doubts
    assert (doubt.kind, doubt.table, doubt.rows) == ("total_rows", "fees", 1)
    assert doubt.share == 1 / 3
    assert doubt.correction == Correction(setting="totals", value="keep")
    assert any(doubt.sentence in note for note in first.notes), "who reads notes reads every doubt"
    assert load_files(address, tmp_path / "own") == first, "what is kept of a load keeps its doubts"


def test_a_guess_of_the_encoding_is_a_doubt_with_the_runner_up_as_its_correction(tmp_path: Path) -> None:
    (tmp_path / "words.csv").write_bytes("word;n\nnaïve;1\n".encode("cp1252"))
    (address,) = addresses(str(tmp_path / "words.csv"), PERSON)
    (doubt,) = load_files(address, tmp_path / "own").doubts
    assert (doubt.kind, doubt.table) == ("encoding", "words")
    assert doubt.correction == Correction(setting="encoding", value="cp1250")
