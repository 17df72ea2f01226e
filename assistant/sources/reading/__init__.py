"""How files become tables: encodings, delimiters, headers, types, missing words, totals."""
