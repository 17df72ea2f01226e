"""What the knowledge base says, as values of the algebra: metrics, terms, rules, verified queries."""
