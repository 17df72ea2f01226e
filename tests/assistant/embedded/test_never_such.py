"""What somebody never did with things of a kind, where the kind lies several keys beyond what was done."""

from __future__ import annotations

import pytest

_SCHEMA = """
CREATE TABLE towns (town_id INTEGER PRIMARY KEY, town_name TEXT NOT NULL);
CREATE TABLE members (member_id INTEGER PRIMARY KEY, member_name TEXT NOT NULL,
    town_id INTEGER NOT NULL REFERENCES towns (town_id));
CREATE TABLE books (book_id INTEGER PRIMARY KEY, title TEXT NOT NULL);
CREATE TABLE genres (genre_id INTEGER PRIMARY KEY, genre_name TEXT NOT NULL);
CREATE TABLE book_genres (book_id INTEGER NOT NULL REFERENCES books (book_id),
    genre_id INTEGER NOT NULL REFERENCES genres (genre_id), PRIMARY KEY (book_id, genre_id));
CREATE TABLE copies (copy_id INTEGER PRIMARY KEY, book_id INTEGER NOT NULL REFERENCES books (book_id));
CREATE TABLE loans (loan_id INTEGER PRIMARY KEY, member_id INTEGER NOT NULL REFERENCES members (member_id),
    copy_id INTEGER NOT NULL REFERENCES copies (copy_id), loan_date DATE NOT NULL);
INSERT INTO towns VALUES (1, 'Kiel'), (2, 'Ulm');
INSERT INTO members VALUES (1, 'Ada', 1), (2, 'Bo', 1), (3, 'Cy', 2), (4, 'Di', 2);
INSERT INTO books VALUES (1, 'Fog'), (2, 'Sea'), (3, 'Sky');
INSERT INTO genres VALUES (1, 'Horror'), (2, 'Poetry');
INSERT INTO book_genres VALUES (1, 1), (2, 2), (3, 1), (3, 2);
INSERT INTO copies VALUES (1, 1), (2, 2), (3, 3);
INSERT INTO loans VALUES (1, 1, 1, '2026-01-01'), (2, 1, 2, '2026-01-02'), (3, 2, 2, '2026-01-03'), (4, 3, 3, '2026-01-04');
"""


@pytest.fixture(scope="module")
def library(opened):
    return opened("library", _SCHEMA)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("members without loans of horror books", ["Bo", "Di"]),
        ("members who never loaned a horror book", ["Bo", "Di"]),
        ("which members have no loans of the book Sea?", ["Cy", "Di"]),
        ("members in Ulm without loans", ["Di"]),
        ("members without loans in Ulm", ["Di"]),
    ],
)
def test_the_kind_belongs_to_what_was_not_done(question, names, library, first_rows):
    assert sorted(row[0] for row in first_rows(library, question)[0]) == names
