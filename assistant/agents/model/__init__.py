"""Planner, coder and reviewer played by a language model, whatever kind of model it is."""
