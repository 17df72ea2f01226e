import pandas as pd
import pytest
from functions import scenario

BASE = pd.DataFrame({"month": ["2026-01", "2026-02"], "eur": [100.0, 300.0]})


def test_changes_multiply():
    table = scenario(BASE, "month", "eur", {"prices": 0.05, "customers": -0.02})
    assert table.index.tolist() == ["Total", "2026-01", "2026-02"]
    assert table.loc["Total", ["base", "scenario"]].tolist() == pytest.approx([400, 400 * 1.05 * 0.98])
    assert table.loc["2026-01", "change_percent"] == pytest.approx(2.9)


def test_growth_is_compounded_in_order():
    table = scenario(BASE.iloc[::-1], "month", "eur", {}, growth=0.1)
    assert table.loc["2026-01", "scenario"] == pytest.approx(110)
    assert table.loc["2026-02", "scenario"] == pytest.approx(363)


def test_no_change_is_the_base_case():
    assert (scenario(BASE, "month", "eur", {})["difference"] == 0).all()


def test_a_base_of_nothing_has_no_percentage():
    table = scenario(pd.DataFrame({"m": ["a"], "v": [0.0]}), "m", "v", {"prices": 0.05})
    assert table["change_percent"].isna().all()


@pytest.mark.parametrize(("rows", "changes", "message"), [(0, {}, "empty"), (2, {"prices": -1.5}, "below -100 %")])
def test_what_has_no_answer_is_refused(rows, changes, message):
    with pytest.raises(ValueError, match=message):
        scenario(BASE.iloc[:rows], "month", "eur", changes)
