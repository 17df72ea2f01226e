"""Package offers: files that are downloaded for a proposal and stored until the person decides.

Files without a decision are deleted after a week; a later approval downloads them again, and accepts them only if they
are the approved files.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from assistant.core.events import PackageAdded, PackageProposed
from assistant.errors import AssistantError
from assistant.packages.index import PackageProposal, propose
from assistant.packages.store import id_of, store_files

_PREFIX = "offered-"
_KEPT_S = 7 * 24 * 3600


class OfferedPackages:
    """The index's offers to one session.

    Args:
        store: where packages are kept.
        on_progress: is told in words what is being done, and None when it is done.
    """

    def __init__(self, store: Path, *, on_progress: Callable[[str | None], object]) -> None:
        self._store = store
        self._told = on_progress

    async def look_up(self, request: PackageProposed) -> PackageProposed:
        """Ask the index; the files that the package would bring are kept for the decision.

        Raises:
            AssistantError: there is no such package for this Python, it is here already, or the index does not reply.
        """
        proposal = await self._fetched(request.name)
        return request.model_copy(
            update={
                "id": f"{request.proposal}:{proposal.name}=={proposal.version}",
                "name": proposal.name,
                "version": proposal.version,
                "summary": proposal.summary,
                "publisher": proposal.publisher,
                "wheels": proposal.wheels,
                "doubts": proposal.doubts,
            }
        )

    async def add(self, approved: PackageProposed, *, before: Sequence[PackageAdded]) -> PackageAdded:
        """Keep the files of an approved package; they are held against the approved hashes.

        Raises:
            AssistantError: a file is not the one that was approved, or holds what is refused. Nothing was added.
        """
        folder = self._folder(id_of(approved.wheels))
        if not folder.exists():
            await self._fetched(f"{approved.name}=={approved.version}")
        proposal = PackageProposal(
            name=approved.name,
            version=approved.version,
            summary=approved.summary,
            publisher=approved.publisher,
            wheels=approved.wheels,
            doubts=approved.doubts,
            folder=folder,
        )
        if not folder.exists():
            raise AssistantError(f"The index offers other files of {approved.name} {approved.version} now. Ask again.")
        try:
            self._told(f"Adding {approved.name} {approved.version}")
            return await asyncio.to_thread(store_files, proposal, self._store, before)
        finally:
            self._told(None)
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    async def _fetched(self, request: str) -> PackageProposal:
        """The index's offer, its files in the folder that its own hashes name."""
        await asyncio.to_thread(self._make_ready)
        draft = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix=_PREFIX, dir=self._store))
        try:
            proposal = await propose(request, draft, on_progress=self._told)
            folder = self._folder(id_of(proposal.wheels))
            if not folder.exists():
                await asyncio.to_thread(draft.rename, folder)
            return proposal
        finally:
            self._told(None)
            await asyncio.to_thread(shutil.rmtree, draft, ignore_errors=True)

    def _folder(self, mark: str) -> Path:
        return self._store / f"{_PREFIX}{mark}"

    def _make_ready(self) -> None:
        self._store.mkdir(mode=0o700, parents=True, exist_ok=True)
        for folder in self._store.glob(f"{_PREFIX}*"):
            if folder.stat().st_mtime < time.time() - _KEPT_S:
                shutil.rmtree(folder, ignore_errors=True)
