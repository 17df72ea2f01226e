"""Sessions: a session, its participants, its sources, and the workspace that holds all sessions."""
