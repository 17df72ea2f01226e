import pandas as pd
import pytest
from functions import simulate

BASE = pd.DataFrame({"month": ["2026-01", "2026-02"], "eur": [100.0, 300.0], "sd": [10.0, 30.0]})


def test_certain_changes_have_no_band():
    table = simulate(BASE, "month", "eur", {"prices": (0.05, 0.05, 0.05)})
    assert table.loc["Total", ["base", "scenario", "low", "high"]].tolist() == pytest.approx([400, 420, 420, 420])


def test_the_band_lies_within_the_range():
    total = simulate(BASE, "month", "eur", {"prices": (0.0, 0.05, 0.1)}).loc["Total"]
    assert 400 < total["low"] < total["scenario"] < total["high"] < 440
    assert total["scenario"] == pytest.approx(420, abs=1)


def test_a_seed_gives_the_same_figures_and_another_others():
    first, again = (simulate(BASE, "month", "eur", {}, spread="sd", seed=7) for _ in range(2))
    assert first.equals(again)
    assert not first.equals(simulate(BASE, "month", "eur", {}, spread="sd", seed=8))


def test_shared_errors_widen_the_total():
    apart, alike = (simulate(BASE, "month", "eur", {}, spread="sd", shared=s).loc["Total"] for s in (0.0, 1.0))
    assert alike["high"] - alike["low"] > apart["high"] - apart["low"]


def test_a_target_at_the_middle_is_missed_half_the_time():
    table = simulate(BASE, "month", "eur", {}, spread="sd", target=400)
    assert table.loc["Total", "miss_percent"] == pytest.approx(50, abs=2)
    assert table.loc["2026-01":, "miss_percent"].isna().all()
    assert simulate(BASE, "month", "eur", {}, target=400).loc["Total", "miss_percent"] == 0


@pytest.mark.parametrize(
    ("changes", "options", "message"),
    [
        ({"prices": (0.1, 0.0, 0.2)}, {}, "must rise"),
        ({"prices": (-2.0, 0.0, 0.2)}, {}, "must rise"),
        ({}, {"level": 1.0}, "out of range"),
        ({}, {"runs": 1}, "out of range"),
    ],
)
def test_what_has_no_answer_is_refused(changes, options, message):
    with pytest.raises(ValueError, match=message):
        simulate(BASE, "month", "eur", changes, **options)
