import pandas as pd
import pytest
from functions import target_chance

MONTHS = pd.date_range("2024-01-01", periods=21, freq="MS").strftime("%Y-%m-%d")
TABLE = pd.DataFrame({"day": MONTHS, "eur": [100.0 + (n * 7) % 5 for n in range(21)]})


def test_known_months_are_certain_and_the_others_have_a_band():
    table = target_chance(TABLE, "day", "eur", target=1_000, start="2025-01", end="2025-12")
    assert len(table) == 13
    assert (table["high"] - table["low"]).loc["2025-01":"2025-09"].eq(0).all()
    assert (table["high"] - table["low"]).loc["2025-10":"2025-12"].gt(0).all()


def test_a_low_target_is_reached_and_a_high_one_missed():
    chances = [
        target_chance(TABLE, "day", "eur", target=target, start="2025-01", end="2025-12").loc["Total", "miss_percent"]
        for target in (900, 2_000)
    ]
    assert chances == [0, 100]


def test_months_that_are_all_known_leave_no_doubt():
    table = target_chance(TABLE, "day", "eur", target=1, start="2024-01", end="2024-12")
    assert table.loc["Total", "base"] == pytest.approx(TABLE["eur"][:12].sum())


def test_an_end_before_the_start_is_refused():
    with pytest.raises(ValueError, match="lies before"):
        target_chance(TABLE, "day", "eur", target=1, start="2025-02", end="2025-01")
