"""A table that ties two rows of one other: who follows whom, whose friends somebody has; checked by hand."""

from __future__ import annotations

import pytest

_CLUB = """
CREATE TABLE members (member_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, town TEXT NOT NULL,
    trainer INTEGER NOT NULL);
CREATE TABLE subscriptions (subscriber_id INTEGER NOT NULL REFERENCES members (member_id),
    subscribed_id INTEGER NOT NULL REFERENCES members (member_id), since DATE NOT NULL);
CREATE TABLE friendship (member_id INTEGER NOT NULL REFERENCES members (member_id),
    friend_id INTEGER NOT NULL REFERENCES members (member_id), PRIMARY KEY (member_id, friend_id));
CREATE TABLE recommends (recommender_id INTEGER NOT NULL REFERENCES members (member_id),
    recommendee_id INTEGER NOT NULL REFERENCES members (member_id));
INSERT INTO members VALUES (1, 'Ada', 'Bonn', 1), (2, 'Bo', 'Bonn', 0), (3, 'Cleo', 'Ulm', 0), (4, 'Dirk', 'Ulm', 1),
    (5, 'Emil', 'Kiel', 0);
INSERT INTO friendship VALUES (1, 2), (1, 3), (2, 3), (4, 1);
INSERT INTO recommends VALUES (1, 2), (1, 3), (1, 4), (2, 3), (3, 2), (4, 3);
INSERT INTO subscriptions VALUES (1, 2, '2024-01-01'), (3, 2, '2024-02-02'), (3, 4, '2024-03-03');
"""


@pytest.fixture(scope="module")
def club(opened):
    return opened("club", _CLUB)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many friends does each member have?", [("Ada", 2), ("Bo", 1), ("Dirk", 1)]),
        ("Which members have no friends?", [("Cleo",), ("Emil",)]),
        ("Show the names of members who have at least 2 friends.", [("Ada",)]),
        ("What are the names of Ada's friends?", [("Bo",), ("Cleo",)]),
        ("Who are the friends of Dirk?", [("Ada",)]),
        ("Which member has the most subscribers?", [("Bo",)]),
        ("How many members have at least 2 subscribers?", [(1,)]),
        ("Which members recommend somebody but are never recommended?", [("Ada",)]),
        ("Which members are not recommended by anyone?", [("Ada",), ("Emil",)]),
        ("Which members from Kiel recommend no one?", [("Emil",)]),
        ("Which members recommend a member from Bonn?", [("Ada",), ("Cleo",)]),
        ("Which members are recommended by a member from Ulm?", [("Bo",), ("Cleo",)]),
        ("Which members are recommended by more than 2 members?", [("Cleo",)]),
        ("Find the name of the member who is recommended by the most members.", [("Cleo",)]),
        ("How many members does each member recommend?", [("Ada", 3), ("Bo", 1), ("Cleo", 1), ("Dirk", 1)]),
    ],
)
def test_the_noun_or_the_voice_says_along_which_key(club, question, rows, first_rows):
    found, _, sql = first_rows(club, question)
    assert sorted(found) == rows, sql


_LEAGUE = """
CREATE TABLE teams (team_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE games (game_id INTEGER PRIMARY KEY, home_team_id INTEGER NOT NULL REFERENCES teams (team_id),
    guest_team_id INTEGER NOT NULL REFERENCES teams (team_id), visitors INTEGER NOT NULL, played DATE NOT NULL);
CREATE TABLE firms (firm_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE stands (stand_id INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE, rent REAL NOT NULL,
    firm_id INTEGER NOT NULL REFERENCES firms (firm_id));
CREATE TABLE bills (bill_id INTEGER PRIMARY KEY, stand_id INTEGER NOT NULL REFERENCES stands (stand_id),
    amount REAL NOT NULL);
INSERT INTO teams VALUES (1, 'Reds'), (2, 'Blues'), (3, 'Greens');
INSERT INTO games VALUES (1, 1, 2, 900, '2024-01-01'), (2, 2, 3, 400, '2024-01-08'), (3, 1, 3, 700, '2024-02-01');
INSERT INTO firms VALUES (1, 'Kola'), (2, 'Brez');
INSERT INTO stands VALUES (1, 'North', 50, 1), (2, 'South', 70, 1), (3, 'East', 90, 2);
INSERT INTO bills VALUES (1, 1, 10), (2, 2, 20), (3, 2, 5), (4, 3, 40);
"""


@pytest.fixture(scope="module")
def league(opened):
    return opened("league", _LEAGUE)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("List the home team and the guest team of every game with over 500 visitors.",
         [("Reds", "Blues"), ("Reds", "Greens")]),
        ("Show the home team name and guest team name of games with fewer than 500 visitors.", [("Blues", "Greens")]),
        ("Show the home team id and the guest team id of games with over 800 visitors.", [(1, 2)]),
        ("Which firm has more stands than any other firm?", [("Kola",)]),
        ("Which stand has a higher rent than all the others?", [("East",)]),
        ("How many bills were paid by stands of Kola?", [(3,)]),
    ],
)  # fmt: skip
def test_both_ends_by_name_and_what_outdoes_all_others(league, question, rows, first_rows):
    found, _, sql = first_rows(league, question)
    assert sorted(found) == rows, sql
