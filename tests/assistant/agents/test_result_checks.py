from __future__ import annotations

import pytest

from assistant.agents.result_checks import describe_check, run_checks
from assistant.cells.tables import TableView
from assistant.core.events import PlannedCheck

SALES = TableView(
    columns=("region", "revenue", "share"), rows=(("North", 10, 40.0), ("South", 15, 60.0), ("South", 5, None)), total=3
)
BEFORE = TableView(columns=("region", "amount"), rows=(("North", 10), ("South", 20)), total=2)

TABLE = [
    pytest.param(PlannedCheck(kind="not_empty"), "", id="rows"),
    pytest.param(PlannedCheck(kind="one_row"), "It has 3 rows.", id="not one row"),
    pytest.param(PlannedCheck(kind="unique", columns=("region",)), "1 of 3 rows repeat.", id="a key that repeats"),
    pytest.param(PlannedCheck(kind="unique", columns=("region", "revenue")), "", id="a key of two columns"),
    pytest.param(PlannedCheck(kind="no_missing", columns=("region", "share")), "share: 1 empty", id="an empty value"),
    pytest.param(PlannedCheck(kind="range", columns=("share",), low=0, high=100), "", id="shares"),
    pytest.param(PlannedCheck(kind="range", columns=("share",), high=50), "1 of 2 values are not.", id="out of range"),
    pytest.param(PlannedCheck(kind="same_total", columns=("revenue",), result="before", of="amount"), "", id="a total"),
    pytest.param(
        PlannedCheck(kind="same_total", columns=("share",), result="before", of="amount"),
        "100 here, 30 there.",
        id="another total",
    ),
    pytest.param(PlannedCheck(kind="same_rows", result="before"), "3 rows, and 2 there.", id="fan-out"),
    pytest.param(
        PlannedCheck(kind="same_rows", result="gone"), "There is no earlier result 'gone'.", id="no such result"
    ),
    pytest.param(
        PlannedCheck(kind="unique", columns=("nope",)), "The result has no column 'nope'.", id="no such column"
    ),
]


@pytest.mark.parametrize(("planned", "wrong"), TABLE)
def test_a_check_holds_or_says_what_is_wrong(planned: PlannedCheck, wrong: str) -> None:
    (check,) = run_checks([planned], SALES, earlier={"before": BEFORE})
    assert (check.ok, check.detail) == (not wrong, wrong)
    assert check.name == describe_check(planned)


def test_a_check_of_a_result_that_is_cut_or_missing_does_not_pass_in_silence() -> None:
    unique = PlannedCheck(kind="unique", columns=("region",))
    cut = TableView(columns=("region",), rows=(("North",),), total=9_000)
    assert run_checks([unique], cut, earlier={})[0].detail == "Only the first 1 of 9,000 rows could be looked at."
    assert not run_checks([unique], None, earlier={})[0].ok
