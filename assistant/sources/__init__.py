"""Data: sources, what is in them, and the three locks every query passes (guard, engine, budget)."""
