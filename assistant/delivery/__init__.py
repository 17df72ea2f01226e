"""What a person or a program meets outside the page: the command line, the terminal, the report of a turn."""
