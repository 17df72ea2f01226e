"""What is known of a source's tables: keys, types, repetitions, and what a person corrected."""
