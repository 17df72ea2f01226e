"""Tested functions asked for by name: the query of their table, the cell that imports them, the answer."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pandas as pd
import pytest
from called_function import computed, described
from rights_of_person import PERSON
from sample_analyst import AS_OF, meant, rows_of, sample_analyst

from assistant.agents.cell_review import review_cell
from assistant.analyst.analyst import Analyst
from assistant.analyst.meaning import from_json, to_json
from assistant.analyst.outcomes import Declined, Understood
from assistant.analyst.studies.cells import computation
from assistant.core.catalog import Catalog
from assistant.core.events import Variable
from assistant.functions.folder import read_functions
from assistant.functions.library import list_shipped, list_studies
from assistant.sources.addresses import parse_addresses
from assistant.sources.opening import open_source

ASKED = {
    "ABC analysis of products by revenue": "abc_classes",
    "RFM of customers": "rfm_scores",
    "forecast revenue with backtest": "forecast_with_backtest",
    "cohort table of customers": "cohort_table",
    "customer retention by quarter": "retention_table",
    "what is bought together": "basket_pairs",
    "outliers in order amount": "find_outliers",
}


def analyst_of(table: pd.DataFrame, folder: Path) -> Analyst:
    """The analyst for one table, read from a file of CSV."""
    table.to_csv(folder / "table.csv", index=False)

    async def read() -> Catalog:
        source = await open_source(parse_addresses(str(folder / "table.csv"), PERSON)[0], folder=folder / "opened")
        try:
            return await source.catalog()
        finally:
            await source.close()

    return Analyst([asyncio.run(read())], (), AS_OF, functions=list_studies(list_shipped()))


def called(question: str) -> str:
    study = meant(question).study
    return study.call.function if study is not None and study.call is not None else ""


@pytest.mark.parametrize(("question", "function"), ASKED.items())
def test_a_function_is_asked_for_by_its_name(question: str, function: str) -> None:
    meaning = meant(question)
    assert called(question) == function
    code = computation(meaning, frame="rows_read", today=AS_OF)
    assert f"from functions import {function}\n" in code
    assert review_cell(code, (Variable(name="rows_read", type="DataFrame"),)) == ()
    assert not computed(meaning).empty
    assert "$" not in described(meaning)
    assert from_json(to_json(meaning)) == meaning


def test_scores_count_each_order_once_and_no_cancelled_one() -> None:
    table = computed(meant("RFM of customers by net revenue")).set_index("customer")
    best = table.index[0]
    orders = rows_of(
        "SELECT COUNT(*) FROM orders JOIN customers USING (customer_id) "
        f"WHERE customers.name = '{best}' AND status <> 'cancelled'"
    )
    assert table.loc[best, "frequency"] == orders[0][0]


def test_a_forecast_leaves_out_the_month_that_is_not_over() -> None:
    table = computed(meant("forecast revenue with backtest for the next 6 months"))
    ahead = table[table["value"].isna()]
    assert list(ahead["period"]) == ["2026-11", "2026-12", "2027-01", "2027-02", "2027-03", "2027-04"]


def test_what_the_question_does_not_name_is_said() -> None:
    assumptions = meant("what is bought together").assumptions
    assert "“item” is taken to be product: nothing else was named." in assumptions
    assert "No figure was named, so “net revenue” is used." in meant("RFM of customers").assumptions
    assert not [text for text in meant("RFM of customers by margin").assumptions if "No figure" in text]


def test_a_condition_limits_the_rows() -> None:
    assert "'2025-01-01'" in sample_analyst().sql(meant("RFM of customers in 2025"))


@pytest.mark.parametrize("question", ["RFM of suppliers", "forecast the weather with a backtest"])
def test_a_word_that_means_nothing_is_named(question: str) -> None:
    outcome = sample_analyst().read(question)
    assert isinstance(outcome, Declined)
    assert "For the function" in outcome.reason


@pytest.mark.parametrize("question", ["Forecast net revenue for the next 6 months", "outliers in refund amount"])
def test_what_a_study_can_answer_is_no_function(question: str) -> None:
    assert not called(question)


def test_a_role_that_the_data_lack_is_named(tmp_path: Path) -> None:
    analyst = analyst_of(pd.DataFrame({"city": ["Bern", "Basel"] * 6, "rain": range(12)}), tmp_path)
    outcome = analyst.read("RFM analysis")
    assert isinstance(outcome, Declined)
    assert outcome.reason == "The function “rfm scores” needs “customer”, and I cannot tell what that is in this data."


def test_roles_of_a_single_table_are_read_from_its_columns(tmp_path: Path) -> None:
    lines = pd.DataFrame(
        {
            "Invoice No": [f"A{n // 2}" for n in range(40)],
            "Customer Name": [f"C{n % 7}" for n in range(40)],
            "Item": [f"I{n % 5}" for n in range(40)],
            "Invoice Date": pd.date_range("2025-01-01", periods=40).strftime("%Y-%m-%d"),
            "Amount": [float(n % 11 + 1) for n in range(40)],
        }
    )
    outcome = analyst_of(lines, tmp_path).read("which items are bought together?")
    assert isinstance(outcome, Understood)
    assert outcome.meaning.study is not None
    assert outcome.meaning.study.subject == "Pairs of item in the same invoice number"


def test_functions_of_a_folder_are_asked_for_alike(tmp_path: Path) -> None:
    (tmp_path / "top_buyers.py").write_text(
        'def top_buyers(table, customer, amount):\n    """Rank."""\n    return table.groupby(customer)[[amount]].sum()\n'
    )
    (tmp_path / "top_buyers.yaml").write_text(
        "study: {phrases: [whale report], subject: Whales by $amount, "
        "roles: {customer: {kind: thing, words: [customer]}, amount: {kind: figure}}}\n"
    )
    functions = (*list_shipped(), *read_functions(tmp_path).functions)
    sample = sample_analyst()
    analyst = Analyst(sample.catalogs, sample.documents, AS_OF, functions=list_studies(functions))
    study = meant("whale report by gross margin", analyst=analyst).study
    assert study is not None
    assert study.subject == "Whales by gross margin"
