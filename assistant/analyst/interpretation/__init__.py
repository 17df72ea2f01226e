"""What will be computed, as chips that a person reads and changes: measure, group by, filters, period, sort, top."""
