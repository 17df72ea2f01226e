"""SQL dumps as tables, all values as text. Nothing is run: only CREATE TABLE, INSERT and COPY are read.

Dumps of MySQL, MariaDB, PostgreSQL, SQLite and SQL Server. The notebook contains this code, so nothing of Tandem is
imported.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

_CHUNK_ROWS = 50_000
_TABLES_MAX = 5_000
_SAMPLE_CHARS = 200_000
_NAME = r'(?:`(?:[^`]|``)+`|"(?:[^"]|"")+"|\[[^\]]+\]|[\w$]+)'
_PATH = rf"{_NAME}(?:\s*\.\s*{_NAME})*"
_LIST = rf"\s*{_NAME}\s*(?:,\s*{_NAME}\s*)*"
_BLANK = re.compile(r"(?:\s+|--[^\n]*|\#[^\n]*|/\*.*?\*/|;|^\\(?!\.)[^\n]*)+", re.DOTALL | re.MULTILINE)
_CREATE = re.compile(rf"CREATE\s+(?:TEMPORARY\s+|UNLOGGED\s+)?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?({_PATH})\s*\(", re.I)
_INSERT = re.compile(
    rf"(?:INSERT|REPLACE)\s+(?:IGNORE\s+|OR\s+\w+\s+)?(?:INTO\s+)?({_PATH})\s*"
    rf"(?:\(({_LIST})\)\s*)?(?:OVERRIDING\s+\w+\s+VALUE\s+)?VALUES\s*",
    re.I,
)
_COPY = re.compile(rf"COPY\s+({_PATH})\s*(?:\(({_LIST})\))?\s+FROM\s+stdin[^;]*;[^\n]*\n", re.I)
_KEY = re.compile(
    rf"ALTER\s+TABLE\s+(?:ONLY\s+)?({_PATH})\s+ADD\s+(?:CONSTRAINT\s+{_NAME}\s+)?PRIMARY\s+KEY\s*\(([^)]+)\)", re.I
)
_COMMENT = re.compile(rf"COMMENT\s+ON\s+(TABLE|COLUMN)\s+({_PATH})\s+IS\s+'((?:[^']|'')*)'", re.I)
_SPACE = re.compile(r"(?:\s+|--[^\n]*|/\*.*?\*/)+", re.DOTALL)
_AFTER_ROWS = re.compile(r"(?:ON|AS|RETURNING)\b", re.I)
_GO = re.compile(r"GO\s*(?:\n|$)", re.I)
_NEXT_IN_TSQL = re.compile(r"(?:GO|INSERT|CREATE|ALTER|SET|USE|EXEC|DECLARE|PRINT)\b", re.I)
_WORD = re.compile(r"[A-Za-z]+(?:\s+(?:OR\s+REPLACE\s+)?[A-Za-z]+)?")
_CHANGES = ("UPDATE", "DELETE", "MERGE", "TRUNCATE")
_LOST = ("CREATE VIEW", "CREATE MATERIALIZED", "CREATE FUNCTION", "CREATE PROCEDURE", "CREATE TRIGGER")
_NUMBERS = re.compile(
    r"(U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?|DECIMAL\(\d+, ?\d+\)|DECIMAL|DOUBLE|REAL|FLOAT)(?:\(\d+(?:, ?\d+)?\))?$"
)
_TIMES = re.compile(r"(DATETIME2?|DATE|TIMESTAMPTZ|TIMESTAMP|TIME|BOOLEAN)(?:\(\d\))?$")
_CASTS = ("CAST", "CONVERT", "DATE", "TIMESTAMP", "TIME")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "b": "\b", "f": "\f", "v": "\v", "Z": "\x1a"}
_BACKSLASHED = re.compile(r"\\(.)", re.DOTALL)


@dataclass(slots=True)
class _Table:
    """A table as its dump describes it: types are DuckDB's; empty where no CREATE TABLE was read."""

    names: list[str]
    types: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    key: list[str] = field(default_factory=list)
    label: str = ""
    chunks: list[Any] = field(default_factory=list)
    rows: list[list[str | None]] = field(default_factory=list)
    expressions: int = 0

    def add(self, values: list[str | None], places: list[int]) -> None:
        """Add a row, of which these columns have values."""
        row = values
        if len(places) < len(self.names) or places != self.order:
            row = list[str | None]([None] * len(self.names))
            for place, value in zip(places, values, strict=True):
                row[place] = value
        self.rows.append(row)
        if len(self.rows) >= _CHUNK_ROWS:
            self.flush()

    @property
    def order(self) -> list[int]:
        """The places of all columns."""
        return list(range(len(self.names)))

    def flush(self) -> None:
        """Pack the rows so far."""
        if self.rows or not self.chunks:
            columns = zip(*self.rows, strict=True) if self.rows else ([] for _ in self.names)
            self.chunks.append([pa.array(column, pa.string()) for column in columns])
        self.rows = []

    def table(self, unread: str) -> Any:
        """Its rows; metadata of a field: `type`, `label`; of the table: `key`, `label`, `expressions`, `unread`."""
        self.flush()
        fields = [
            pa.field(name, pa.string(), metadata={"type": kind, "label": label})
            for name, kind, label in zip(
                self.names,
                self.types or [""] * len(self.names),
                self.labels or [""] * len(self.names),
                strict=True,
            )
        ]
        metadata = {
            "key": "\n".join(self.key),
            "label": self.label,
            "expressions": str(self.expressions or ""),
            "unread": unread,
        }
        schema = pa.schema(fields, metadata=metadata)
        return pa.Table.from_batches([pa.record_batch(chunk, schema=schema) for chunk in self.chunks], schema)


