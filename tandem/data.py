"""Data of a question: frames in memory, files and URLs, as sources that a session opens."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from functools import cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from assistant.api.errors import SourceError

if TYPE_CHECKING:
    import pandas as pd

Data: TypeAlias = "pd.DataFrame | str | Path | Mapping[str, pd.DataFrame | str | Path]"
_FRAMES = count(1)


def sources_of(data: Data | None) -> list[str]:
    """Data as one would name it on the command line: `[NAME=]ADDRESS`, each once. None for the default data.

    A frame is written as a Parquet file to a folder of this process, which goes with it.

    Raises:
        SourceError: a frame cannot be written as Parquet.
    """
    if data is None:
        return []
    if isinstance(data, Mapping):
        return [f"{name}={_address(name, one)}" for name, one in data.items()]
    return [_address("data", data)]


def _address(name: str, data: pd.DataFrame | str | Path) -> str:
    if isinstance(data, str | Path):
        return str(data)
    folder = Path(_folder().name) / str(next(_FRAMES))
    folder.mkdir()
    file = folder / f"{name}.parquet"
    try:
        data.to_parquet(file, index=data.index.name is not None)
    except (ValueError, TypeError) as error:  # what pyarrow raises derives from them
        raise SourceError(
            f"The frame {name!r} cannot be written as Parquet ({error}). Give each column values of one type."
        ) from error
    return str(file)


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="tandem-frames-")
