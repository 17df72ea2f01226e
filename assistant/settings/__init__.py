"""The settings: read from environment and files, checked, and kept as frozen values."""
