"""Connections: the sources that a person connected, stored, described and corrected."""
