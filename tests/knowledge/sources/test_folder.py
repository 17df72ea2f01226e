from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from knowledge.documents import Metric, Note, Rule, Term, VerifiedQuery
from knowledge.sources.folder import FolderReading, read_folder

GOOD_GLOSSARY = "terms:\n  - name: churn\n    definition: A customer who left.\n"


def write(folder: Path, files: dict[str, str | bytes]) -> FolderReading:
    for name, content in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_folder(folder)


def only_problem(reading: FolderReading) -> str:
    assert len(reading.problems) == 1, reading.problems
    return str(reading.problems[0])


def test_every_kind_of_file_becomes_documents(tmp_path: Path):
    reading = write(
        tmp_path,
        {
            "glossary.yaml": (
                "author: Data team\nupdated: 2026-10-01\n"
                "terms:\n  - name: churn\n    synonyms: [lost customers]\n    definition: A customer who left.\n"
                "    sql: status = 'churned'\n    table: customers\n    author: Ana\n"
            ),
            "sales/metrics.yaml": (
                "metrics:\n  - name: net revenue\n    expression: SUM(lines.amount)\n    table: lines\n"
                "    joins: [orders]\n    filters: [\"orders.status <> 'returned'\"]\n"
                "    date_column: orders.order_date\n    unit: currency\n    unit_symbol: EUR\n"
            ),
            "rules.md": (
                "# House rules\n\n## No returns\nReturned orders do not count.\n\n"
                "Applies to: orders, `net revenue`\nCondition: `orders.status <> 'returned'`\n"
            ),
            "queries/count.yaml": (
                "question: How many customers?\nsql: SELECT COUNT(*) FROM customers\nsource: shop\n"
                "verifier: Ana\nverified_on: 2026-09-01\ntables: [customers]\n"
            ),
            "notes/stores.md": "---\nauthor: Ben\n---\n# Stores\n\n## Opening\nOpen on Monday.\n",
        },
    )

    assert reading.problems == ()
    assert set(reading.documents) == {
        Term(
            name="churn",
            synonyms=("lost customers",),
            definition="A customer who left.",
            sql="status = 'churned'",
            table="customers",
            origin="glossary.yaml",
            author="Ana",
            updated=date(2026, 10, 1),
        ),
        Metric(
            name="net revenue",
            expression="SUM(lines.amount)",
            table="lines",
            joins=("orders",),
            filters=("orders.status <> 'returned'",),
            date_column="orders.order_date",
            unit="currency",
            unit_symbol="EUR",
            origin="sales/metrics.yaml",
            topic="sales",
        ),
        Rule(
            name="No returns",
            statement="Returned orders do not count.",
            applies_to=("orders", "net revenue"),
            condition="orders.status <> 'returned'",
            origin="rules.md",
        ),
        VerifiedQuery(
            question="How many customers?",
            sql="SELECT COUNT(*) FROM customers",
            source="shop",
            verifier="Ana",
            verified_on=date(2026, 9, 1),
            tables=("customers",),
            origin="queries/count.yaml",
        ),
        Note(heading="Stores: Opening", body="Open on Monday.", origin="notes/stores.md", author="Ben"),
    }


def test_a_missing_folder_is_a_problem_that_says_what_to_do(tmp_path: Path):
    assert "create it" in only_problem(read_folder(tmp_path / "nowhere"))


def test_an_empty_folder_is_a_problem_that_says_what_to_do(tmp_path: Path):
    assert "start with a glossary.yaml" in only_problem(read_folder(tmp_path))


def test_one_bad_file_hides_no_other(tmp_path: Path):
    reading = write(tmp_path, {"glossary.yaml": GOOD_GLOSSARY, "metrics.yaml": "metrics: [\n"})

    assert [document.id for document in reading.documents] == ["term:churn"]
    assert "metrics.yaml, line" in only_problem(reading)


