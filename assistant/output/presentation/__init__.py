"""How an answer is shown: its figures in their units, its chart, its files, where it came from. Pure; runs no code."""
