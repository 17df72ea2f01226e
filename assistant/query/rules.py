"""The guard's rules: one function each, over the whole tree of one statement, tried in the order of `RULES`.

What is allowed is asked first (the statement is a query), what is denied after. A rule gives its refusal, or None.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from sqlglot import exp
from sqlglot.expressions.core import Expr
from sqlglot.tokenizer_core import Token, TokenType

from assistant.query.functions import PSEUDO_SCHEMAS, is_function_allowed, load_grammar_words
from assistant.query.pivots import NAMES as PIVOT_NAMES
from assistant.query.system_tables import EXACT, find_denied_table
from knowledge.parsing import limit_work

OPENERS = frozenset(
    {"SELECT", "WITH", "VALUES", "FROM", "TABLE", "(", "PIVOT", "UNPIVOT", *PIVOT_NAMES}
    | {"SHOW", "DESCRIBE", "DESC", "SUMMARIZE", "PRAGMA"}
)
"""What a statement may begin with."""

READABLE_PRAGMAS = frozenset(
    {"table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo"}
    | {"foreign_key_list", "data_version"}
)
"""SQLite pragmas that describe the catalog."""
BARE_PRAGMAS = frozenset({"journal_mode", "encoding", "user_version", "page_count", "query_only"})
"""SQLite pragmas that may be read, but not with a value, which would set them."""
MYSQL_FAMILY = frozenset({"mysql", "singlestore", "doris", "starrocks"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a statement is not run.

    Attributes:
        rule: Name of the rule.
        message: What is wrong, and how to ask differently.
        span: Where in the statement, as start and end offsets; None where the whole of it is meant.
        text: The part of the statement that is meant.
    """

    rule: str
    message: str
    span: tuple[int, int] | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A statement under examination.

    Attributes:
        sql: As it is written, after an EXPLAIN before it.
        dialect: sqlglot's name.
        tokens: Of `sql`.
        tree: What it says.
        read_tokens: What `tree` was read from; not `tokens` where a PIVOT was put otherwise for the parser.
        nodes: All parts of the tree: it is walked once for all rules.
        functions: Functions that a person allowed, in lower case, with their schema where they are called with it.
    """

    sql: str
    dialect: str
    tokens: Sequence[Token]
    tree: Expr
    read_tokens: Sequence[Token]
    nodes: Sequence[Expr]
    functions: Collection[str] = frozenset()

    def tables(self) -> Iterator[exp.Table]:
        """What stands after FROM, wherever in the statement."""
        return (node for node in self.nodes if isinstance(node, exp.Table))

    def refused(self, rule: str, message: str, *words: str) -> Refusal:
        """A refusal that points at the first of these words in the statement."""
        for token in self.tokens:
            if token.text.upper() in words:
                return refusal(self.sql, rule, message, (token.start, token.end + 1))
        return refusal(self.sql, rule, message, None)


def refusal(sql: str, rule: str, message: str, span: tuple[int, int] | None) -> Refusal:
    return Refusal(rule=rule, message=message, span=span, text=sql[slice(*span)] if span else sql.strip()[:80])


def reads_only(statement: Statement) -> Refusal | None:
    """The statement is a query, or describes the catalog."""
    tree = statement.tree
    if isinstance(tree, exp.Subquery | exp.Paren):
        tree = tree.unnest()
    if _is_query(tree) or isinstance(tree, exp.Summarize):
        return None
    if _describes(tree):
        return None
    if isinstance(tree, exp.Pragma):
        return None if _is_reading_pragma(statement) else _changes(statement, "PRAGMA")
    if _first(statement) == "SHOW" and statement.dialect != "sqlite":  # SQLite has no SHOW
        words = " ".join(token.text.upper() for token in statement.tokens[1:] if token.text != ";")
        if _SHOW_STATEMENT.match(words):
            return None
        return statement.refused(
            "reads only", "Only SHOW of the catalog is allowed: TABLES, COLUMNS, CREATE TABLE and the like.", "SHOW"
        )
    return _changes(statement, _first(statement))


_SHOW_STATEMENT = re.compile(
    r"((FULL|EXTENDED|ALL|TERSE)\s+)*(TABLES|COLUMNS|FIELDS|LOCKS|DATABASES|SCHEMAS|CATALOGS|INDEX|INDEXES|KEYS|VIEWS|FUNCTIONS"
    r"|PRIMARY KEYS|IMPORTED KEYS|TABLE STATUS|PARTITIONS|TBLPROPERTIES|STATS|CREATE (TABLE|VIEW|SCHEMA|DATABASE)"
    r"|SEARCH_PATH|SERVER_VERSION|SERVER_ENCODING|TIMEZONE|TIME ZONE|DATESTYLE|TRANSACTION ISOLATION LEVEL)\b"
)


def _first(statement: Statement) -> str:
    return statement.tokens[0].text.upper()


def _changes(statement: Statement, word: str) -> Refusal:
    return statement.refused("reads only", _not_a_query(word), word)


def changes(sql: str, token: Token) -> Refusal:
    """The refusal of a statement whose first word is no `OPENERS`."""
    return refusal(sql, "reads only", _not_a_query(token.text.upper()), (token.start, token.end + 1))


def _not_a_query(word: str) -> str:
    subject = word if word.isalpha() else "That"
    return f"{subject} is not a query: only SELECT (with WITH, UNION, VALUES), EXPLAIN, SHOW and DESCRIBE are run here."


def _is_query(tree: object) -> bool:
    return isinstance(tree, exp.Query | exp.Values | exp.Pivot) and not isinstance(tree, exp.DDL)


def _describes(tree: object) -> bool:
    return isinstance(tree, exp.Describe) and (
        isinstance(tree.this, exp.Table | exp.Column | exp.Identifier) or _is_query(tree.this)
    )


def _is_reading_pragma(statement: Statement) -> bool:
    words = [token.text.lower() for token in statement.tokens if token.text != ";"]
    if len(words) < 2 or statement.dialect not in ("sqlite", "duckdb"):
        return False
    name, words_after = words[1], words[2:]
    if len(words_after) >= 2 and words_after[0] == ".":
        name, words_after = words_after[1], words_after[2:]
    if name in READABLE_PRAGMAS:
        return not words_after or (words_after[0] == "(" and words_after[-1] == ")")
    return statement.dialect == "sqlite" and name in BARE_PRAGMAS and not words_after


def every_part_reads(statement: Statement) -> Refusal | None:
    """Nothing that writes or commands stands anywhere in the tree, such as a DELETE in a WITH clause."""
    writing = (
        exp.Insert, exp.Update, exp.Delete, exp.Merge, exp.Create, exp.Drop, exp.Alter, exp.TruncateTable, exp.Copy,
        exp.LoadData, exp.Command, exp.Set, exp.Use, exp.Transaction, exp.Commit, exp.Rollback, exp.Kill, exp.Grant,
        exp.Revoke, exp.Attach, exp.Detach, exp.Install, exp.Export, exp.Put, exp.Get, exp.Execute, exp.Declare,
        exp.Analyze, exp.Comment, exp.Cache, exp.Refresh, exp.MultitableInserts, exp.Block,
    )  # fmt: skip
    for node in statement.nodes:
        if isinstance(node, exp.Command) and node is statement.tree and _first(statement) == "SHOW":
            continue  # in most dialects SHOW is read as an opaque command; `reads_only` has looked at its words
        if isinstance(node, writing):
            return _changes(statement, type(node).__name__.upper())
        if isinstance(node, exp.CTE) and not (
            _is_query(node.this) or isinstance(node.this, exp.Table | exp.Subquery | exp.Condition)
        ):
            return _changes(statement, type(node.this).__name__.upper())
        if statement.dialect == "duckdb" and _describes(node):
            continue  # DuckDB takes it after FROM as well
        if isinstance(node, exp.Pragma | exp.Show | exp.Describe) and node is not statement.tree:
            return _changes(statement, type(node).__name__.upper())
    return None


def puts_nothing_away(statement: Statement) -> Refusal | None:
    """No SELECT ... INTO, and no variable is set on the way."""
    for node in statement.nodes:
        if isinstance(node, exp.Into) or (isinstance(node, exp.Select) and node.args.get("into")):
            return statement.refused(
                "into", "SELECT ... INTO writes. Leave the INTO away: the result arrives as a table.", "INTO"
            )
        if isinstance(node, exp.PropertyEQ) and isinstance(node.this, exp.Parameter | exp.SessionParameter):
            return statement.refused(
                "into", "Setting a variable with := is not a read. Use WITH, or a window function.", ":="
            )
    return None


def locks_nothing(statement: Statement) -> Refusal | None:
    """No FOR UPDATE, FOR SHARE, LOCK IN SHARE MODE."""
    if any(isinstance(node, exp.Lock) for node in statement.nodes):
        return statement.refused(
            "lock",
            "A locking clause keeps others waiting. Leave FOR UPDATE / FOR SHARE away.",
            "FOR",
            "LOCK",
            "FOR UPDATE",
            "FOR SHARE",
        )
    return None


def changes_no_limits(statement: Statement) -> Refusal | None:
    """No optimizer hints in MySQL and no SETTINGS in ClickHouse: they set the time limit, too."""
    if any(isinstance(node, exp.Query) and node.args.get("settings") for node in statement.nodes):
        message = "SETTINGS change the engine's limits. Leave the clause away."
        return statement.refused("settings", message, "SETTINGS")
    if statement.dialect in MYSQL_FAMILY and any(isinstance(node, exp.Hint) for node in statement.nodes):
        return statement.refused("hint", "Hints can change the engine's limits. Leave /*+ ... */ away.", "/*+")
    return None


def calls_only_known(statement: Statement) -> Refusal | None:
    """Only functions of the engine's own that compute and read no table, and those that a person allowed by name.

    What stands before a bracket counts as it is written: the engine sees that, whatever a parser makes of it.
    """
    if isinstance(statement.tree, exp.Pragma):
        return None  # `reads_only` has looked at its name
    for node in statement.nodes:
        if isinstance(node, exp.NextValueFor | exp.ReadCSV | exp.ReadParquet | exp.ToFile):
            return _function(statement, type(node).sql_names()[0].lower(), None)
    tokens = statement.read_tokens
    calls = {
        (node.meta["start"], node.meta["end"])
        for node in statement.nodes
        if isinstance(node, exp.Func) and "start" in node.meta
    }
    aliases = {
        (alias.this.meta.get("start"), alias.this.meta.get("end"))
        for alias in statement.nodes
        if isinstance(alias, exp.TableAlias) and isinstance(alias.this, exp.Identifier) and alias.args.get("columns")
    }
    for place, (token, following) in enumerate(pairwise(tokens)):
        if following.token_type != TokenType.L_PAREN or (token.start, token.end) in aliases:
            continue
        if not _is_word(token) or _is_sampling(tokens, place):
            continue
        is_bare = token.token_type != TokenType.IDENTIFIER
        is_call = (token.start, token.end) in calls
        if is_bare and token.text.upper() == "OPERATOR" and _is_own_operator(tokens, place, statement.dialect):
            continue
        if (
            is_bare
            and not is_call
            and token.text.lower().split()[-1] in load_grammar_words()
            and tokens[place - 1].text != "."
        ):
            continue
        if not _may_call(statement, tokens, place):
            return _function(statement, ".".join((*_schema(tokens, place), token.text)).lower(), token)
    return None


_METHODS = frozenset({"duckdb"})
"""Engines where `value.function()` is the function of the value."""


def _may_call(statement: Statement, tokens: Sequence[Token], place: int) -> bool:
    """Whether the function that is called at a token may be: the engine's own, or one that a person allowed."""
    engine, token = statement.dialect, tokens[place]
    is_exact = token.token_type == TokenType.IDENTIFIER and engine in EXACT
    name = token.text if is_exact else token.text.lower()
    schema = ".".join(_schema(tokens, place)).lower()
    if name.lower() in statement.functions and not schema:
        return True
    if tokens[place - 1].text != "." or place == 0:
        return is_function_allowed(name, engine)
    if schema and f"{schema}.{name.lower()}" in statement.functions:
        return True
    is_pseudo_schema = engine in PSEUDO_SCHEMAS.get(schema, ()) or engine in _METHODS or schema == "safe"
    return is_function_allowed(name if is_pseudo_schema else f"{schema}.{name}", engine)


