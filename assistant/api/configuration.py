"""The settings as a program starts with them."""

from assistant.settings.config import load as load
from assistant.settings.settings import Settings as Settings
