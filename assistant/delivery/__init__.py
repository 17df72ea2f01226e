"""The command line and the terminal: what a person or a program uses outside the page."""
