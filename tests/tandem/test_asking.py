"""Tandem from Python: frames and files are asked, a function decides, and a notebook shows the answer."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import duckdb
import nbclient
import nbformat
import pandas as pd
import pytest

import tandem
from assistant.errors import AssistantError

VISITS = pd.DataFrame({"city": ["Bern", "Basel", "Bern"], "visits": [1200, 900, 300]})
QUESTION = "total visits by city"
EXPECTED = {("Basel", 900), ("Bern", 1500)}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TANDEM_HOME", str(tmp_path / "home"))
    yield
    tandem.close()


def rows(answer: tandem.Answer) -> set[tuple[object, ...]]:
    assert answer.table is not None
    return {tuple(row) for row in answer.table.itertuples(index=False)}


def test_a_frame_is_asked_and_the_answer_is_a_value(tmp_path: Path) -> None:
    answer = tandem.ask(QUESTION, data={"towns": VISITS}, approve="all")
    assert (answer.status, rows(answer)) == ("answered", EXPECTED)
    assert "SUM" in answer.sql[0].upper()
    assert answer.derivation
    shown = answer._repr_html_()
    assert answer.text.split(":")[0] in shown
    assert "<table" in shown
    nbformat.validate(nbformat.read(answer.export(tmp_path / "visits.ipynb"), as_version=4))


@pytest.mark.slow
def test_a_program_that_asked_ends_without_a_word(tmp_path: Path) -> None:
    (tmp_path / "towns.csv").write_text("city,visits\nBern,1200\nBasel,900\n")
    script = f"import tandem\nprint(tandem.ask({QUESTION!r}, data='towns.csv', approve='all').status)"
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, ["answered"], "")


def test_a_follow_up_goes_on_with_the_same_data() -> None:
    answer = tandem.ask(QUESTION, data={"towns": VISITS}, approve="all")
    assert rows(answer.ask("only Bern")) <= EXPECTED


def test_doubts_about_the_data_and_questions_back_reach_the_caller(tmp_path: Path) -> None:
    (tmp_path / "courses.csv").write_text("course,amount\nYoga,12\nSpin,8\nTotal,20\n")
    answer = tandem.ask("total amount", data=tmp_path / "courses.csv", approve="all")
    (doubt,) = answer.doubts
    assert (doubt.kind, doubt.table, doubt.rows) == ("total_rows", "courses", 1)
    assert [note for note in answer.notes if doubt.sentence in note], "what the doubt says stands in the notes"
    with duckdb.connect(str(tmp_path / "clinics.duckdb")) as con:
        for schema, rows in (("north", 4), ("south", 6)):
            con.execute(f"CREATE SCHEMA {schema}")
            con.execute(f"CREATE TABLE {schema}.visits AS SELECT range AS id, 10 * range AS fee FROM range({rows})")
    waiting = tandem.ask(
        "total fee",
        data=tmp_path / "clinics.duckdb",
        approve="all",
        decide=lambda _: tandem.Choice(action="leave"),
    )
    assert waiting.status == "needs_clarification"
    assert waiting.text.endswith("?")
    assert waiting.options
    assert waiting.options[0] in str(waiting)


def test_nothing_runs_that_the_function_does_not_approve() -> None:
    seen: list[tandem.Waiting] = []

    def refuse(waiting: tandem.Waiting) -> tandem.Choice:
        seen.append(waiting)
        return tandem.Choice(action="leave")

    answer = tandem.ask(QUESTION, data={"towns": VISITS}, decide=refuse)
    assert (answer.status, answer.table, answer.sql) == ("needs_decision", None, ())
    assert len(seen) == 1
    assert seen[0].text


def test_what_is_approved_one_by_one_runs() -> None:
    seen: list[str] = []

    def approve(waiting: tandem.Waiting) -> tandem.Choice:
        seen.append(waiting.text)
        return tandem.Choice(action="approve")

    answer = tandem.ask(QUESTION, data={"towns": VISITS}, decide=approve)
    assert rows(answer) == EXPECTED
    assert any("query(" in text for text in seen)


def test_data_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(AssistantError, match=r"nowhere\.csv"):
        tandem.ask(QUESTION, data=tmp_path / "nowhere.csv")
    mixed = pd.DataFrame({"odd": [1, {"a": 1}, "x"]})
    with pytest.raises(AssistantError, match="values of one type"):
        tandem.ask(QUESTION, data=mixed)


def test_text_of_the_data_is_no_markup() -> None:
    frame = pd.DataFrame({"city": ["<script>alert(1)</script>", "Bern"], "visits": [1, 2]})
    shown = tandem.ask(QUESTION, data={"towns": frame}, approve="all")._repr_html_()
    assert "<script>" not in shown


@pytest.mark.slow
def test_a_notebook_asks_with_its_magic(tmp_path: Path) -> None:
    cells = [
        "%load_ext tandem",
        "import pandas as pd\ntowns = pd.DataFrame({'city': ['Bern', 'Basel', 'Bern'], 'visits': [1200, 900, 300]})",
        "%%ask --data towns --approve all\ntotal visits by city",
        "print(sorted(map(tuple, answer.table.itertuples(index=False))))",
        "%ask --data towns how many towns are there",
        "print(answer.status)",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    (shown,) = [o for o in notebook.cells[2].outputs if o.output_type == "execute_result"]
    assert "<table" in shown.data["text/html"]
    assert "('Bern', 1500)" in notebook.cells[3].outputs[0].text
    assert "needs_decision" in notebook.cells[5].outputs[0].text, "nobody is there to approve"


def test_a_total_counts_every_row_and_offers_the_other_figure_in_text_and_notes() -> None:
    gifts = pd.DataFrame({"project_code": [f"P{n % 30:02}" for n in range(150)]})
    gifts["amount"] = 5 + gifts["project_code"].str[1:].astype(int) % 4
    once = int(gifts.drop_duplicates()["amount"].sum())
    answer = tandem.ask("total amount", data={"gifts": gifts}, approve="all")
    assert rows(answer) == {(int(gifts["amount"].sum()),)}
    assert f"; {once} if each project code counts once." in answer.text
    assert any(f"{once} if each project code counts once" in note for note in answer.notes)
    assert rows(answer.ask("count each project once")) == {(once,)}


def test_what_was_computed_is_a_value_that_is_changed_and_asked_again() -> None:
    visits = pd.DataFrame(
        {"city": ["Bern", "Basel", "Bern"], "country": ["CH", "CH", "CH"], "visits": [1200, 900, 300]}
    )
    answer = tandem.ask(QUESTION, data={"towns": visits}, approve="all")
    assert answer.interpretation is not None
    assert str(answer.interpretation).splitlines() == ["Measure: total visits", "Group by: city"]
    changed = answer.interpretation.replace(group_by="country", measure="average visits")
    again = answer.ask(changed)
    assert (again.status, rows(again)) == ("answered", {("CH", 800.0)})
    assert again.interpretation == changed
    assert rows(again.ask("by city instead")) == {("Bern", 750.0), ("Basel", 900.0)}


def test_chips_run_under_the_same_approval_as_a_question() -> None:
    answer = tandem.ask(QUESTION, data={"towns": VISITS}, approve="all")
    assert answer.interpretation is not None
    asked: list[tandem.Waiting] = []

    def refuse(waiting: tandem.Waiting) -> tandem.Choice:
        asked.append(waiting)
        return tandem.Choice(action="leave")

    careful = tandem.ask(QUESTION, data={"towns": VISITS}, decide=refuse)
    assert careful.interpretation == answer.interpretation
    again = careful.ask(answer.interpretation.replace(top=1))
    assert (again.status, again.table) == ("needs_decision", None)
    assert len(asked) == 2


def test_a_question_that_cannot_be_read_gives_what_was_understood() -> None:
    leave = tandem.Choice(action="leave")
    question = "average karma of visits by city"
    answer = tandem.ask(question, data={"towns": VISITS}, approve="all", decide=lambda _: leave)
    assert answer.interpretation is not None
    assert "karma" in answer.interpretation.unread
    karma = next(chip for chip in answer.interpretation.chips if chip.text == "karma")
    assert (
        rows(answer.ask(answer.interpretation.drop(karma).replace(measure="total visits", group_by="city"))) == EXPECTED
    )


def test_a_frame_keeps_its_index_its_durations_and_the_clock_of_its_zone() -> None:
    days = pd.date_range("2024-03-01 22:30", periods=3, freq="D", tz="UTC")
    frame = pd.DataFrame(
        {"effort": pd.to_timedelta([1, 2, 6], unit="h"), "seen": days.tz_convert("Europe/Berlin")},
        index=pd.Index(["Bern", "Basel", "Bern"]),
    )
    frame["seen"] += pd.Timedelta(hours=1)
    answer = tandem.ask("total effort by index", data={"visits": frame}, approve="all")
    assert rows(answer) == {("Bern", 7.0), ("Basel", 2.0)}
    answer = tandem.ask("number of visits by day", data={"visits": frame}, approve="all")
    assert rows(answer) == {("2024-03-02", 1), ("2024-03-03", 1), ("2024-03-04", 1)}
