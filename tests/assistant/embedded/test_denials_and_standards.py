"""What is not done, two choices of rows that stand side by side, and figures that only certain rows have."""

from __future__ import annotations

import pytest

_SCHEMA = """
CREATE TABLE valleys (valley_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, shade TEXT NOT NULL);
CREATE TABLE growers (
    grower_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, town TEXT NOT NULL, county TEXT NOT NULL,
    wage REAL NOT NULL, age INTEGER NOT NULL, valley_id INTEGER NOT NULL REFERENCES valleys (valley_id));
CREATE TABLE fruits (fruit_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, colour TEXT NOT NULL);
CREATE TABLE harvests (
    harvest_id INTEGER PRIMARY KEY, grower_id INTEGER NOT NULL REFERENCES growers (grower_id),
    fruit_id INTEGER NOT NULL REFERENCES fruits (fruit_id), season TEXT NOT NULL, year INTEGER NOT NULL);
CREATE TABLE guides (
    guide_id INTEGER PRIMARY KEY, publisher TEXT NOT NULL, title TEXT NOT NULL, year INTEGER NOT NULL);
CREATE TABLE barns (
    barn_id INTEGER PRIMARY KEY, grower_id INTEGER NOT NULL REFERENCES growers (grower_id), built_year INTEGER NOT NULL);
INSERT INTO valleys VALUES (1, 'Aar', 'light'), (2, 'Birs', 'deep'), (3, 'Ergolz', 'light');
INSERT INTO growers VALUES (1, 'Anke', 'Brugg', 'Kent', 2100, 31, 1), (2, 'Beat', 'Brugg', 'Surrey', 2500, 44, 1),
    (3, 'Corin', 'Laufen', 'Kent', 2900, 52, 2), (4, 'Dorle', 'Laufen', 'Surrey', 2300, 27, 3);
INSERT INTO fruits VALUES (1, 'Plum', 'blue'), (2, 'Quince', 'yellow'), (3, 'Medlar', 'brown');
INSERT INTO harvests VALUES (1, 1, 1, 'Spring', 2024), (2, 1, 2, 'Autumn', 2025), (3, 2, 1, 'Autumn', 2024),
    (4, 2, 2, 'Spring', 2025), (5, 3, 3, 'Spring', 2024), (6, 3, 3, 'Spring', 2025);
INSERT INTO guides VALUES (1, 'Orell', 'Grafting', 2021), (2, 'Orell', 'Pruning', 2022), (3, 'Huber', 'Grafting', 2022),
    (4, 'Schwabe', 'Digging', 2023);
INSERT INTO barns VALUES (1, 1, 1880), (2, 2, 1950), (3, 3, 1901), (4, 3, 1870);
"""


@pytest.fixture(scope="module")
def orchard(opened):
    analyst, con = opened("orchard", _SCHEMA)
    return lambda question: sorted(
        con.execute(analyst.sql(analyst.candidates(question)[0].meaning, context=False)).fetchall()
    )


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("growers who have not harvested Plum or Quince", ["Corin", "Dorle"]),
        ("names of growers who haven't built a barn before 1900", ["Beat", "Dorle"]),
        ("names of growers without a Spring harvest", ["Dorle"]),
        ("names of growers who have no Autumn harvests", ["Corin", "Dorle"]),
        ("names of growers whose name does not contain the letter r", ["Anke", "Beat"]),
        ("Which publishers did not publish a guide in 2022?", ["Schwabe"]),
    ],
)
def test_what_is_not_done_is_done_by_none_of_their_rows(question, names, orchard):
    assert orchard(question) == [(name,) for name in names]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("growers with harvests in Spring 2024 or Autumn 2024", ["Anke", "Beat", "Corin"]),
        ("growers with harvests in both Spring 2024 and Autumn 2025", ["Anke"]),
        ("growers with harvests in Spring 2024 but not in Spring 2025", ["Anke"]),
        ("growers in Brugg, Kent or in Laufen, Surrey", ["Anke", "Dorle"]),
        ("growers who are from Brugg and under 40 or from Laufen and over 50", ["Anke", "Corin"]),
    ],
)
def test_two_choices_of_rows_stand_side_by_side(question, names, orchard):
    assert orchard(question) == [(name,) for name in names]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("growers who earn more than Dorle", ["Beat", "Corin"]),
        ("growers whose wage is higher than the average wage of growers in Brugg", ["Beat", "Corin"]),
        ("growers with a wage lower than any grower in the Laufen town", ["Anke"]),
        ("growers with a higher wage than Dorle", ["Beat", "Corin"]),
        ("growers who are older than any grower in the Aar valley", ["Corin"]),
    ],
)
def test_number_is_compared_with_that_of_certain_rows(question, names, orchard):
    assert orchard(question) == [(name,) for name in names]


