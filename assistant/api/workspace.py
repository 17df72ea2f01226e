"""All sessions of a data folder, and what they work on. `assistant.api.opening` opens it."""

from assistant.session.workspace import Masking as Masking, Workspace as Workspace
