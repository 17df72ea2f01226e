"""What works here and what does not."""
