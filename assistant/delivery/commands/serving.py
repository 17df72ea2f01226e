"""`tandem serve` starts the page; `tandem sample` writes the sample company."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from assistant.api.errors import AssistantError
from assistant.delivery.options import AsOf, owned_by_person, settings


def serve(
    port: Annotated[
        int | None, typer.Option(help="The port on 127.0.0.1. By default the first free one from 8501.")
    ] = None,
    host: Annotated[list[str] | None, typer.Option(help="A further host name of the page; repeatable.")] = None,
    no_token: Annotated[
        bool, typer.Option("--no-token", help="Require no token, behind a proxy with a login of its own.")
    ] = False,
) -> int:
    """Serve the page on this machine."""
    at = ["--port", str(port)] if port is not None else []
    hosts = [part for name in host or () for part in ("--host", name)]
    program = [sys.executable, "-P", "-m", "ui.serve", *at, *hosts, *(["--no-token"] if no_token else [])]
    sys.stdout.flush()
    with contextlib.suppress(KeyboardInterrupt):
        os.execv(sys.executable, program)
    return 0


def sample(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to write it to.")], as_of: AsOf = None
) -> int:
    """Write the sample company: a database, its knowledge folder, and an evaluation suite."""
    from assistant.api.sample import write_sample

    today = settings(as_of=as_of).today
    try:
        with owned_by_person():
            path = write_sample(folder, as_of=today)
    except OSError as error:
        raise AssistantError(
            f"The folder {str(folder)!r} cannot be written ({error.strerror}). Name another."
        ) from error
    except ValueError as error:
        raise AssistantError(f"The sample company cannot be written: {error}.") from error
    for table, rows in path.tables:
        print(f"{rows:>8,}  {table}")
    print(f"Wrote {path.database} and {path.knowledge}. Its data ends the day before {today}.")
    print(f'Ask it: tandem ask "What was net revenue by region last quarter?" --source {path.database}')
    return 0
