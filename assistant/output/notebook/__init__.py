"""A session as a notebook that runs from top to bottom without Tandem: built purely from its events, then written."""
