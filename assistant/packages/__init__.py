"""Python packages that the cage lacks: proposed from the index, approved by the person, added to a kernel."""
