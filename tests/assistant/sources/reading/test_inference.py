"""Text columns become what all of their values are, and nothing that only most of them are."""

from __future__ import annotations

from contextlib import closing
from datetime import date

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.sources.reading.guesses import Guess
from assistant.sources.reading.inference import guess, parse_type


def converted(values: list[str], *, continental: bool = False) -> tuple[str, list[object], str]:
    """Type, values as the engine makes them by the guess, and the note."""
    type_guess = guess(values, continental=continental)
    with closing(duckdb.connect()) as con:
        rows = [
            con.execute(
                "SELECT " + type_guess.sql.replace("$v", "trim(?::VARCHAR)")
                if type_guess.sql.count("$v") == 1
                else "SELECT " + type_guess.sql.replace("$v", "x") + " FROM (SELECT trim(?) AS x)",
                [value],
            ).fetchone()
            for value in values
        ]
    return type_guess.type, [str(row[0]) if row and row[0] is not None else None for row in rows], type_guess.note


@pytest.mark.parametrize(
    ("values", "type_", "expected"),
    [
        (["1", "-20", " 3 "], "BIGINT", ["1", "-20", "3"]),
        (["20240131", "20240229", "19991231"], "DATE", ["2024-01-31", "2024-02-29", "1999-12-31"]),
        (["20240131", "20240229", "20241301"], "BIGINT", ["20240131", "20240229", "20241301"]),
        (["09:30", "17:05", "9:05"], "TIME", ["09:30:00", "17:05:00", "09:05:00"]),
        (["9:30 am", "5:05 PM"], "TIME", ["09:30:00", "17:05:00"]),
        (["09:30", "25:05"], "VARCHAR", ["09:30", "25:05"]),
        (["1E1", "2E3", "14E2"], "VARCHAR", ["1E1", "2E3", "14E2"]),
        (["1.5E1", "2E3"], "DOUBLE", ["15.0", "2000.0"]),
        (["1", "2.5", ".5", "1e3"], "DOUBLE", ["1.0", "2.5", "0.5", "1000.0"]),
        (["1,234.50", "7", "1,000,000"], "DOUBLE", ["1234.5", "7.0", "1000000.0"]),
        (["$1,234", "-$5", "$-6", "(7.50)"], "DOUBLE", ["1234.0", "-5.0", "-6.0", "-7.5"]),
        (["1.234,50", "7", "1.000.000,1"], "DOUBLE", ["1234.5", "7.0", "1000000.1"]),
        (["12,5 €", "3 €"], "DOUBLE", ["12.5", "3.0"]),
        (["1'234.5", "2"], "DOUBLE", ["1234.5", "2.0"]),
        (["CHF 1’234’567.50", "-2 000.25", "3\u202f000"], "DOUBLE", ["1234567.5", "-2000.25", "3000.0"]),
        (["1,234'567", "2"], "VARCHAR", ["1,234'567", "2"]),
        (["044 668 180", "079 123 456"], "VARCHAR", ["044 668 180", "079 123 456"]),
        (["12.5%", "7 %", "-3%"], "DOUBLE", ["0.125", "0.07", "-0.03"]),
        (["true", "FALSE"], "BOOLEAN", ["True", "False"]),
        (["2024-01-05", "2024-2-6"], "DATE", ["2024-01-05", "2024-02-06"]),
        (["2024-01-05T10:00:00Z", "2024-01-05 11:30"], "TIMESTAMP", ["2024-01-05 10:00:00", "2024-01-05 11:30:00"]),
        (["31.12.2024", "01.02.24"], "DATE", ["2024-12-31", "2024-02-01"]),
        (["12/31/2024", "1/2/2024"], "DATE", ["2024-12-31", "2024-01-02"]),
        (["31/12/2024", "1/2/2024"], "DATE", ["2024-12-31", "2024-02-01"]),
        (
            ["5 Mar 2024", "Mar 6, 2024", "7 March 2024", "8-Mar-24"],
            "DATE",
            ["2024-03-05", "2024-03-06", "2024-03-07", "2024-03-08"],
        ),
        (["12/31/2024 3:05 PM", "1/2/2024 11:00 am"], "TIMESTAMP", ["2024-12-31 15:05:00", "2024-01-02 11:00:00"]),
        (["31.12.2024 23:59:59", "01.01.2024 00:00"], "TIMESTAMP", ["2024-12-31 23:59:59", "2024-01-01 00:00:00"]),
        (["a", "b"], "VARCHAR", ["a", "b"]),
        (["01234", "99999"], "VARCHAR", ["01234", "99999"]),
        (["12345678901234567890"], "VARCHAR", ["12345678901234567890"]),
        (["2024-13-45"], "VARCHAR", ["2024-13-45"]),
    ],
)
def test_values_become_what_they_are(values: list[str], type_: str, expected: list[str | None]) -> None:
    assert converted(values)[:2] == (type_, expected)