def read_tables(file: str) -> list[tuple[str, Any]]:
    """The tables of a dump, by their names.

    Raises:
        ValueError: It holds none, or is no dump in SQL.
    """
    return _Dump(_text(file)).tables()


def _text(file: str) -> str:
    with open(file, "rb") as opened:
        content = opened.read()
    if content.startswith(b"PGDMP"):
        raise ValueError(
            "is a PostgreSQL archive, no SQL. Write it as SQL with `pg_restore -f dump.sql FILE`, and give that"
        )
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", "replace")
    if b"\0" in content[:4096]:
        raise ValueError("is no SQL: it holds zero bytes. Write the dump as SQL text")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


class _Dump:
    """The statements of a dump, read one after the other."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0
        self._tables: dict[str, _Table] = {}
        self._unread: Counter[str] = Counter()
        self._dialect = _dialect(text[:_SAMPLE_CHARS])
        # Backslashes escape in MySQL, and elsewhere in E'...' alone.
        plain = r"'(?:[^'\\]|''|\\.)*'" if self._dialect == "mysql" else r"[eE]'(?:[^'\\]|''|\\.)*'|'(?:[^']|'')*'"
        self._token = re.compile(
            rf"(?P<text>(?:_\w+\s+|[nNxXbB])?(?:{plain}))|(?P<name>`(?:[^`]|``)*`|\"(?:[^\"]|\"\")*\"|\[[^\]]*\])"
            r"|(?P<dollar>\$(?P<tag>\w*)\$.*?\$(?P=tag)\$)|(?P<word>[-+]?[\w.]+)|(?P<mark>[(),;])"
            r"|(?P<blank>\s+|--[^\n]*|/\*.*?\*/)|(?P<rest>.)",
            re.DOTALL,
        )

        value = rf"(?:{plain}|[-+]?[\d.]+(?:[eE][-+]?\d+)?(?![\w.])|(?i:null|true|false)(?!\w))"
        self._plain_value = re.compile(value, re.DOTALL)
        self._plain_row = re.compile(rf"\s*\(\s*({value}(?:\s*,\s*{value})*+)\s*\)\s*([,;])", re.DOTALL)

    def tables(self) -> list[tuple[str, Any]]:
        """The tables."""
        while self._place < len(self._text):
            blank = _BLANK.match(self._text, self._place) or _GO.match(self._text, self._place)
            if blank:
                self._place = blank.end()
                continue
            self._read_statement()
        if not self._tables:
            raise ValueError("holds no CREATE TABLE, INSERT or COPY. Give a dump with the data")
        unread = "\n".join(f"{count} {words}" for words, count in self._unread.most_common(6))
        same = Counter(path.rpartition(".")[2] for path in self._tables)
        return [
            (name if same[name := path.rpartition(".")[2]] == 1 else path.replace(".", "_"), table.table(unread))
            for path, table in self._tables.items()
        ]

    def _read_statement(self) -> None:
        text, start = self._text, self._place
        if match := _CREATE.match(text, start):
            self._place = self._end(start)
            self._create(_path(match[1]), text[start : self._place])
        elif match := _INSERT.match(text, start):
            self._place = match.end()
            self._insert(_path(match[1]), _names(match[2] or ""))
        elif match := _COPY.match(text, start):
            self._place = match.end()
            self._copy(_path(match[1]), _names(match[2] or ""))
        else:
            self._place = self._end(start)
            self._describe(start)

    def _describe(self, start: int) -> None:
        """A statement that says more of a table, or is left out."""
        if match := _KEY.match(self._text, start):
            if table := self._tables.get(_path(match[1])):
                table.key = _names(match[2])
        elif match := _COMMENT.match(self._text, start):
            path, words = _path(match[2]), match[3].replace("''", "'")
            if match[1].upper() == "TABLE" and path in self._tables:
                self._tables[path].label = words
            elif (table := self._tables.get(path.rpartition(".")[0])) and path.rpartition(".")[2] in table.names:
                table.labels[table.names.index(path.rpartition(".")[2])] = words
        elif match := _WORD.match(self._text, start):
            words = " ".join(match[0].upper().replace("OR REPLACE", "").split())
            if words.split()[0] in _CHANGES or words in _LOST or words.startswith("INSERT"):
                self._unread[words.split()[0] if words.split()[0] in _CHANGES else words] += 1

    def _end(self, start: int) -> int:
        """The place after the semicolon of a statement."""
        for token in self._token.finditer(self._text, start):
            if token.lastgroup == "mark" and token[0] == ";":
                return token.end()
            is_line_end = self._dialect == "tsql" and token.lastgroup == "blank" and "\n" in token[0]
            if is_line_end and _NEXT_IN_TSQL.match(self._text, token.end()):
                return token.end()
        return len(self._text)

    def _create(self, path: str, statement: str) -> None:
        try:
            tree = sqlglot.parse_one(statement.rstrip("; \n"), dialect=self._dialect)
        except (SqlglotError, RecursionError):
            return  # its rows still come, with the names that they say
        schema = tree.this if isinstance(tree, exp.Create) else None
        if not isinstance(schema, exp.Schema):
            return
        table = _Table(names=[])
        for part in schema.expressions:
            if isinstance(part, exp.ColumnDef):
                table.names.append(part.name)
                table.types.append(_type(part, self._dialect))
                table.labels.append(_label(part))
                if part.find(exp.PrimaryKeyColumnConstraint):
                    table.key.append(part.name)
            elif key := part.find(exp.PrimaryKey):
                table.key = [column.name for column in key.expressions]
        comment = tree.find(exp.SchemaCommentProperty)
        table.label = comment.this.name if comment is not None else ""
        if table.names and path not in self._tables:
            self._tables[path] = table
        if len(self._tables) > _TABLES_MAX:
            raise ValueError(f"holds more than {_TABLES_MAX:,} tables. Load it into a database, and give that")

    def _table_of(self, path: str, names: list[str], width: int) -> tuple[_Table, list[int]]:
        table = self._tables.get(path)
        if table is None:
            table = _Table(names=names or [f"column_{place}" for place in range(1, width + 1)])
            self._tables[path] = table
        known = {name.casefold(): place for place, name in enumerate(table.names)}
        places = [known.get(name.casefold(), -1) for name in names] if names else list(range(len(table.names)))
        if -1 in places or len(places) != width:
            raise ValueError(f"has a row of {path!r} with other columns than the table. Check that the file is whole")
        return table, places

    def _insert(self, path: str, names: list[str]) -> None:
        table: _Table | None = None
        places: list[int] = []
        for values, expressions in self._rows():
            if table is None or len(places) != len(values):
                table, places = self._table_of(path, names, len(values))
            table.add(values, places)
            table.expressions += expressions

    def _rows(self) -> Iterator[tuple[list[str | None], int]]:
        """The rows after VALUES, each with how many of its values are expressions; the place is then behind them."""
        is_mysql = self._dialect == "mysql"
        while True:
            if plain := self._plain_row.match(self._text, self._place):
                self._place = plain.end()
                yield [_plain(word, is_mysql=is_mysql) for word in self._plain_value.findall(plain[1])], 0
                if plain[2] == ";":
                    return
            elif self._next("("):
                values = [_value(cell, is_mysql=is_mysql) for cell in self._row()]
                yield [value for value, _ in values], sum(is_expression for _, is_expression in values)
                if not self._next(","):
                    break
                self._place += 1
            else:
                break
        if self._next(";") or _AFTER_ROWS.match(self._text, self._place):
            self._place = self._end(self._place)

    def _next(self, mark: str) -> bool:
        """Whether this character comes next, behind blanks and comments, which are skipped."""
        if blank := _SPACE.match(self._text, self._place):
            self._place = blank.end()
        return self._text.startswith(mark, self._place)

    def _row(self) -> list[list[tuple[str, str]]]:
        """The tokens of each value of the row that begins here."""
        depth, cells = 0, [list[tuple[str, str]]()]
        for token in self._token.finditer(self._text, self._place):
            kind, words = token.lastgroup or "", token[0]
            if kind == "blank":
                continue
            if kind == "mark" and words in "()":
                depth += 1 if words == "(" else -1
                if depth == 0:
                    self._place = token.end()
                    return cells
                if depth == 1 and words == "(":
                    continue
            if depth == 1 and kind == "mark" and words == ",":
                cells.append([])
            else:
                cells[-1].append(("dollar" if kind == "tag" else kind, words))
        raise ValueError("ends within a row. Check that the file is whole")

    def _copy(self, path: str, names: list[str]) -> None:
        table: _Table | None = None
        places: list[int] = []
        while self._place < len(self._text):
            end = self._text.find("\n", self._place)
            end = len(self._text) if end < 0 else end
            line = self._text[self._place : end].rstrip("\r")
            self._place = end + 1
            if line == "\\.":
                return
            values = [None if cell == "\\N" else _unescaped(cell) for cell in line.split("\t")]
            if table is None or len(places) != len(values):
                table, places = self._table_of(path, names, len(values))
            table.add(values, places)
        raise ValueError("ends within the rows of a COPY. Check that the file is whole")


def _value(cell: list[tuple[str, str]], *, is_mysql: bool) -> tuple[str | None, bool]:
    """A value as text, and whether it is an expression, which is not computed."""
    texts = [words for kind, words in cell if kind in ("text", "dollar")]
    if len(cell) == 1 and cell[0][0] == "word":
        words = cell[0][1]
        is_literal = bool(re.fullmatch(r"[-+]?[\d.]+(?:[eE][-+]?\d+)?|0[xX][\da-fA-F]+|true|false|null", words, re.I))
        return (None if words.upper() == "NULL" else words, False) if is_literal else (None, True)
    is_cast = bool(cell) and (cell[0][0] == "text" or cell[0][1].upper() in _CASTS)
    if len(texts) == 1 and (len(cell) == 1 or is_cast):
        return _literal(texts[0], is_mysql=is_mysql), False
    return None, True


def _plain(word: str, *, is_mysql: bool) -> str | None:
    """A number, a text or a word that stands for itself."""
    if word.endswith("'"):
        return _literal(word, is_mysql=is_mysql)
    return None if word.upper() == "NULL" else word


def _literal(token: str, *, is_mysql: bool) -> str:
    if token.startswith("$"):
        mark = token[: token.index("$", 1) + 1]
        return token[len(mark) : -len(mark)]
    prefix, _, rest = token.partition("'")
    inner = rest[:-1].replace("''", "'")
    if prefix[:1] in ("x", "X", "b", "B"):
        return f"0{prefix[0].lower()}{inner}"
    return _unescaped(inner) if is_mysql or prefix[:1] in ("e", "E") else inner


def _unescaped(text: str) -> str:
    return _BACKSLASHED.sub(lambda match: _ESCAPES.get(match[1], match[1]), text) if "\\" in text else text


def _dialect(sample: str) -> str:
    if re.search(r"PostgreSQL database dump|\bFROM stdin|pg_catalog|::regclass", sample):
        return "postgres"
    if re.search(r"MySQL dump|MariaDB dump|phpMyAdmin|ENGINE\s*=|AUTO_INCREMENT\b|^LOCK TABLES|`", sample, re.M):
        return "mysql"
    if re.search(r"\[dbo\]|^GO\s*$|SET IDENTITY_INSERT|\bnvarchar\b", sample, re.M):
        return "tsql"
    return "sqlite"


def _type(column: exp.ColumnDef, dialect: str) -> str:
    """The type of a column in DuckDB's words; empty where its values decide."""
    kind = column.args.get("kind")
    if not isinstance(kind, exp.DataType):
        return ""
    words = kind.sql(dialect="duckdb").upper()
    if "SERIAL" in words:
        return "BIGINT"
    if dialect == "sqlite" and not words.startswith(("TEXT", "VARCHAR", "CHAR")):
        return ""  # there it binds nothing
    if known := _NUMBERS.match(words) or _TIMES.match(words):
        return "TIMESTAMP" if known[1].startswith("DATETIME") else known[1]
    return "" if words.startswith(("MONEY", "USERDEFINED", "YEAR")) else "VARCHAR"


def _label(column: exp.ColumnDef) -> str:
    comment = column.find(exp.CommentColumnConstraint)
    return str(comment.this.name) if comment is not None else ""


def _names(listed: str) -> list[str]:
    return [_path(name) for name in re.findall(_NAME, listed)]


def _path(words: str) -> str:
    """A name without its quotes: its parts, joined by a point."""
    return ".".join(part.strip('`"[]').replace("``", "`").replace('""', '"') for part in re.findall(_NAME, words))
