"""The sources that a person has connected: kept, described, corrected, and read as they say."""
