"""The organisation's knowledge of its data: documents, their index, and retrieval with citations."""