_CREW = """
CREATE TABLE desks (desk_id INTEGER PRIMARY KEY, topic TEXT NOT NULL UNIQUE);
CREATE TABLE editors (
    editor_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, city TEXT NOT NULL, grade TEXT NOT NULL,
    manager_id INTEGER REFERENCES editors (editor_id), desk_id INTEGER NOT NULL REFERENCES desks (desk_id));
CREATE TABLE printers (printer_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, city TEXT NOT NULL);
CREATE TABLE novels (
    novel_id INTEGER PRIMARY KEY, title TEXT NOT NULL, imprint TEXT NOT NULL, author TEXT NOT NULL, year INTEGER NOT NULL);
CREATE TABLE parcels (
    parcel_id INTEGER PRIMARY KEY, label TEXT NOT NULL UNIQUE, pieces TEXT NOT NULL,
    origin_id INTEGER NOT NULL REFERENCES printers (printer_id),
    destination_id INTEGER NOT NULL REFERENCES printers (printer_id));
INSERT INTO desks VALUES (1, 'Sports'), (2, 'Culture');
INSERT INTO editors VALUES (1, 'Jette', 'Ulm', 'A', NULL, 1), (2, 'Kuno', 'Trier', 'B', 1, 1), (3, 'Lale', 'Ulm', 'B', 1, 2),
    (4, 'Mirko', 'Jena', 'A', 2, 2);
INSERT INTO printers VALUES (1, 'Offset', 'Ulm'), (2, 'Gutenberg', 'Mainz');
INSERT INTO parcels VALUES (1, 'Red', '4', 1, 2), (2, 'Blue', '10', 2, 1), (3, 'Grey', '4.0', 1, 1);
INSERT INTO novels VALUES (1, 'Dunes', 'Kestrel', 'Ida Ost', 2021), (2, 'Reeds', 'Kestrel', 'Tom West', 2022),
    (3, 'Tides', 'Heron', 'Ida Ost', 2022), (4, 'Moor', 'Plover', 'Tom West', 2021), (5, 'Fens', 'Heron', 'Ida Ost', 2021);
"""


@pytest.fixture(scope="module")
def press(opened):
    analyst, con = opened("press", _CREW)
    return lambda question: sorted(
        con.execute(analyst.sql(analyst.candidates(question)[0].meaning, context=False)).fetchall()
    )


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("editors who report to Jette", ["Kuno", "Lale"]),
        ("names of editors whose manager is Kuno", ["Mirko"]),
        ("editors at the same desk as Jette", ["Jette", "Kuno"]),
        ("editors with the same grade as Kuno, not including Kuno", ["Lale"]),
        ("Which cities have both editors and printers?", ["Ulm"]),
        ("Which cities have editors but no printers?", ["Jena", "Trier"]),
        ("Show the imprints that have published novels by Ida Ost and Tom West", ["Kestrel"]),
        ("Which imprints have novels in both 2021 and 2022?", ["Heron", "Kestrel"]),
        ("Show the imprints where no novel has a year over 2021", ["Plover"]),
        ("parcels from Offset to Gutenberg", ["Red"]),
        ("Which parcels go from Mainz to Ulm?", ["Blue"]),
        ("labels of parcels with pieces 4", ["Grey", "Red"]),
        ("What are the names of imprints?", ["Heron", "Kestrel", "Plover"]),
    ],
)
def test_rows_are_chosen_by_others_that_share_a_value(question, names, press):
    assert once(press(question)) == names


def once(rows):
    """The names, once each."""
    return sorted({row[0] for row in rows})
