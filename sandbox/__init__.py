"""Runs untrusted Python in a cage. Knows nothing of agents, questions or SQL."""
