"""What needs no query: greetings, questions about the data or the answer before, replies to a question back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from assistant.analyst.dialogue.cues import begins, is_phrase, meanings, spoken
from assistant.analyst.lexicon.files import section
from assistant.analyst.linking.tokens import Word, light, words

Back = Literal["before", "first", ""]
_PLACES = ("first", "second", "third", "fourth")


def chosen(reply: str, options: Sequence[str]) -> int | None:
    """The place of the option that a reply chooses: by its words, or by its number."""
    plain = reply.strip().casefold()
    exact = next((i for i, option in enumerate(options) if option.casefold() == plain), None)
    if exact is not None:
        return exact
    tokens = spoken(words(reply))
    return next((i for i, place in enumerate(_PLACES[: len(options)]) if is_phrase(tokens, "replies", place)), None)


def nearest(reply: str, options: Sequence[str]) -> int | None:
    """The place of the only option that has all words of a reply."""
    lemmas = {word.lemma for word in words(reply) if word.is_word} - light()
    option_lemmas = [{word.lemma for word in words(option)} for option in options]
    matches = [i for i, candidate in enumerate(option_lemmas) if lemmas and lemmas <= candidate]
    return matches[0] if len(matches) == 1 else None


def says_none(reply: str) -> bool:
    """Whether none of the options is meant."""
    return is_phrase(spoken(words(reply)), "replies", "none")


def goes_back(question: str) -> Back:
    """Which earlier answer a question asks for: the one before the last, or the first of all; empty for none."""
    tokens = spoken(words(question))
    return "before" if is_phrase(tokens, "back", "before") else "first" if is_phrase(tokens, "back", "first") else ""


def small_talk(question: str) -> str | None:
    """What to say to it; "summary" where a summary of the data is asked for; None for a question about the data."""
    tokens = tuple(
        Word(text=w.text, lower=w.lower.replace("'s", "s"), lemma=w.lemma)
        for w in words(question)
        if w.is_word or w.lower == "'s"
    )
    tokens = spoken(tokens)
    if is_phrase(tokens, "summary"):
        return "summary"
    kind = next((kind for kind in meanings("greetings") if is_phrase(tokens, "greetings", kind)), None)
    return str(section("dialogue", "answers")[kind]) if kind else None


def asks_how(question: str) -> bool:
    """Whether it asks how the answer before came about."""
    return is_phrase(spoken(words(question)), "explaining")


def changes_data(question: str) -> bool:
    """Whether it is a statement that would change the data."""
    return begins(words(question), "changing data") > 0
