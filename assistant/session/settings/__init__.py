"""Changes of the settings by a person."""
