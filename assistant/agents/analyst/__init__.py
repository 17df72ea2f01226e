"""Planner and coder played by the embedded analyst: no language model, no network."""
