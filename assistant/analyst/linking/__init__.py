"""From the words of a question to what each may stand for."""
