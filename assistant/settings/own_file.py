"""Edits one setting in the person's `tandem.toml`; comments, order and all other settings stay unchanged."""

from __future__ import annotations

import contextlib
import os
import tomllib
from collections.abc import Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

from assistant.errors import ConfigError

Value = str | int | float | tuple[str, ...] | Mapping[str, Any] | None
"""What is written; None takes the line out. A table is joined with the one that is there."""


def with_value(text: str, place: Sequence[str], value: Value, *, table: Mapping[str, Any] | None = None) -> str:
    """The text of a TOML file with one value changed. Pure.

    What comes out is read again: it says what is wanted at that place, and elsewhere the same as before.

    Args:
        text: The file's text, valid TOML.
        place: The value's keys, from the outermost table on.
        value: What it becomes.
        table: What the value's table holds by default; written where the file has no such table.

    Raises:
        ConfigError: The file cannot be changed without changing more than that.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    expected = tomllib.loads(text)
    try:
        document = tomlkit.parse(text)
        for root in (expected, document):
            _put(root, place, value, table or {})
        written_text = tomlkit.dumps(document)
        reread = tomllib.loads(written_text)
    except (TOMLKitError, tomllib.TOMLDecodeError, TypeError, ValueError, AttributeError) as error:
        raise _unchanged(place) from error
    if reread != expected:
        raise _unchanged(place)
    return written_text


def _put(root: Any, place: Sequence[str], value: Value, table: Mapping[str, Any]) -> None:
    """Change a document, tomlkit's or a plain one, in place."""
    *tables, last = place
    if tables and tables[-1] not in _reached(root, tables[:-1], make=value is not None or bool(table)):
        if value is None and not table:
            return
        _reached(root, tables[:-1], make=True)[tables[-1]] = dict(deepcopy(table))
    parent = _reached(root, tables, make=False)
    if value is None:
        removed = parent.pop(last, None)
        if isinstance(removed, Mapping) and not parent and tables:
            _put(root, tables, None, {})  # the last table of tables takes them along
    elif isinstance(value, Mapping):
        for name, item in value.items():
            _put(root, (*place, name), item, {})
    else:
        parent[last] = list(value) if isinstance(value, tuple) else value


def _reached(root: Any, tables: Sequence[str], *, make: bool) -> Any:
    for name in tables:
        if name not in root:
            if not make:
                return {}
            root[name] = {}
        root = root[name]
    return root


def _unchanged(place: Sequence[str]) -> ConfigError:
    return ConfigError(f"{'.'.join(place)!r} cannot be changed in the file as it is written. Change it there by hand.")


def text_of(path: Path) -> str:
    """The text of a file; empty where there is none. Blocks.

    Raises:
        ConfigError: It cannot be read, or is no valid TOML.
    """
    try:
        text = path.read_text(encoding="utf-8")
        tomllib.loads(text)
    except FileNotFoundError:
        return ""
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not valid TOML: {error}. Mend the line it names; nothing was changed.") from error
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read ({error}). Fix or move the file.") from error
    return text


def write(path: Path, text: str) -> None:
    """Write a file whole, or leave it as it was; a link leads on to the same file. Blocks.

    Raises:
        ConfigError: It cannot be written.
    """
    # People link their settings into a folder under version control: the link stays, its target is written.
    target = path.resolve()
    draft = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o600
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            # Before the rename: after a power cut the name must not lead to an empty file.
            os.fsync(file.fileno())
        draft.chmod(mode)
        draft.replace(target)
    except OSError as error:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
        raise ConfigError(f"{path} cannot be written ({error.strerror}). Nothing was changed.") from error
