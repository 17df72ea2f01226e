"""The exported notebook really runs, in a plain kernel without Tandem, and gives the figures of the session."""

from __future__ import annotations

import gzip
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import nbformat
import pandas as pd
import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode
from rights_of_person import PERSON

from assistant.core import events as e
from assistant.output.notebook.builder import build
from assistant.output.notebook.opening import build_opening_cell
from assistant.output.notebook.sources import NotebookColumn, NotebookSource, NotebookTable
from assistant.session.answers.export import notebook_table
from assistant.sources.addresses import addresses
from assistant.sources.reading.loading import load_files

SALES = [
    ("North", "2026-01-03", 2, 10.5),
    ("South", "2026-01-04", 1, 99.0),
    ("North", "2026-02-11", 3, 7.25),
    ("East", "2026-02-12", None, None),
]


@pytest.fixture
def shop(tmp_path: Path) -> NotebookSource:
    path = tmp_path / "shop data.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE sales (region TEXT, day DATE, units INTEGER, amount REAL)")
        connection.executemany("INSERT INTO sales VALUES (?, ?, ?, ?)", SALES)
        connection.commit()
    return NotebookSource(name="shop", kind="sqlite", at=str(path), dialect="sqlite")


def ran(code: str, number: int = 1, language: e.Language = "sql", **more: Any) -> e.Execution:
    return e.Execution(
        turn=1, id=f"1.{number}.1", step=number, language=language, code=code, **{"status": "ok", **more}
    )


def notebook(sources: list[NotebookSource], *executions: e.Execution) -> NotebookNode:
    at = datetime(2026, 11, 21, tzinfo=UTC)
    return build([e.Entry(seq=n, at=at, event=event) for n, event in enumerate(executions, 1)], sources)


