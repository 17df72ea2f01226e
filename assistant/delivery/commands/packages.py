"""Commands about Python packages that the cage lacks: show a proposal, add the package to a session."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assistant.delivery.options import settings

if TYPE_CHECKING:
    from assistant.api.packages import PackageProposal

packages = typer.Typer(help="Packages that the cage lacks, for one session.", no_args_is_help=True)

SessionGiven = Annotated[
    str, typer.Option("--session", metavar="SESSION", help="The session's id, as `tandem sessions` lists it.")
]


@packages.command()
def add(
    package: Annotated[str, typer.Argument(metavar="PACKAGE", help="A module or a project, also NAME==VERSION.")],
    session: SessionGiven,
    confirm: Annotated[
        str, typer.Option("--confirm", metavar="NAME", help="Approve the package by its name, without a question.")
    ] = "",
) -> int:
    """Show what a package would bring, ask, and let a session's cells import it."""
    return asyncio.run(_add(package, session, confirm))


@packages.command("list")
def list_(session: SessionGiven) -> int:
    """List the packages of a session, with the hashes of their files."""
    return asyncio.run(_list(session))


async def _add(requirement: str, session_id: str, confirm: str) -> int:
    from assistant.api.opening import open_workspace
    from assistant.api.packages import PACKAGES, added_in, describe_proposal, propose, store_files
    from assistant.delivery.terminal_input import wait_for_input

    configuration = settings()
    async with open_workspace(configuration) as workspace:
        session = await workspace.open(session_id)
        with tempfile.TemporaryDirectory() as folder:
            proposal = await propose(requirement, Path(folder))
            print(*describe_proposal(proposal), sep="\n")
            if not await wait_for_input(lambda: _approved(proposal, confirm)):
                print("Nothing was added.", file=sys.stderr)
                return 2
            before = added_in(entry.event for entry in session.events())
            added = await asyncio.to_thread(store_files, proposal, configuration.home / PACKAGES, before)
        await session.add_package(added)
    print(f"Added. Cells of this session can import {', '.join(added.modules)}.")
    return 0


async def _list(session_id: str) -> int:
    from assistant.api.opening import open_workspace
    from assistant.api.packages import added_in

    async with open_workspace(settings()) as workspace:
        session = await workspace.open(session_id)
        for package in added_in(entry.event for entry in session.events()):
            for wheel in package.wheels:
                print(f"{wheel.name}=={wheel.version}  sha256:{wheel.sha256}")
    return 0


def _approved(proposal: PackageProposal, confirm: str) -> bool:
    """Whether the person says yes: in a terminal, or by having typed the name out. Blocks."""
    from assistant.api.packages import canonicalize_name

    if confirm or not sys.stdin.isatty():
        return canonicalize_name(confirm) == canonicalize_name(proposal.name)
    if proposal.doubts:
        return canonicalize_name(input("Type the package's name to add it: ").strip()) == canonicalize_name(
            proposal.name
        )
    return input("Add it? [y/N] ").strip().lower() in ("y", "yes")
