"""The participants of a session: the model or analyst of each role, their knowledge, and their access to data."""
