"""Writes the files of a knowledge folder that a person asked Tandem to store: one document each.

A reader sees a complete file or none. A file that a person wrote or edited is never overwritten or deleted: a file is
Tandem's only as long as it is, byte for byte, what Tandem wrote.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from secrets import token_hex

import yaml

_NAME_LENGTH_MAX = 60


def file_of(folder: Path, subfolder: str, id_: str) -> Path:
    """The file in which a document of that id (`kind:key`) is kept."""
    stem = id_.partition(":")[2].replace("/", "--")
    if len(stem) > _NAME_LENGTH_MAX:
        stem = f"{stem[:_NAME_LENGTH_MAX]}-{sha256(stem.encode()).hexdigest()[:8]}"
    return folder / subfolder / f"{stem}.yaml"


def format_fields(fields: Mapping[str, object]) -> str:
    """The text of a file with these fields; those that say nothing are left out."""
    return yaml.dump(
        {name: value for name, value in fields.items() if value},
        Dumper=_Dumper,
        sort_keys=False,
        allow_unicode=True,
        width=110,
    )


def write_file(place: Path, text: str, *, instead: bool = False) -> None:
    """Write a file whole; `instead` of the one that is there.

    Raises:
        FileExistsError: There is one, and it is not to be replaced.
        OSError: It cannot be written.
    """
    # Beside its target: renaming is atomic only within one file system.
    beside = place.with_name(f"{place.name}.{token_hex(4)}.part")
    place.parent.mkdir(parents=True, exist_ok=True)
    try:
        beside.write_text(text, encoding="utf-8")
        if instead:
            os.replace(beside, place)
        else:
            _name(beside, place)
    finally:
        beside.unlink(missing_ok=True)


def _name(beside: Path, place: Path) -> None:
    """Give a written file its name, unless another has it."""
    try:
        # A link fails where the name exists; a rename would replace what another program wrote meanwhile.
        os.link(beside, place)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if place.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(place)) from None
        os.replace(beside, place)


class _Dumper(yaml.SafeDumper):
    """SafeDumper that writes text of several lines as a block, as a person would."""


def _block_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _block_text)
