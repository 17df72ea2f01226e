"""Arrow files and streams, Feather among them, as batches that DuckDB reads one after the other."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from assistant.core.data_errors import SourceError

_MAGIC = b"ARROW1"
Tell = Callable[[int, float | None], object]
"""Is told how many rows are read, and how much of the file, 0 to 1; None where that is not known."""


@contextmanager
def batches_of(file: Path, tell: Tell) -> Generator[Any]:
    """The batches of an Arrow file, a `pyarrow.RecordBatchReader`; its pages are mapped, not copied.

    Args:
        file: The file.
        tell: Is told with each batch.

    Raises:
        SourceError: It is no Arrow file, or is damaged.
    """
    import pyarrow as pa

    try:
        with pa.memory_map(str(file)) as mapped:
            if mapped.read(len(_MAGIC)) == _MAGIC:
                mapped.seek(0)
                reader = pa.ipc.open_file(mapped)
                batches = (reader.get_batch(number) for number in range(reader.num_record_batches))
                counted = _counted(batches, tell, reader.num_record_batches)
                yield pa.RecordBatchReader.from_batches(reader.schema, counted)
            else:
                mapped.seek(0)
                stream = pa.ipc.open_stream(mapped)
                yield pa.RecordBatchReader.from_batches(stream.schema, _counted(stream, tell))
    except (pa.ArrowInvalid, OSError):
        raise SourceError(
            f"{file.name!r} cannot be read as Arrow: it is no Arrow file or stream, or only a part of one. Check that "
            "the file is whole. Feather's first version has to be written anew."
        ) from None


def _counted(batches: Iterable[Any], tell: Tell, of: int | None = None) -> Iterator[Any]:
    rows = 0
    for number, batch in enumerate(batches, start=1):
        yield batch
        rows += batch.num_rows
        tell(rows, None if of is None else number / of)
