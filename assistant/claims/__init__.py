"""What sentences about results say, as typed claims, and whether the results bear them out. Pure."""
