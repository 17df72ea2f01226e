"""SQL functions that a query may call, for each engine: its own, if they compute and read no table. Names only.

`function_lists` holds them, a file for each engine, written by `script/functions` from the engines' own catalogs. What
is not listed is refused: user-defined functions, and those that read files, tables or settings by name, wait, lock, use
the network or run SQL text. `rules` applies the lists. Only the database knows whether somebody gave a function of
their own a listed name, so the adapters look there (`routines`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).with_name("function_lists")
PSEUDO_SCHEMAS = {"pg_catalog": ("postgres", "redshift", "materialize", "risingwave")}
"""Schemas in which nobody but the engine has functions, with the engines that know them by that name."""

_LISTS: dict[str, tuple[str, ...]] = {
    "postgres": ("postgres",),
    "redshift": ("postgres", "standard"),
    "materialize": ("postgres", "standard"),
    "risingwave": ("postgres", "standard"),
    "mysql": ("mysql",),
    "singlestore": ("mysql", "standard"),
    "doris": ("mysql", "standard"),
    "starrocks": ("mysql", "standard"),
    "duckdb": ("duckdb",),
    "sqlite": ("sqlite",),
    "clickhouse": ("clickhouse",),
}
"""The lists of an engine; of one that is not here, what is known of all engines and of its dialect."""
_COMBINATOR = re.compile(
    r"(?:if|array|map|simplestate|state|merge|mergestate|foreach|distinct|ordefault|ornull|resample|argmin|argmax)$"
)
"""ClickHouse: what the name of an aggregate may end in, again and again (`sumIfOrNull`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Functions:
    """The functions of one engine, in lower case.

    Attributes:
        names: Functions, and the words of the grammar that look like one (`cast`).
        families: How the names of whole families begin.
    """

    names: frozenset[str]
    families: tuple[str, ...] = ()

    def has(self, name: str) -> bool:
        """Whether a function of this name, in lower case, may be called."""
        return name in self.names or (bool(self.families) and name.startswith(self.families))


@dataclass(frozen=True, slots=True, kw_only=True)
class AllowedFunctions:
    """Functions that a person allowed to be called, in lower case, as the settings name them.

    Attributes:
        names: All of them; with their schema where they are called with it.
        tableless: Those that read no table, as the person says: they are called where columns are masked, too.
    """

    names: frozenset[str] = frozenset()
    tableless: frozenset[str] = frozenset()

    @classmethod
    def of(cls, names: Iterable[str], tableless: Iterable[str]) -> AllowedFunctions:
        """From the settings `functions` and `functions_without_tables`; what reads no table need not stand in both."""
        apart = frozenset(name.lower().strip().removesuffix("()") for name in tableless)
        return cls(names=apart | {name.lower().strip().removesuffix("()") for name in names}, tableless=apart)


NO_FUNCTIONS = AllowedFunctions()
"""Nothing beside the engine's own."""


@cache
def load_sections(name: str) -> dict[str, tuple[str, ...]]:
    """The words of one file of `function_lists` by its sections; a line that begins with # is a comment."""
    lists: dict[str, list[str]] = {}
    section: list[str] = []
    for line in (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = lists.setdefault(line.strip("[]"), [])
        elif not line.startswith("#"):
            section += line.split()
    return {title: tuple(words) for title, words in lists.items()}


@cache
def load_functions(engine: str) -> Functions:
    """What may be called on an engine.

    Args:
        engine: sqlglot's name of its dialect; "" for SQL of no dialect.
    """
    names: set[str] = set()
    for file in _LISTS.get(engine, ("standard",)):
        parts = load_sections(file)
        for title in ("syntax", "added", "functions", "added rows", "rows", engine):
            names.update(parts.get(title, ()))
    families = frozenset(name for name in names if name.endswith("*"))
    return Functions(
        names=frozenset(names - families), families=tuple(sorted(family.removesuffix("*") for family in families))
    )


def is_function_allowed(name: str, engine: str) -> bool:
    """Whether a query may call the engine's own function of this name, in lower case."""
    allowed = load_functions(engine)
    if allowed.has(name):
        return True
    while engine == "clickhouse" and (shorter := _COMBINATOR.sub("", name)) != name:
        if allowed.has(shorter):
            return True
        name = shorter
    return False


@cache
def load_grammar_words() -> frozenset[str]:
    """Words that may stand before a bracket without calling anything."""
    return frozenset(load_sections("grammar")["grammar"])
