"""From a filled draft to a meaning, or the reason why there is none."""
