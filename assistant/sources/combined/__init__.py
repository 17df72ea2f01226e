"""Several sources asked together: their tables side by side in one DuckDB session."""
