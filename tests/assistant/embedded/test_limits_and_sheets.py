"""A row's number against its limit, days that are one, totals that are a column, and months as sheets write them."""

from __future__ import annotations

import pytest

_SHEET = """
CREATE TABLE "Site Log" ("Site No." TEXT, "Crew" TEXT, "Opened On" TEXT, "Closed On" TEXT, "Planned Days" INTEGER,
    "Actual Days" INTEGER, "Budget (EUR)" REAL, "Spent (EUR)" REAL);
CREATE TABLE quotas ("Month" TEXT, "Crew" TEXT, "Quota Amount" TEXT);
"""


@pytest.fixture(scope="module")
def sites(opened):
    rows = ", ".join(
        f"('S-{n}', '{('red', 'blue')[n % 2]}', '2024-{n % 9 + 1:02d}-01', "
        + ("NULL" if n % 4 == 0 else f"'2024-{n % 9 + 1:02d}-{n % 3 + 1:02d}'")
        + f", {n % 7 + 2}, {n % 5 + 3}, {1000 + 37 * n}, {900 + 61 * (n % 13)})"
        for n in range(1, 31)
    )
    months = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
    quotas = ", ".join(
        f"('{month}-24', '{crew}', '{1000 + 250 * n:,}.00')"
        for n, month in enumerate(months)
        for crew in ("red", "blue")
    )
    return opened("sites", f'{_SHEET}INSERT INTO "Site Log" VALUES {rows}; INSERT INTO quotas VALUES {quotas};')


_LOG = 'FROM "Site Log"'
_QUOTA = "CAST(REPLACE(\"Quota Amount\", ',', '') AS REAL)"


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("Which sites are over budget?", f'SELECT "Site No." {_LOG} WHERE "Spent (EUR)" > "Budget (EUR)"'),
        ("How many sites took more days than planned?", f'SELECT COUNT(*) {_LOG} WHERE "Actual Days" > "Planned Days"'),
        (
            "Which sites were closed on the same day they were opened?",
            f'SELECT "Site No." {_LOG} WHERE "Closed On" = "Opened On"',
        ),
        ("How many sites were closed?", f'SELECT COUNT(*) {_LOG} WHERE "Closed On" IS NOT NULL'),
        ("total budget by crew", f'SELECT "Crew", SUM("Budget (EUR)") {_LOG} GROUP BY 1'),
        ("average days by crew", f'SELECT "Crew", AVG("Actual Days") {_LOG} GROUP BY 1'),
        ("What was the quota of the red crew in Mar-24?", "SELECT '1,500.00'"),
        (
            "total quota in the first quarter of 2024",
            f"SELECT SUM({_QUOTA}) FROM quotas WHERE Month IN {'Jan-24', 'Feb-24', 'Mar-24'}",
        ),
        ("total quota in December", f"SELECT SUM({_QUOTA}) FROM quotas WHERE Month = 'Dec-24'"),
    ],
)
def test_sheets(question, gold, sites, same_rows):
    analyst, con = sites
    sql = analyst.sql(analyst.candidates(question)[0].meaning, context=False)
    assert same_rows(con.execute(sql).fetchall(), con.execute(gold).fetchall()), sql


def test_a_total_without_more_is_the_column_that_is_called_so(opened, same_rows):
    script = """CREATE TABLE takings ("Bill No." TEXT, "Bill Date" TEXT, "Waiter" TEXT, "Total ($)" REAL);
    INSERT INTO takings VALUES ('B1', '2024-05-01', 'Ida', 10), ('B2', '2024-05-02', 'Per', 30), ('B3', '2024-06-02', 'Ida', 5);"""
    analyst, con = opened("takings", script)
    for question, rows in (
        ("Total by waiter", [("Ida", 15.0), ("Per", 30.0)]),
        ("What is the total in May 2024?", [(40.0,)]),
    ):
        sql = analyst.sql(analyst.candidates(question)[0].meaning, context=False)
        assert same_rows(con.execute(sql).fetchall(), rows), sql
