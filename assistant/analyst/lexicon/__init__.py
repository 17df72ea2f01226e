"""The words the analyst knows. They stand in YAML files, so that a person adds a word without Python."""
