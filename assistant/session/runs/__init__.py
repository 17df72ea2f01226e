"""What runs on a session: one turn at a time, from what the person said to what comes of it."""
