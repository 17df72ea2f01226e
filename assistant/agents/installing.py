"""The package that a cell lacks: put forward, looked up and added, each as the log says is due.

The host asks the index and keeps files; nothing of a package runs here. A name that is not well known is not even told
to the index before a person says so: whoever chose it, a model or a text that it read, could say something by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from assistant.core.approval.gate import is_named, package_digest
from assistant.core.events import Decision, Event, PackageAdded, PackageProposed, Review
from assistant.core.flow import find_package_due
from assistant.core.turns import Turn, current_turn
from assistant.errors import AssistantError, SessionError
from assistant.packages.names import explain_suspicion, project_of
from assistant.packages.store import added_in, modules_added


class Packages(Protocol):
    """The package index and where approved packages are kept."""

    async def look_up(self, request: PackageProposed) -> PackageProposed:
        """Ask the index for the package: the proposal with its version, files and what it says of itself.

        Raises:
            AssistantError: it cannot be had.
        """
        ...

    async def add(self, approved: PackageProposed, *, before: Sequence[PackageAdded]) -> PackageAdded:
        """Keep the files of an approved package.

        Raises:
            AssistantError: they are not the files that were approved, or are not fit to be added.
        """
        ...


async def handle_package(log: Sequence[Event], packages: Packages) -> PackageProposed | PackageAdded | None:
    """What is due about a package; None where the executor is to run a cell.

    Raises:
        SessionError: what was approved is not what was proposed. Nothing was added.
    """
    turn = current_turn(log)
    if turn.stage == "review" and (finding := find_package_due(turn)) is not None:
        return await _propose(turn.reviews[-1], finding.missing, finding.line, packages)
    if turn.stage == "package_decision" and turn.decisions[-1].action == "approve":
        return await _add_approved(log, turn, turn.decisions[-1], packages)
    return None


async def _propose(review: Review, module: str, line: int | None, packages: Packages) -> PackageProposed:
    name = project_of(module)
    doubts = tuple(filter(None, (explain_suspicion(name),)))
    request = PackageProposed(
        turn=review.turn,
        id=f"{review.proposal}:{name}",
        proposal=review.proposal,
        module=module,
        line=line,
        name=name,
        doubts=doubts,
    )
    return request if doubts else await _look_up(request, packages)


async def _look_up(request: PackageProposed, packages: Packages) -> PackageProposed:
    try:
        return await packages.look_up(request)
    except AssistantError as error:
        return request.model_copy(update={"fault": str(error)})


async def _add_approved(
    log: Sequence[Event], turn: Turn, decision: Decision, packages: Packages
) -> PackageProposed | PackageAdded:
    item = turn.package(decision.ref)
    assert item is not None, "a decision names what it decides"
    proposed = item.proposal
    if decision.by != "person" or decision.sha256 != package_digest(proposed) or not is_named(proposed, decision.typed):
        raise SessionError(f"The package {proposed.name!r} is not what a person approved. Nothing was added.")
    if proposed.module in modules_added(log):
        return proposed.model_copy(update={"fault": f"{proposed.module} was added to this session meanwhile."})
    if not proposed.wheels:
        return await _look_up(proposed, packages)
    try:
        added = await packages.add(proposed, before=added_in(log))
    except AssistantError as error:
        return proposed.model_copy(update={"fault": str(error)})
    return added.model_copy(update={"turn": proposed.turn})
