"""Tandem for Python and notebooks: `tandem.ask("…", data=frame)`, and `%load_ext tandem` for `%%ask`.

    >>> import tandem
    >>> answer = tandem.ask("What was net revenue by region?", approve="queries")
    >>> answer.table, answer.sql, answer.text
    >>> answer.ask("only 2025")

Importing it loads nothing heavy; the first question does.
"""

from tandem.answer import Answer
from tandem.asking import ask
from tandem.deciding import Choice, Waiting
from tandem.magic import load_ipython_extension
from tandem.program import close

__all__ = ["Answer", "Choice", "Waiting", "ask", "close", "load_ipython_extension"]
