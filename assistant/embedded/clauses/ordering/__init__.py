"""What comes first: orders, places, extremes, what there is most of, and the first of each group."""
