"""Export of a session as a notebook that runs from top to bottom without Tandem."""
