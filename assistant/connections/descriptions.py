"""Values for the data page about a source. The page imports this module and no other of this package."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from assistant.core.doubts import Doubt

Origin = Literal["sample", "settings", "kept", "together"]
PasswordPlace = Literal["none", "keyring", "environment"]

ROLES: dict[str, str] = {
    "key": "identifies a row, or refers to one",
    "identifier": "a code or number that stands for something; never computed with",
    "name": "what things are called",
    "category": "one of a few words",
    "flag": "yes or no",
    "text": "prose",
    "date": "a day or an instant",
    "part": "a part of a date, such as a year",
    "measure": "adds up, over rows and over time",
    "stock": "a level at a time: adds up over things, not over time",
    "rate": "a ratio, a price or a score: averaged, never added up",
    "duration": "a length of time",
    "other": "nothing that can be computed with",
}
"""The roles a column can have, each with what it means for what is computed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnShown:
    """A column with its profile; `guessed` is the role found without the person's correction.

    Attributes:
        name: Its name.
        type: The engine's word for its type.
        kind: What its values are: integer, number, text, date, ...
        role: What it is for: one of `ROLES`.
        guessed: The role that was found in its name and values.
        masked: Whether its values never leave the source.
        key: "primary", "foreign" or "".
        nulls: Rows without a value.
        distinct: Distinct values.
        low: Least value.
        high: Greatest value.
        top: The most frequent values with their counts.
        sampled: Whether only the first rows were looked at.
    """

    name: str
    type: str
    kind: str
    role: str
    guessed: str
    masked: bool = False
    key: str = ""
    nulls: int = 0
    distinct: int = 0
    low: object = None
    high: object = None
    top: tuple[tuple[object, int], ...] = ()
    sampled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkShown:
    """Columns of a table that refer to another; `inferred` from names and values, not declared.

    `doubt` says why the rows do not keep a declared key, which then joins nothing. `filled` rows have a value, of which
    `matched` refer to a row; None where not all rows were looked at.
    """

    columns: tuple[str, ...]
    table: str
    target_columns: tuple[str, ...]
    inferred: bool
    doubt: str = ""
    filled: int | None = None
    matched: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableShown:
    """A table of a source. `rows` is None where counting took too long."""

    name: str
    columns: tuple[ColumnShown, ...]
    rows: int | None
    links: tuple[LinkShown, ...] = ()
    is_view: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceShown:
    """A source that new conversations start with.

    Attributes:
        name: As in `query(sql, source=name)`.
        display: Its address without a password.
        dialect: sqlglot's word for its SQL; empty where it cannot be opened.
        origin: Who named it: the sample company, the settings, or a person on the page, who also put sources together.
        is_file: Whether it is read from files, so that how they are read can be changed.
        period: The first and the last day of its events, as ISO text; empty if none is known.
        changed: When its files last changed, as ISO text; empty for servers.
        notes: What else was guessed while reading it, and what looks odd.
        doubts: What was chosen where another reading is plausible, the heaviest first.
        problem: Why it cannot be opened; empty where it can.
    """

    name: str
    display: str
    origin: Origin
    dialect: str = ""
    is_file: bool = False
    tables: tuple[TableShown, ...] = ()
    period: tuple[str, str] | None = None
    changed: str = ""
    notes: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    problem: str = ""

    @property
    def rows(self) -> int:
        """Rows in all its tables, views left out."""
        return sum(table.rows or 0 for table in self.tables if not table.is_view)


@dataclass(frozen=True, slots=True, kw_only=True)
class Starter:
    """A question to begin with: total, trend, ranking, share, comparison or quality (of the data)."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The first rows of a table."""

    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...] = field(repr=False)
    total: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReading:
    """How a file is read. `choices` is what the person said, `guesses` what was guessed; both by the names of the form.

    `sheets` are all sheets of a workbook; `first_lines` the beginning of a text file, to see what it looks like.
    """

    file: str
    format: str
    choices: dict[str, object] = field(default_factory=dict[str, object])
    guesses: dict[str, object] = field(default_factory=dict[str, object])
    sheets: tuple[str, ...] = ()
    first_lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """A database as the form names it. `password_place` says where the password is kept; it is never kept in a file.

    Attributes:
        kind: The scheme, such as `postgresql`.
        host: The server's name.
        port: Its port; None for the usual one.
        database: The database on it.
        user: The login.
        password: The password, as typed; empty where it stands in the environment.
        password_place: Where it is kept.
        variable: The environment variable that holds it.
        name: What the source is to be called; made of the database's name if empty.
    """

    kind: str
    host: str
    database: str
    port: int | None = None
    user: str = ""
    password: str = field(default="", repr=False)
    password_place: PasswordPlace = "none"
    variable: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """The outcome of a connection test, as a message."""

    ok: bool
    text: str
    advice: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyShown:
    """A column that may refer to a key of another source, as `table.column = table.column`.

    Of its `filled` values that are not empty, `matching` occur among those of the key.
    """

    key: str
    filled: int
    matching: int
