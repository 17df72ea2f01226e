"""A file that cannot be read is named with its line and left out; every other file is used, and nothing raises."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from knowledge.errors import DocumentMalformed
from knowledge.sources.entries import load_plain
from knowledge.sources.folder import FolderReading, read_folder, read_models
from knowledge.sources.markdown import split_sections

GOOD = "terms:\n  - name: churn\n    definition: A customer who left.\n"
MODEL = (
    "version: 0.1.0\nsemantic_model:\n  - name: shop\n    datasets:\n      - name: orders\n"
    "        source: orders\n        fields: []\n"
)
LAUGHS = "".join(
    f"{'abcdefgh'[n]}: &{'abcdefgh'[n]} [{', '.join([f'*{chr(96 + n)}'] * 9) if n else 'x'}]\n" for n in range(8)
)
YAML_FAULTS: dict[str, tuple[str | bytes, str]] = {
    "unknown tag": ("ok: 1\nbad: !unknown {a: 1}\n", "line 2"),
    "python tag": ("ok: 1\nbad: !!python/object/apply:os.system ['true']\n", "line 2"),
    "int tag": ("ok: 1\nbad: !!int nothing\n", ""),
    "no such day": ("ok: 1\nbad: 2026-02-31\n", ""),
    "merge of no mapping": ("ok: 1\n<<: 5\n", ""),
    "tabs": ("ok: 1\n\tbad: 2\n", "line 2"),
    "a key twice": ("ok: 1\nok: 2\n", "line 2"),
    "billion laughs": (LAUGHS, "line 2"),
    "holds itself": ("ok: &a\n  in: *a\n", "line 2"),
    "deep": ("ok: " + "[" * 5_000 + "\n", "line 1"),
    "huge": ("# " + "x" * 1_000_001, "larger than"),
    "binary": (bytes(range(256)) * 4, "UTF-8"),
    "zero byte": ("ok: 1\nbad: \0\n", "line 2"),
    "not UTF-8": ("ok: 1\nbad: \xfc\n".encode("latin-1"), "line 2"),
    "a list": ("- one\n- two\n", "mapping"),
    "a word": ("nothing but words\n", "mapping"),
    "a key that is a list": ("? [a, b]\n: 1\n", "line 1"),
    "two documents": ("ok: 1\n---\nok: 2\n", "line 2"),
    "control character": ("ok: \x07\n", "character"),
    "long number": ("ok: !!int " + "9" * 10_000 + "\n", ""),
}
PLACES = (
    "semantic/shop.yaml",
    "glossary.yaml",
    "metrics.yaml",
    "terms/one.yaml",
    "queries/one.yaml",
    "rules.md",
    "notes.md",
)


@pytest.fixture
def ordinary_user() -> Iterator[None]:
    """The test runs as a user whose rights count: root reads every file."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(65_534)
    yield
    os.seteuid(before)


def write(folder: Path, name: str, content: str | bytes) -> FolderReading:
    for place, text in {"terms/good.yaml": GOOD, "semantic/good.yaml": MODEL, name: content}.items():
        file = folder / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_folder(folder)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("fault", YAML_FAULTS)
def test_a_bad_file_is_named_and_the_others_are_used(tmp_path: Path, place: str, fault: str) -> None:
    content, words = YAML_FAULTS[fault]
    if place.endswith(".md") and isinstance(content, str) and fault != "huge":
        content = f"---\n{content}---\n## A heading\nwith words\n"
        words = ""  # front matter that is one word long or holds `---` is read otherwise
    reading = write(tmp_path, place, content)
    assert any(document.title == "churn" for document in reading.documents), reading.problems
    assert [model.name for model in read_models(tmp_path)] == ["shop"]
    told = [str(problem) for problem in reading.problems]
    if not place.endswith(".md") or fault not in ("two documents",):
        assert told, "it is said"
    assert all(one.startswith(place) for one in told)
    lacks_its_list = fault in ("unknown tag", "python tag") and not place.startswith("semantic")
    assert not told or lacks_its_list or words in " ".join(told)


UNREADABLE: dict[str, Callable[[Path], None]] = {
    "a folder": lambda file: file.mkdir(),
    "a link to nowhere": lambda file: file.symlink_to(file.parent / "nowhere"),
    "a link that leads out": lambda file: file.symlink_to("/etc/hostname"),
    "a link to itself": lambda file: file.symlink_to(file),
}


@pytest.mark.parametrize("kind", UNREADABLE)
@pytest.mark.parametrize("place", ["semantic/bad.yaml", "glossary.yaml", "rules.md"])
def test_what_is_no_file_is_left_out(tmp_path: Path, kind: str, place: str) -> None:
    write(tmp_path, "terms/good.yaml", GOOD)
    UNREADABLE[kind](tmp_path / place)
    reading = read_folder(tmp_path)
    assert any(document.title == "churn" for document in reading.documents)
    assert [model.name for model in read_models(tmp_path)] == ["shop"]
    assert kind == "a folder" or [problem.origin for problem in reading.problems] == [place]


def test_a_file_that_may_not_be_read_is_left_out(ordinary_user: None) -> None:
    with TemporaryDirectory() as place:
        folder = Path(place)
        write(folder, "semantic/bad.yaml", MODEL)
        (folder / "semantic/bad.yaml").chmod(0)
        assert "permissions" in str(read_folder(folder).problems[0])
        assert len(read_models(folder)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "## R\nwords\n" + "```a\n" * 150_000,
        "## R\n" + "\n" * 900_000 + "Changed by",
        "## " + " #" * 400_000 + "x",
        "## " + " " * 900_000 + "x",
        "## R\n" + " " * 900_000 + "applies to",
        "## R\n" + "Changed by: " * 70_000,
        "#" * 900_000,
        "`" * 900_000,
        "---\n" * 200_000,
    ],
    ids=["fences", "blank lines", "hashes", "spaces", "applies", "signatures", "one heading", "ticks", "rulers"],
)
@pytest.mark.timeout(60)
def test_markdown_of_the_largest_size_is_read_in_one_pass(tmp_path: Path, text: str) -> None:
    reading = write(tmp_path, "rules.md", text)
    assert any(document.title == "churn" for document in reading.documents)
    write(tmp_path, "notes.md", text)


def test_headings_signatures_and_fences_are_read_as_before() -> None:
    text = "## One ##\nwords\n\nChanged by: Ana, 2026-01-31\n## Two #\nmore\n"
    _, (one, two) = split_sections(text, origin="x.md")
    assert (one.heading, one.body, one.author) == ("One", "words", "Ana")
    assert (two.heading, two.author) == ("Two", None)


def test_a_condition_in_a_fence_is_one_and_a_fence_that_stays_open_is_words(tmp_path: Path) -> None:
    closed = "## A\nNo returns.\n```sql\norders.status <> 'returned'\n```\n## B\nwords\n```sql\nopen\n"
    reading = write(tmp_path, "rules.md", closed)
    rules = {document.title: document for document in reading.documents if document.kind == "rule"}
    assert rules["A"].condition == "orders.status <> 'returned'"  # type: ignore[union-attr]
    assert rules["B"].condition is None  # type: ignore[union-attr]


def test_files_of_other_tools_may_use_anchors_within_bounds() -> None:
    assert load_plain("a: &x [1, 2]\nb: *x\n") == {"a": [1, 2], "b": [1, 2]}
    assert load_plain("") is None
    for bad in (LAUGHS, "a: !unknown 1", "a: 2026-02-31", "a: &x [*x]", "a: " + "[" * 5_000, "a: \x07", "a: ["):
        with pytest.raises(DocumentMalformed):
            load_plain(bad)
