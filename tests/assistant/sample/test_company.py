"""The sample company: the same for a date, whole in its keys, and with everything in it that its story promises."""

from __future__ import annotations

import hashlib
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from datetime import date, timedelta
from pathlib import Path

import pytest

from assistant.sample.company import SampleReport, write_sample
from assistant.sample.story import Story, make_story
from knowledge.documents import Metric, Rule, Term, VerifiedQuery
from knowledge.sources.folder import read_folder

AS_OF = date(2026, 11, 21)
YESTERDAY = "2026-11-20"


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> SampleReport:
    return write_sample(tmp_path_factory.mktemp("sample"), as_of=AS_OF)


@pytest.fixture
def company(sample: SampleReport) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(f"file:{sample.database}?mode=ro", uri=True)) as connection:
        yield connection


def fingerprint(database: Path) -> str:
    with closing(sqlite3.connect(database)) as connection:
        return hashlib.sha256("\n".join(connection.iterdump()).encode()).hexdigest()


def one(company: sqlite3.Connection, sql: str, *values: object) -> float:
    return company.execute(sql, values).fetchone()[0]


# --- the same for a date, and whole ---------------------------------------------------------------------------


def test_same_date_gives_the_same_rows(sample: SampleReport, tmp_path: Path):
    again = write_sample(tmp_path, as_of=AS_OF)
    assert again.tables == sample.tables
    assert fingerprint(again.database) == fingerprint(sample.database)


def test_another_date_gives_other_rows(sample: SampleReport, tmp_path: Path):
    other = write_sample(tmp_path, as_of=date(2026, 11, 22))
    assert fingerprint(other.database) != fingerprint(sample.database)


def test_report_counts_the_rows_that_are_there(sample: SampleReport, company: sqlite3.Connection):
    assert len(sample.tables) == 10
    for name, rows in sample.tables:
        assert one(company, f"SELECT COUNT(*) FROM {name}") == rows
    assert 58_000 < dict(sample.tables)["order_lines"] < 63_000


@pytest.mark.parametrize("as_of", [date(2024, 2, 29), date(2025, 1, 1), date(1999, 3, 31), date(1910, 1, 1)])
def test_any_date_gives_three_years_up_to_the_day_before(tmp_path: Path, as_of: date):
    report = write_sample(tmp_path, as_of=as_of)
    with closing(sqlite3.connect(report.database)) as connection:
        first, last = connection.execute("SELECT MIN(order_date), MAX(order_date) FROM orders").fetchone()
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    assert last == (as_of - timedelta(days=1)).isoformat()
    assert first[:4] == str(as_of.year - 3 if as_of != date(1910, 1, 1) else 1907)


def test_too_early_a_date_is_refused(tmp_path: Path):
    with pytest.raises(ValueError, match="'1909-12-31'"):
        write_sample(tmp_path, as_of=date(1909, 12, 31))
    assert list(tmp_path.iterdir()) == []


def test_no_row_refers_to_nothing(company: sqlite3.Connection):
    assert company.execute("PRAGMA foreign_key_check").fetchall() == []
    declared = sum(
        len(company.execute(f"PRAGMA foreign_key_list({table})").fetchall())
        for (table,) in company.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    )
    assert declared == 11


def test_nothing_is_dated_after_yesterday(company: sqlite3.Connection):
    columns = company.execute(
        "SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c "
        "WHERE m.type = 'table' AND c.type = 'DATE'"
    ).fetchall()
    assert len(columns) == 12
    for table, column in columns:
        latest = one(company, f"SELECT MAX({column}) FROM {table}")
        assert latest <= YESTERDAY, (table, column)
        odd = f"SELECT COUNT(*) FROM {table} WHERE {column} IS NOT NULL AND {column} IS NOT date({column})"
        assert one(company, odd) == 0, (table, column)


