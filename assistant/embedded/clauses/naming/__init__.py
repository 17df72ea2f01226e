"""What words name together: adjectives for columns, compounds, full names, verbs, roles, and what counts rows."""
