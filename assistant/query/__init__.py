"""All work on SQL: the guard, masks, lineage, drilling down, and the review of queries."""
