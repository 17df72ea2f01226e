"""Makes questions from the analyst's algebra, with what they mean: for the composition gate."""
