"""SQL: the guard, masks, lineage, drill-down, and the review of queries."""
