"""A standing corpus for reading data: small files and databases in the shapes of published ones, with their readings."""
