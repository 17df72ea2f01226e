"""From what the words may stand for to queries of the algebra."""