def test_events_follow_what_caused_them(company: sqlite3.Connection):
    assert (
        one(company, "SELECT COUNT(*) FROM orders JOIN customers USING (customer_id) WHERE order_date < signup_date")
        == 0
    )
    assert one(company, "SELECT COUNT(*) FROM support_tickets WHERE closed_date < opened_date") == 0
    assert one(company, "SELECT COUNT(*) FROM support_tickets WHERE (closed_date IS NULL) <> (status <> 'closed')") == 0
    assert one(company, "SELECT COUNT(*) FROM orders WHERE (store_id IS NULL) <> (channel <> 'store')") == 0
    late = (
        "SELECT COUNT(*) FROM returns JOIN order_lines USING (order_line_id) JOIN orders USING (order_id) "
        "WHERE return_date <= order_date OR status <> 'completed' OR returns.quantity > order_lines.quantity"
    )
    assert one(company, late) == 0
    closed = "SELECT COUNT(*) FROM orders JOIN stores USING (store_id) WHERE order_date >= closed_date"
    assert one(company, closed) == 0
    sold = (
        "SELECT COUNT(*) FROM order_lines JOIN orders USING (order_id) JOIN products USING (product_id) "
        "WHERE order_date < launch_date OR order_date >= date(discontinued_date, '+1 month')"
    )
    assert one(company, sold) == 0


def test_what_stands_twice_agrees(company: sqlite3.Connection):
    regions = (
        "SELECT COUNT(*) FROM orders o JOIN customers c USING (customer_id) LEFT JOIN stores s USING (store_id) "
        "WHERE o.region_id <> c.region_id OR s.region_id <> o.region_id"
    )
    assert one(company, regions) == 0
    refunds = (
        "SELECT COUNT(*) FROM order_lines l LEFT JOIN returns r USING (order_line_id) "
        "WHERE l.refunded <> COALESCE(r.refund_amount, 0) OR l.returned_quantity <> COALESCE(r.quantity, 0)"
    )
    assert one(company, refunds) == 0
    purchases = (
        "SELECT COUNT(*) FROM customers c LEFT JOIN (SELECT customer_id, MIN(order_date) AS f, MAX(order_date) AS l "
        "FROM orders WHERE status <> 'cancelled' GROUP BY 1) o USING (customer_id) "
        "WHERE c.first_purchase_date IS NOT o.f OR c.last_purchase_date IS NOT o.l"
    )
    assert one(company, purchases) == 0


def test_names_of_customers_are_unique(company: sqlite3.Connection):
    assert one(company, "SELECT COUNT(*) - COUNT(DISTINCT name) FROM customers") == 0


def test_nulls_stand_where_life_has_them(company: sqlite3.Connection):
    for table, column in (
        ("customers", "email"),
        ("customers", "last_purchase_date"),
        ("orders", "store_id"),
        ("returns", "reason"),
        ("support_tickets", "closed_date"),
        ("support_tickets", "satisfaction"),
        ("products", "discontinued_date"),
        ("stores", "closed_date"),
    ):
        assert 0 < one(company, f"SELECT AVG({column} IS NULL) FROM {table}") < 1, (table, column)


# --- the story ------------------------------------------------------------------------------------------------


@pytest.fixture
def story() -> Story:
    return make_story(AS_OF)


def test_december_is_the_peak_of_every_whole_year(company: sqlite3.Connection):
    for year in ("2024", "2025"):
        month = company.execute(
            "SELECT strftime('%m', order_date) FROM orders WHERE strftime('%Y', order_date) = ? "
            "GROUP BY 1 ORDER BY COUNT(*) DESC LIMIT 1",
            (year,),
        ).fetchone()
        assert month == ("12",)


def test_saturdays_are_busy_and_sundays_have_no_store_orders(company: sqlite3.Connection):
    days = dict(company.execute("SELECT strftime('%w', order_date), COUNT(*) FROM orders GROUP BY 1").fetchall())
    assert max(days, key=lambda day: days[day]) == "6"
    assert min(days, key=lambda day: days[day]) == "0"
    assert one(company, "SELECT COUNT(*) FROM orders WHERE channel = 'store' AND strftime('%w', order_date) = '0'") == 0


