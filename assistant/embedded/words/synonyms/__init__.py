"""Words that mean the same, by subject; each room is a subject of business or of life."""
