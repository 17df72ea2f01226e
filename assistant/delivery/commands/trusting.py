"""`tandem trust`: shows what a folder's `tandem.toml` asks for beyond a folder's rights, and records the consent."""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assistant.delivery.options import Yes
from assistant.delivery.visible_text import make_visible
from assistant.errors import AssistantError

if TYPE_CHECKING:
    from assistant.api.trust import ConsentStore, FolderFile, SettingRequest

_DECLINED = 2


def trust(
    folder: Annotated[
        Path | None, typer.Argument(metavar="FOLDER", help="The folder; without it, all trusted folders are listed.")
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Take the consent back.")] = False,
    yes: Yes = False,
) -> int:
    """Show what more a folder's tandem.toml asks for, and agree to exactly that file."""
    from assistant.api.trust import FILE, ConsentStore, folder_file, home_of, toml_of

    home = home_of(os.environ)
    consents = ConsentStore(home)
    if folder is None:
        return _list(consents)
    if remove:
        removed = consents.remove(folder)
        print(f"{folder} is {'no longer' if removed else 'not'} trusted.")
        return 0
    if not folder.is_dir():
        raise AssistantError(f"{str(folder)!r} is no folder. Name the folder that holds the tandem.toml.")
    file = folder_file(folder.resolve(), home, own=toml_of(home / FILE), environment=os.environ)
    return _agree(file, consents, yes=yes)


def _list(consents: ConsentStore) -> int:
    from assistant.api.trust import digest_of

    if not consents.digests:
        print("No folder is trusted. Trust one with: tandem trust FOLDER")
    for folder, digest in sorted(consents.digests.items()):
        current = digest_of(Path(folder))
        note = "" if current == digest else "  (its tandem.toml is gone)" if not current else "  (changed: void)"
        print(f"{folder}{note}")
    return 0


def _agree(file: FolderFile, consents: ConsentStore, *, yes: bool) -> int:
    from assistant.api.trust import require_valid

    if file.refused:
        print(f"{file.path} sets what no folder may set:\n")
        _print_requests(file.refused)
        own = [entry.place[1] for entry in file.refused if file.is_own_model(entry)]
        why = f" The model {own[0]!r} is declared in your own settings: a folder cannot change it." if own else ""
        raise AssistantError(f"The folder cannot be trusted with this file.{why} Take these lines out of {file.path}.")
    require_valid(file)
    if not file.needs_consent:
        print(f"{file.path} asks for nothing that needs your consent.")
        return 0
    if consents.has(file.folder, file.digest):
        print(f"You agreed to {file.path} as it is. Take it back with: tandem trust --remove {_quoted(file)}")
        return 0
    print(f"{file.path} asks for more than a folder may set by itself:\n")
    _print_requests(file.needs_consent)
    print(
        "\nIf you agree, this holds whenever you run Tandem in that folder, until the file changes. A model whose "
        "address the file names gets no key from your environment."
    )
    if not yes and not (sys.stdin.isatty() and typer.confirm("Agree to exactly this file?")):
        print(f"Nothing was changed. Agree with: tandem trust --yes {_quoted(file)}")
        return _DECLINED
    consents.keep(file.folder, file.digest)
    print(f"You agreed to {file.path}.")
    return 0


def _print_requests(requests: tuple[SettingRequest, ...]) -> None:
    for request in requests:
        print(make_visible(f"  {request.name} = {json.dumps(request.value, ensure_ascii=False, default=str)}"))
        if request.description:
            print(f"      {request.description}")


def _quoted(file: FolderFile) -> str:
    return shlex.quote(str(file.folder))
