"""Pydantic models stored as JSON files of the home folder, readable by their owner alone. Calls block."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from assistant.errors import ConfigError

M = TypeVar("M", bound=BaseModel)


def read_model(path: Path, model: type[M]) -> M | None:
    """What a file holds; None where there is no file.

    Raises:
        ConfigError: The file cannot be read or understood.
    """
    try:
        return model.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValidationError) as error:
        raise ConfigError(f"{path} cannot be read ({type(error).__name__}). Fix or move the file.") from error


def write_model(path: Path, model: BaseModel) -> None:
    """Write a file whole, or leave it as it was.

    Raises:
        ConfigError: The file cannot be written.
    """
    draft = path.with_suffix(".new")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(model.model_dump_json(indent=1))
        draft.replace(path)
    except OSError as error:
        raise ConfigError(f"{path} cannot be written ({error.strerror}). Nothing was changed.") from error
