"""Texts are compared by meaning with names whose vectors are made once, and not at all where nobody can."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from knowledge.embedding import EmbedderChoice, Hashing
from knowledge.errors import EmbedderUnavailable
from knowledge.similarity import Similarity


class Counting:
    """Texts as vectors of the vowels in them, and the texts that it was asked for."""

    name = "counting"
    dim = 5
    similarity_min = 0.2

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked.extend(texts)
        counted = np.array([[text.count(vowel) for vowel in "aeiou"] for text in texts], dtype=np.float32)
        return counted / np.linalg.norm(counted, axis=1, keepdims=True)


def test_each_text_is_compared_with_each_name() -> None:
    likeness = Similarity(lambda: EmbedderChoice(embedder=Counting(), reason=""))
    cosines = likeness(["pay", "cost"], ["salary", "rooms"])
    assert cosines is not None
    np.testing.assert_allclose(cosines, [[1, 0], [0, 1]])


def test_names_are_embedded_once_and_kept_for_the_next_program(tmp_path: Path) -> None:
    first, later = Counting(), Counting()
    likeness = Similarity(lambda: EmbedderChoice(embedder=first, reason=""), tmp_path)
    likeness(["pay"], ["salary", "rooms"])
    likeness(["pay", "cost"], ["salary", "rooms"])
    assert sorted(first.asked) == ["cost", "pay", "rooms", "salary"]
    Similarity(lambda: EmbedderChoice(embedder=later, reason=""), tmp_path)(["pay"], ["salary", "rooms"])
    assert later.asked == ["pay"]


def test_nothing_is_compared_by_spelling_alone() -> None:
    assert Similarity(lambda: EmbedderChoice(embedder=Hashing(), reason=""))(["pay"], ["salary"]) is None


def test_nothing_is_compared_where_the_embedder_is_not_there() -> None:
    def choose() -> EmbedderChoice:
        raise EmbedderUnavailable("It is not installed.")

    assert Similarity(choose)(["pay"], ["salary"]) is None


def test_nothing_is_chosen_before_texts_are_compared() -> None:
    Similarity(lambda: pytest.fail("chosen"))


def test_the_embedder_is_chosen_once() -> None:
    chosen: list[EmbedderChoice] = []

    def choose() -> EmbedderChoice:
        chosen.append(EmbedderChoice(embedder=Counting(), reason=""))
        return chosen[-1]

    likeness = Similarity(choose)
    likeness(["pay"], ["salary"])
    likeness(["cost"], ["rooms"])
    assert len(chosen) == 1
