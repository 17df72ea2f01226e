"""The last clauses: what is left over is listed, is the group of a figure, or only connects."""
