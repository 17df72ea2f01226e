"""Statements that repeat one construct of SQL, for as long as is allowed: some keep a parser busy for hours.

    python -m tests.support.hostile_sql DIALECT[,DIALECT...] LENGTH[,LENGTH...]

prints, as JSON, the seconds of the processor that the guard spent on each at worst.
"""

from __future__ import annotations

import json
import logging
import sys
import time
from dataclasses import dataclass

from sqlglot.dialects.dialect import Dialects

from assistant.query.guard import check


@dataclass(frozen=True, slots=True)
class _Burst:
    """`head`, then `unit` n times, `middle`, `closing` n times, `end`."""

    head: str
    unit: str
    middle: str = ""
    closing: str = ""
    end: str = ""


DIALECTS = tuple(dialect.value for dialect in Dialects)

BURSTS = {
    "subscripts": _Burst("SELECT a", "[1]"),
    "slices": _Burst("SELECT a", "[1:2]"),
    "casts": _Burst("SELECT a", "::int"),
    "casts_nested": _Burst("SELECT ", "CAST(", middle="a", closing=" AS INT)"),
    "trycast": _Burst("SELECT ", "TRY_CAST(", middle="a", closing=" AS INT)"),
    "dots": _Burst("SELECT a", ".b"),
    "dotfn": _Burst("SELECT a", ".b(1)"),
    "minus": _Burst("SELECT", " -", end=" 1"),
    "not": _Burst("SELEC", "T NO", end="T 1"),
    "tilde": _Burst("SELECT", " ~", end=" 1"),
    "parens": _Burst("SELECT ", "(", middle="1", closing=")"),
    "parens_open": _Burst("SELECT ", "("),
    "parens_stmt": _Burst("", "(", middle="SELECT 1", closing=")"),
    "from_parens": _Burst("SELECT * FROM ", "(", middle="t", closing=")"),
    "from_sub": _Burst("", "SELECT * FROM (", middle="SELECT * FROM t", closing=") x"),
    "in_nest": _Burst("SELECT ", "a IN (", middle="1", closing=")"),
    "case": _Burst("SELECT", " CASE WHEN a THEN", middle=" 1", closing=" END"),
    "case_else": _Burst("SELECT", " CASE WHEN a THEN 1 ELSE", middle=" 1", closing=" END"),
    "and": _Burst("SELECT", " 1 AND", end=" 1"),
    "or": _Burst("SELECT", " 1 OR", end=" 1"),
    "plus": _Burst("SELECT", " 1 +", end=" 1"),
    "concat": _Burst("SELECT", " 'a' ||", end=" 'a'"),
    "cmp": _Burst("SELECT", " 1 <", end=" 1"),
    "eq": _Burst("SELECT", " 1 =", end=" 1"),
    "is": _Burst("SELECT 1", " IS NULL"),
    "isnot": _Burst("SELECT 1", " IS NOT NULL"),
    "between": _Burst("SELECT 1", " BETWEEN 1 AND 2"),
    "like": _Burst("SELECT 1", " LIKE 'a'"),
    "escape": _Burst("SELECT 1", " LIKE 'a' ESCAPE 'b'"),
    "collate": _Burst("SELECT a", " COLLATE x"),
    "attz": _Burst("SELECT a", " AT TIME ZONE 'x'"),
    "arrow": _Burst("SELECT a", "->'b'"),
    "arrow2": _Burst("SELECT a", "->>'b'"),
    "colon": _Burst("SELECT a", ":b"),
    "lambda": _Burst("SELECT f(", "x -> ", end="1)"),
    "lambda2": _Burst("SELECT", " f(x ->", middle=" 1", closing=")"),
    "func": _Burst("SELECT ", "f(", middle="1", closing=")"),
    "coalesce": _Burst("SELECT", " coalesce(a,", middle=" 1", closing=")"),
    "array": _Burst("SELECT ", "ARRAY[", middle="1", closing="]"),
    "list": _Burst("SELECT ", "[", middle="1", closing="]"),
    "struct": _Burst("SELECT", " {'a':", middle=" 1", closing="}"),
    "jinja": _Burst("SELECT", " {{", middle=" 1", closing=" }}"),
    "union": _Burst("", "SELECT 1 UNION ALL ", end="SELECT 1"),
    "unionp": _Burst("", "(SELECT 1) UNION ", end="(SELECT 1)"),
    "join": _Burst("SELECT * FROM a", " JOIN b ON a.x=b.x"),
    "join_noon": _Burst("SELECT * FROM a", " JOIN b"),
    "join_comma": _Burst("SELECT * FROM a", ", b"),
    "join_nested_on": _Burst("SELECT * FROM a", " JOIN b", closing=" ON 1=1"),
    "join_using_nest": _Burst("SELECT * FROM a", " LEFT JOIN b", closing=" USING (x)"),
    "join_paren": _Burst("SELECT * FROM ", "(", middle="a", closing=" JOIN b ON 1)"),
    "cte_nest": _Burst("", "WITH a AS (", closing="SELECT 1) ", end="SELECT 1"),
    "sub_sel": _Burst("", "SELECT (", middle="SELECT 1", closing=")"),
    "exists": _Burst("", "SELECT EXISTS(", middle="SELECT 1", closing=")"),
    "alias": _Burst("SELECT 1", " a"),
    "strings": _Burst("SELECT", " 'a'", end=" "),
    "comments": _Burst("SELECT 1", " /* a */", end=" , 2"),
    "comments2": _Burst("SELECT 1 ", "-- a\n", end=", 2"),
    "comments_each": _Burst("SELECT", " 1 /* a */ +", end=" 1"),
    "unclosedc": _Burst("SELECT 1 ", "/*"),
    "semis": _Burst("SELECT 1", ";"),
    "interval": _Burst("SELECT", " INTERVAL", end=" '1' day"),
    "intervalplus": _Burst("SELECT d", " + INTERVAL '1 day 2 hours'"),
    "distinct": _Burst("SELE", "CT DISTIN", end="CT 1"),
    "dates": _Burst("SELECT", " DATE", end=" '2020-01-01'"),
    "types": _Burst("SELECT CAST(a AS ", "ARRAY<", middle="INT", closing=">", end=")"),
    "types2": _Burst("SELECT CAST(a AS", " STRUCT<a", middle=" INT", closing=">", end=")"),
    "types3": _Burst("SELECT CAST(a AS", " STRUCT(a", middle=" INT", closing=")", end=")"),
    "typebr": _Burst("SELECT CAST(a AS INT", "[]", end=")"),
    "map": _Burst("SELECT", " MAP {1:", middle=" 1", closing="}"),
    "lateral": _Burst("SELECT * FROM t", " CROSS JOIN LATERAL (SELECT 1) x"),
    "pivot": _Burst("SELECT * FROM t", " PIVOT(sum(a) FOR b IN (1))"),
    "rollup": _Burst("SELECT 1 FROM t GROUP BY ", "GROUPING SETS (", middle="a", closing=")"),
    "filter": _Burst("SELECT sum(a", ") FILTER (WHERE b", end=")"),
    "within": _Burst("SELECT f(a", ") WITHIN GROUP (ORDER BY b", end=")"),
    "tablesample": _Burst("SELECT * FROM t", " TABLESAMPLE (1)"),
    "with_kw": _Burst("", "WITH "),
    "select_kw": _Burst("", "SELECT "),
    "select_kw1": _Burst("", "SELECT ", end="1"),
    "any": _Burst("SELECT a = ", "ANY (", middle="1", closing=")"),
    "from_first": _Burst("", "FROM t "),
    "from_sub2": _Burst("", "FROM (", middle="t", closing=")"),
    "kwargs2": _Burst("SELECT f(", "a := ", end="1)"),
    "kwargs3": _Burst("SELECT", " f(a =>", middle=" 1", closing=")"),
    "qmarks": _Burst("SELECT ", "?"),
    "params": _Burst("SELECT", " :a", end=" "),
    "ats": _Burst("SELECT ", "@", end="a"),
    "at_time": _Burst("SELECT", " @", end=" 1"),
    "dollar": _Burst("SELECT", " $a$", end=" "),
    "nprefix": _Burst("SELECT", " N'a'", end=" "),
    "eprefix": _Burst("SELECT ", "E'\\'"),
    "backsl": _Burst("SELECT ", "'\\", end="'"),
    "qq": _Burst("SELECT ", "'", closing="'", end="'"),
    "dq": _Burst("SELECT ", '"', closing='"', end='"'),
    "ident": _Burst("SELECT ", "a"),
    "number": _Burst("SELECT ", "1"),
    "numdots": _Burst("SELECT ", "1."),
    "nume": _Burst("SELECT ", "1e"),
    "overlaps": _Burst("SELECT", " (1) OVERLAPS", end=" (1)"),
    "nullsafe": _Burst("SELECT", " 1 IS DISTINCT FROM", end=" 1"),
    "isjson": _Burst("SELECT 1", " IS JSON"),
    "prior": _Burst("SELECT", " PRIOR", end=" 1"),
    "connectroot": _Burst("SELEC", "T CONNECT_BY_ROO", end="T 1"),
    "tern": _Burst("SELECT", " a ?", closing=" 1 :", end=" 1"),
    "if": _Burst("SELECT", " IF(a, 1,", middle=" 1", closing=")"),
    "extract": _Burst("SELECT", " EXTRACT(day FROM", middle=" 1", closing=")"),
    "subq_in": _Burst("", "SELECT 1 WHERE a IN (", middle="SELECT 1 WHERE 1", closing=")"),
    "tuple": _Burst("SELECT", " (1,", middle=" 1", closing=")"),
    "commaparen": _Burst("SELECT", " (1),", end=" 1"),
    "mixbr": _Burst("SELECT ", "f([", middle="1", closing="])"),
    "nestbrack": _Burst("SELECT ", "a[", middle="1", closing="]"),
    "unnest": _Burst("SELECT * FROM ", "UNNEST(", middle="a", closing=")"),
    "listcomp": _Burst("SELECT", " [x FOR x IN", middle=" a", closing="]"),
    "order_nulls": _Burst("SELECT 1 FROM t ORDER BY a", " NULLS FIRST"),
    "limit": _Burst("SELECT 1 FROM t", " LIMIT 1"),
    "where": _Burst("SELECT 1 FROM t", " WHERE 1"),
    "qualify": _Burst("SELECT 1 FROM t", " QUALIFY 1"),
    "hint": _Burst("SELECT /*+", " a(b)", end=" */ 1"),
    "json_table": _Burst(
        "SELECT * FROM JSON_TABLE(a,",
        " '$' COLUMNS(NESTED PATH",
        middle=" '$' COLUMNS(a INT PATH '$'",
        closing=")",
        end="))",
    ),
    "xml": _Burst("SELECT", " XMLELEMENT(NAME a,", middle=" 1", closing=")"),
    "desc": _Burst("DESCRIBE", " SELECT", end=" "),
    "show": _Burst("SHOW", " a", end=" "),
    "pragma": _Burst("PRAGMA", " a", end=" "),
    "summ": _Burst("", "SUMMARIZE ", end="t"),
    "div": _Burst("SELECT", " 1 /", end=" 1"),
    "dpipe": _Burst("SELECT", " 1 %", end=" 1"),
    "pow": _Burst("SELECT", " 1 ^", end=" 1"),
    "starstar": _Burst("SELECT", " 1 **", end=" 1"),
    "star": _Burst("SELECT ", "*"),
    "starc": _Burst("SELECT ", "*,", end="1"),
    "tstar": _Burst("SELECT ", "t.*,", end="1"),
    "columns": _Burst("SELECT ", "COLUMNS(", middle="*", closing=")"),
    "percentile": _Burst("SELECT", " PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY a),", end=" 1"),
    "asof": _Burst("SELECT * FROM a", " ASOF JOIN b ON a.x>=b.x"),
    "natural": _Burst("SELECT * FROM a", " NATURAL JOIN b"),
    "keyword_junk": _Burst("SELECT", " FROM WHERE", end=" "),
    "fn_at": _Burst("SELECT", " a@b", end=" "),
    "substring": _Burst("SELECT ", "SUBSTRING(", middle="a FROM 1", closing=" FROM 1)"),
    "trim": _Burst("SELECT", " TRIM(BOTH 'a' FROM", middle=" a", closing=")"),
    "date_add": _Burst("SELECT ", "DATE_ADD(", middle="a", closing=", INTERVAL 1 DAY)"),
    "datetrunc": _Burst("SELECT", " DATE_TRUNC('day',", middle=" a", closing=")"),
    "concatf": _Burst("SELECT ", "CONCAT(", middle="a", closing=",'b')"),
    "decode": _Burst("SELECT ", "DECODE(", middle="a", closing=",1,2,3)"),
    "nvl": _Burst("SELECT ", "NVL(", middle="a", closing=",1)"),
    "parse_json": _Burst("SELECT ", "PARSE_JSON(", middle="a", closing=")"),
    "log": _Burst("SELECT ", "LOG(", middle="a", closing=",2)"),
    "mod": _Burst("SELECT ", "MOD(", middle="a", closing=",2)"),
    "round": _Burst("SELECT ", "ROUND(", middle="a", closing=",2)"),
    "strftime": _Burst("SELECT ", "STRFTIME(", middle="a", closing=",'%Y')"),
    "json_extract": _Burst("SELECT ", "JSON_EXTRACT(", middle="a", closing=",'$.a')"),
    "json_path": _Burst("SELECT JSON_EXTRACT(a,'$", ".a", end="')"),
    "json_pathb": _Burst("SELECT JSON_EXTRACT(a,'$", "[0]", end="')"),
    "json_pathn": _Burst("SELECT JSON_EXTRACT(a,'$", "[?(", end="')"),
    "jsonpathf": _Burst("SELECT a -> '$", ".", closing=".", end="'"),
    "cols": _Burst("SELECT ", "a,", middle="a"),
    "colsq": _Burst("SELECT ", '"a"."b",', middle="1"),
    "nums": _Burst("SELECT a IN (", "1,", middle="1", end=")"),
    "values": _Burst("VALUES ", "(1,2),", middle="(1,2)"),
    "over": _Burst("SELECT ", "sum(a) OVER (PARTITION BY b ORDER BY c),", middle="1"),
    "window": _Burst("SELECT 1 FROM t WINDOW ", "w AS (PARTITION BY b),", middle="w AS ()"),
    "except": _Burst("SELECT * EXCEPT (", "a,", middle="a", end=") FROM t"),
    "orderby": _Burst("SELECT 1 FROM t ORDER BY ", "a,", middle="a"),
    "groupby": _Burst("SELECT 1 FROM t GROUP BY ", "a,", middle="a"),
    "kwargs": _Burst("SELECT f(", "a := 1,", middle="1", end=")"),
    "settings": _Burst("SELECT 1 SETTINGS ", "a=1,", middle="a=1"),
    "cte": _Burst("WITH a AS (SELECT 1)", ", a AS (SELECT 1)", middle=" SELECT 1"),
    "line_comment_openers": _Burst("SELECT 1 // ", "/*"),
    "heredocs": _Burst("SELECT ", "$a$b"),
    "blanks": _Burst("SELECT", "  ", middle="1"),
    "group_blanks": _Burst("SELECT 1 GROUP ", "  ", middle="BY 1"),
    "long_join_then_brackets": _Burst("SELECT * FROM a", " JOIN b[1]"),
    "arrays_of_calls": _Burst("SELECT ", "ARRAY[f(", middle="1", closing=")]"),
    "aliases_that_double": _Burst("SELECT a AS b", ", b || b AS b"),
    "ctes_that_double": _Burst("WITH a AS (SELECT 1)", ", a AS (SELECT * FROM a, a b)", middle=" SELECT * FROM a"),
    "accounts": _Burst("WITH users AS (SELECT 1) SELECT * FROM t", ", mysql.user"),
}


def burst(name: str, length: int) -> str:
    """The statement, of about `length` characters and never more."""
    made = BURSTS[name]
    times = max(1, (length - len(made.head + made.middle + made.end)) // len(made.unit + made.closing))
    return (made.head + made.unit * times + made.middle + made.closing * times + made.end)[:length]


def spend(dialect: str, lengths: list[int]) -> dict[str, float]:
    """The seconds of the processor for each of `BURSTS` at worst."""
    return {name: max(_seconds(burst(name, length), dialect) for length in lengths) for name in BURSTS}


def _seconds(sql: str, dialect: str) -> float:
    started = time.thread_time()
    check(sql, dialect=dialect)
    return time.thread_time() - started


if __name__ == "__main__":
    logging.disable()
    check("SELECT 1", dialect="duckdb")  # importing is no part of it
    worst: dict[str, float] = {}
    for name in sys.argv[1].split(","):
        for kind, seconds in spend(name, [int(length) for length in sys.argv[2].split(",")]).items():
            worst[kind] = max(worst.get(kind, 0.0), seconds)
    json.dump(worst, sys.stdout)
