"""What the index offers: a package and the dependencies that are new, asked for with pip and kept as files.

pip runs in the host's own interpreter and takes the index from its own configuration. Only wheels are taken, so that no
build script runs; what is already installed stays as it is. All calls block.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.errors import AssistantError
from assistant.events import PackageWheel
from assistant.packages.names import canonical, doubt, looks_like, parted
from assistant.packages.wheels import sha256_of

_PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input")
_ONLY_WHEELS = ("--only-binary", ":all:", "--no-cache-dir", "--quiet")
_SECONDS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class PackageProposal:
    """A package put forward, with everything it would bring. The person decides about exactly these files.

    Attributes:
        name: The project's name, as the index writes it.
        version: Its version.
        summary: What it says of itself.
        publisher: Who it says publishes it; the index does not check that.
        wheels: The files: its own first, then those of dependencies that are new here.
        doubts: Why its name must be typed out, in words; empty where a yes is enough.
        folder: Where the files lie.
    """

    name: str
    version: str
    summary: str
    publisher: str
    wheels: tuple[PackageWheel, ...]
    doubts: tuple[str, ...]
    folder: Path

    @property
    def size_bytes(self) -> int:
        """All files together."""
        return sum(wheel.size_bytes for wheel in self.wheels)


def propose(asked: str, folder: Path) -> PackageProposal:
    """Ask the index for a package, and keep the files that it would bring in `folder`, which is empty.

    Args:
        asked: a module, a project, or `NAME==VERSION`.

    Raises:
        AssistantError: there is no such package for this Python, it is here already, or the index does not reply.
    """
    name, version = parted(asked)
    report = folder / "report.json"
    _pip("install", "--dry-run", "--report", str(report), *_ONLY_WHEELS, f"{name}=={version}" if version else name)
    offered: list[dict[str, Any]] = json.loads(report.read_text(encoding="utf-8"))["install"]
    report.unlink()
    if not offered:
        raise AssistantError(f"{name} is here already: a cell can import it.")
    offered.sort(key=lambda item: canonical(item["metadata"]["name"]) != name)
    wheels = tuple(_wheel(item, folder) for item in offered)
    about: dict[str, Any] = offered[0]["metadata"]
    likes = [(wheel.name, looks_like(wheel.name)) for wheel in wheels[1:]]
    doubts = (doubt(name), *(f"Its dependency {one} could be mistaken for {like}." for one, like in likes if like))
    return PackageProposal(
        name=about["name"],
        version=about["version"],
        summary=_line(about.get("summary", "")),
        publisher=_line(next((about[key] for key in _PUBLISHERS if about.get(key)), "")),
        wheels=wheels,
        doubts=tuple(text for text in doubts if text),
        folder=folder,
    )


_PUBLISHERS = ("author", "author_email", "maintainer", "maintainer_email")


def _wheel(item: dict[str, Any], folder: Path) -> PackageWheel:
    """Fetch one offered file, alone, and hold it against the hash that the index gave for it."""
    name, version = item["metadata"]["name"], item["metadata"]["version"]
    before = set(folder.iterdir())
    _pip("download", "--no-deps", "--dest", str(folder), *_ONLY_WHEELS, f"{name}=={version}")
    (path,) = set(folder.iterdir()) - before
    found, told = sha256_of(path), item["download_info"].get("archive_info", {}).get("hashes", {}).get("sha256")
    if told and told != found:
        raise AssistantError(
            f"{path.name} is not the file that the index offered: its hash is another. Nothing was added."
        )
    return PackageWheel(name=name, version=version, file=path.name, sha256=found, size_bytes=path.stat().st_size)


def _pip(*arguments: str) -> None:
    try:
        done = subprocess.run(
            [*_PIP, *arguments], capture_output=True, text=True, timeout=_SECONDS, check=False, stdin=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired as error:
        text = f"The package index did not reply within {_SECONDS} s. Nothing was added; try again later."
        raise AssistantError(text) from error
    if done.returncode:
        raise AssistantError(f"{arguments[-1]} cannot be had from the package index: {_reason(done.stderr)}")


def _reason(text: str) -> str:
    if "No module named pip" in text:
        return "this Python has no pip. Install pip in Tandem's environment, and try again."
    said = [line.removeprefix("ERROR: ") for line in text.splitlines() if line.startswith("ERROR: ")]
    return _line(said[-1] if said else text) or "pip failed without a word."


def _line(text: str) -> str:
    """Text of others as one line without control characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:300]


def described(proposal: PackageProposal) -> Sequence[str]:
    """A proposal as lines for the person."""
    first, *others = proposal.wheels
    return (
        f"{proposal.name} {proposal.version}: {proposal.summary or 'it says nothing of itself'}",
        f"  published by: {proposal.publisher or 'it does not say'} (its own word)",
        f"  file: {first.file}, {first.size_bytes / 1e6:,.1f} MB, sha256 {first.sha256}",
        *(f"  brings {one.name} {one.version}, {one.size_bytes / 1e6:,.1f} MB, sha256 {one.sha256}" for one in others),
        f"  together {proposal.size_bytes / 1e6:,.1f} MB; its code runs in the cage only",
        *(f"  careful: {text}" for text in proposal.doubts),
    )