def test_one_bad_entry_hides_no_other(tmp_path: Path):
    reading = write(tmp_path, {"glossary.yaml": GOOD_GLOSSARY + "  - name: VIP\n"})

    assert [document.id for document in reading.documents] == ["term:churn"]
    assert only_problem(reading) == ("glossary.yaml, line 4: entry 2 of 'terms': the entry lacks 'definition'")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is empty"),
        ("- name: churn\n", "must be a mapping"),
        ("words:\n  - a\n", "has no list under 'terms'"),
        ("terms: churn\n", "has no list under 'terms'"),
        ("terms:\n  - churn\n", "line 2: entry 1 of 'terms': must be a mapping"),
        ("terms:\n  - {name: a, definiton: b}\n", "did you mean 'definition'?"),
        ("terms:\n  - name: a\n    definition: [b]\n", "line 3: entry 1 of 'terms': 'definition' must be one piece"),
        ("terms:\n  - {name: a, definition: b, synonyms: c}\n", "'synonyms' is not right"),
        ("terms:\n  - {name: '  ', definition: b}\n", "'name' is not right"),
        ("terms:\n  - {name: a, definition: b, updated: yesterday}\n", "must be a date without quotes"),
        ("terms:\n  - {name: a, definition: b, updated: 2026-02-31}\n", "cannot be read"),
        ("terms:\n  - name: a\n   definition: b\n", "is not valid YAML"),
        ("terms:\n  - name: a\n    name: b\n    definition: c\n", "line 3: gives 'name' twice"),
        ("terms: &t\n  - *t\n", "uses the alias *t"),
        ("terms: !!python/object/apply:os.system ['true']\n", "must be a mapping"),
        ("a: " + "[" * 5_000 + "]" * 5_000, "nested deeper"),
        ("terms: \x00\n", "character that YAML does not allow"),
        ("updated: 3\nterms: []\n", "line 1: 'updated' must be a date"),
    ],
)
def test_a_malformed_file_is_explained(tmp_path: Path, content: str, said: str):
    problem = only_problem(write(tmp_path, {"glossary.yaml": content}))

    assert said in problem


def test_words_that_yaml_takes_for_something_else_stay_words(tmp_path: Path):
    reading = write(tmp_path, {"glossary.yaml": "terms:\n  - {name: 2024, definition: no, synonyms: [on, 1.50]}\n"})

    [term] = reading.documents
    assert isinstance(term, Term)
    assert (term.name, term.definition, term.synonyms) == ("2024", "no", ("on", "1.50"))


def test_a_file_that_is_not_utf8_names_the_line(tmp_path: Path):
    reading = write(tmp_path, {"stores.md": "# Läden\nGeöffnet\n".encode(), "old.md": b"# Stores\nGe\xf6ffnet\n"})

    assert only_problem(reading) == "old.md, line 2: is not UTF-8 text; save it again with the encoding UTF-8"
    assert len(reading.documents) == 1


def test_a_byte_order_mark_is_no_fault(tmp_path: Path):
    assert write(tmp_path, {"glossary.yaml": "\ufeff" + GOOD_GLOSSARY}).problems == ()


def test_of_two_with_one_id_the_first_is_kept(tmp_path: Path):
    reading = write(tmp_path, {"a/glossary.yaml": GOOD_GLOSSARY, "b/glossary.yaml": GOOD_GLOSSARY})

    assert [document.origin for document in reading.documents] == ["a/glossary.yaml"]
    assert "b/glossary.yaml: 'churn': this term is already defined in 'a/glossary.yaml'" in only_problem(reading)


def test_a_yaml_file_of_unknown_purpose_is_said_not_to_be_read(tmp_path: Path):
    assert "is not read" in only_problem(write(tmp_path, {"other.yaml": "a: b\n"}))


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path):
    (tmp_path / "secret.md").write_text("# Secret\nkey\n")
    folder = tmp_path / "knowledge"
    folder.mkdir()
    (folder / "innocent.md").symlink_to(tmp_path / "secret.md")

    reading = read_folder(folder)

    assert reading.documents == ()
    assert "leads out of the knowledge folder" in only_problem(reading)


def test_a_dangling_link_and_a_huge_file_are_problems(tmp_path: Path):
    (tmp_path / "gone.md").symlink_to(tmp_path / "nowhere.md")
    (tmp_path / "huge.md").write_bytes(b"# x\n" + b"a" * 1_000_001)

    gone, huge = read_folder(tmp_path).problems

    assert "gone.md: cannot be read" in str(gone)
    assert "split it" in str(huge)


def test_hidden_files_are_not_read(tmp_path: Path):
    reading = write(tmp_path, {".git/notes.md": "# a\nb\n", "glossary.yaml": GOOD_GLOSSARY})

    assert [document.kind for document in reading.documents] == ["term"]
