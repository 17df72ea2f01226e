"""Masked columns: the person's decisions on proposed masks, in `masks.toml` in the home folder."""

from __future__ import annotations

import json
import threading
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from assistant.errors import ConfigError

MASKS = "masks.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class MasksDecided:
    """What a person said of columns that were proposed: `mask` is to be masked, `dismissed` is no secret."""

    mask: tuple[str, ...] = ()
    dismissed: tuple[str, ...] = ()


def masks_decided(home: Path) -> MasksDecided:
    """What was decided about proposed columns in this home.

    Raises:
        ConfigError: `masks.toml` cannot be understood; without it columns would be shown that must not be.
    """
    content = toml_of(home / MASKS)
    lists: dict[str, tuple[str, ...]] = {}
    for name in ("mask", "dismissed"):
        entries = content.pop(name, [])
        if not isinstance(entries, list) or not all(isinstance(entry, str) for entry in entries):  # pyright: ignore[reportUnknownVariableType]  # it came from TOML
            raise ConfigError(
                f"{home / MASKS}: {name!r} must be a list of texts such as 'shop.customer.email'. Fix it."
            )
        lists[name] = tuple(map(str, entries))  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]  # checked above
    if content:
        raise ConfigError(
            f"{home / MASKS}: {min(content)!r} is unknown there; it holds `mask` and `dismissed`. Fix it."
        )
    return MasksDecided(mask=lists["mask"], dismissed=lists["dismissed"])


class MaskStore:
    """What is masked while a program runs: the setting `mask`, and what is confirmed meanwhile. It only grows.

    Reading `entries` is safe from any thread. What was taken out of a file again holds from the next start on.
    """

    def __init__(self, home: Path, entries: tuple[str, ...]) -> None:
        self._home = home
        self._entries = entries
        self._mutex = threading.Lock()

    @property
    def entries(self) -> tuple[str, ...]:
        """The masked columns as they are known now."""
        return self._entries

    def refresh(self) -> tuple[str, ...]:
        """Join what another program, or a person with an editor, wrote into `masks.toml`. Blocks.

        Raises:
            ConfigError: the file cannot be understood.
        """
        self._join(masks_decided(self._home).mask)
        return self._entries

    def decide(self, entry: str, *, mask: bool) -> None:
        """Keep what a person said of a proposed column. Blocks.

        Raises:
            ConfigError: the file cannot be read or written; nothing changed.
        """
        decide_mask(self._home, entry, mask=mask)
        if mask:
            self._join((entry,))

    def _join(self, more: Iterable[str]) -> None:
        with self._mutex:
            self._entries = tuple(dict.fromkeys((*self._entries, *more)))


def decide_mask(home: Path, entry: str, *, mask: bool) -> None:
    """Keep what a person said of a proposed column; the last word counts.

    Args:
        home: The home folder.
        entry: The column, as in the setting `mask`.
        mask: Whether it is to be masked, or the proposal dismissed.

    Raises:
        ConfigError: The file cannot be read or written.
    """
    decided = masks_decided(home)
    masked = [existing for existing in decided.mask if existing != entry] + [entry] * mask
    dismissed = [existing for existing in decided.dismissed if existing != entry] + [entry] * (not mask)
    text = (
        "# Columns that were proposed for masking, and what you said of them. Edit it freely.\n"
        f"mask = {json.dumps(masked, ensure_ascii=False)}\ndismissed = {json.dumps(dismissed, ensure_ascii=False)}\n"
    )
    draft = home / f".{MASKS}.part"
    try:
        draft.write_text(text, encoding="utf-8")
        draft.replace(home / MASKS)
    except OSError as error:
        raise ConfigError(f"{home / MASKS} cannot be written ({error.strerror}). Nothing was changed.") from error


def toml_of(path: Path) -> dict[str, object]:
    """The content of a TOML file; nothing where there is none. Blocks.

    Raises:
        ConfigError: it cannot be read or understood.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read ({error}). Fix or move the file.") from error
    try:
        return dict(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not valid TOML: {error}. Mend the line it names.") from error
