"""A figure per number of the group's own row, states that a value holds in part or as a code, and rows that belong to
no group. The data are a chain of cinemas, checked by hand-written SQL."""

from __future__ import annotations

import pytest

_CINEMAS = """
CREATE TABLE cinema (cinema_id INTEGER PRIMARY KEY, cinema TEXT NOT NULL, town TEXT NOT NULL, hall_area_sqm REAL NOT NULL,
    screens INTEGER NOT NULL, rent REAL NOT NULL);
CREATE TABLE booking (booking_id INTEGER PRIMARY KEY, cinema_id INTEGER REFERENCES cinema, booked_on DATE NOT NULL,
    total REAL NOT NULL, status TEXT NOT NULL, payment_state TEXT NOT NULL);
CREATE TABLE pitch (pitch_id INTEGER PRIMARY KEY, title TEXT NOT NULL, source TEXT NOT NULL, stage TEXT NOT NULL);
INSERT INTO cinema VALUES (1, 'Rex', 'Graz', 400, 4, 1200), (2, 'Lux', 'Graz', 150, 2, 900), (3, 'Ufo', 'Linz', 300, 5, 1000);
INSERT INTO booking VALUES (1, 1, '2026-01-03', 80, 'cancelled by guest', 'P'), (2, 1, '2026-01-04', 120, 'seen', 'P'),
    (3, 2, '2026-02-03', 150, 'seen', 'O'), (4, 3, '2026-02-09', 30, 'seen', 'P'), (5, NULL, '2026-02-10', 99, 'seen', 'P');
INSERT INTO pitch VALUES (1, 'Ash', 'fair', '1 New'), (2, 'Birch', 'fair', '3 Contract Won'), (3, 'Cedar', 'mail', '3 Contract Lost'),
    (4, 'Dogwood', 'mail', '3 Contract Won'), (5, 'Elm', 'mail', '2 Talks');
"""
_JOINED = "cinema JOIN booking USING (cinema_id)"


@pytest.fixture(scope="module")
def cinemas(opened):
    return opened("cinemas", _CINEMAS)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "revenue per square meter by cinema",
            f"SELECT cinema, SUM(total) / hall_area_sqm FROM {_JOINED} GROUP BY cinema_id",
        ),
        (
            "which cinema has the highest revenue per square meter?",
            f"SELECT cinema FROM {_JOINED} GROUP BY cinema_id ORDER BY SUM(total) / hall_area_sqm DESC LIMIT 1",
        ),
        ("bookings per screen in each cinema", f"SELECT cinema, 1.0 * COUNT(*) / screens FROM {_JOINED} GROUP BY 1"),
        (
            "revenue per square meter by town",
            "SELECT town, SUM(total), area, SUM(total) / area FROM cinema JOIN booking USING (cinema_id) JOIN (SELECT town,"
            " SUM(hall_area_sqm) AS area FROM cinema GROUP BY town) USING (town) GROUP BY town",
        ),
        ("rent per screen for each cinema", "SELECT cinema, rent / screens FROM cinema"),
    ],
)
def test_a_figure_per_number_of_the_row_that_it_belongs_to(cinemas, question, gold, first_rows, same_rows):
    rows, con, sql = first_rows(cinemas, question)
    assert same_rows(rows, con.execute(gold).fetchall()), sql


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("how many pitches have we won?", "SELECT COUNT(*) FROM pitch WHERE stage LIKE '%Won'"),
        ("lost pitches", "SELECT title FROM pitch WHERE stage LIKE '%Lost'"),
        ("how many bookings were cancelled?", "SELECT COUNT(*) FROM booking WHERE status LIKE 'cancelled%'"),
        ("number of open bookings by cinema", f"SELECT cinema, COUNT(*) FROM {_JOINED} WHERE payment_state = 'O' GROUP BY 1"),
        ("win rate by source", "SELECT source, 100.0 * AVG(stage LIKE '%Won') FROM pitch GROUP BY 1"),
    ],
)  # fmt: skip
def test_states_that_a_value_holds_in_part_or_as_a_code(cinemas, question, gold, first_rows, same_rows):
    rows, con, sql = first_rows(cinemas, question)
    assert same_rows(rows, con.execute(gold).fetchall()), sql


def test_rows_that_belong_to_no_group_are_told(cinemas, understood):
    analyst, _ = cinemas
    assert (
        "bookings that have no cinema are left out" in understood(analyst, "number of bookings by cinema").assumptions
    )
    assert not understood(analyst, "number of bookings by status").assumptions
