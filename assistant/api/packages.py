"""Packages that a person may add."""

from assistant.packages.index import described as described
