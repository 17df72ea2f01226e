"""The settings: read from environment and files, validated, as frozen values."""
