"""The functions that some words ask for, as a model is told of them. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from assistant.functions.function import Function
from assistant.word_forms import base_form

_FUNCTIONS_MAX = 3
_CHARS_MAX = 400
"""Files of a folder that came with data say what they like."""
ListFunctions = Callable[[], Sequence[Function]]
"""Gives the functions that cells may import. Blocks."""


def list_none() -> tuple[Function, ...]:
    """No function, where there is no library."""
    return ()


def describe_functions_for(text: str, list_functions: ListFunctions) -> str:
    """How each function that a text asks for is imported and called, and what it gives; empty where none is. Blocks."""
    functions = find_matching(text, list_functions())
    lines = (f"from functions import {f.name}  # {f.signature}: {f.purpose} {f.returns}" for f in functions)
    return "\n".join(line[:_CHARS_MAX] for line in lines)


def find_matching(text: str, functions: Sequence[Function]) -> tuple[Function, ...]:
    """The functions whose name, or words by which people call them, stand in a text in that order."""
    lemmas = _list_lemmas(text)
    matches = [function for function in functions if any(_holds(lemmas, phrase) for phrase in _list_phrases(function))]
    return tuple(matches[:_FUNCTIONS_MAX])


def _list_phrases(function: Function) -> tuple[str, ...]:
    return (function.name.replace("_", " "), *function.words)


def _holds(lemmas: Sequence[str], phrase: str) -> bool:
    words = _list_lemmas(phrase)
    return any(lemmas[start : start + len(words)] == words for start in range(len(lemmas) - len(words) + 1))


def _list_lemmas(text: str) -> list[str]:
    return [base_form(word) for word in re.findall(r"\w+", text.casefold())]
