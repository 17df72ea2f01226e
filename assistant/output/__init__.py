"""Output for people: tables, charts, the notebook, the report."""