def test_one_category_grows_and_one_shrinks(company: sqlite3.Connection):
    sql = (
        "SELECT SUM(l.quantity) FROM order_lines l JOIN orders o USING (order_id) JOIN products p USING (product_id) "
        "JOIN categories c USING (category_id) WHERE c.name = ? AND strftime('%Y', o.order_date) = ?"
    )
    assert one(company, sql, "Smart Home", "2025") > 1.4 * one(company, sql, "Smart Home", "2024")
    assert one(company, sql, "Stationery", "2025") < 0.85 * one(company, sql, "Stationery", "2024")


def test_customers_of_the_south_leave(company: sqlite3.Connection, story: Story):
    rates = dict(
        company.execute(
            "SELECT r.name, AVG(last_purchase_date < date(?, '-180 days')) FROM customers "
            "JOIN regions r USING (region_id) WHERE last_purchase_date IS NOT NULL GROUP BY 1",
            (AS_OF.isoformat(),),
        ).fetchall()
    )
    others = [rate for region, rate in rates.items() if region != "South"]
    assert rates["South"] > 1.5 * max(others)
    buyers = (
        "SELECT COUNT(DISTINCT customer_id) FROM orders JOIN regions USING (region_id) "
        "WHERE name = 'South' AND order_date >= date(?, ?) AND order_date < date(?, ?)"
    )
    month = story.churn_from.isoformat()
    before = one(company, buyers, month, "-12 months", month, "-6 months")
    after = one(company, buyers, month, "+3 months", month, "+9 months")
    assert after < 0.75 * before


def test_one_day_has_every_order_twice(company: sqlite3.Connection, story: Story):
    sql = "SELECT customer_id, channel, status, COUNT(*) FROM orders WHERE order_date = ? GROUP BY 1, 2, 3"
    copies = company.execute(sql, (story.double_day.isoformat(),)).fetchall()
    assert len(copies) > 15
    assert all(count % 2 == 0 for *_, count in copies)
    orders = "SELECT COUNT(*) FROM orders WHERE order_date = date(?, ?)"
    day = story.double_day.isoformat()
    neighbours = [one(company, orders, day, shift) for shift in ("-14 days", "-7 days", "+7 days", "+14 days")]
    assert one(company, orders, day, "0 days") > 1.4 * sum(neighbours) / 4


def test_the_best_seller_is_out_of_stock_for_a_week(company: sqlite3.Connection, story: Story):
    (best,) = company.execute("SELECT product_id FROM order_lines GROUP BY 1 ORDER BY COUNT(*) DESC LIMIT 1").fetchone()
    sql = (
        "SELECT COUNT(*) FROM order_lines JOIN orders USING (order_id) "
        "WHERE product_id = ? AND order_date BETWEEN date(?, ?) AND date(?, ?)"
    )
    first, last = (edge.isoformat() for edge in story.stockout)
    assert one(company, sql, best, first, "0 days", last, "0 days") == 0
    assert one(company, sql, best, first, "-7 days", last, "-7 days") > 3
    assert one(company, sql, best, first, "+7 days", last, "+7 days") > 3


def test_one_corporate_order_dwarfs_all_others(company: sqlite3.Connection, story: Story):
    largest, second = company.execute(
        "SELECT order_date, segment, SUM(quantity * unit_price) FROM order_lines JOIN orders USING (order_id) "
        "JOIN customers USING (customer_id) GROUP BY order_id ORDER BY 3 DESC LIMIT 2"
    ).fetchall()
    assert largest[:2] == (story.corporate_day.isoformat(), "corporate")
    assert largest[2] > 10 * second[2]


# --- the knowledge --------------------------------------------------------------------------------------------


def test_knowledge_loads_without_a_problem(sample: SampleReport):
    reading = read_folder(sample.knowledge)
    assert reading.problems == ()
    kinds = [type(document) for document in reading.documents]
    assert kinds.count(Term) >= 10
    assert kinds.count(Metric) >= 11
    assert kinds.count(Rule) == 2
    assert kinds.count(VerifiedQuery) == 5


def test_every_verified_query_runs_and_gives_rows(sample: SampleReport, company: sqlite3.Connection):
    for document in read_folder(sample.knowledge).documents:
        if isinstance(document, VerifiedQuery):
            rows = company.execute(document.sql.replace("{today}", AS_OF.isoformat())).fetchall()
            assert rows, document.question
            for table in document.tables:
                assert table in document.sql


