"""Consent to a folder's `tandem.toml`: the settings that it asks for beyond a folder's rights."""

from assistant.settings.config import (
    FILE as FILE,
    folder_file as folder_file,
    home_of as home_of,
    require_valid as require_valid,
)
from assistant.settings.folder_file import FolderFile as FolderFile, digest_of as digest_of
from assistant.settings.masks import toml_of as toml_of
from assistant.trust.consents import ConsentStore as ConsentStore
from assistant.trust.setting_scopes import SettingRequest as SettingRequest