def _is_own_operator(tokens: Sequence[Token], place: int, engine: str) -> bool:
    """Whether this is `OPERATOR(pg_catalog.+)`: with any other schema, somebody may have made it."""
    schema, dot = tokens[place + 2 : place + 4] if place + 3 < len(tokens) else (None, None)
    return schema is not None and dot is not None and dot.text == "." and engine in PSEUDO_SCHEMAS.get(schema.text, ())


def _schema(tokens: Sequence[Token], place: int) -> tuple[str, ...]:
    """The names that stand before a token with dots between."""
    names: list[str] = []
    while place >= 2 and tokens[place - 1].text == "." and _is_word(tokens[place - 2]):
        place -= 2
        names.insert(0, tokens[place].text)
    return tuple(names)


def _is_word(token: Token) -> bool:
    """A name or a keyword; no text, number or sign."""
    if token.token_type == TokenType.IDENTIFIER:
        return True
    return token.token_type not in (TokenType.STRING, TokenType.NUMBER) and bool(re.match(r"[^\W\d]", token.text))


def _is_sampling(tokens: Sequence[Token], place: int) -> bool:
    if place == 0 or tokens[place - 1].token_type != TokenType.TABLE_SAMPLE:
        return False
    return tokens[place].text.upper() in _SAMPLING


