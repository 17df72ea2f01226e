"""Files of Parquet that are the parts of one table, as Spark and exports in pieces write them: told by their names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from assistant.sources.addresses import file_format

_PART = re.compile(
    r"(?i)(?:\w+[-_])??(?:part|chunk|shard|split|file|data)?[-_]?\d+(?:[-_](?:of[-_]?\d+|c?\d+|[0-9a-f-]{32,36}))*"
)
_YEAR = re.compile(r"(?<!\d)(19|20)\d\d(?!\d)")


def group_parts(files: Sequence[Path]) -> tuple[tuple[Path, ...], ...]:
    """The files in their order, those together that are named as the parts of one table.

    `sales_2023.parquet` and `sales_2024.parquet` are no parts: a year tells them apart.
    """
    groups: dict[object, list[Path]] = {}
    for file in files:
        groups.setdefault(_stem_of_part(file) or file, []).append(file)
    return tuple(map(tuple, groups.values()))


def _stem_of_part(file: Path) -> tuple[Path, str] | None:
    name = file.name.partition(".")[0]
    if file_format(file) != "parquet" or _YEAR.search(name) or not _PART.fullmatch(name):
        return None
    return file.parent, re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d+", "#", name)
