"""What a model is told of the sources: as much as has room, and never less because it may see more."""

from __future__ import annotations

from assistant.agents.model.source_descriptions import (
    describe_overview,
    describe_sources,
    describe_table,
    describe_tables_read,
)
from assistant.core.catalog import Catalog, Column, ColumnKind, Profile, Table
from assistant.record.memory.tokens import estimate


def column(name: str, *, count: int) -> Column:
    top = tuple((f"A rather long value of {name}, number {n}", count) for n in range(10))
    profile = Profile(distinct=200, nulls=0, low="A", high="Z", top=top)
    return Column(name=name, type="TEXT", kind="text", profile=profile)


def shop(*, count: int = 7) -> Catalog:
    placed = Column(
        name="placed",
        type="DATE",
        kind="date",
        profile=Profile(distinct=90, nulls=0, low="2024-01-01", high="2024-12-31"),
    )
    columns = (placed, *(column(f"word_{n}", count=count) for n in range(6)))
    return Catalog(source="shop", dialect="sqlite", tables=(Table(name="orders", columns=columns, rows=900),))


def test_a_range_of_midnights_is_told_without_times_of_day() -> None:
    days, hours = (
        Table(
            name="orders",
            columns=(
                Column(
                    name="placed",
                    type="DATETIME",
                    kind="datetime",
                    profile=Profile(distinct=90, nulls=0, low="2024-01-01 00:00:00", high=high),
                ),
            ),
        )
        for high in ("2024-12-31 00:00:00", "2024-12-31 17:30:00")
    )
    assert "from 2024-01-01 to 2024-12-31" in describe_table(days, source="shop", sees="values")
    assert "from 2024-01-01 00:00:00 to 2024-12-31 17:30:00" in describe_table(hours, source="shop", sees="values")


def test_frequent_values_go_before_the_range_of_a_date() -> None:
    room = estimate(describe_sources([shop()], tokens_max=100_000, sees="rows")) // 2
    said = describe_sources([shop()], tokens_max=room, sees="rows")
    assert "from 2024-01-01 to 2024-12-31" in said
    assert "most often" not in said


def test_seeing_rows_is_told_no_less_than_seeing_results() -> None:
    for room in range(50, 3_000, 50):
        if "from 2024-01-01" in describe_sources([shop()], tokens_max=room, sees="results"):
            enough = room
            break
    else:
        raise AssertionError("never told in full")
    assert "from 2024-01-01" in describe_sources([shop()], tokens_max=enough + 50, sees="rows")


def test_values_that_stand_there_once_are_not_called_frequent() -> None:
    assert "most often" in describe_table(shop().tables[0], source="shop", sees="rows")
    assert "most often" not in describe_table(shop(count=1).tables[0], source="shop", sees="rows")


def test_an_overview_tells_sizes_and_periods_and_puts_views_last() -> None:
    """Whoever plans on thirty tables must know which years there are, without a look at each."""
    orders = shop().tables[0]
    view = Table(name="all_orders", columns=orders.columns, is_view=True)
    catalog = Catalog(source="shop", dialect="sqlite", tables=(view, orders))
    said = describe_overview([catalog], tokens_max=3_000, sees="values")
    assert "- orders, 900 rows (placed date from 2024-01-01 to 2024-12-31, word_0 text" in said
    assert said.index("- orders") < said.index("- all_orders, view (")
    blind = describe_overview([catalog], tokens_max=3_000, sees="names")
    assert "2024" not in blind
    assert "900" not in blind


def keyed(source: str, table: str, *, rows: int, distinct: int, kind: ColumnKind = "integer") -> Catalog:
    key = Column(name="client_no", type="BIGINT", kind=kind, profile=Profile(distinct=distinct, nulls=0))
    return Catalog(source=source, dialect="duckdb", tables=(Table(name=table, columns=(key,), rows=rows),))


def test_of_several_sources_it_is_told_how_to_name_one_and_which_keys_they_share() -> None:
    clients, invoices = (
        keyed("clients", "clients", rows=40, distinct=40),
        keyed("sales", "bills", rows=300, distinct=40),
    )
    for describe in (describe_sources, describe_overview):
        told = describe([clients, invoices], tokens_max=3_000, sees="values")
        assert "A query reads one source, named by `source`; no query joins two." in told
        assert "Likely the same key: clients.clients.client_no and sales.bills.client_no." in told
        assert "reads one source" not in describe([clients], tokens_max=3_000, sees="values")


