"""What a session remembers: its events, folded into what a role needs to know and no more."""
