"""SQL of others shows chips only where they are known to compute the same rows."""

from __future__ import annotations

import pytest

from assistant.analyst.translation.plain import check_plain
from assistant.analyst.translation.templates import Untranslatable

COLUMNS = ("status", "day", "amount", "region", "qty", "id", "customer_id", "name")


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT region, ROUND(SUM(amount), 2) AS revenue FROM sales WHERE status = 'paid' GROUP BY region ORDER BY 2 DESC",
        "SELECT strftime('%Y-%m', day) AS month, COUNT(*) AS n FROM sales WHERE strftime('%Y', day) = '2025' GROUP BY 1",
        "SELECT c.name, COUNT(*) AS n FROM sales s JOIN customers c ON c.id = s.customer_id GROUP BY c.name HAVING COUNT(*) > 3",
        "SELECT SUM(amount) AS amount FROM sales ORDER BY amount",
        "SELECT COUNT(DISTINCT region) FROM sales",
    ],
)
def test_plain_statements_pass(sql: str) -> None:
    assert check_plain(sql, "sqlite", COLUMNS) == ()


def test_a_cut_by_values_that_may_be_missing_is_said() -> None:
    sql = "SELECT region, SUM(amount) AS n FROM sales GROUP BY region ORDER BY n DESC LIMIT 3"
    assert check_plain(sql, "sqlite", COLUMNS) == ("Rows without a value come last.",)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT status, COUNT(*) * 1.0 / SUM(COUNT(*)) OVER () FROM sales GROUP BY status HAVING COUNT(*) > 1",
        "SELECT * FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY amount) AS rn FROM sales) AS t WHERE rn = 2",
        "SELECT name FROM customers c WHERE (SELECT COUNT(DISTINCT status) FROM sales s WHERE s.customer_id = c.id) >= 2",
        "SELECT name FROM customers c WHERE EXISTS (SELECT COUNT(*) FROM sales s WHERE s.customer_id = c.id)",
        "WITH sales AS (SELECT * FROM sales WHERE 1 = 0) SELECT COUNT(*) FROM sales",
        "SELECT status AS day, COUNT(*) FROM sales GROUP BY day",
        "SELECT SUM(amount) AS amount FROM sales HAVING amount > 10",
        "SELECT c.* FROM customers c JOIN sales s ON s.customer_id = c.id",
        "SELECT DISTINCT status FROM sales ORDER BY amount",
        "SELECT SUM(amount) AS a, SUM(qty) AS a FROM sales",
        "SELECT SUM(CASE WHEN qty > 3 THEN amount END) FROM sales WHERE amount > 8",
        "SELECT COUNT(*) FROM sales WHERE strftime('%m', day) = '1'",
        "SELECT COUNT(*) FROM sales WHERE strftime('%Y', day) = 2025",
        "SELECT COUNT(*) FROM sales WHERE CAST(day AS DATE) <= '2025-01-01'",
        "SELECT COUNT(*) FROM sales WHERE 1 = 1.0",
        "SELECT COUNT(*) FROM sales WHERE '1' = 1",
        "SELECT amount FROM sales ORDER BY amount IS NULL, amount LIMIT 3",
        "SELECT amount FROM sales ORDER BY amount NULLS FIRST LIMIT 3",
        "SELECT amount FROM sales ORDER BY COALESCE(amount, 0) LIMIT 3",
        "SELECT SUM(amount) / SUM(qty) FROM sales",
        "SELECT COUNT(*) FROM sales WHERE status LIKE 'p%'",
        "SELECT region FROM sales UNION SELECT name FROM customers",
    ],
)
def test_what_may_mean_something_else_shows_no_chips(sql: str) -> None:
    with pytest.raises(Untranslatable):
        check_plain(sql, "sqlite", COLUMNS)
