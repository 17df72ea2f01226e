"""The `tandem` command. Its `--json` output and exit status are a contract with other programs.

Exit status: 0 answered, 1 failed or answered in part, 2 declined, waiting for the person, or wrong usage. A command is
a function of `commands`, which returns its status. `serve` starts the page as a separate program; nothing here imports
it.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import logging
import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from assistant.api.errors import AssistantError
from assistant.api.log_lines import set_up
from assistant.delivery.commands import (
    asking,
    combining,
    evaluating,
    functions,
    health,
    lessons,
    migrating,
    packages,
    semantics,
    serving,
    sessions,
    trusting,
)
from assistant.delivery.options import closed_to_others

_SECRETS = (
    re.compile(rb"://[^\0@/]*?:([^\0]*)@"),
    re.compile(rb"(?i)[?&][^=&\0]*(?:pass|pwd|secret|token|key)[^=&\0]*=([^&\0]+)"),
)
_ARG_START = 45
"""The place of `arg_start` among what follows the program's name in /proc/PID/stat."""

_INTERRUPTED = 130
_OBJECTS_BETWEEN = 300_000
"""So many new objects start a collection. Imports make objects that stay: to collect more often costs a tenth of a
command's time."""

app = typer.Typer(
    name="tandem",
    help="Ask your data. It proposes, you decide, a cage runs it.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def _common(
    debug: Annotated[bool, typer.Option("--debug", help="Log everything to the standard error.")] = False,
) -> None:
    set_up(level=logging.DEBUG if debug else logging.CRITICAL)


for _name, _command in (
    ("serve", serving.serve),
    ("ask", asking.ask),
    ("sessions", sessions.sessions),
    ("export", sessions.export),
    ("run", sessions.run),
    ("verify", sessions.verify),
    ("ledger", sessions.ledger),
    ("define", sessions.define),
    ("explain", sessions.explain),
    ("models", health.models),
    ("doctor", health.doctor),
    ("sample", serving.sample),
    ("check", semantics.check),
    ("migrate", migrating.migrate),
    ("trust", trusting.trust),
    ("combine", combining.combine),
    ("eval", evaluating.evaluate),
):
    app.command(_name)(_command)
app.add_typer(semantics.model, name="model")
app.add_typer(functions.functions, name="functions")
app.add_typer(lessons.lessons, name="lessons")
app.add_typer(packages.packages, name="packages")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the result is the exit status."""
    if arguments is None:
        erase_secrets()
        # A Python that a library starts looks for modules in the working folder first, which may have come with data.
        os.environ["PYTHONSAFEPATH"] = "1"
        gc.set_threshold(_OBJECTS_BETWEEN)
        atexit.register(_freeze)
    # One thread for matrices: those of the embeddings are small, and threads that wait for each other on a busy machine
    # made fifty short texts take 14 s where one thread takes 0.9 s.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    words = sys.argv[1:] if arguments is None else list(arguments)
    with closed_to_others():
        try:
            status = app(words, prog_name="tandem", standalone_mode=False)
        except AssistantError as error:
            return _refused(str(error), as_json="--json" in words)
        except typer.TyperException as error:
            if not error.format_message():  # a group of commands without one: its help was printed
                return 0
            print(f"tandem: {_visible(error.format_message())}\nTry 'tandem --help'.", file=sys.stderr)
            return 2
        except (KeyboardInterrupt, typer.Abort):
            status = _INTERRUPTED
        except BrokenPipeError:
            # The reader of our output has gone (a pager, `head`): nobody is left to be told.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 1
    if status == _INTERRUPTED:
        print("tandem: stopped. Everything up to here is kept.", file=sys.stderr)
        return 1
    return status or 0


def _refused(text: str, *, as_json: bool) -> int:
    if as_json:
        from assistant.api.report import refused

        print(refused(text).model_dump_json())
    else:
        print(f"tandem: {_visible(text)}", file=sys.stderr)
    return 1


def _visible(text: str) -> str:
    """A message without what a terminal would obey: parts of it may be of files and servers."""
    from assistant.delivery.visible_text import make_visible

    return make_visible(text, keep="\n\t")


def _freeze() -> None:
    """Spare the interpreter's last collection, which would visit all that the system frees at once.

    Not where DuckDB's binding is loaded: it reports on the standard error whatever is not freed one by one.
    """
    if "_duckdb" not in sys.modules:
        gc.freeze()


def erase_secrets() -> None:
    """Overwrite passwords of URLs in this process's arguments, as others see them. What `sys.argv` holds stays.

    Where the system keeps no such list (anything but Linux) nothing is done.
    """
    with suppress(OSError, ValueError, IndexError):
        command_line = Path("/proc/self/cmdline").read_bytes()
        fields = Path("/proc/self/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        start, end = int(fields[_ARG_START]), int(fields[_ARG_START + 1])
        if not start or end - start != len(command_line) or ctypes.string_at(start, len(command_line)) != command_line:
            return  # it was moved by somebody else: it is not ours to write
        for begin, stop in find_secret_spans(command_line):
            ctypes.memset(start + begin, ord("*"), stop - begin)


def find_secret_spans(command_line: bytes) -> tuple[tuple[int, int], ...]:
    """Where passwords stand in arguments that are parted by zero bytes."""
    return tuple(match.span(1) for pattern in _SECRETS for match in pattern.finditer(command_line))
