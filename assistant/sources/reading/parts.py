"""Files that are the parts of one table, as Spark and exports in pieces write them: told by their names.

Whether they have the same columns is for whoever reads them to see.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from assistant.sources.file_names import file_format, identifier

_PART = re.compile(
    r"(?i)(?:\w+[-_])??(?:part|chunk|shard|split|file|data)?[-_]?\d+(?:[-_](?:of[-_]?\d+|c?\d+|[0-9a-f-]{32,36}))*"
)
_YEAR = re.compile(r"(?<!\d)(19|20)\d\d(?!\d)")
_NUMBER = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d+")
_COPY = re.compile(r"(?i)\(\d+\)|(?<![^\W_])v\d")
"""A second download of one file, or a version of it: they are not added up."""


def group_parts(files: Sequence[Path]) -> tuple[tuple[Path, ...], ...]:
    """The files in their order, those together that are named as the parts of one table.

    `sales_2023.csv` and `sales_2024.csv` are no parts, as a year tells them apart; `sales-2024-01.csv` and
    `sales-2024-02.csv` are.
    """
    groups: dict[object, list[Path]] = {}
    for file in files:
        groups.setdefault(_stem_of_part(file) or file, []).append(file)
    return tuple(map(tuple, groups.values()))


def name_of_parts(files: Sequence[Path], folder: str) -> str:
    """What a table of parts is called: what their names have in common, or else as the folder."""
    common = re.sub(r"[\W_]+", " ", _NUMBER.sub(" ", files[0].name.partition(".")[0])).strip()
    return identifier(common) if len(common) > 1 else folder


def _stem_of_part(file: Path) -> tuple[Path, str] | None:
    name, _, suffix = file.name.partition(".")
    kind = file_format(file)
    numbers = _NUMBER.findall(name)
    if kind == "parquet":
        is_part = not _YEAR.search(name) and bool(_PART.fullmatch(name))
    else:
        is_only_year = len(numbers) == 1 and bool(_YEAR.search(name))
        is_part = kind == "csv" and bool(numbers) and not is_only_year and not _COPY.search(name)
    return (file.parent, f"{_NUMBER.sub('#', name)}.{suffix}") if is_part else None
