"""The package index: downloads a package and its new dependencies with pip, as files.

pip runs in the host's own interpreter and takes the index from its own configuration. Only wheels are accepted, so that
no build script runs; installed packages stay as they are. A cancelled call ends pip, too.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.core.events import PackageProposed, PackageWheel
from assistant.errors import AssistantError
from assistant.packages.names import canonicalize_name, explain_suspicion, looks_like, split_requirement
from assistant.packages.wheels import sha256_of, shorten

_PIP = (sys.executable, "-P", "-m", "pip", "--disable-pip-version-check", "--no-input")
_ONLY_WHEELS = ("--only-binary", ":all:", "--no-cache-dir", "--quiet")
_SECONDS = 300
_REPORT_BYTES_MAX = 32 << 20
_NAME_MAX = 150


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


async def propose(request: str, folder: Path, *, on_progress: Callable[[str], object] | None = None) -> PackageProposal:
    """Ask the index for a package, and keep the files that it would bring in `folder`, which is empty.

    Args:
        request: a module, a project, or `NAME==VERSION`.
        folder: where the files go.
        on_progress: is told in words what is being done.

    Raises:
        AssistantError: there is no such package for this Python, it is here already, or the index does not reply.
    """
    name, version = split_requirement(request)
    report = folder / "report.json"
    on_progress = on_progress or _untold
    on_progress(f"Asking the package index for {name}")
    await _pip(
        "install", "--dry-run", "--report", str(report), *_ONLY_WHEELS, f"{name}=={version}" if version else name
    )
    offered = await asyncio.to_thread(_offered, report)
    if not offered:
        raise AssistantError(f"{name} is here already: a cell can import it.")
    offered.sort(key=lambda item: canonicalize_name(item["metadata"]["name"]) != name)
    wheels: list[PackageWheel] = []
    for n, item in enumerate(offered, start=1):
        on_progress(f"Fetching {item['metadata']['name']} {item['metadata']['version']}, file {n} of {len(offered)}")
        wheels.append(await _wheel(item, folder))
    about: dict[str, Any] = offered[0]["metadata"]
    likes = [(wheel.name, looks_like(wheel.name)) for wheel in wheels[1:]]
    doubts = (
        explain_suspicion(name),
        *(f"Its dependency {dependency} could be mistaken for {like}." for dependency, like in likes if like),
    )
    return PackageProposal(
        name=about["name"],
        version=about["version"],
        summary=_line(about.get("summary", "")),
        publisher=_line(next((about[key] for key in _PUBLISHERS if about.get(key)), "")),
        wheels=tuple(wheels),
        doubts=tuple(text for text in doubts if text),
        folder=folder,
    )


def _offered(report: Path) -> list[dict[str, Any]]:
    """What pip would install, by its report, which is taken away."""
    try:
        if report.stat().st_size > _REPORT_BYTES_MAX:
            raise AssistantError(
                "The package says too much of itself: its description is too large. Nothing was added."
            )
        offered: list[dict[str, Any]] = json.loads(report.read_text(encoding="utf-8"))["install"]
        for item in offered:
            _check_offer(item)
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise AssistantError("What pip says the package index offers cannot be read. Nothing was added.") from error
    finally:
        report.unlink(missing_ok=True)
    return offered


def _check_offer(item: dict[str, Any]) -> None:
    """Refuse a name or version that no package has: both are shown, and given to pip again."""
    about: dict[str, Any] = item["metadata"]
    for value in (about["name"], about["version"]):
        if not isinstance(value, str) or len(value) > _NAME_MAX:
            raise AssistantError(f"The package index offers no usable name ({shorten(str(value))}). Nothing was added.")
    split_requirement(f"{about['name']}=={about['version']}")
    for key in ("summary", *_PUBLISHERS):
        if not isinstance(about.get(key, ""), str):
            about[key] = ""


def _taken_out(folder: Path) -> tuple[Path, str, int]:
    """Move the only file of a folder to beside it; where it is then, its hash and its size."""
    files = list(folder.iterdir()) if folder.is_dir() else []
    if len(files) != 1 or files[0].suffix != ".whl":
        raise AssistantError("The package index did not give exactly one wheel. Nothing was added.")
    path = files[0]
    target = path.rename(folder.parent / path.name)
    folder.rmdir()
    return target, sha256_of(target), target.stat().st_size


def _untold(_text: str) -> None:
    """Nobody wants to know."""


_PUBLISHERS = ("author", "author_email", "maintainer", "maintainer_email")


async def _wheel(item: dict[str, Any], folder: Path) -> PackageWheel:
    """Fetch one offered file, alone, and hold it against the hash that the index gave for it."""
    name, version = item["metadata"]["name"], item["metadata"]["version"]
    target = folder / f"{len(await asyncio.to_thread(os.listdir, folder))}"
    await _pip("download", "--no-deps", "--dest", str(target), *_ONLY_WHEELS, f"{name}=={version}")
    path, digest, size_bytes = await asyncio.to_thread(_taken_out, target)
    offered_digest = _offered_hash(item)
    if offered_digest and offered_digest != digest:
        raise AssistantError(
            f"{shorten(path.name)} is not the file that the index offered: its hash is another. Nothing was added."
        )
    return PackageWheel(name=name, version=version, file=path.name, sha256=digest, size_bytes=size_bytes)


def _offered_hash(item: dict[str, Any]) -> str:
    value: Any = item
    for key in ("download_info", "archive_info", "hashes", "sha256"):
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, str) else ""


async def _pip(*arguments: str) -> None:
    pip = await asyncio.create_subprocess_exec(
        *_PIP, *arguments, stdin=DEVNULL, stdout=DEVNULL, stderr=PIPE, start_new_session=True
    )
    try:
        async with asyncio.timeout(_SECONDS):
            _, output = await pip.communicate()
    except TimeoutError as error:
        text = f"The package index did not reply within {_SECONDS} s. Nothing was added; try again later."
        raise AssistantError(text) from error
    finally:
        if pip.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(pip.pid, signal.SIGKILL)
            await asyncio.shield(pip.wait())
    if pip.returncode:
        raise AssistantError(
            f"{arguments[-1]} was not found in the package index: {_reason(output.decode('utf-8', 'replace'))}"
        )


def _reason(text: str) -> str:
    if "No module named pip" in text:
        return "this Python has no pip. Install pip in Tandem's environment, and try again."
    errors = [line.removeprefix("ERROR: ") for line in text.splitlines() if line.startswith("ERROR: ")]
    return _line(errors[-1] if errors else text) or "pip failed without a word."


def _line(text: str) -> str:
    """Text of others as one line without control characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:300]


def describe_proposal(proposal: PackageProposal | PackageProposed) -> Sequence[str]:
    """A proposal as lines for the person."""
    if not proposal.wheels:
        return (f"{proposal.name}: the package index was not asked yet", *_careful(proposal))
    first, *dependencies = proposal.wheels
    size_bytes = sum(wheel.size_bytes for wheel in proposal.wheels)
    return (
        f"{proposal.name} {proposal.version}: {proposal.summary or 'it says nothing of itself'}",
        f"  published by: {proposal.publisher or 'it does not say'} (its own word)",
        f"  file: {first.file}, {first.size_bytes / 1e6:,.1f} MB, sha256 {first.sha256}",
        *(
            f"  brings {dependency.name} {dependency.version}, {dependency.size_bytes / 1e6:,.1f} MB, "
            f"sha256 {dependency.sha256}"
            for dependency in dependencies
        ),
        f"  together {size_bytes / 1e6:,.1f} MB; its code runs in the cage only",
        *_careful(proposal),
    )


def _careful(proposal: PackageProposal | PackageProposed) -> Sequence[str]:
    return tuple(f"  careful: {text}" for text in proposal.doubts)
