"""A superlative without a number gives all that share the extreme; with a number, just so many."""

from __future__ import annotations

import pytest

from assistant.embedded.meaning import Meaning, Measure, Order
from assistant.embedded.wording.answers import word_answer

_SCHEMA = """
CREATE TABLE genres (genre_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE tracks (
    track_id INTEGER PRIMARY KEY, name TEXT NOT NULL, genre_id INTEGER NOT NULL REFERENCES genres (genre_id),
    milliseconds INTEGER NOT NULL, unit_price REAL NOT NULL);
INSERT INTO genres VALUES (1, 'Rock'), (2, 'Jazz'), (3, 'Polka');
INSERT INTO tracks VALUES
    (1, 'Ash', 1, 300, 1.99), (2, 'Birch', 1, 200, 0.99), (3, 'Cedar', 2, 300, 1.99), (4, 'Dogwood', 2, 100, 0.99),
    (5, 'Elm', 3, 250, 1.99);
"""


@pytest.fixture(scope="module")
def music(opened):
    return opened("music", _SCHEMA)


def _answer(music, understood, question):
    analyst, con = music
    meaning = understood(analyst, question).meaning
    cursor = con.execute(analyst.sql(meaning))
    rows = cursor.fetchall()
    return rows, word_answer(meaning, [d[0] for d in cursor.description], rows, len(rows))


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What is the most expensive track?", ["Ash", "Cedar", "Elm"]),
        ("Which track is the longest?", ["Ash", "Cedar"]),
        ("the cheapest track", ["Birch", "Dogwood"]),
        ("the most expensive rock track", ["Ash"]),
        ("which track has the lowest milliseconds", ["Dogwood"]),
    ],
)
def test_every_row_with_the_extreme_is_given(question, names, music, understood):
    rows, _ = _answer(music, understood, question)
    assert sorted(row[0] for row in rows) == names


def test_answer_says_how_many_share_it(music, understood):
    _, text = _answer(music, understood, "What is the most expensive track?")
    assert text == "**3** tracks share the highest unit price, **1.99**: **Ash**, **Cedar** and **Elm**."


def test_groups_with_the_same_figure_share_the_first_place(music, understood):
    rows, text = _answer(music, understood, "Which genre has the most tracks?")
    assert sorted(rows) == [("Jazz", 2), ("Rock", 2)]
    assert text == "**2** genres share the highest number of tracks, **2**: **Jazz** and **Rock**."


def test_single_first_place_reads_as_before(music, understood):
    rows, text = _answer(music, understood, "Which genre has the fewest tracks?")
    assert rows == [("Polka", 1)]
    assert text.startswith("**Polka** is the genre with the lowest number of tracks")


@pytest.mark.parametrize(("question", "count"), [("top 1 track by unit price", 1), ("the 2 most expensive tracks", 2)])
def test_named_number_is_kept(question, count, music, understood):
    rows, _ = _answer(music, understood, question)
    assert len(rows) == count


def test_follow_up_with_a_number_counts_again(music, understood):
    analyst, con = music
    first = understood(analyst, "Which genre has the most tracks?").meaning
    rows = con.execute(analyst.sql(understood(analyst, "top 3", first).meaning)).fetchall()
    assert len(rows) == 3


def test_hidden_figure_leaves_the_same_groups(music, understood):
    analyst, con = music
    meaning = understood(analyst, "Which genre has the most tracks?").meaning
    assert sorted(con.execute(analyst.sql(meaning, context=False)).fetchall()) == [("Jazz",), ("Rock",)]


def test_one_row_of_figures_shares_nothing(music):
    analyst, con = music
    meaning = Meaning(
        source="music",
        base="tracks",
        base_label="tracks",
        measures=(Measure(aggregate="count", label="tracks"),),
        order=(Order(by="measure", descending=True),),
        limit=1,
        ties=True,
    )
    assert con.execute(analyst.sql(meaning)).fetchall() == [(5,)]


_STAFF = """
CREATE TABLE staff (employee TEXT NOT NULL, team TEXT NOT NULL, salary INTEGER NOT NULL, turnover_part REAL NOT NULL);
INSERT INTO staff VALUES
    ('Ada', 'HR', 108, 0.0754), ('Bo', 'HR', 108, 0.0761), ('Cy', 'IT', 99, 0.05), ('Di', 'Sales', 113, 0.06),
    ('Ev', 'IT', 90, 0.07);
"""


def test_the_first_of_each_group_are_told_by_their_group_and_value(opened, understood):
    staff = opened("staff", _STAFF)
    rows, text = _answer(staff, understood, "highest paid employee in each team")
    assert len(rows) == 4
    assert text.partition(": ")[2] == (
        "in HR **Ada** (108), in HR **Bo** (108), in IT **Cy** (99) and in Sales **Di** (113)."
    )


def test_small_numbers_are_told_apart_in_an_answer(opened, understood):
    _, text = _answer(opened("parts", _STAFF), understood, "average turnover part by team")
    assert "**0.0757**" in text or "**0.0758**" in text
    assert "**0.06**" in text
