"""Earlier questions: found again, pinned and tagged, copied from any turn, deleted with a way back."""
