"""Files become tables in a worker: it sees these files and one empty folder, and leaves a database in that folder.

Both ends of it: `convert` is the server's, `converted` the worker's. What is found out on the way comes back as words;
a file that asks for more memory or time than it may have ends the worker, and that is said as well.
"""

from __future__ import annotations

import errno
import shutil
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from assistant.core.data_errors import SourceError, clean_message
from assistant.sources.reading.sidecar import beside
from assistant.sources.workers import frames
from assistant.sources.workers.limits import LOADING_MEMORY_BYTES, has_wall
from assistant.sources.workers.messages import FIRST, REPLY, Converted, Converting, Failed, Progressed, paths
from assistant.sources.workers.processes import Process, forkserver

if TYPE_CHECKING:
    import duckdb

    from assistant.progress import Watcher
    from assistant.sources.addresses import SourceAddress

LIMIT_S = 300.0
"""A file that is not read by then is given up."""
DATABASE = "made.duckdb"
_TEXT_MAX = 100_000


class Stop:
    """Ends a load from another thread: the worker that is at it, or the one that would begin."""

    def __init__(self) -> None:
        self._process: Process | None = None
        self._lock = Lock()
        self.stopped = False

    def __call__(self) -> None:
        """End it. The load fails, and what it had made goes."""
        with self._lock:
            self.stopped = True
            if self._process is not None:
                self._process.kill()

    def covers(self, process: Process) -> None:
        """This process is at it from now on."""
        with self._lock:
            self._process = process
            if self.stopped:
                process.kill()


def convert(address: SourceAddress, folder: Path, *, tell: Watcher, stop: Stop) -> Converted:
    """Make `DATABASE` in `folder`, an empty folder, from the files of an address. Blocks.

    Args:
        address: Of kind "files".
        folder: The empty folder.
        tell: Is told how far it is.
        stop: Ends it.

    Raises:
        SourceError: A file cannot be read, or takes too much memory or time; the message says how to go on. Or a file,
            or what says how to read it, leads to what is not its requester's to name.
    """
    readable_files = [
        file for source_file in address.files for file in (source_file, beside(source_file)) if file.exists()
    ]
    process = forkserver().fork("duckdb")
    stop.covers(process)
    ends = time.monotonic() + LIMIT_S
    process.sock.settimeout(LIMIT_S)
    request = Converting(
        name=address.name,
        display=address.display,
        files=paths(*address.files),
        readable=paths(*readable_files, *replace(address, files=tuple(readable_files)).check()),
        folder=str(folder),
        scratch=str(process.scratch),
        memory_bytes=LOADING_MEMORY_BYTES,
    )
    try:
        frames.send(process.sock, request, FIRST)
        while isinstance(reply := frames.receive(process.sock, REPLY), Progressed):
            tell(reply.progress)
            process.sock.settimeout(max(0.001, ends - time.monotonic()))
    except TimeoutError:
        raise SourceError(
            f"{address.display!r} was not read within {LIMIT_S:g} s and was given up. {_INSTEAD}"
        ) from None
    except (OSError, frames.ChannelBroken) as problem:
        raise full_disk(address, folder, problem) or too_large(address) from None
    finally:
        process.close()
    if stop.stopped:
        raise SourceError(f"Reading {address.display!r} was stopped.")
    if isinstance(reply, Failed):
        raise SourceError(reply.text)
    database = folder / DATABASE
    if not isinstance(reply, Converted) or database.is_symlink() or not database.is_file():
        raise SourceError(f"{address.display!r} was not read as it should be. Try again.")
    return reply


_INSTEAD = "Save it as Parquet or split it, or load it into a database and give that as the source."


def too_large(address: SourceAddress) -> SourceError:
    """What is said of files that need more memory than they may have."""
    allowed = f"{LOADING_MEMORY_BYTES / 2**30:g} GB"
    return SourceError(f"{address.display!r} needs more memory than reading a file may take ({allowed}). {_INSTEAD}")


def full_disk(address: SourceAddress, folder: Path, problem: BaseException) -> SourceError | None:
    """What is said where reading failed because the disk of `folder` is full; None where it is not."""
    free = shutil.disk_usage(next(place for place in (folder, *folder.parents) if place.exists())).free
    is_refused = isinstance(problem, OSError) and problem.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    if not is_refused and free > _SPARE_BYTES and not any(words in str(problem) for words in _FULL):
        return None
    needed = sum(file.stat().st_size for file in address.files if file.exists())
    return SourceError(
        f"{address.display!r} cannot be loaded: the disk that holds Tandem's data folder is full. The files have "
        f"{needed / 1e6:,.1f} MB, loading takes about twice as much, and {free / 1e6:,.1f} MB are free. "
        "Nothing was kept. Free some space, or name a folder on another disk as TANDEM_HOME."
    )


_SPARE_BYTES = 2 << 20
"""With less, DuckDB could not write its next piece, whatever its message says."""
_FULL = ("No space left", "Disk quota exceeded", "File too large")


def converted(address: SourceAddress, folder: Path, tell: Watcher) -> Converted | Failed:
    """Make the tables, in the worker."""
    import duckdb

    from assistant.sources.reading.conversion import Conversion
    from assistant.sources.reading.metering import Meter

    try:
        with closing(_writable(folder / DATABASE)) as con, Meter(con.query_progress, tell) as meter:
            conversion = Conversion(con, folder, meter, in_place=has_wall())
            conversion.load(address)
    except SourceError as problem:
        return Failed(error="SourceError", text=str(problem)[:_TEXT_MAX])
    except (MemoryError, duckdb.OutOfMemoryException) as problem:
        return Failed(error="SourceError", text=str(full_disk(address, folder, problem) or too_large(address)))
    except (duckdb.Error, OSError, EOFError) as problem:
        if full := full_disk(address, folder, problem):
            return Failed(error="SourceError", text=str(full)[:_TEXT_MAX])
        reason = problem.strerror if isinstance(problem, OSError) and problem.strerror else str(problem)
        reason = clean_message(reason, folders=(*address.folders, str(folder)))
        first = next(iter(reason.splitlines()), type(problem).__name__)
        return Failed(error="SourceError", text=f"{address.display!r} cannot be loaded: {first}"[:_TEXT_MAX])
    return Converted(notes=tuple(conversion.notes), tables=tuple(conversion.tables), doubts=tuple(conversion.doubts))


def _writable(path: Path) -> duckdb.DuckDBPyConnection:
    import duckdb

    con = duckdb.connect(
        str(path),
        config={
            "memory_limit": "500MB",
            "threads": 2,
            "temp_directory": f"{path}.spill",
            "autoinstall_known_extensions": False,
            "python_enable_replacements": False,
        },
    )
    # Without the first it does not tell its progress; without the second it writes that to the terminal.
    con.execute("SET enable_progress_bar = true; SET enable_progress_bar_print = false")
    return con
