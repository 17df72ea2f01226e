"""Actions on the answers of a session: verify, change the display, export."""
