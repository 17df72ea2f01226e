"""An answer that a doubt about the data would change says both figures, and the other one can be asked for."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pandas as pd
import pytest

import tandem


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TANDEM_HOME", str(tmp_path / "home"))
    yield
    tandem.close()


def test_marks_for_no_value_are_counted_and_the_figure_without_them_is_said_and_chosen() -> None:
    days = pd.DataFrame(
        {
            "station": ["North", "South"] * 20,
            "gas": [-200.0 if n % 10 == 0 else 1.0 + n % 7 for n in range(40)],
            "wind": [float(n) for n in range(40)],
        }
    )
    plain, clean = days.gas.mean(), days.gas[days.gas > 0].mean()
    answer = tandem.ask("average gas", data={"days": days}, approve="all")
    assert answer.text == f"Average gas of days: **{plain:.2f}**; {clean:.2f} if -200 means “no value”."
    assert [doubt.kind for doubt in answer.doubts] == ["sentinels"]
    assert len(answer.notes) == 1, "nothing is said twice"
    ask = "leave out -200 in gas"
    assert ask in answer.notes[0]
    chosen = answer.ask(ask)
    assert f"**{clean:.2f}**" in chosen.text
    assert "if -200" not in chosen.text
    assert answer.ask("average wind").doubts == ()
    lowest = answer.ask("lowest gas by station")
    assert "**1**" in lowest.text, "what was chosen holds for later questions"


def test_the_sum_of_others_is_counted_as_a_row_and_left_out_when_asked_for(tmp_path: Path) -> None:
    figures = {"Chad": 1720, "Peru": 3350, "Laos": 758, "Mali": 2265, "Malta": 53}
    with closing(sqlite3.connect(tmp_path / "world.sqlite")) as con:
        con.execute("CREATE TABLE visits (country text, guests integer)")
        con.executemany("INSERT INTO visits VALUES (?, ?)", [*figures.items(), ("World", sum(figures.values()))])
        con.commit()
    total = sum(figures.values())
    answer = tandem.ask("total guests", data=tmp_path / "world.sqlite", approve="all")
    assert f"**{2 * total:,}**; {total:,} without World." in answer.text
    assert f"**{total:,}**" in answer.ask("leave out World in country").text
    alone = tandem.ask("total guests in Peru", data=tmp_path / "world.sqlite", approve="all")
    assert "World" not in alone.text, "who asks for a country is not told of the world"
    assert alone.doubts == ()


def test_of_two_columns_of_one_name_both_figures_are_said(tmp_path: Path) -> None:
    (tmp_path / "bills.csv").write_text("Client,Amount,Amount\nBo,10,1\nCy,20,5\nDi,30,12\n")
    answer = tandem.ask("total amount", data=tmp_path / "bills.csv", approve="all")
    assert "**60**; 18 of the column Amount_2." in answer.text
    other = answer.ask("use Amount_2 instead of Amount")
    assert "**18**; 60 of the column Amount." in other.text
    assert "**60**" in other.ask("use Amount instead of Amount_2").text
