"""A value of the data is found in a text in whatever way its letters are written."""

from __future__ import annotations

import json
import unicodedata
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.agents.model.placeholders import restore_text
from assistant.agents.model.redaction import Redaction
from assistant.agents.model.text_readings import read_text
from assistant.agents.model.value_index import ValueIndex, split_words
from assistant.query.personal import PersonalValue

NAME = "Zoë Müllerová"
DECOMPOSED = unicodedata.normalize("NFD", NAME)
STREET = "Main Street 5\nSpringfield"
SPELLINGS = {
    "json": (NAME, json.dumps(NAME)[1:-1]),
    "json in capitals": (NAME, r"ZO\u00CB M\u00DCLLEROV\u00C1"),
    "json in json": (NAME, json.dumps(json.dumps(NAME))[3:-3]),
    "json of decomposed": (NAME, json.dumps(DECOMPOSED)[1:-1]),
    "ascii": (NAME, ascii(NAME)[1:-1]),
    "ascii with long escapes": (NAME, r"Zo\U000000eb M\U000000fcllerov\U000000e1"),
    "bytes": (NAME, repr(NAME.encode())[2:-1]),
    "address": (NAME, quote(NAME)),
    "form": (NAME, quote_plus(NAME).lower()),
    "decomposed text": (NAME, DECOMPOSED),
    "decomposed data": (DECOMPOSED, NAME),
    "decomposed data in json": (DECOMPOSED, json.dumps(NAME)[1:-1]),
    "compatible letters": (NAME, "Ｚｏë Müllerová"),
    "soft hyphen": (NAME, "Zoë Müller\u00adová"),
    "signs of no width": (NAME, "Z\u200boë\u2060 Mül\u200dlerová\ufeff"),
    "soft hyphen in json": (NAME, r"Zo\u00eb M\u00fcller\u00adov\u00e1"),
    "pairs": ("𠮷野 太郎", json.dumps("𠮷野 太郎")[1:-1]),
    "new line": (STREET, repr(STREET)[1:-1]),
    "new line in json": (STREET, json.dumps(json.dumps(STREET))[3:-3]),
    "tab": ("Main Street 5\tSpringfield", r"main street 5\tspringfield"),
    "escapes in data": (json.dumps(NAME)[1:-1], NAME),
    "a path, no new line": ("nora vreeland", r"\nora vreeland"),
}


def hide(text: str, *values: str) -> str:
    index = ValueIndex([PersonalValue(text=value, column="name") for value in values], strict=True)
    return Redaction((), stored=index)(text)


@pytest.mark.parametrize(("value", "spelling"), SPELLINGS.values(), ids=SPELLINGS)
def test_a_value_is_found_however_its_letters_are_written(value: str, spelling: str) -> None:
    text = hide(f'{{"p": "{spelling}", "é": 10%}}', value)
    assert text.replace("\\", "") == '{"p": "‹other name 1›", "é": 10%}'


@pytest.mark.parametrize("text", [r"C:\new\users 100% \u00 %ZZ %C3 \ud800", "crème brûlée", "e\u0308", "\\" * 9 + "u"])
def test_a_text_without_values_stays_as_it_is(text: str) -> None:
    assert hide(text, NAME) == text


def test_of_a_name_a_decomposed_word_is_replaced_whole_and_comes_back_as_the_data_spell_it() -> None:
    question = f"What about {DECOMPOSED.split()[1]}?"
    redaction = Redaction([PersonalValue(text=NAME, column="name")], typed=[question])
    assert redaction(question) == "What about ‹name 1: word 2›?"
    assert restore_text(redaction(question), redaction.values) == "What about Müllerová?"
    assert split_words(DECOMPOSED) == tuple(DECOMPOSED.split())


def test_a_decomposed_name_is_mentioned_as_the_text_spells_it() -> None:
    index = ValueIndex([PersonalValue(text=NAME, column="name")], strict=True)
    word = DECOMPOSED.split()[1]
    assert [spelling for spelling, _ in index.list_mentioned(f"{word} or {DECOMPOSED}")] == [word, DECOMPOSED]


@given(text=st.text(st.sampled_from("aeÉ\u0308\u00ad‹›%\\ux0c3n \n")))
def test_a_reading_knows_the_place_of_each_of_its_letters(text: str) -> None:
    for reading in read_text(text):
        places = [reading.locate(place) for place in range(len(reading.text) + 1)]
        assert places == sorted(set(places))
        assert places[-1] == len(text)
        for place, sign in zip(places, reading.text, strict=False):
            assert text[place] == sign or text[place] in "%\\"
