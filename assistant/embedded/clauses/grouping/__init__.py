"""What a figure is broken down by: columns, periods, ranges; and a "by" that says who did it."""
