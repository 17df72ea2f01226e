"""Options that several commands share, with their help, and the settings that result from them.

An option is a type for `typer`, so that its help, parsing and errors are in one place.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assistant.api.errors import AssistantError

if TYPE_CHECKING:
    from assistant.api.configuration import Settings


def day(text: str) -> date:
    """A day as ISO text.

    Raises:
        typer.BadParameter: it is none; the text says how to write one.
    """
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no date; write it like 2026-03-31") from None


AsOf = Annotated[date | None, typer.Option(parser=day, metavar="DATE", help="The day that counts as today.")]
Session = Annotated[str, typer.Argument(metavar="SESSION", help="The session's id, as `tandem sessions` lists it.")]
Notebook = Annotated[Path, typer.Argument(metavar="FILE.ipynb", help="The file to write.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do it without asking.")]


def settings(*, as_of: date | None = None, uncaged: bool = False) -> Settings:
    """The settings, with what the command line says over them.

    Raises:
        ConfigError: a setting is unknown or has a value that does not fit.
    """
    from assistant.api.configuration import load

    return load(as_of=as_of, uncaged=uncaged or None)


@contextmanager
def owned_by_person() -> Generator[None]:
    """Within it, files are made with the rights that the person gives to theirs."""
    previous = os.umask(_persons_umask)
    try:
        yield
    finally:
        os.umask(previous)


@contextmanager
def closed_to_others() -> Generator[None]:
    """Within it, whatever is made, by any library, is the owner's alone."""
    global _persons_umask  # noqa: PLW0603 - a umask belongs to the process, and so does what it was
    _persons_umask = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(_persons_umask)


_persons_umask = 0o022


def write(target: Path, content: bytes) -> None:
    """Write a file of the person's.

    Raises:
        AssistantError: it cannot be written there.
    """
    try:
        with owned_by_person():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
    except OSError as error:
        raise AssistantError(f"{target} cannot be written ({error.strerror}). Choose another place.") from error
