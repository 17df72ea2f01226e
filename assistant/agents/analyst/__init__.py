"""Planner, coder and reviewer played by the embedded analyst: no language model, no network."""
