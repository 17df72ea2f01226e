"""Data of a question: frames in memory, files and URLs, as the sources of a session."""

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


def name_sources(data: Data | None) -> list[str]:
    """Data as one would name it on the command line: `[NAME=]ADDRESS`, each once. None for the default data.

    A frame is written as a Parquet file to a folder of this process, which goes with it.

    Raises:
        SourceError: a frame cannot be written as Parquet.
    """
    if data is None:
        return []
    if isinstance(data, Mapping):
        return [f"{name}={_address(name, value)}" for name, value in data.items()]
    return [_address("data", data)]


def write_frame(frame: pd.DataFrame, file: Path) -> None:
    """Write a frame as Parquet with its index, its durations as intervals, its instants by the clock of their zone.

    An index that only numbers the rows is left out. Instants of UTC stay instants.

    Raises:
        ValueError, TypeError, NotImplementedError: a column holds values of several types.
    """
    import duckdb
    import pandas as pd
    import pyarrow as pa

    from assistant.api.frames import unique_names

    index = frame.index
    is_numbering = index.nlevels == 1 and index.name is None and pd.api.types.is_integer_dtype(index.dtype)
    # Columns by place: a frame may have two of one name, and the index may be called like a column.
    columns = (
        []
        if is_numbering
        else [
            (str(name or "index"), pd.Series(index.get_level_values(level))) for level, name in enumerate(index.names)
        ]
    )
    columns += [(str(name), frame.iloc[:, place]) for place, name in enumerate(frame.columns)]
    arrays = [pa.array(_by_own_clock(values), from_pandas=True) for _, values in columns]
    table = pa.table(arrays, names=list(unique_names(name for name, _ in columns)))
    with duckdb.connect() as con:
        con.from_arrow(table).write_parquet(str(file))


def _by_own_clock(values: pd.Series) -> pd.Series:
    """Instants of a zone as the days and hours of its clock, periods as their first days, anything else as it is."""
    import pandas as pd

    if isinstance(values.dtype, pd.PeriodDtype):
        return values.dt.to_timestamp()
    if not isinstance(values.dtype, pd.DatetimeTZDtype) or str(values.dtype.tz) in ("UTC", "Etc/UTC"):
        return values
    return values.dt.tz_localize(None)


def _address(name: str, data: pd.DataFrame | str | Path) -> str:
    if isinstance(data, str | Path):
        return str(data)
    folder = Path(_folder().name) / str(next(_FRAMES))
    folder.mkdir()
    file = folder / f"{name}.parquet"
    try:
        write_frame(data, file)
    except (ValueError, TypeError, NotImplementedError) as error:  # what pyarrow raises derives from them
        raise SourceError(
            f"The frame {name!r} cannot be written as Parquet ({error}). Give each column values of one type."
        ) from error
    return str(file)


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="tandem-frames-")
