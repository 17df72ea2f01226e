"""Packages that the cage lacks: proposed from the index, approved by the person, handed to a session's kernel."""