_SAMPLING = ("SYSTEM", "BERNOULLI", "RESERVOIR")


def _function(statement: Statement, name: str, token: Token | None) -> Refusal:
    message = (
        f"The function {name}() is not allowed: it is not one of the database's own that only compute. "
        "Select from tables and compute with the usual functions; a person can allow a function by its name "
        "in the setting `functions`."
    )
    if token is not None and statement.sql[token.start : token.end + 1].strip('"`[]') == token.text:
        return refusal(statement.sql, "function", message, (token.start, token.end + 1))
    return statement.refused("function", message, name.rpartition(".")[2].upper())


def reads_tables_only(statement: Statement) -> Refusal | None:
    """After FROM stand tables, and functions that `calls_only_known` has passed; never files."""
    for node in statement.nodes:
        if isinstance(node, exp.Summarize | exp.Describe) and isinstance(node.this, exp.Literal):
            return _file(statement, node.this.name)
    for table in statement.tables():
        source, name = table.this, table.name.lower()
        if statement.dialect == "sqlite" and name.startswith("pragma_") and not is_function_allowed(name, "sqlite"):
            return _function(statement, table.name, None)
        if statement.dialect == "duckdb" and (isinstance(source, exp.Literal) or _names_a_file(table)):
            return _file(statement, table.name)
        if statement.dialect == "snowflake" and source is not None and source.sql().startswith("@"):
            return _file(statement, source.sql())
    return None


