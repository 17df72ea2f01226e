"""What a model is told of the sources: as much as has room, and never less because it may see more."""

from __future__ import annotations

from assistant.agents.model.source_descriptions import describe_overview, describe_sources, describe_table
from assistant.core.catalog import Catalog, Column, Profile, Table
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
