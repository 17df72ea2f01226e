"""Where everything begins: a workspace is opened."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import TypeAlias

from assistant.api.workspace import Workspace
from assistant.bootstrap import home as home, open_workspace as open_workspace

OpenWorkspace: TypeAlias = Callable[[], AbstractAsyncContextManager[Workspace]]
"""Opens a workspace; a server enters it on the loop that it lives on."""