def test_words_for_nothing_do_not_keep_a_column_from_being_numbers() -> None:
    assert guess(["1", "2", "n/a", "-", "NULL", ""]).type == "BIGINT"
    assert guess(["", "NA"]).type == "VARCHAR"


def test_a_column_of_mixed_types_stays_text_and_says_why() -> None:
    type_guess = guess(["1", "2", "3", "abc"])
    assert type_guess.type == "VARCHAR"
    assert "mostly a number" in type_guess.note
    assert "'abc'" in type_guess.note
    assert "mostly a date" in guess(["2024-01-01", "2024-01-02", "soon"]).note
    assert guess(["x", "y", "1"]).note == ""


def test_times_codes_with_an_e_and_packed_dates_are_doubted_where_they_may_be_something_else() -> None:
    assert guess(["3:30", "4:05"]).doubt == "column_type", "lengths of time look like that"
    assert guess(["13:30", "4:05"]).doubt is None
    assert guess(["1E1", "2E3"]).rival_type == "number"
    assert guess(["20240131", "20240229", "19991231"]).rival_type == "integer"


def test_dates_that_contradict_each_other_stay_text() -> None:
    type_guess = guess(["31/12/2024", "12/31/2024"])
    assert type_guess.type == "VARCHAR"
    assert "contradict" in type_guess.note


def test_an_open_order_of_day_and_month_is_decided_and_said() -> None:
    assert converted(["03/04/2024"])[1] == ["2024-03-04"]
    assert converted(["03/04/2024"], continental=True)[1] == ["2024-04-03"]
    assert "which no value settles" in guess(["03/04/2024"]).note


@given(st.lists(st.integers(-(10**17), 10**17), min_size=1, max_size=20))
def test_any_integers_are_integers_to_the_last_digit(numbers: list[int]) -> None:
    type_, expected, _ = converted([str(number) for number in numbers])
    assert (type_, expected) == ("BIGINT", [str(number) for number in numbers])


@pytest.mark.slow
@given(st.lists(st.dates(min_value=date(1500, 1, 1), max_value=date(2399, 12, 31)), min_size=1, max_size=10))
def test_any_iso_dates_are_dates(days: list[object]) -> None:
    texts = [str(day) for day in days]
    assert converted(texts)[:2] == ("DATE", texts)


@given(st.lists(st.text(max_size=12), max_size=10))
def test_any_text_has_a_guess(values: list[str]) -> None:
    guess(values)


def test_points_group_thousands_where_semicolons_separate_columns_and_it_is_said() -> None:
    values = ["1.200", "900", "2.500.000"]
    assert converted(values, continental=True)[:2] == ("BIGINT", ["1200", "900", "2500000"])
    assert "thousands" in converted(values, continental=True)[2]
    assert converted(["1.200", "900"])[:2] == ("DOUBLE", ["1.2", "900.0"])
    assert converted(["1.25", "900"], continental=True)[:2] == ("DOUBLE", ["1.25", "900.0"])


