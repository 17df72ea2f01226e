"""Base forms out of the searched file are simplemma's own."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
import simplemma
from simplemma.strategies.dictionaries import DefaultDictionaryFactory

from assistant import word_forms
from assistant.word_forms import WordForms, base_form, is_known


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:  # pyright: ignore
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    remembered = (word_forms._forms, word_forms._lemmatizer, is_known)
    for each in remembered:
        each.cache_clear()
    yield
    for each in remembered:
        each.cache_clear()


def words(count: int) -> list[str]:
    """Words of the dictionary, and as many that are put together from two of them and are mostly none."""
    drawn = random.Random(7).sample(list(DefaultDictionaryFactory().get_dictionary("en")), 2 * count)
    return [*drawn[:count], *(first[:3] + second for first, second in zip(drawn[:count], drawn[count:], strict=True))]


def test_base_forms_and_known_words_are_simplemmas() -> None:
    asked = [*words(2_000), "3", "don't", "Paris", "co-founder", "ORDERS", "naïve", "signups"]
    assert [base_form(word) for word in asked] == [simplemma.lemmatize(word, lang="en") for word in asked]
    assert [is_known(word) for word in asked] == [simplemma.is_known(word, lang="en") for word in asked]


def test_the_file_holds_the_dictionary_whole(tmp_path: Path) -> None:
    assert is_known("orders")
    (kept,) = (tmp_path / "tandem" / "words").iterdir()
    dictionary = DefaultDictionaryFactory().get_dictionary("en")
    forms = WordForms(kept.read_bytes())
    assert len(forms) == len(dictionary)
    assert all(forms[word] == dictionary[word] for word in list(dictionary)[::50])
    assert "qqxy" not in forms


def test_a_cache_that_others_may_write_is_not_used(tmp_path: Path) -> None:
    folder = tmp_path / "tandem" / "words"
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    assert base_form("orders") == "order"
    assert not list(folder.iterdir())
