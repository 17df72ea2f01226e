"""Plain SQL that a model or a person wrote, as queries of the algebra."""
