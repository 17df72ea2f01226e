"""Events about Python packages that a cell imports and the cage lacks: a proposal of files, and its approval."""

from __future__ import annotations

from typing import Literal

from assistant.core.events.base import Event, Value


class PackageWheel(Value):
    """One file of a package, as it was approved."""

    name: str
    version: str
    file: str
    sha256: str
    size_bytes: int


class PackageProposed(Event):
    """A package that a cell imports and the cage lacks, put before the person; no policy approves it.

    `proposal` is whose code imports `module`. Without `wheels` the index was not asked yet, because the name is in
    doubt (`doubts`): approved, it is looked up. With them, exactly these files are added. `summary` and `publisher` are
    the package's own words. A `fault` says why it cannot be had; then there is nothing to decide.
    """

    kind: Literal["package_proposed"] = "package_proposed"
    id: str
    proposal: str
    module: str
    line: int | None = None
    name: str
    version: str = ""
    summary: str = ""
    publisher: str = ""
    wheels: tuple[PackageWheel, ...] = ()
    doubts: tuple[str, ...] = ()
    fault: str = ""


class PackageAdded(Event):
    """The person let the session's kernel import a package: exactly these files, which bring these modules."""

    kind: Literal["package_added"] = "package_added"
    name: str
    version: str
    wheels: tuple[PackageWheel, ...]
    modules: tuple[str, ...]
