"""Which rows are meant: conditions, comparisons, periods, texts, absences, and standards taken from other rows."""
