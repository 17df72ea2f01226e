"""What a sentence calls "it" or "they" is the row that the sentence before names. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.claims.facts import TableFacts
from assistant.claims.words import load_words, lower, tokenize


def resolve_reference(sentence: str, previous: str, facts: Sequence[TableFacts]) -> str:
    """A sentence with the name in place of the pronoun that it begins with; itself where that may mean something else.

    Args:
        sentence: One sentence.
        previous: The sentence before.
        facts: The results, whose rows may be named.
    """
    lists = load_words().lists
    tokens = tokenize(sentence)
    if len(tokens) < 2 or tokens[0].text not in lists["referring"].split():
        return sentence
    if tokens[1].text not in lists["referring_verbs"].split() or load_words().patterns["expletive"].search(
        lower(sentence)
    ):
        return sentence
    names = {
        previous[mention.start : mention.end]
        for table in facts
        for mention in table.find_mentions(tokenize(previous))
        if table.keys[mention.column].role != "time"
    }
    return f"{names.pop()}{sentence[tokens[0].end :]}" if len(names) == 1 else sentence
