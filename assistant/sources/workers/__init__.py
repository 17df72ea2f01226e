"""File engines in processes of their own: the server asks, a caged worker opens the file and answers."""
