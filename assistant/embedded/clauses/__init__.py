"""The clauses of a question: each rule claims words and adds to a draft what they ask for."""
