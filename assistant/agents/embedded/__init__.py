"""Planner, coder and reviewer as the embedded analyst plays them: no model, no network."""
