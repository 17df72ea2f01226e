"""An entry is changed in its file: nothing else in the file is, and the change can be taken back."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from knowledge.documents import Document, Metric, Rule, VerifiedQuery
from knowledge.errors import KnowledgeError
from knowledge.sources.editing import draft_edit, draft_removal, entry_of, last_change, said_of, take_back, write
from knowledge.sources.folder import read_folder

DAY = date(2026, 11, 25)
METRICS = """\
# What we count by.
author: Finance
metrics:
  # The one that matters.
  - name: net revenue
    synonyms: [revenue, sales]   # asked by sales
    table: order_lines
    joins: [orders]
    expression: >-
      SUM(order_lines.quantity
      * order_lines.unit_price)
    filters: ["orders.status <> 'cancelled'"]

  - name: order count   # counted by us
    table: orders
    expression: COUNT(*)
"""
RULES = """\
---
author: Finance
---
# How we count

## Cancelled orders never count

They are left out.

Applies to: orders, net revenue

Condition: `orders.status <> 'cancelled'`

## Whole periods

Only whole periods are compared.
"""
NOTES = "# Shops\n\nWe have five.\n\n## Opening\n\nAt nine.\n\n```\n# no heading\n```\n"
QUERY = "question: Orders by day\nsql: SELECT 1\nverifier: Bo\nverified_on: 2026-01-01\ntables: [orders]\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "queries").mkdir()
    for name, text in (
        ("metrics.yaml", METRICS),
        ("rules.md", RULES),
        ("shops.md", NOTES),
        ("queries/orders.yaml", QUERY),
    ):
        (tmp_path / name).write_text(text)
    return tmp_path


def change(folder: Path, id_: str, **said: str | tuple[str, ...]) -> Document:
    write(folder, draft := draft_edit(folder, id_, said, by="Ana", on=DAY))
    assert draft.document is not None
    found = entry_of(folder, draft.document.id)
    assert found == draft.document, "what was tried is what is read"
    return found


def test_only_the_fields_that_change_are_written_anew_and_comments_stay(folder: Path) -> None:
    made = change(folder, "metric:net-revenue", synonyms=("revenue", "turnover"), filters=(), unit="currency")
    assert isinstance(made, Metric)
    assert (made.synonyms, made.filters, made.unit) == (("revenue", "turnover"), (), "currency")
    assert (made.author, made.updated) == ("Ana", DAY)
    text = (folder / "metrics.yaml").read_text()
    assert text == METRICS.replace("[revenue, sales]", "\n    - revenue\n    - turnover").replace(
        "    filters: [\"orders.status <> 'cancelled'\"]\n",
        "    unit: currency\n    author: Ana\n    updated: 2026-11-25\n",
    ).replace("synonyms: \n", "synonyms:\n")


def test_an_expression_of_several_lines_is_replaced_whole(folder: Path) -> None:
    made = change(folder, "metric:net-revenue", expression="SUM(order_lines.quantity)\n  + 0")
    assert isinstance(made, Metric)
    assert made.expression == "SUM(order_lines.quantity)\n  + 0"
    assert "unit_price" not in (folder / "metrics.yaml").read_text()
    assert entry_of(folder, "metric:order-count")


def test_a_rule_and_a_note_say_in_their_section_who_changed_them(folder: Path) -> None:
    made = change(folder, "rule:cancelled-orders-never-count", condition="orders.status = 'paid'", statement="Paid.")
    assert isinstance(made, Rule)
    assert (made.condition, made.applies_to, made.statement) == (
        "orders.status = 'paid'",
        ("orders", "net revenue"),
        "Paid.",
    )
    assert (made.author, made.updated) == ("Ana", DAY)
    assert entry_of(folder, "rule:whole-periods").author == "Finance"
    note = change(folder, "note:shops.md#shops-opening", body="At ten.")
    assert (note.author, note.text) == ("Ana", "Shops: Opening\nAt ten.")
    assert "We have five." in (folder / "shops.md").read_text()


def test_who_changes_the_sql_of_a_verified_query_says_that_it_is_right(folder: Path) -> None:
    made = change(folder, "query:orders-by-day", sql="SELECT 2")
    assert isinstance(made, VerifiedQuery)
    assert (made.sql, made.verifier, made.verified_on) == ("SELECT 2", "Ana", DAY)


def test_an_entry_can_be_renamed_but_not_to_a_name_that_is_taken(folder: Path) -> None:
    with pytest.raises(KnowledgeError, match="another metric of that name"):
        draft_edit(folder, "metric:net-revenue", {"name": "Order count"}, by="Ana", on=DAY)
    with pytest.raises(KnowledgeError, match="another rule of that name"):
        draft_edit(folder, "rule:whole-periods", {"name": "Cancelled orders never count"}, by="Ana", on=DAY)
    assert change(folder, "metric:net-revenue", name="income").id == "metric:income"
    with pytest.raises(KnowledgeError, match="not there any more"):
        entry_of(folder, "metric:net-revenue")


@pytest.mark.parametrize(
    ("id_", "said"),
    [
        ("rule:whole-periods", {"statement": "Fine.\n\n## Another rule\n\nSmuggled in."}),
        ("rule:whole-periods", {"name": "Two\n## Lines"}),
        ("note:shops.md#shops-opening", {"body": "Text\n\n# Another\n\nSection"}),
    ],
)
def test_a_text_does_not_become_an_entry_of_its_own(folder: Path, id_: str, said: dict[str, str]) -> None:
    before = {one.id for one in read_folder(folder).documents}
    with pytest.raises(KnowledgeError):
        write(folder, draft_edit(folder, id_, said, by="Ana", on=DAY))
    assert {one.id for one in read_folder(folder).documents} == before


def test_the_last_change_is_taken_back_unless_the_file_was_changed_since(folder: Path) -> None:
    change(folder, "metric:net-revenue", definition="What came in.")
    kept = last_change(folder, "metric:net-revenue")
    assert kept is not None
    assert (kept.by, kept.on, kept.how) == ("Ana", DAY, "changed")
    take_back(folder, "metric:net-revenue")
    assert (folder / "metrics.yaml").read_text() == METRICS
    assert last_change(folder, "metric:net-revenue") is None

    change(folder, "metric:net-revenue", definition="What came in.")
    (folder / "metrics.yaml").write_text((folder / "metrics.yaml").read_text() + "# by hand\n")
    with pytest.raises(KnowledgeError, match="changed again since"):
        take_back(folder, "metric:net-revenue")


@pytest.mark.parametrize(
    "id_", ["metric:net-revenue", "metric:order-count", "rule:whole-periods", "query:orders-by-day"]
)
def test_an_entry_is_removed_alone_and_comes_back(folder: Path, id_: str) -> None:
    before = read_folder(folder).documents
    write(folder, draft_removal(folder, id_, by="Ana", on=DAY))
    assert read_folder(folder).documents == tuple(one for one in before if one.id != id_)
    kept = last_change(folder, id_)
    assert kept is not None
    assert kept.how == "removed"
    take_back(folder, id_)
    assert read_folder(folder).documents == before


def test_a_file_of_one_rule_goes_with_it(folder: Path) -> None:
    (folder / "rules.md").write_text("## One rule\n\nIt holds.\n")
    write(folder, draft_removal(folder, "rule:one-rule", by="Ana", on=DAY))
    assert not (folder / "rules.md").exists()
    take_back(folder, "rule:one-rule")
    assert (folder / "rules.md").read_text() == "## One rule\n\nIt holds.\n"


def test_a_file_that_was_changed_meanwhile_is_not_written_over(folder: Path) -> None:
    draft = draft_edit(folder, "metric:net-revenue", {"definition": "Mine."}, by="Ana", on=DAY)
    change(folder, "metric:order-count", definition="Theirs.")
    with pytest.raises(KnowledgeError, match="somebody else"):
        write(folder, draft)
    assert "Theirs." in (folder / "metrics.yaml").read_text()


def test_what_stands_in_a_table_or_a_document_is_changed_there(folder: Path) -> None:
    (folder / "words.csv").write_text("term,definition\nwhale,a large customer\n")
    with pytest.raises(KnowledgeError, match="in the file itself"):
        entry_of(folder, "term:whale")
    with pytest.raises(KnowledgeError, match="the program that wrote it"):
        entry_of(folder, "note:handbook.pdf#leave")


def test_line_ends_stay_as_they_are(folder: Path) -> None:
    (folder / "metrics.yaml").write_bytes(METRICS.replace("\n", "\r\n").encode())
    change(folder, "metric:order-count", definition="How many.")
    assert (folder / "metrics.yaml").read_bytes().replace(b"\r\n", b"").count(b"\n") == 0


WORDS = some.text(some.characters(blacklist_categories=("Cs", "Cc")), min_size=1, max_size=60)


@given(definition=WORDS, expression=WORDS, synonym=WORDS)
def test_whatever_is_typed_is_read_back_or_refused(
    tmp_path_factory: pytest.TempPathFactory, definition: str, expression: str, synonym: str
) -> None:
    folder = tmp_path_factory.mktemp("knowledge")
    (folder / "metrics.yaml").write_text(METRICS)
    said = {"definition": definition, "expression": expression, "synonyms": (synonym,)}
    try:
        draft = draft_edit(folder, "metric:net-revenue", said, by="Ana", on=DAY)
    except KnowledgeError:
        return
    assert isinstance(draft.document, Metric)
    assert draft.document.definition == definition
    assert draft.document.expression == expression.strip()
    assert draft.document.synonyms == (synonym.strip(),)
    assert said_of(folder, entry_of(folder, "metric:order-count"))["expression"] == "COUNT(*)"
