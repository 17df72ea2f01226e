"""How a meaning is shown: its SQL with headings, its answer in words, its chart."""
