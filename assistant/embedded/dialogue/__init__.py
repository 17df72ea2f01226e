"""Follow-ups: a question that changes the meaning before it."""