def test_columns_that_are_no_key_are_not_called_the_same() -> None:
    bills, visits = keyed("sales", "bills", rows=300, distinct=40), keyed("web", "visits", rows=90, distinct=40)
    rates = keyed("rates", "rates", rows=40, distinct=40, kind="number")
    for other in (visits, rates):
        assert "the same key" not in describe_sources([bills, other], tokens_max=3_000, sees="values")


def wide(name: str, value: str) -> Table:
    columns = tuple(
        Column(
            name=f"{name}_word_{n}",
            type="TEXT",
            kind="text",
            profile=Profile(distinct=2, nulls=3, values=(f"{value}, {n}", f"other {n}")),
        )
        for n in range(20)
    )
    return Table(name=name, columns=columns, rows=900)


def test_tables_become_thinner_one_by_one_and_those_of_the_question_last() -> None:
    catalog = Catalog(
        source="club",
        dialect="sqlite",
        tables=tuple(wide(name, "Gold" * 15) for name in ("players", "matches", "referees")),
    )
    whole = describe_sources([catalog], tokens_max=100_000, sees="values")
    told = describe_sources([catalog], tokens_max=estimate(whole) - 100, sees="values", question="Which referee?")
    assert "Table referees, " in told
    assert ", 0', 'other 0'" in told
    assert told.count("Table ") == 2
    assert "- matches, 900 rows (matches_word_0 text" in told
    least = describe_sources([catalog], tokens_max=estimate(whole) * 3 // 5, sees="values", question="Which referee?")
    assert "Table referees" in least
    assert least.count("Table ") == 1


def test_a_column_says_its_kind_once_and_a_key_no_figures() -> None:
    key = Column(name="id", type="INTEGER", kind="integer", profile=Profile(distinct=9, nulls=0, low=1, high=9))
    day = Column(
        name="day", type="TEXT", kind="date", profile=Profile(distinct=4, nulls=0, low="2024-01-01", high="2024-02-01")
    )
    told = describe_table(Table(name="t", columns=(key, day), primary_key=("id",), rows=9), source="s", sees="values")
    assert told.splitlines()[-2:] == ["- id INTEGER", "- day TEXT (date), 4 distinct, from 2024-01-01 to 2024-02-01"]


def test_of_values_only_those_that_many_rows_have_are_told_and_examples_of_texts() -> None:
    counts = tuple((f"2024-01-{n:02}", 4) for n in range(1, 10))
    day = Column(name="day", type="DATE", kind="date", profile=Profile(distinct=40, nulls=0, top=counts))
    end = Column(
        name="until", type="DATE", kind="date", profile=Profile(distinct=40, nulls=0, top=(("9999-01-01", 80), *counts))
    )
    text = describe_table(
        Table(name="t", columns=(day, end, column("word", count=2)), rows=100), source="", sees="rows"
    )
    assert text.splitlines()[1:3] == ["- day DATE, 40 distinct", "- until DATE, 40 distinct, most often '9999-01-01'"]
    assert text.count("A rather long value") == 3


def test_what_was_read_is_told_with_its_period_and_gaps_and_nothing_else() -> None:
    placed = Column(
        name="placed",
        type="DATE",
        kind="date",
        profile=Profile(distinct=9, nulls=0, low="2024-01-01", high="2024-03-09"),
    )
    paid = Column(name="paid", type="REAL", kind="number", profile=Profile(distinct=5, nulls=4))
    catalog = Catalog(source="shop", dialect="sqlite", tables=(Table(name="orders", columns=(placed, paid), rows=9),))

    def describe(*read: str) -> str:
        return describe_tables_read([catalog], ["orders"], read=frozenset(read), sees="results")

    assert (
        describe("orders", "orders.placed") == "orders: 9 rows; placed from 2024-01-01 to 2024-03-09; no empty values"
    )
    assert (
        describe("orders", "orders.paid")
        == "orders: 9 rows; placed from 2024-01-01 to 2024-03-09; empty values: paid 4"
    )
    assert describe() == "orders: 9 rows; placed from 2024-01-01 to 2024-03-09; empty values: paid 4"
