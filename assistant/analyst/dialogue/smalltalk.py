"""What needs no query: greetings, thanks, what data there is, how an answer came about, and what would change data."""

from __future__ import annotations

from assistant.analyst.dialogue.cues import begins, is_phrase, meanings, spoken
from assistant.analyst.lexicon.files import section
from assistant.analyst.linking.tokens import Word, words


def small_talk(question: str) -> str | None:
    """What to say to it; "summary" where a summary of the data is asked for; None for a question about the data."""
    said = tuple(
        Word(text=w.text, lower=w.lower.replace("'s", "s"), lemma=w.lemma)
        for w in words(question)
        if w.is_word or w.lower == "'s"
    )
    said = spoken(said)
    if is_phrase(said, "summary"):
        return "summary"
    kind = next((kind for kind in meanings("greetings") if is_phrase(said, "greetings", kind)), None)
    return str(section("dialogue", "answers")[kind]) if kind else None


def asks_how(question: str) -> bool:
    """Whether it asks how the answer before came about."""
    return is_phrase(spoken(words(question)), "explaining")


def changes_data(question: str) -> bool:
    """Whether it is a statement that would change the data."""
    return begins(words(question), "changing data") > 0
