"""A workspace: all sessions of a data folder, and their sources. `assistant.api.opening` opens it."""

from assistant.session.workspace import Masking as Masking, Workspace as Workspace
