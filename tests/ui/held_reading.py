"""A server that reads files until some of their rows are read, and goes on when it is stopped or told to.

Run as a program: `held_reading.py PROGRAM ARGUMENTS...`, where PROGRAM is a module of servers (`ui.serve`, `scripted`).
A browser so sees rows being read however fast the machine is. The file `go-on` in the folder `TANDEM_HELD` ends the hold.
"""

from __future__ import annotations

import os
import runpy
import sys
import time
from pathlib import Path

from assistant.progress import Progress, Watcher
from assistant.sources.addresses import SourceAddress
from assistant.sources.reading import loading
from assistant.sources.workers.converting import Stop, convert
from assistant.sources.workers.messages import Converted


def held(address: SourceAddress, folder: Path, *, tell: Watcher, stop: Stop) -> Converted:
    """Convert, with a pause after the first rows."""
    go_on = Path(os.environ["TANDEM_HELD"]) / "go-on"

    def told(progress: Progress) -> None:
        tell(progress)
        while progress.rows and not stop.stopped and not go_on.exists():
            time.sleep(0.02)

    return convert(address, folder, tell=told, stop=stop)


if __name__ == "__main__":
    loading.convert = held
    sys.argv = sys.argv[1:]
    runpy.run_module(sys.argv[0], run_name="__main__")
