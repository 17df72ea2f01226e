"""Who plays planner, coder and reviewer in a session, and what they know and may see."""
