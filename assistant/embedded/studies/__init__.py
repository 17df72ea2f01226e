"""Questions that a query alone does not answer: trends, causes, forecasts, correlations, and what is odd in a table."""