@pytest.mark.parametrize(
    ("values", "type_", "doubt", "words"),
    [
        (["$10.00", "€20.00"], "DOUBLE", "number_format", "several currencies: $, €"),
        (["1.103", "2.106", "3.109"], "DOUBLE", "number_format", "decimal point"),
        (["0.103", "2.106", "3.109"], "DOUBLE", None, ""),
        (["10 kg", "20 g"], "VARCHAR", "column_type", "different units"),
        (["5 DR", "7 CR"], "VARCHAR", "column_type", "different units"),
        (["1.234,50", "1,234.50"], "VARCHAR", "column_type", "contradict"),
        (["13/02/2024", "02/14/2024"], "VARCHAR", "column_type", "contradict"),
        (["1:10:05", "30:40:30"], "VARCHAR", "column_type", "lengths of time"),
        (["2024-03-01 10:00 CET", "2024-03-02 10:00 EST"], "VARCHAR", "time_zone", "time zones"),
        (["2024-03-01T23:30:00+02:00", "2024-03-02T23:30:00Z"], "TIMESTAMPTZ", None, "instants"),
        (["2024-03-01T23:30:00+02:00", "2024-03-02T23:30:00+02:00"], "TIMESTAMP", "time_zone", "UTC+02:00"),
        (["2024-03-01T23:30:00Z", "2024-03-02T23:30:00Z"], "TIMESTAMP", None, ""),
        (["2024-01-05", "2024-25-03"], "DATE", "day_order", "year, day and month"),
        (["13/02/56", "14/02/86"], "DATE", "day_order", "1969 to 2068"),
        (["13/02/16", "14/02/26"], "DATE", None, "day first"),
        (["1,23,451", "12,23,452"], "BIGINT", None, "thousands"),
        (["+493012345601", "+493012345602"], "VARCHAR", None, "telephone"),
    ],
)
def test_what_two_readings_fit_is_said(values: list[str], type_: str, doubt: str | None, words: str) -> None:
    column_guess = guess(values)
    assert (column_guess.type, column_guess.doubt) == (type_, doubt)
    assert words in column_guess.note


@pytest.mark.parametrize(
    ("name", "values", "type_", "expected", "rival"),
    [
        (
            "created",
            ["1700000000", "1700086400"],
            "TIMESTAMP",
            ["2023-11-14 22:13:20", "2023-11-15 22:13:20"],
            "integer",
        ),
        ("updatedAt", ["1700000000123"], "TIMESTAMP", ["2023-11-14 22:13:20.123000"], "integer"),
        ("event_time", ["1700000000.25", "1700000001.5"], "TIMESTAMP", ["2023-11-14 22:13:20.250000"], "number"),
        ("Zeitstempel", ["1700000000000000"], "TIMESTAMP", ["2023-11-14 22:13:20"], "integer"),
        ("ts", ["1700000000000000000"], "TIMESTAMP", ["2023-11-14 22:13:20"], "integer"),
        ("date", ["45123", "45124"], "DATE", ["2023-07-16", "2023-07-17"], "integer"),
        ("Buchungsdatum", ["45123"], "DATE", ["2023-07-16"], "integer"),
        ("日付", ["45123"], "DATE", ["2023-07-16"], "integer"),
        ("start", ["45200.375", "45200.75"], "TIMESTAMP", ["2023-10-01 09:00:00", "2023-10-01 18:00:00"], "number"),
        ("order_id", ["1700000000", "1700000001"], "BIGINT", ["1700000000"], ""),
        ("population", [str(1_300_000_000 + n) for n in range(9)], "BIGINT", ["1300000000"], ""),
        ("stock", ["45123", "45124"], "BIGINT", ["45123"], ""),
        ("reading", [str(1_700_000_000 + n) for n in range(9)], "BIGINT", ["1700000000"], "datetime seconds"),
        ("month", [str(202301 + n) for n in range(9)], "BIGINT", ["202301"], "date %Y%m"),
    ],
)
def test_numbers_that_count_time_are_times_where_a_name_says_so_and_doubted_elsewhere(
    name: str, values: list[str], type_: str, expected: list[str], rival: str
) -> None:
    type_guess = guess(values, name=name)
    assert (type_guess.type, type_guess.rival_type) == (type_, rival)
    assert (type_guess.doubt is None) == (not rival)
    assert engine_values(type_guess.sql, values)[: len(expected)] == expected
    assert guess_of(type_guess.rival_type or "integer").type != "VARCHAR"


