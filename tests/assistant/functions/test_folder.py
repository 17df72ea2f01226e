"""Functions are plain files: what is wrong with one is said, and the others are read."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.functions.folder import FOLDER, keep_function, read_functions, remove_function
from assistant.functions.function import parse_function
from assistant.functions.library import FunctionLibrary, list_shipped
from knowledge.sources.folder import read_folder

BOMB = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10) if n else 'x'}]\n" for n in range(10)).encode()
KEPT = parse_function(
    "double", "def double(x):\n    return 2 * x\n", tests="def test_it(): ...\n", author="Ana", date="2026-09-01",
    words=("twice",), packages={"pandas": "2.3.3"}, tested="abc", complexity="linear",
)  # fmt: skip


def test_a_kept_function_is_read_as_it_was(tmp_path: Path) -> None:
    keep_function(tmp_path / FOLDER, KEPT)
    assert read_functions(tmp_path / FOLDER).functions == (KEPT,)
    assert sorted(file.name for file in (tmp_path / FOLDER).iterdir()) == ["double.py", "double.yaml", "test_double.py"]
    remove_function(tmp_path / FOLDER, "double")
    assert not any((tmp_path / FOLDER).iterdir())


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("bad.py", b"def other(): ...", "defines no function"),
        ("bad.py", b"\xff\xfe", "cannot be read"),
        ("bad.py", b"#" * 300_000, "larger than 200 kB"),
        ("double.yaml", b"[unclosed", "not valid YAML"),
        ("double.yaml", b"- a list", "names with values"),
        ("double.yaml", b"words: twice", "must be a list"),
        ("double.yaml", b"date: 2026-02-30", "not valid YAML"),
        ("double.yaml", b"[" * 5_000, "not valid YAML"),
        ("double.yaml", BOMB + b"author: *a9\n", "uses aliases"),
        ("double.yaml", b"author: [Ana]", "one piece of text"),
        ("double.yaml", b"words: [[twice]]", "one piece of text"),
        ("double.yaml", b"packages: {pandas: [2]}", "one piece of text"),
    ],
)
def test_a_file_that_is_wrong_is_named(tmp_path: Path, file: str, content: bytes, message: str) -> None:
    folder = tmp_path / FOLDER
    keep_function(folder, parse_function("good", "def good(): ...", tests="x"))
    keep_function(folder, KEPT)
    (folder / file).write_bytes(content)
    reading = read_functions(folder)
    assert "good" in [function.name for function in reading.functions]
    assert [message in problem.message for problem in reading.problems] == [True]
    assert reading.problems[0].origin == f"{FOLDER}/{file.replace('.yaml', '.py')}"


def test_what_describes_a_function_is_no_entry_of_the_knowledge(tmp_path: Path) -> None:
    keep_function(tmp_path / FOLDER, KEPT)
    (tmp_path / FOLDER / "notes.md").write_text("# What they are for\n\nSales.\n")
    reading = read_folder(tmp_path)
    assert [document.title for document in reading.documents] == ["What they are for"]
    assert reading.problems == ()


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text("def link(): ...")
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / "link.py").symlink_to(tmp_path / "secret.py")
    reading = read_functions(tmp_path / FOLDER)
    assert (reading.functions, len(reading.problems)) == ((), 1)


def test_a_person_s_own_function_is_used_instead_of_one_that_ships(tmp_path: Path) -> None:
    keep_function(tmp_path / FOLDER, parse_function("rfm_scores", "def rfm_scores(): ...", tests="x"))
    library = FunctionLibrary(lambda: (tmp_path,))
    names = [function.name for function in library.list_functions()]
    assert names == sorted({function.name for function in list_shipped()})
    own = library.find("rfm_scores")
    assert own is not None
    assert not own.is_shipped


def test_what_a_cell_needs_comes_with_what_that_needs() -> None:
    sources = FunctionLibrary().find_sources("from functions import retention_table\nretention_table(x, 'a', 'b')")
    assert [source.name for source in sources] == ["require_columns", "cohort_table", "retention_table"]


def test_each_that_ships_says_what_it_is_for_takes_gives_and_refuses() -> None:
    for function in list_shipped():
        assert function.purpose, function.name
        assert all(parameter.meaning for parameter in function.parameters) or function.name == "require_columns"
        assert function.returns or function.name == "require_columns"
        assert function.raises.startswith("ValueError: "), function.name
        assert function.tests.count("def test_") >= 3, function.name
    assert len(list_shipped()) >= 16
