"""What the organisation means by its data: documents, their index, and retrieval with citations."""
