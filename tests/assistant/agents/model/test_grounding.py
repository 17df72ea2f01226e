"""Figures and names of an answer stand in its results or follow from them; others are found out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from decimal import Decimal

import pytest

from assistant.agents.model.grounding import find_ungrounded
from assistant.cells.tables import TableView


def not_found(text: str, *, tables: Sequence[TableView], said: Iterable[str]) -> tuple[str, ...]:
    return find_ungrounded(text, tables=tables, known_texts=said).absent


SALES = TableView(
    columns=("genre", "revenue", "orders"),
    rows=(("Rock", 61.38, 1240), ("Jazz", Decimal("20.10"), 310), ("Latin", 18.52, 250)),
    total=3,
)


def missing(text: str, *said: str) -> tuple[str, ...]:
    return not_found(text, tables=(SALES,), said=said)


@pytest.mark.parametrize(
    "text",
    [
        "Rock brought **61.38 EUR**, about 61.4.",
        "All three genres brought 100.00 EUR in 1,800 orders.",
        "Rock has 61.4 % of the revenue, and 61 percent when rounded.",
        "Rock brought 41.28 EUR more than Jazz, 3.05 times as much, or 205.4 % more.",
        "On average a genre brought 33.33 EUR.",
        "The two largest, **Rock** and **Jazz**, brought 81.48 EUR.",
        "Rock leads with 1.24k orders.",
    ],
)
def test_figures_that_follow_from_the_results_are_known(text: str) -> None:
    assert missing(text) == ()


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Rock brought 999,999.99 EUR.", ("999,999.99",)),
        ("Rock brought 61.39 EUR.", ("61.39",)),
        ("Rock brought 61.38 million EUR.", ("61.38 million",)),
        ("**Techno** brought 61.38 EUR.", ("Techno",)),
        ("In 1987 Rock brought 61.38 EUR.", ("1987",)),
    ],
)
def test_figures_and_names_that_do_not_are_found_out(text: str, wrong: tuple[str, ...]) -> None:
    assert missing(text) == wrong


KEPT = TableView(
    columns=("segment", "customers", "came_again"),
    rows=(("corporate", 6, 6), ("small business", 33, 22), ("consumer", 215, 125)),
    total=3,
)


def test_a_share_of_two_totals_follows_from_the_results() -> None:
    assert not_found("Of 254 customers 60.2 % came again.", tables=(KEPT,), said=()) == ()
    assert not_found("Of 254 customers 63.2 % came again.", tables=(KEPT,), said=()) == ("63.2 %",)


TESTED = TableView(columns=("statistic", "p_value"), rows=((0.58, 0.0002),), total=1)


@pytest.mark.parametrize("text", ["p < 0.001", "a p-value below 0.001", "a p-value of less than 0.01"])
def test_a_power_of_ten_may_bound_a_smaller_figure(text: str) -> None:
    assert not_found(f"The statistic is 0.58 ({text}).", tables=(TESTED,), said=()) == ()
    assert not_found(f"The statistic is 0.58 ({text}).", tables=(SALES,), said=("p-value: 2.3e-31, r: 0.58",)) == ()


@pytest.mark.parametrize(("sign", "bound"), [("<", "0.0001"), ("=", "0.001"), (">", "0.001"), ("<", "0.003")])
def test_a_bound_that_no_figure_is_below_is_found_out(sign: str, bound: str) -> None:
    assert not_found(f"The statistic is 0.58 (p {sign} {bound}).", tables=(TESTED,), said=()) == (bound,)


def test_what_the_person_or_the_plan_said_is_known() -> None:
    assert missing("In 1987 **Techno** fans bought Rock for 61.38 EUR.", "How did Techno fans buy in 1987?") == ()


DAYS = TableView(
    columns=("day", "revenue"),
    rows=((datetime(2026, 1, 5), 12.5), ("2025-12-24", 7.0)),
    total=2,
    numeric=frozenset({"revenue"}),
)


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("On 2026-01-05 it was 12.5.", ()),
        ("On 5 January 2026 it was 12.5.", ()),
        ("January 5, 2026 and December 24, 2025 lead.", ()),
        ("In January 2026, and in 2026-01, and in 2026 as a whole.", ()),
        ("From January to March 2026, that is until 31 March 2026, before 2026-04-01.", ()),
        ("On 2026-03-09 it was 12.5.", ("2026-03-09",)),
        ("On 9 March 2026 it was 12.5.", ("9 March 2026",)),
        ("In July 2026 it was 12.5.", ("July 2026",)),
        ("In 2019 it was 12.5.", ("2019",)),
        ("On 24 December, December 24th and the 24th of December it was 7.", ()),
        ("From 5 Jan to March 31, so before April 1.", ()),
        ("On 23 December it was 7.", ()),  # the day before a bound
        ("On 19 March it was 12.5.", ("19 March",)),
        ("On March 19 it was 12.5.", ("March 19",)),
        ("In March 12.5 came, in March 23 others.", ("March 23",)),
        ("In total 14 may differ.", ("14",)),
        ("As of 2026-11-25, which you named.", ()),
    ],
)
def test_dates_are_looked_for_in_the_results_and_in_what_was_said(text: str, missing: tuple[str, ...]) -> None:
    assert not_found(text, tables=[DAYS], said=["Today is 2026-11-25", "day < '2026-04-01'"]) == missing


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("On 5.1.2026 and on 05.01.2026 it was 12.5.", ()),
        ("On 05/01/2026, 1/5/2026 or 2026/01/05 it was 12.5.", ()),
        ("In 01/2026 it was 12.5.", ()),
        ("On 9.3.2026 it was 12.5.", ("9.3.2026",)),
        ("On 03/09/2026 it was 12.5.", ("03/09/2026",)),
        ("In 07/2026 it was 12.5.", ("07/2026",)),
        ("On 5.13.2026 it was 12.5.", ("5.13",)),  # no day of the calendar
        ("The mean is 7.0 and 12.5.", ()),
    ],
)
def test_dates_with_dots_and_slashes_are_read(text: str, missing: tuple[str, ...]) -> None:
    assert not_found(text, tables=[DAYS], said=["Today is 2026-11-25"]) == missing


def test_cells_that_are_dates_with_dots_are_read() -> None:
    table = TableView(columns=("read_on", "kwh"), rows=(("02.01.2025", 25.5), ("03.02.2025", 24.0)), total=2)
    assert not_found("On 2 January 2025 it was 25.5, in February 2025 24.0.", tables=[table], said=()) == ()
    assert not_found("On 4 January 2025 it was 25.5.", tables=[table], said=()) == ("4 January 2025",)


ARTISTS = TableView(
    columns=("artist", "revenue"),
    rows=(("Iron Maiden", 33.66), ("Metallica", 26.73), ("The Office", 33.83)),
    total=3,
    numeric=frozenset({"revenue"}),
)


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("The best were Iron Maiden and Daft Punk with 33.66.", ("Daft Punk",)),
        ("Ahead of all is Techno Viking.", ("Techno Viking",)),
        ("In the USA Iron Maiden's albums lead, then Metallica.", ()),
        ("Overall, Metallica brought 26.73 in January, on a Monday, by Pearson's test.", ()),
        ("Together they sold to French and Swiss customers.", ()),
        ("Note: Techno is a word that begins after a colon.", ()),
        ("The Metal bands lead.", ()),  # a known word in another form
        ("By quarter, Acme sold 26.73.", ()),  # the knowledge names it
        ("Der Umsatz von Metallica im Sommer war 26.73.", ()),  # every noun has a capital
        ("Techno brought 26.73.", ()),  # begins the sentence: missed
    ],
)
def test_names_in_prose_are_looked_for(text: str, missing: tuple[str, ...]) -> None:
    found = find_ungrounded(text, tables=[ARTISTS], known_texts=["Which artists lead?"], words=["Acme is our label."])
    assert found.absent == missing


def test_names_in_prose_are_left_alone_where_the_results_hold_none_or_not_all() -> None:
    text = "The best was Daft Punk with 33.66."
    figures = TableView(columns=("p",), rows=((33.66,),), total=1, numeric=frozenset({"p"}))
    cut = TableView(columns=ARTISTS.columns, rows=ARTISTS.rows, total=20_000, numeric=ARTISTS.numeric)
    for table in (figures, cut):
        assert not_found(text, tables=[table], said=()) == ()


@pytest.mark.parametrize(
    ("text", "misplaced"),
    [
        ("Rock brought 20.10 EUR.", ("20.10 beside Rock",)),
        ("Rock brought 20.10 EUR in 1,240 orders.", ("20.10 beside Rock",)),
        ("- **Jazz**: 1,240 orders\n- **Latin**: 250 orders", ("1,240 beside Jazz",)),
        ("Rock brought 20.10 EUR and Jazz 61.38 EUR.", ("20.10 beside Rock", "61.38 beside Jazz")),
        ("Top: Rock (20.10 EUR), Jazz (61.38 EUR), Latin (18.52 EUR).", ("20.10 beside Rock", "61.38 beside Jazz")),
        ("There are 310 orders of Rock and 1,240 of Jazz.", ("310 beside Rock", "1,240 beside Jazz")),
        ("Rock and Jazz brought 20.10 and 61.38 EUR.", ("20.10 beside Rock", "61.38 beside Jazz")),
        ("Of 100 EUR Rock brought 20.10 and Jazz 61.38.", ("20.10 beside Rock", "61.38 beside Jazz")),
        ("Rock brought 61.38 EUR and Jazz 20.10 EUR.", ()),
        ("There are 1,240 orders of Rock and 310 of Jazz.", ()),
        ("Rock, Jazz and Latin brought 61.38, 20.10 and 18.52 EUR.", ()),
        ("Rock and Jazz brought 81.48 EUR.", ()),
        ("Rock brought 61.38 EUR, Jazz 20.10, which is 41.28 less.", ()),  # computed
        ("Rock brought 61.38 EUR, and 20.10 came from one other genre.", ()),  # its own figure is there
        ("Rock and Jazz brought 61.38 and 20.10 EUR.", ()),
        ("Unlike Rock, the next genre brought 20.10 EUR.", ()),
        ("Rock brought 41.28 EUR more.", ()),  # computed
        ("Rock brought 61.38 EUR. Next comes 20.10 EUR.", ()),
        ("Rock is among the three, with 61.4 % of 100 EUR.", ()),
    ],
)
def test_a_figure_of_the_wrong_row_is_found_out(text: str, misplaced: tuple[str, ...]) -> None:
    found = find_ungrounded(text, tables=[SALES], known_texts=())
    assert (found.absent, found.misplaced) == ((), misplaced)


def test_a_figure_that_another_result_or_the_question_holds_is_of_no_wrong_row() -> None:
    other = TableView(columns=("best", "budget"), rows=(("Rock", 20.1),), total=1)
    assert not find_ungrounded("Rock brought 20.10 EUR.", tables=[SALES, other], known_texts=["in EUR"])
    assert not find_ungrounded("Rock brought 20.10 EUR.", tables=[SALES], known_texts=["Did Rock bring 20.10 EUR?"])


def test_what_is_computed_within_a_row_is_of_no_other_row() -> None:
    prices = TableView(
        columns=("shop", "revenue", "orders", "each"),
        rows=(("Kiel", 900.0, 40, 22.5), ("Ulm", 513.0, 27, 19.0), ("Bonn", 300.0, 25, 12.0)),
        total=3,
        numeric=frozenset({"revenue", "orders", "each"}),
    )
    assert find_ungrounded("Ulm brings 22.50 EUR an order.", tables=[prices], known_texts=()).misplaced == (
        "22.50 beside Ulm",
    )
    assert not find_ungrounded("Ulm brings 19.00 EUR an order, or 3.50 less.", tables=[prices], known_texts=["in EUR"])


@pytest.mark.parametrize("year", [str, int], ids=["as text", "as number"])
def test_rows_are_told_apart_by_their_years(year: type[str] | type[int]) -> None:
    by_year = TableView(
        columns=("year", "genre", "sales"),
        rows=(
            (year("2022"), "Rock", 155.43),
            (year("2022"), "Latin", 77.22),
            (year("2024"), "Rock", 162.36),
            (year("2024"), "Latin", 63.36),
        ),
        total=4,
        numeric=frozenset({"sales"} if year is str else {"year", "sales"}),
    )

    def misplaced(text: str) -> tuple[str, ...]:
        return find_ungrounded(text, tables=[by_year], known_texts=()).misplaced

    assert misplaced("In 2022 Rock brought 162.36.") == ("162.36 beside Rock",)
    assert misplaced("In 2022 Rock brought 162.36 and Latin 63.36.") == ("162.36 beside Rock", "63.36 beside Latin")
    assert misplaced("In 2024 Rock brought 162.36 and Latin 63.36.") == ()
    assert misplaced("Rock brought 162.36 in 2024.") == ()


def test_what_two_other_rows_give_is_no_figure_of_the_named_row() -> None:
    change = TableView(
        columns=("region", "change_percent"),
        rows=(("South", 16.3), ("West", -7.5), ("Central", -8.3), ("East", -15.8)),
        total=4,
        numeric=frozenset({"change_percent"}),
    )  # -8.3 is 7.5 more than -15.8
    assert find_ungrounded("It rose in the South by 7.5 %.", tables=[change], known_texts=()).misplaced == (
        "7.5 % beside South",
    )
    assert not find_ungrounded("It rose in the South by 23.8 more than elsewhere.", tables=[change], known_texts=())


@pytest.mark.parametrize(
    ("text", "said", "unknown"),
    [
        ("Rock brought 61.38 EUR.", (), ("61.38 EUR",)),
        ("Rock brought 61.38 EUR.", ("Unit: EUR",), ()),
        ("Rock brought €61.38, 61.38 euros.", ("revenue_eur",), ()),
        ("Rock brought $61.38.", ("revenue_eur",), ("$61.38",)),
        ("Rock brought USD 61.38, or 61.38 million dollars less.", (), ("USD 61.38", "61.38 million dollars")),
        ("Rock brought 61.38 dollars.", ("budget_2013$",), ()),
        ("Rock brought 61.38 t.", ("SELECT t.revenue FROM tip t",), ("61.38 t",)),
        ("Rock brought 61.38 t.", ("weightKg",), ()),
        ("Rock brought 61.38 kg.", ("weight_t",), ()),
        ("Rock blew at 61.38 km/h.", (), ("61.38 km/h",)),
        ("Rock had 1.24k orders, 3.05 times as many, in 1,240 days, by a t-test of 250 t-shirts.", (), ()),
        ("Jazz had 310 %.", ("strftime('%Y', day) LIKE '%x%'",), ("310 %",)),
        ("Jazz had 310 %.", ("100.0 * a / b",), ()),
        ("Jazz had 310 %.", ("the share of it",), ()),
        ("Rock has 61.4 % of the revenue, that is 205.4 % more than Jazz, and not 100 %.", (), ()),
    ],
)
def test_a_unit_that_nothing_known_names_is_found_out(
    text: str, said: tuple[str, ...], unknown: tuple[str, ...]
) -> None:
    assert find_ungrounded(text, tables=[SALES], known_texts=said).units == unknown


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("In Kiel, Mexican food is rated best.", ("Mexican",)),
        ("In Kiel, Italian food is rated best.", ()),
        ("Italian is best, and there is no Mexican food in Kiel.", ()),
        ("Italian is ahead of American food, as you can see in New York.", ()),
        ("Mexican is rated best.", ()),  # begins the sentence: missed
    ],
)
def test_a_value_of_the_data_that_the_results_leave_out_is_found_out(text: str, missing: tuple[str, ...]) -> None:
    best = TableView(columns=("food", "rating"), rows=(("Italian", 4.5), ("American", 3.8)), total=2)
    domains = [{"American", "Italian", "Mexican"}, {"Kiel", "York"}]
    words = ["American Italian Mexican Kiel New York"]
    assert (
        find_ungrounded(text, tables=[best], known_texts=["What is best in Kiel?"], words=words, domains=domains).absent
        == missing
    )
    asked = find_ungrounded(text, tables=[best], known_texts=["Is Mexican best in Kiel?"], words=words, domains=domains)
    assert asked.absent == ()


def test_rows_are_told_apart_by_all_names_of_a_sentence() -> None:
    by_year = TableView(
        columns=("genre", "country", "revenue"),
        rows=(("Rock", "USA", 12.5), ("Rock", "France", 7.25), ("Jazz", "USA", 3.5)),
        total=3,
        numeric=frozenset({"revenue"}),
    )
    assert find_ungrounded("In France, Rock brought 12.50.", tables=[by_year], known_texts=()).misplaced == (
        "12.50 beside Rock",
    )
    assert not find_ungrounded("In the USA, Rock brought 12.50.", tables=[by_year], known_texts=())
    assert not find_ungrounded("Rock brought 12.50 and 7.25.", tables=[by_year], known_texts=())


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("The odds are 31 % higher.", ()),
        ("The odds are 38 % higher.", ("38 %",)),
        ("The odds are 13 to 52 % higher (95 % confidence interval).", ()),
        ("Between 12.6 and 51.5 % higher, by a 95 % interval.", ()),
        ("Between 14.6 and 51.5 % higher.", ("14.6 %",)),
        ("It rises in 95 % of cases.", ("95 %",)),
        ("The odds exceed 1.2.", ()),
        ("The 1940s had no cup.", ()),
        ("In the 1940s it was 1.306.", ("1940s",)),
        ("In the 1970s it was 1.306.", ()),
    ],
)
def test_ratios_intervals_and_decades_are_no_false_alarms(text: str, missing: tuple[str, ...]) -> None:
    odds = TableView(
        columns=("factor", "odds_ratio", "low", "high", "year"),
        rows=(("rain", 1.306, 1.126, 1.515, 1974),),
        total=1,
        numeric=frozenset({"odds_ratio", "low", "high", "year"}),
    )
    assert not_found(text, tables=[odds], said=("share",)) == missing


YEARLY = TableView(
    columns=("year", "department", "revenue"),
    rows=(("2024", "Home", 1468.0), ("2024", "Office", 512.0), ("2025", "Home", 1618.0), ("2025", "Office", 676.0)),
    total=4,
)


def test_sums_of_each_key_and_their_parts_follow_from_the_results() -> None:
    text = "Revenue rose from 1,980 to 2,294, of which Home brought 70.5 % in 2025."
    assert not not_found(text, tables=(YEARLY,), said=())
    assert not_found("Revenue rose to 2,394.", tables=(YEARLY,), said=()) == ("2,394",)


def test_the_ends_of_a_year_that_is_known_are_known() -> None:
    assert not missing("It covers 1 January to 31 December 2025.", "Orders in 2025?")
    assert missing("It covers 1 January to 30 November 2025.", "Orders in 2025?")


def test_a_percent_sign_is_of_the_figures_of_a_range_and_of_no_year_before_it() -> None:
    years = TableView(columns=("year", "revenue"), rows=((2025, 32433.9), (2026, 35281.31)), total=2)
    for text in (
        "In 2026 it was 35,281.31 against 32,433.90 in 2025, 8.8 % more.",
        "From 2025 to 2026 and 8.8 % more.",
    ):
        assert not find_ungrounded(text, tables=(years,), known_texts=()).units
    ungrounded = find_ungrounded("Between 41 and 52 % of it.", tables=(years,), known_texts=())
    assert "41 %" in ungrounded.absent


def test_a_claim_that_cannot_be_checked_is_a_note_and_sends_nothing_back() -> None:
    table = TableView(columns=("branch", "profit"), rows=(("Graz", 5), ("Linz", 3), ("Wels", 1)), total=3)
    wrong = find_ungrounded("Older branches tend to be smaller.", tables=(table,), known_texts=())
    assert not wrong
    assert wrong.notes == ("Could not be checked against the results: “Older branches tend to be smaller.”",)
