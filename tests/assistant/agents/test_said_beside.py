"""What an answer says beside its figure: equal places, blanks in a share, rows without both values."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

import tandem

STORES = pd.DataFrame(
    {
        "store": ["Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta", "Eta", "Theta", "Iota", "Kappa"],
        "sales": [120, 98, 165, 64, 165, 51, 101, 110, 70, 45],
        "staff": [14, None, 22, 9, 19, None, 12, 13, 10, 8],
        "parking": ["yes", "no", "yes", None, "yes", "no", None, "yes", "no", None],
    }
)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TANDEM_HOME", str(tmp_path / "home"))
    yield
    tandem.close()


def test_equal_places_blanks_and_rows_left_out_are_said() -> None:
    first = tandem.ask("which store has the highest sales", data={"stores": STORES}, approve="all")
    both = {"Gamma", "Epsilon"}
    assert all(name in first.text for name in both), first.text
    assert first.text.endswith("shares the first place.")
    assert "share" not in first.ask("which store has the lowest sales").text, "one alone is last"
    share = first.ask("percentage of stores with parking")
    assert "40.0 %" in share.text, share.text
    assert "3 of 10 stores have no parking" in share.text
    assert "of the other 7 it is 57.1 %" in share.text
    pairs = first.ask("is there a correlation between sales and staff")
    assert any("2 rows lack one of the two values" in note for note in pairs.notes), pairs.notes
    assert any("Over 8 pairs" in note for note in pairs.notes), pairs.notes
