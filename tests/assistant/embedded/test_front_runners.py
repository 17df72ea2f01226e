"""Bestsellers, slow movers, big spenders, and other nouns of business that name neither rows nor figure."""

from __future__ import annotations

import pytest

from assistant.agents.embedded.conversing import read
from assistant.embedded.linking import idioms
from assistant.embedded.outcomes import Ambiguous, NotUnderstood, Understood

_BEST = """SELECT p.name FROM order_lines l JOIN products p USING (product_id) GROUP BY 1
    ORDER BY SUM(l.quantity) {} LIMIT {}"""


def _plain(analyst, question):
    return idioms.plain(question, [source.linker for source in analyst.sources.values()])[0]


def _names(analyst, con, question):
    outcome = read(question, analyst, ())
    assert isinstance(outcome, Understood), outcome
    return [row[0] for row in con.execute(analyst.sql(outcome.meaning, context=False))]


@pytest.mark.parametrize(
    ("question", "put"),
    [
        ("bestsellers", "10 best selling products"),
        ("Our top 3 sellers last year?", "3 best selling products last year"),
        ("what are our slow movers", "10 worst selling products"),
        ("our bestseller in 2025", "best selling product in 2025"),
        ("best sellers per category", "best selling product in each category"),
        ("biggest spenders in Germany", "top 10 customers by net revenue in Germany"),
        ("who are our top 5 spenders", "top 5 customers by net revenue"),
        ("our biggest spender", "customer with the highest net revenue"),
        ("customer ranking by age", "rank customer by age"),
    ],
)
def test_the_noun_is_put_as_what_it_asks_for(question, put, informed):
    assert _plain(informed, question) == put


@pytest.mark.parametrize("question", ["spenders", "best customers", "top stores", "sellers in Berlin"])
def test_other_words_stay_as_they_are(question, informed):
    assert _plain(informed, question) == question


def test_bestsellers_sell_the_most_pieces_and_slow_movers_the_fewest(informed, shop):
    best = [row[0] for row in shop.execute(_BEST.format("DESC", 3))]
    assert _names(informed, shop, "top 3 bestsellers") == best
    worst = [row[0] for row in shop.execute(_BEST.format("ASC", 2))]
    assert _names(informed, shop, "2 slow movers") == worst


def test_what_bestsellers_are_is_said(informed):
    outcome = read("bestsellers", informed, ())
    assert isinstance(outcome, Understood)
    assert outcome.assumptions[0] == "“bestsellers” are the products that sell best"


_SCHEMA = """
CREATE TABLE staff (staff_id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL);
CREATE TABLE clients (client_id INTEGER PRIMARY KEY, client_name TEXT NOT NULL);
CREATE TABLE genres (genre_id INTEGER PRIMARY KEY, genre_name TEXT NOT NULL);
CREATE TABLE songs (song_id INTEGER PRIMARY KEY, title TEXT NOT NULL,
    genre_id INTEGER NOT NULL REFERENCES genres (genre_id));
CREATE TABLE moods (mood_id INTEGER PRIMARY KEY, mood_name TEXT NOT NULL);
CREATE TABLE song_moods (song_id INTEGER NOT NULL REFERENCES songs (song_id),
    mood_id INTEGER NOT NULL REFERENCES moods (mood_id), PRIMARY KEY (song_id, mood_id));
CREATE TABLE invoices (invoice_id INTEGER PRIMARY KEY, client_id INTEGER NOT NULL REFERENCES clients (client_id),
    staff_id INTEGER NOT NULL REFERENCES staff (staff_id), invoice_date DATE NOT NULL, return_date DATE,
    ship_address TEXT NOT NULL, shipped_date DATE, total REAL NOT NULL);
CREATE TABLE invoice_lines (line_id INTEGER PRIMARY KEY, invoice_id INTEGER NOT NULL REFERENCES invoices (invoice_id),
    song_id INTEGER NOT NULL REFERENCES songs (song_id), unit_price REAL NOT NULL, quantity INTEGER NOT NULL);
INSERT INTO staff VALUES (1, 'Ann', 'Ott'), (2, 'Bea', 'Uhl');
INSERT INTO clients VALUES (1, 'Cem'), (2, 'Dag'), (3, 'Eli');
INSERT INTO genres VALUES (1, 'Rock'), (2, 'Folk');
INSERT INTO songs VALUES (1, 'Dawn', 1), (2, 'Dusk', 1), (3, 'Noon', 2), (4, 'Eve', 2);
INSERT INTO moods VALUES (1, 'glad'), (2, 'sad');
INSERT INTO song_moods VALUES (1, 1), (2, 1), (3, 1), (3, 2);
INSERT INTO invoices VALUES (1, 1, 1, '2026-01-05', '2026-01-09', 'Kiel', '2026-01-06', 12),
    (2, 1, 1, '2026-03-07', '2026-03-13', 'Kiel', '2026-03-10', 30), (3, 2, 1, '2026-02-01', NULL, 'Ulm', '2026-02-06', 8),
    (4, 3, 2, '2026-04-09', NULL, 'Ulm', NULL, 20);
INSERT INTO invoice_lines VALUES (1, 1, 1, 2, 6), (2, 2, 2, 3, 10), (3, 3, 1, 2, 4), (4, 4, 3, 5, 4);
"""


@pytest.fixture(scope="module")
def music(opened):
    return opened("music", _SCHEMA)


def _rows(music, question):
    analyst, con = music
    outcome = read(question, analyst, ())
    assert isinstance(outcome, Understood | Ambiguous), outcome
    meaning = outcome.meaning if isinstance(outcome, Understood) else outcome.options[0][1]
    return con.execute(analyst.sql(meaning, context=False)).fetchall()


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("top 1 songs per genre", [("Rock", "Dusk", 30.0), ("Folk", "Noon", 20.0)]),
        ("bestseller in each genre", [("Rock", "Dawn"), ("Rock", "Dusk"), ("Folk", "Noon")]),
        ("biggest account", [("Cem", 42.0)]),
        ("how long does it take from invoice to shipment", [(3.0,)]),
        ("days between invoice and return", [(5.0,)]),
        ("invoices per client on average", [(4 / 3,)]),
        ("songs per mood on average", [(2.0,)]),
        ("rank clients by invoices", [("Cem", 2), ("Dag", 1), ("Eli", 1)]),
        ("staff ranking by invoices", [("Ann", "Ott", 3), ("Bea", "Uhl", 1)]),
    ],
)
def test_rows_are_those_of_the_answer_by_hand(question, rows, music):
    assert sorted(_rows(music, question), key=repr) == sorted(rows, key=repr)


def test_a_songs_moods_are_songs_for_a_mood(music):
    outcome = music[0].read("most popular mood")
    assert isinstance(outcome, Understood)
    assert "number of songs" in outcome.restated


def test_clients_of_several_invoices_are_not_counted_by_their_invoices(music):
    outcome = music[0].read("clients per staff on average")
    assert not isinstance(outcome, Understood) or "invoices" not in outcome.restated


def test_revenue_that_is_not_added_up_by_rows_is_declined(music):
    assert isinstance(music[0].read("bestsellers"), NotUnderstood)  # only a conversation puts it plainly
