import pandas as pd
import pytest
from functions import sensitivity

BASE = pd.DataFrame({"eur": [100.0, 300.0]})


def test_the_assumption_with_the_widest_effect_comes_first():
    table = sensitivity(BASE, "eur", {"customers": (-0.05, 0.05), "prices": (-0.1, 0.0, 0.1)})
    assert table["assumption"].tolist() == ["prices", "customers"]
    assert table.loc[0, ["low", "base", "high", "width"]].tolist() == pytest.approx([360, 400, 440, 80])


def test_no_effect_has_no_width():
    assert sensitivity(BASE, "eur", {"prices": (0.0, 0.0)})["width"].tolist() == [0]


def test_no_assumption_is_refused():
    with pytest.raises(ValueError, match="at least one"):
        sensitivity(BASE, "eur", {})
