"""What people take away: tables, charts, the notebook, the report."""
