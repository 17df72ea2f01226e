"""Review of a query before it runs: likely mistakes in its tree, given its tables' profiles. One rule finds each."""
