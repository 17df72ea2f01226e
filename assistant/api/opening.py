"""Opens a workspace, for one person or for a server with many."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import TypeAlias

from assistant.api.workspace import Workspace
from assistant.bootstrap import home as home, open_workspace as open_workspace
from assistant.runtime.responsiveness import keep_responsive as keep_responsive

OpenWorkspace: TypeAlias = Callable[[], AbstractAsyncContextManager[Workspace]]
"""Opens a workspace; a server enters it on the loop that it lives on."""
