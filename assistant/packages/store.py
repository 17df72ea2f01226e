"""Approved packages: stored as the exact approved files, and unpacked where a session's cage can read them.

The files are in `packages/ID` of the data folder, ID being the hash of their hashes. Before a kernel starts they are
compared with the hashes in the session's log and unpacked into its data folder, which the cage mounts read-only. They
are last on Python's path, so that they shadow nothing. All calls that touch files block.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from pathlib import Path

from assistant.core.events import Event, PackageAdded, PackageWheel
from assistant.core.turns import fold_events
from assistant.errors import AssistantError
from assistant.packages.index import PackageProposal
from assistant.packages.wheels import modules_in, sha256_of, unpack

PACKAGES = "packages"
"""The folder that keeps approved packages, in the data folder and in that of a session."""


def added_in(events: Iterable[Event]) -> tuple[PackageAdded, ...]:
    """The packages that were added to a session, in order."""
    return tuple(fold_events(events).packages)


def modules_added(events: Iterable[Event]) -> frozenset[str]:
    """The modules that they bring."""
    return frozenset(module for package in added_in(events) for module in package.modules)


def store_files(proposal: PackageProposal, store: Path, before: Sequence[PackageAdded]) -> PackageAdded:
    """Keep the files of an approved proposal.

    Args:
        proposal: what the person approved.
        store: where packages are kept.
        before: what was added to the session before; files that it has already are not added twice.

    Returns:
        The event that says so, for the session's log.

    Raises:
        AssistantError: a file is not the one that was approved, or holds what is refused. Nothing was added.
    """
    had = {wheel.sha256 for package in before for wheel in package.wheels}
    used_modules = modules_added(before)
    wheels = tuple(wheel for wheel in proposal.wheels if wheel.sha256 not in had)
    if not wheels:
        raise AssistantError(f"{proposal.name} {proposal.version} was added to this session before.")
    modules: list[str] = []
    for wheel in wheels:
        _verify(proposal.folder, wheel)
        modules += modules_in(proposal.folder / wheel.file, used_modules={*used_modules, *modules})
    target = store / id_of(wheels)
    if not target.exists():
        with _writing(store):
            store.mkdir(mode=0o700, parents=True, exist_ok=True)
            draft = Path(tempfile.mkdtemp(prefix="new-", dir=store))
            try:
                for wheel in wheels:
                    shutil.copyfile(proposal.folder / wheel.file, draft / wheel.file)
                # Renamed when complete, so that a crash or a second program never leaves half of a package in place.
                draft.rename(target)
            except BaseException:
                shutil.rmtree(draft, ignore_errors=True)
                raise
    return PackageAdded(name=proposal.name, version=proposal.version, wheels=wheels, modules=tuple(modules))


def unpack_packages(packages: Sequence[PackageAdded], store: Path, data: Path) -> tuple[str, ...]:
    """Unpack packages into a session's data folder, where they are not there yet; gives their ids.

    Raises:
        AssistantError: a file is gone, or is not the one that was approved.
    """
    return tuple(_placed(package, store, data) for package in packages)


def path_code(folders: Sequence[str]) -> str:
    """What a kernel runs before its first cell, so that cells can import from the packages of these ids."""
    if not folders:
        return ""
    return (
        "\n\ndef _add_packages(folders):\n    import sys\n\n    import tandem_guest\n\n"
        f"    sys.path.extend(tandem_guest.data_path({PACKAGES!r}) + '/' + name for name in folders)\n\n\n"
        f"_add_packages({list(folders)!r})\ndel _add_packages\n"
    )


def _placed(package: PackageAdded, store: Path, data: Path) -> str:
    mark = id_of(package.wheels)
    folder = data / PACKAGES
    if (folder / mark).exists():
        return mark
    with _writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o755)  # the data folder above it is closed to all but the session
        draft = Path(tempfile.mkdtemp(prefix="new-", dir=folder))
        try:
            for wheel in package.wheels:
                # Checked at each use: the files have been on disk since their approval.
                _verify(store / mark, wheel)
                unpack(store / mark / wheel.file, draft)
            draft.chmod(0o755)
            draft.rename(folder / mark)
        except BaseException:
            shutil.rmtree(draft, ignore_errors=True)
            raise
    return mark


@contextmanager
def _writing(folder: Path) -> Generator[None]:
    """Says in words where `folder` cannot be written."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise AssistantError(f"The package cannot be written to {folder} ({reason}). Make room there.") from error


def _verify(folder: Path, wheel: PackageWheel) -> None:
    path = folder / Path(wheel.file).name
    try:
        digest = sha256_of(path)
    except OSError as error:
        text = f"The file {wheel.file} of an added package is gone ({error.strerror}). Put it back into {folder}."
        raise AssistantError(text) from error
    if digest != wheel.sha256:
        raise AssistantError(f"{path} is not the file that was approved: its hash is another. It is not used.")


def id_of(wheels: Sequence[PackageWheel]) -> str:
    """The name of a set of files: the hash of their hashes."""
    # Sorted: the order in which pip lists the wheels makes no other package of them.
    return hashlib.sha256("\n".join(sorted(wheel.sha256 for wheel in wheels)).encode()).hexdigest()
