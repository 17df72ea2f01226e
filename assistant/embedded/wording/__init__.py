"""A meaning and its results in plain words and charts."""