def _file(statement: Statement, name: str) -> Refusal:
    message = f"{name!r} names a file. Select from the table that was loaded from it; see SHOW TABLES."
    return statement.refused("file", message, name.upper())


_FILE_NAME = re.compile(
    r".*(://|/|\\|\*).*|.*\.(csv|tsv|txt|json|jsonl|ndjson|geojson|parquet|pq|arrow|feather|avro|shp|xlsx?|gz|zst|db|duckdb"
    r"|sqlite3?)[\s?]*",
    re.IGNORECASE | re.DOTALL,
)


def _names_a_file(table: exp.Table) -> bool:
    qualified_name = ".".join(part.name for part in table.parts)
    return bool(_FILE_NAME.fullmatch(qualified_name)) or bool(_FILE_NAME.fullmatch(table.name))


def reads_no_system_tables(statement: Statement) -> Refusal | None:
    """No accounts, settings, sessions or credentials of the server, whatever the login may read."""
    with limit_work():  # each table is looked for in the WITH clauses around it
        for table in statement.tables():
            if name := find_denied_table(table, statement.dialect):
                message = (
                    f"{name!r} tells of the server and its accounts, not of the data, and is read by nobody here. "
                    "Select from your own tables; SHOW TABLES and information_schema.tables name them."
                )
                return statement.refused("system table", message, table.name.upper())
    return None


Rule = Callable[[Statement], "Refusal | None"]

RULES: tuple[Rule, ...] = (
    reads_only,
    every_part_reads,
    puts_nothing_away,
    locks_nothing,
    changes_no_limits,
    calls_only_known,
    reads_tables_only,
    reads_no_system_tables,
)