def test_every_term_selects_some_rows_and_not_all(sample: SampleReport, company: sqlite3.Connection):
    for document in read_folder(sample.knowledge).documents:
        if isinstance(document, Term) and document.sql and document.name != "resolution time":
            condition = document.sql.replace("{today}", AS_OF.isoformat())
            share = one(company, f"SELECT AVG(({condition}) IS TRUE) FROM {document.table}")
            assert 0 < share < 1, document.name


def test_every_metric_computes_and_breaks_down_by_its_dimensions(sample: SampleReport, company: sqlite3.Connection):
    keys = {"order_lines": "order_id", "orders": "order_id", "products": "product_id"}
    for document in read_folder(sample.knowledge).documents:
        if isinstance(document, Metric):
            joins = "".join(f" JOIN {table} USING ({keys[table]})" for table in document.joins)
            where = " WHERE " + " AND ".join(document.filters) if document.filters else ""
            sql = f"SELECT {document.expression} FROM {document.table}{joins}{where}"
            assert one(company, sql.replace("{today}", AS_OF.isoformat())) > 0, document.name
            for column in (*document.dimensions, *([document.date_column] if document.date_column else [])):
                table, name = column.split(".")
                company.execute(f"SELECT {name} FROM {table} LIMIT 1")


def test_rates_are_percentages_that_a_retailer_would_believe(sample: SampleReport, company: sqlite3.Connection):
    known = {d.name: d for d in read_folder(sample.knowledge).documents if isinstance(d, Metric)}
    bounds = {"return rate": (3, 12), "churn rate": (25, 60), "gross margin rate": (25, 60)}
    tables = "order_lines JOIN orders USING (order_id) JOIN products USING (product_id)"
    for name, (low, high) in bounds.items():
        metric = known[name]
        assert metric.unit == "percent"
        source = metric.table if not metric.joins else tables
        sql = f"SELECT {metric.expression} FROM {source} WHERE {' AND '.join(metric.filters)}"
        assert low < one(company, sql.replace("{today}", AS_OF.isoformat())) < high, name


def test_writing_again_keeps_what_a_person_changed(tmp_path: Path):
    report = write_sample(tmp_path, as_of=AS_OF)
    (report.knowledge / "rules.md").write_text("## Ours\n\nOur own rule.\n", encoding="utf-8")
    (report.knowledge / "queries" / "mine.yaml").write_text("question: Mine?\n", encoding="utf-8")
    write_sample(tmp_path, as_of=date(2026, 12, 1))
    assert (report.knowledge / "rules.md").read_text(encoding="utf-8").startswith("## Ours")
    assert (report.knowledge / "queries" / "mine.yaml").exists()
    assert not [path for path in tmp_path.rglob("*") if path.name.endswith(".part")]


def test_programs_that_write_the_same_folder_at_once_do_not_disturb_each_other(tmp_path: Path):
    script = (
        "import sys; from datetime import date; from pathlib import Path; from assistant.sample.company import *\n"
        "import numpy; print('ready', flush=True); sys.stdin.readline()\n"
        "write_sample(Path(sys.argv[1]), as_of=date.fromisoformat(sys.argv[2]))"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "company"), AS_OF.isoformat()]
    with ExitStack() as stack:
        programs = [
            stack.enter_context(
                subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True),
            )
            for _ in range(4)
        ]
        for program in programs:
            assert program.stdout is not None
            assert program.stdout.readline() == "ready\n"
        for program in programs:
            assert program.stdin is not None
            program.stdin.close()
    assert [program.returncode for program in programs] == [0] * 4
    once = write_sample(tmp_path / "once", as_of=AS_OF)
    assert fingerprint(tmp_path / "company" / "company.sqlite") == fingerprint(once.database)
    kept = {path.relative_to(tmp_path / "company") for path in (tmp_path / "company").rglob("*")}
    assert kept == {path.relative_to(tmp_path / "once") for path in (tmp_path / "once").rglob("*")}
