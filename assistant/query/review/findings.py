"""Applies all review rules to all SELECTs of a query. The order of the rules is only the order of the findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sqlglot import exp
from sqlglot.errors import SqlglotError

from assistant.core.catalog import Catalog
from assistant.core.events import Finding
from assistant.query.review import conditions, joins
from assistant.query.review.scopes import ReviewScope, list_scopes
from knowledge.parsing import TooComplex, limit_work, parse_one

RULES: tuple[Callable[[ReviewScope], Iterator[Finding]], ...] = (
    joins.repeated_rows,
    joins.outer_join_undone,
    joins.no_condition,
    conditions.compared_with_null,
    conditions.unknown_value,
    conditions.text_beside_number,
    conditions.last_day_cut,
    conditions.not_in_with_nulls,
    conditions.sum_of_identifier,
    conditions.ungrouped_column,
    conditions.whole_division,
    conditions.limit_without_order,
)


def review_query(sql: str, catalog: Catalog) -> tuple[Finding, ...]:
    """Likely mistakes of a query, each once; none where the query cannot be parsed."""
    try:
        tree = parse_one(sql, catalog.dialect)
        with limit_work():
            scopes = list_scopes(tree, catalog, catalog.dialect)
            findings = (finding for scope in scopes for rule in RULES for finding in rule(scope))
            return tuple({finding.text: finding for finding in findings}.values())
    except TooComplex:
        return (Finding(level="note", text="The query is too large to be searched for likely mistakes."),)
    except SqlglotError:
        return ()


def multiplies_rows(sql: str, catalog: Catalog) -> bool:
    """Whether a join of a query repeats rows that a figure counts, or the rows of every table that it joins."""
    try:
        tree = parse_one(sql, catalog.dialect)
        with limit_work():
            return any(map(joins.repeats_rows, list_scopes(tree, catalog, catalog.dialect)))
    except TooComplex:
        return True
    except SqlglotError:
        return False


def is_plain_read(sql: str, catalog: Catalog) -> bool:
    """Whether a query reads one table without queries inside it, windows or conditions on groups."""
    try:
        tree = parse_one(sql, catalog.dialect)
    except (SqlglotError, RecursionError):
        return False
    several = tree.find(exp.Join, exp.Subquery, exp.CTE, exp.Window, exp.SetOperation, exp.In, exp.Having)
    return isinstance(tree, exp.Select) and several is None and len(list(tree.find_all(exp.Table))) == 1
