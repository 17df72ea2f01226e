"""What a person said of the roles of columns: `roles.json` in the home folder, over what is guessed of them."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from assistant.core.catalog import Catalog, Table
from assistant.errors import ConfigError

FILE = "roles.json"
Roles = Mapping[str, str]
"""Roles by column, as `source.table.column`."""


def corrected(catalog: Catalog, roles: Roles) -> Catalog:
    """The catalog with the person's roles in their columns. Pure."""
    if not roles:
        return catalog
    return replace(catalog, tables=tuple(_correct_table(table, catalog.source, roles) for table in catalog.tables))


def _correct_table(table: Table, source: str, roles: Roles) -> Table:
    places = [".".join((source, *table.place)), f"{source}.{table.name}"]
    if table.at:  # of several sources asked together: what was said where it is holds here as well
        places.append(f"{table.at[0]}.{table.at[2]}")
    new_roles = {
        column.name: next((role for place in places if (role := roles.get(f"{place}.{column.name}"))), "")
        for column in table.columns
    }
    if not any(new_roles.values()):
        return table
    return replace(
        table,
        columns=tuple(replace(column, role=new_roles[column.name]) for column in table.columns),
        foreign_keys=tuple(
            replace(key, doubt="") if all(new_roles.get(name) == "key" for name in key.columns) else key
            for key in table.foreign_keys
            if not (
                key.inferred and key.strays and any(new_roles.get(name, "") not in ("", "key") for name in key.columns)
            )
        ),
    )


class RoleStore:
    """The corrections of a home folder. Reading `roles` is safe from any thread."""

    def __init__(self, home: Path) -> None:
        self._path = home / FILE
        self._roles: dict[str, str] | None = None
        self._mutex = threading.Lock()

    def roles(self) -> Roles:
        """The corrections, read once.

        Raises:
            ConfigError: The file cannot be understood.
        """
        with self._mutex:
            if self._roles is None:
                self._roles = self._read()
            return dict(self._roles)

    def correct(self, column: str, role: str) -> None:
        """Keep a role for a column, as `source.table.column`; an empty one takes the correction back. Blocks.

        Raises:
            ConfigError: The file cannot be read or written. Nothing changed.
        """
        new_roles = {name: old_role for name, old_role in self.roles().items() if name != column}
        if role:
            new_roles[column] = role
        draft = self._path.with_suffix(".new")
        try:
            draft.write_text(json.dumps(new_roles, ensure_ascii=False, indent=1, sort_keys=True), encoding="utf-8")
            draft.replace(self._path)
        except OSError as error:
            raise ConfigError(f"{self._path} cannot be written ({error.strerror}). Nothing was changed.") from error
        with self._mutex:
            self._roles = new_roles

    def _read(self) -> dict[str, str]:
        try:
            content = json.loads(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise ConfigError(f"{self._path} cannot be read ({type(error).__name__}). Fix or move the file.") from error
        if not isinstance(content, dict):
            raise ConfigError(f"{self._path} must hold columns with their roles. Fix or move the file.")
        return {str(name): str(role) for name, role in content.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]  # it came from JSON
