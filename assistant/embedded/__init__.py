"""The embedded analyst: reads ordinary business questions with no model, and says so when it cannot."""
