"""The conversation: events, data behind locks, approvals, agents, the embedded analyst, sessions, export."""
