"""What a person says about how a file is to be read, where the guess is wrong: a small TOML file beside it.

`sales.csv` is read as `sales.csv.tandem.toml` says, in every session and in the exported notebook. What is not said
there is guessed as ever. `docs/reference/files.md` lists the words.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from assistant.core.data_errors import SourceError
from assistant.trust.small_files import read_small_file

SUFFIX = ".tandem.toml"
_SAMPLE = "name,value\r\n" * 10


class Sidecar(BaseModel):
    """How a file is to be read; what is None is guessed."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    encoding: str | None = None
    delimiter: str | None = Field(default=None, min_length=1, max_length=1)
    header: bool | None = None
    skip: int | None = Field(default=None, ge=0)
    decimal: Literal[".", ","] | None = None
    totals: Literal["keep", "drop"] | None = None
    missing: list[str] = Field(default_factory=list[str])
    sheets: list[str] = Field(default_factory=list[str])
    types: dict[str, str] = Field(default_factory=dict)

    @field_validator("encoding")
    @classmethod
    def _known(cls, name: str | None) -> str | None:
        if name is not None:
            try:
                # Some codecs (`hex`, `zlib`) are for bytes, one (`idna`) for names of hosts.
                if _SAMPLE.encode(name).decode(name) != _SAMPLE:
                    raise LookupError
            except (LookupError, UnicodeError):
                raise ValueError(f"{name!r} is no known encoding, such as utf-8, cp1252 or utf-16") from None
        return name


def beside(file: Path) -> Path:
    """Where the sidecar of a file lies, if there is one."""
    return file.with_name(file.name + SUFFIX)


def sidecar_of(file: Path) -> Sidecar:
    """What is said about a file; nothing, where no sidecar lies beside it.

    Raises:
        SourceError: The sidecar cannot be read or understood.
    """
    path = beside(file)
    try:
        return Sidecar.model_validate(tomllib.loads(read_small_file(path).decode("utf-8")))
    except FileNotFoundError:
        return Sidecar()
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"])
        raise SourceError(f"{path.name!r}: {name!r} is wrong: {first['msg']}. Mend it, or delete the file.") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise SourceError(f"{path.name!r} cannot be read: {reason}. Mend it, or delete the file.") from None


def write_sidecar(file: Path, sidecar: Sidecar) -> None:
    """Keep what is said about a file beside it; where nothing is said, no sidecar stays.

    Raises:
        SourceError: It cannot be written there.
    """
    import tomlkit

    path = beside(file)
    words = sidecar.model_dump(exclude_defaults=True)
    try:
        if not words:
            path.unlink(missing_ok=True)
            return
        draft = path.with_name(f".{path.name}.part")
        draft.write_text(tomlkit.dumps(words), encoding="utf-8")
        draft.replace(path)
    except OSError as error:
        raise SourceError(f"{path.name!r} cannot be written: {error.strerror}. Make its folder writable.") from None
