"""An answer that a doubt about the data would change says both figures, and the other one can be asked for."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import duckdb
import pandas as pd
import pytest

import tandem
from assistant.core.chosen_doubts import name_choice
from assistant.core.doubts import Doubt
from assistant.settings.reading_choices import ReadingChoices


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


def keep(folder: Path, database: Path, doubt: Doubt) -> None:
    """Choose the other reading of a doubt for good, and begin anew."""
    choices = ReadingChoices(folder / "home")
    choices.keep_choice(database.name, [database], name_choice(doubt), is_rival=True)
    tandem.close()


def test_a_choice_that_is_kept_holds_in_a_later_session_and_each_answer_says_so(tmp_path: Path) -> None:
    database = tmp_path / "world.sqlite"
    figures = {"Chad": 1720, "Peru": 3350, "Laos": 758, "Mali": 2265, "Malta": 53}
    with closing(sqlite3.connect(database)) as con:
        con.execute("CREATE TABLE visits (country text, guests integer)")
        con.executemany("INSERT INTO visits VALUES (?, ?)", [*figures.items(), ("World", sum(figures.values()))])
        con.commit()
    question, total = "total guests", sum(figures.values())
    (doubt,) = tandem.ask(question, data=database, approve="all").doubts
    keep(tmp_path, database, doubt)
    later = tandem.ask(question, data=database, approve="all")
    assert f"**{total:,}**" in later.text
    assert "As you chose: leave out World in country." in later.notes


def test_values_that_repeat_are_counted_once_in_later_sessions_if_that_was_kept(tmp_path: Path) -> None:
    database = tmp_path / "shop.duckdb"
    freights = {number: number % 17 + 0.5 for number in range(60)}
    with duckdb.connect(str(database)) as con:
        con.execute(
            "CREATE TABLE lines AS SELECT r // 3 AS order_no, r // 3 % 17 + 0.5 AS freight FROM range(180) t(r)"
        )
    once = sum(freights.values())
    first = tandem.ask("total freight", data=database, approve="all")
    assert f"**{3 * once:,g}" in first.text
    keep(tmp_path, database, next(doubt for doubt in first.doubts if doubt.kind == "repeated_values"))
    later = tandem.ask("total freight", data=database, approve="all")
    assert f"**{once:,g}" in later.text
    assert "As you chose: count each order no once." in later.notes
