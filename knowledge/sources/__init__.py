"""Where documents come from: one reader for each kind of file, and one for a source's schema."""
