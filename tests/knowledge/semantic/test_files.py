"""A semantic model in the open format is read, written, searched, and its faults have a line and what to write."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from semantic_shop import MODEL, model

from knowledge.documents import Metric, Note, Term
from knowledge.semantic.files import documents_of, format_model, json_schema, models_of
from knowledge.sources.folder import read_folder, read_models


def test_a_model_survives_being_written_and_read(tmp_path: Path) -> None:
    (tmp_path / "semantic").mkdir()
    (tmp_path / "semantic" / "shop.yaml").write_text(format_model(model()), encoding="utf-8")
    assert read_models(tmp_path) == (model(),)


def test_a_model_in_a_knowledge_folder_becomes_documents(tmp_path: Path) -> None:
    (tmp_path / "semantic").mkdir()
    (tmp_path / "semantic" / "shop.yaml").write_text(MODEL, encoding="utf-8")
    reading = read_folder(tmp_path)
    assert reading.problems == ()
    metrics = {document.name: document for document in reading.documents if isinstance(document, Metric)}
    assert metrics["order count"].expression == "COUNT(orders.id)"
    assert metrics["revenue"].expression == "SUM((orders.amount - orders.discount))", "fields are written out"
    assert (metrics["revenue"].table, metrics["revenue"].date_column) == ("orders", "orders.placed_on")
    assert metrics["big orders"].filters == ("orders.amount >= 50",)
    terms = {document.name: document for document in reading.documents if isinstance(document, Term)}
    assert (terms["area"].synonyms, terms["area"].sql, terms["area"].table) == (("territory",), "region", "customers")
    notes = [document.heading for document in reading.documents if isinstance(document, Note)]
    assert "Metric refund rate" in notes, "what is made of other metrics is found, and compiled by its name"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}",
            "expresion: {dialects: []}",
            "'expression'?",
        ),
        ("source: customers", "sorce: customers", "did you mean 'source'?"),
        ("datasets:", "datasets: 3\n  data:", "datasets"),
        ('"stock": true', '"stok": true', "'balance': 'stok' of what Tandem adds"),
        ("""data: '{"type": "ratio"}'""", "data: 'ratio'", "JSON"),
        ("name: shop\n", "name: shop\n  name: shop\n", "gives 'name' twice"),
    ],
)
def test_a_fault_has_its_line_and_what_to_write_instead(old: str, new: str, said: str) -> None:
    found, (problem,) = models_of(MODEL.replace(old, new, 1), origin="semantic/shop.yaml")
    assert found == ()
    assert said in problem.message
    assert problem.line or "Tandem adds" in problem.message


def test_other_vendors_extensions_and_newer_sources_are_kept() -> None:
    text = MODEL.replace("source: customers", "source: {kind: table, object: db.main.customers}").replace(
        "name: shop\n", "name: shop\n  custom_extensions: [{vendor_name: DBT, data: '{\"a\": 1}'}]\n", 1
    )
    (found,), _ = models_of(text, origin="x")
    assert found.datasets[1].table == "customers"
    assert '"a": 1' in format_model(found)


def test_the_schema_for_editors_is_json_and_names_the_parts() -> None:
    schema = json.loads(json_schema())
    assert {"semantic_model", "version"} <= schema["properties"].keys()
    assert "from" in schema["$defs"]["Relationship"]["properties"]


def test_a_ratio_of_metrics_of_one_table_is_written_out() -> None:
    text = MODEL.replace("expression: refunds / revenue}", "expression: revenue / order_count}", 1)
    (found,), _ = models_of(text, origin="x")
    made = next(d for d in documents_of(found, origin="x") if isinstance(d, Metric) and d.name == "refund rate")
    assert made.expression == "CAST((SUM((orders.amount - orders.discount))) AS DOUBLE) / NULLIF(COUNT(orders.id), 0)"