def execute(made: NotebookNode, folder: Path) -> list[NotebookNode]:
    """Run it as nbconvert does; gives the code cells below the opening one."""
    copy = nbformat.from_dict(made)
    NotebookClient(copy, timeout=60, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute()
    return [cell for cell in copy.cells if cell.cell_type == "code"][1:]


def printed(cell: NotebookNode) -> str:
    return "".join(output.text for output in cell.outputs if output.output_type == "stream")


Query = Callable[..., pd.DataFrame]


@contextmanager
def opened(*sources: NotebookSource) -> Iterator[Query]:
    """The notebook's own `query`, from its opening cell."""
    names: dict[str, Any] = {}
    exec(compile(build_opening_cell(sources, []), "<opening>", "exec"), names)
    yield names["query"]


# --- whole notebooks in a real kernel -----------------------------------------------------------------------------


def test_notebook_on_sqlite_gives_the_same_figures_and_changes_nothing(shop: NotebookSource, tmp_path: Path):
    before = Path(shop.at).read_bytes()
    made = notebook(
        [shop],
        ran(
            'revenue = query("""\nSELECT region, SUM(units * amount) AS revenue FROM sales GROUP BY 1 ORDER BY 1\n""")\nrevenue'
        ),
        ran(
            "half = 1\nhalf / 0", 2, "python", status="failed", failure=e.Failure(kind="raised", name="Z", message="z")
        ),
        ran("print(revenue.to_dict('list'), half)", 3, "python"),
        ran(
            "import altair as alt\n"
            "rows = revenue.loc[revenue.index.repeat(2500)]\n"
            "alt.Chart(rows).mark_bar().encode(x='region', y='revenue')",
            4,
            "python",
        ),
        ran(
            "try:\n    query('DELETE FROM sales')\nexcept Exception as error:\n    print(type(error).__name__)",
            5,
            "python",
        ),
    )
    cells = execute(made, tmp_path)
    expected = {"region": ["East", "North", "South"], "revenue": [None, 42.75, 99.0]}
    assert printed(cells[2]).strip() == str(expected).replace("None", "nan") + " 1"
    assert "Chart" in cells[3].outputs[0].data["text/plain"]
    assert printed(cells[4]).strip() == "OperationalError"
    assert Path(shop.at).read_bytes() == before


def test_notebook_on_a_csv_that_moved_beside_it_gives_the_same_figures(tmp_path: Path):
    here = tmp_path / "here"
    here.mkdir()
    text = "Umsätze 2026\n\nRegion;Tag;Betrag;PLZ\nNord;31.01.2026;1.234,50;01067\nSüd;01.02.2026;-2,25;80331\nOst;;;10115\n"
    (here / "umsatz.csv").write_bytes(text.encode("cp1252"))
    (address,) = addresses(str(here / "umsatz.csv"), PERSON)
    table = notebook_table(load_files(address, tmp_path / "loaded").tables[0])
    source = NotebookSource(name="umsatz", kind="files", at="/nowhere/any more/umsatz.csv", tables=(table,))
    made = notebook(
        [source],
        ran(
            't = query("""SELECT * FROM umsatz WHERE "Betrag" > :least OR "Betrag" IS NULL""", params={"least": -5})\nt'
        ),
        ran("print(t.to_dict('records'))\nprint(dict(t.dtypes.astype(str)))", 2, "python"),
    )
    records, types = printed(execute(made, here)[1]).strip().splitlines()
    assert records == str(
        [
            {"Region": "Nord", "Tag": pd.Timestamp("2026-01-31"), "Betrag": 1234.5, "PLZ": "01067"},
            {"Region": "Süd", "Tag": pd.Timestamp("2026-02-01"), "Betrag": -2.25, "PLZ": "80331"},
            {"Region": "Ost", "Tag": pd.NaT, "Betrag": float("nan"), "PLZ": "10115"},
        ]
    )
    assert "datetime64" in types


# --- the opening cell by itself -------------------------------------------------------------------------------------


def test_opening_cell_needs_nothing_of_tandem(shop: NotebookSource, tmp_path: Path):
    blocked = "import sys\nfor name in ('assistant', 'knowledge', 'sandbox', 'ui', 'tandem_guest'):\n    sys.modules[name] = None\n"
    code = blocked + build_opening_cell([shop], []) + "\nprint(len(query('SELECT * FROM sales')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert (done.stdout.strip(), done.stderr) == ("4", "")


def test_environment_variable_goes_before_the_place_in_the_notebook(
    shop: NotebookSource, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    other = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE sales (region TEXT)")
    for value in (str(other), f"sqlite:///{other}"):
        monkeypatch.setenv("TANDEM_SOURCE_SHOP", value)
        with opened(shop) as query:
            assert query("SELECT * FROM sales").empty


def test_missing_data_and_unknown_sources_say_what_to_do(tmp_path: Path):
    gone = NotebookSource(name="shop", kind="sqlite", at=str(tmp_path / "gone.sqlite"))
    with opened(gone) as query:
        with pytest.raises(FileNotFoundError, match=r"set TANDEM_SOURCE_SHOP to where 'gone\.sqlite' lies"):
            query("SELECT 1")
        with pytest.raises(ValueError, match="no source 'other' here; there are: shop"):
            query("SELECT 1", source="other")
    assert not (tmp_path / "gone.sqlite").exists()


def test_several_sources_have_a_variable_each(shop: NotebookSource, tmp_path: Path):
    path = tmp_path / "t.parquet"
    pd.DataFrame({"a": [1, 2]}).to_parquet(path)
    parquet = NotebookSource(
        name="Shop", kind="files", at=str(path), tables=(NotebookTable(name="t", file="t.parquet", format="parquet"),)
    )
    code = build_opening_cell([shop, parquet], [])
    assert "SOURCE_SHOP = " in code
    assert "SOURCE_SHOP_2 = os.environ.get('TANDEM_SOURCE_SHOP_2'" in code
    with opened(shop, parquet) as query:
        assert len(query("SELECT * FROM sales")) == 4
        assert query("SELECT SUM(a) AS a FROM t", source="Shop")["a"].tolist() == [3]


def test_needs_name_what_the_cells_import(shop: NotebookSource):
    first = build_opening_cell(
        [shop], ["import altair as alt, os", "from sklearn.cluster import KMeans", "%broken"]
    ).splitlines()[0]
    assert first == "# This notebook needs: pandas, pyarrow, sqlalchemy, altair, scikit-learn"
    assert build_opening_cell([], []).splitlines()[0] == "# This notebook needs: pandas, pyarrow"


def test_what_the_kernel_imported_first_is_imported_where_a_cell_uses_it():
    code = build_opening_cell([], ["np.mean(pd.Series([1, 2]))", "%broken"])
    assert code.splitlines()[0] == "# This notebook needs: pandas, pyarrow, numpy"
    assert "\nimport numpy as np\nimport pandas as pd" in code
    assert "import altair" not in code


@pytest.mark.parametrize(
    "params", [{"region": "North", "least": 2}, ("North", 2), ["North", pd.Series([2]).iloc[0]]], ids=str
)
def test_parameters_by_name_and_by_place(shop: NotebookSource, tmp_path: Path, params: Any):
    path = tmp_path / "s.duckdb"
    import duckdb

    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE sales (region VARCHAR, units INTEGER, sold TIMESTAMP)")
        connection.execute("INSERT INTO sales VALUES ('North', 2, '2026-01-01 10:30:00'), ('South', 5, NULL)")
    lake = NotebookSource(name="lake", kind="duckdb", at=str(path))
    where = "region = :region AND units >= :least" if isinstance(params, dict) else "region = ? AND units >= ?"
    with opened(shop, lake) as query:
        assert len(query(f"SELECT * FROM sales WHERE {where} -- not :this", params=params)) == 2
        assert (
            len(query(f"SELECT *, ':region' AS t, 1::INT AS i FROM sales WHERE {where}", source="lake", params=params))
            == 1
        )


def test_dates_bound_as_parameters_are_iso_text(shop: NotebookSource):
    with opened(shop) as query:
        found = query("SELECT COUNT(*) AS n FROM sales WHERE day >= :day", params={"day": date(2026, 2, 1)})
    assert found["n"].tolist() == [2]


def test_files_of_every_format_load_as_tables(tmp_path: Path):
    frame = pd.DataFrame(
        {"region": ["North", "South"], "day": pd.to_datetime(["2026-01-01", "2026-02-01"]), "n": [1, 2]}
    )
    frame.to_excel(tmp_path / "book.xlsx", index=False)
    frame.to_parquet(tmp_path / "p.parquet")
    frame.to_json(tmp_path / "j.json", orient="records", date_format="iso")
    with gzip.open(tmp_path / "g.csv.gz", "wt", encoding="utf-8") as file:
        file.write('region,day,n\n"North, ""far""",2026-01-01,1\nSouth,2026-02-01,n/a\n')
    (tmp_path / "bare.tsv").write_text("x\t1\ny\t2\n", encoding="utf-8")
    (tmp_path / "w.csv").write_text("näme|id|id\nä|1|2\n", encoding="utf-16")
    (address,) = addresses(str(tmp_path), PERSON)
    tables = tuple(map(notebook_table, load_files(address, tmp_path / "loaded").tables))
    source = NotebookSource(name="files", kind="files", at=str(tmp_path), tables=tables)
    with opened(source) as query:
        for name in ("book", "p", "g"):
            read = query(f"SELECT * FROM {name} ORDER BY day")
            assert read["day"].dtype.kind == "M", name
            assert read["day"].dt.month.tolist() == [1, 2], name
        assert query("SELECT region FROM g ORDER BY n")["region"].tolist() == ['North, "far"', "South"]
        assert query("SELECT n FROM g")["n"].dtype == "Int64"
        assert query("SELECT SUM(n) AS n FROM j")["n"].tolist() == [3]
        assert query("SELECT * FROM bare").to_numpy().tolist() == [["x", 1], ["y", 2]]
        assert query("SELECT * FROM w").to_numpy().tolist() == [["ä", 1, 2]]


def test_value_that_does_not_fit_fails_loudly(tmp_path: Path):
    (tmp_path / "x.csv").write_text("n\n1\nmany\n", encoding="utf-8")
    table = NotebookTable(
        name="x",
        file="x.csv",
        format="csv",
        layout=("utf-8", ",", True, 0),
        first=1,
        fields=1,
        select='SELECT c1 AS "n" FROM $raw',
        columns=(NotebookColumn(name="n", type="BIGINT"),),
    )
    with (
        opened(NotebookSource(name="x", kind="files", at=str(tmp_path / "x.csv"), tables=(table,))) as query,
        pytest.raises(Exception, match="many"),
    ):
        query("SELECT * FROM x")


def test_wal_database_leaves_no_files_beside_it(tmp_path: Path):
    path = tmp_path / "w.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE t (a)")
        connection.execute("INSERT INTO t VALUES (1)")
        connection.commit()
    with opened(NotebookSource(name="w", kind="sqlite", at=str(path))) as query:
        assert query("SELECT a FROM t")["a"].tolist() == [1]
    assert os.listdir(tmp_path) == ["w.sqlite"]
