"""Who may name what: the one check for every input that names a file, an address, a variable, a class or a function."""
