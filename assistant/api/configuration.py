"""The settings at the start of a program."""

from assistant.settings.config import load as load
from assistant.settings.settings import Settings as Settings