@pytest.mark.parametrize(
    ("values", "type_", "expected"),
    [
        (["١٢٠٠", "٣٤"], "BIGINT", ["1200", "34"]),
        (["۱۲٫۵", "۷"], "DOUBLE", ["12.5", "7.0"]),
        (["１，２００", "３４"], "BIGINT", ["1200", "34"]),
        (["१२००", "7"], "BIGINT", ["1200", "7"]),
        (["٢٠٢٤/٠١/٣١"], "DATE", ["2024-01-31"]),
        (["٤٥٪"], "DOUBLE", ["0.45"]),
        (["10 percent", "12.5 percent"], "DOUBLE", ["0.1", "0.125"]),
        (["%10", "%7"], "DOUBLE", ["0.1", "0.07"]),
        (["(1.5%)", "2%"], "DOUBLE", ["-0.015", "0.02"]),
        (["5‰"], "DOUBLE", ["0.005"]),
        (["1,200円", "900円"], "BIGINT", ["1200", "900"]),
        (["1. März 2024", "24. Dez. 2023"], "DATE", ["2024-03-01", "2023-12-24"]),
        (["1er août 2024", "2 févr. 2024"], "DATE", ["2024-08-01", "2024-02-02"]),
        (["5 de mayo de 2023"], "DATE", ["2023-05-05"]),
        (["3 марта 2024 г.", "15 января 2024 г."], "DATE", ["2024-03-03", "2024-01-15"]),
        (["2024年1月31日"], "DATE", ["2024-01-31"]),
        (["31. foo 2024"], "VARCHAR", ["31. foo 2024"]),
    ],
)
def test_digits_months_and_shares_of_other_languages_are_read(
    values: list[str], type_: str, expected: list[str]
) -> None:
    type_guess = guess(values)
    assert (type_guess.type, engine_values(type_guess.sql, values)) == (type_, expected)


@pytest.mark.parametrize(
    ("words", "doubt"),
    [
        (("ja", "nein"), None),
        (("Oui", "Non"), None),
        (("да", "нет"), None),
        (("sí", "no"), None),
        (("はい", "いいえ"), None),
        (("TAK", "NIE"), None),
        (("Y", "N"), "column_type"),
        (("J", "N"), "column_type"),
    ],
)
def test_yes_and_no_are_read_in_many_languages(words: tuple[str, str], doubt: str | None) -> None:
    type_guess = guess([*words, words[0]])
    assert (type_guess.type, type_guess.doubt) == ("BOOLEAN", doubt)
    assert engine_values(type_guess.sql, list(words)) == ["True", "False"]
    assert engine_values(guess_of("boolean").sql, list(words)) == ["True", "False"]
    assert guess([words[0]]).type == "VARCHAR", "one word alone says nothing"


@pytest.mark.parametrize(
    ("values", "continental", "doubt", "type_"),
    [
        (["(5)", "7"], False, "number_format", "BIGINT"),
        (["5.25-", "7"], False, "number_format", "DOUBLE"),
        (["52,512", "13,405"], True, "number_format", "DOUBLE"),
        (["52,512", "13,405"], False, "number_format", "BIGINT"),
        (["10 CR", "20"], False, "column_type", "VARCHAR"),
        (["1.5k", "2.5k"], False, "column_type", "VARCHAR"),
        (["PT1H5M", "PT20M"], False, "column_type", "VARCHAR"),
        (["1h 5m", "2h 10m"], False, "column_type", "VARCHAR"),
        (["Jan-24", "Feb-24"], False, "column_type", "VARCHAR"),
        (["01/05/2567", "31/05/2567"], False, "column_type", "VARCHAR"),
        (["1402/01/15", "1402/02/03"], False, "column_type", "VARCHAR"),
        (["yes", "no", "maybe"], False, None, "VARCHAR"),
    ],
)
def test_what_may_be_read_otherwise_is_doubted(
    values: list[str], continental: bool, doubt: str | None, type_: str
) -> None:
    type_guess = guess(values, continental=continental)
    assert (type_guess.doubt, type_guess.type) == (doubt, type_)


def test_what_a_doubt_about_signs_concerns_are_the_values_with_the_sign() -> None:
    type_guess = guess(["(5)", "7", "8"])
    assert engine_values(type_guess.concerns, ["(5)", "7"]) == ["True", "False"]


def engine_values(sql: str, values: list[str]) -> list[str]:
    """What the engine makes of values by an expression."""
    with closing(duckdb.connect()) as con:
        rows = [
            con.execute(f"SELECT {sql.replace('$v', 'x')} FROM (SELECT ? AS x)", [value]).fetchone() for value in values
        ]
    return [str(row[0]) for row in rows if row is not None]


def guess_of(word: str) -> Guess:
    """The guess of a type that a person gives."""
    type_guess = parse_type(word)
    assert type_guess is not None
    return type_guess
