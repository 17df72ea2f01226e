"""What the knowledge base defines in sentences, made into figures, conditions and names."""
