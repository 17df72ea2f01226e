"""The settings and their changes."""

from assistant.session.settings.choices import Choices as Choices
from assistant.session.settings.setting_changes import SettingChanges as SettingChanges
from assistant.settings.level_store import describe_source as describe_source
from assistant.settings.settings_store import SettingChange as SettingChange
