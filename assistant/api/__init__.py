"""The one door: what the page, the command line, Python and servers use of the assistant, and all they use."""
