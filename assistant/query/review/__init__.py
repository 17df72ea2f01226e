"""What a query's tree and its tables' profiles give away before it runs: likely mistakes, each found by one rule."""
