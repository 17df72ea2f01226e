"""Trust: the check that every input passes that names a file, an address, a variable, a class or a function."""
