"""The part `study` of a function's YAML: what it says is read, and what is wrong with it is a problem of its file."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.functions.folder import keep_function, read_functions
from assistant.functions.library import list_shipped, list_studies


def test_each_role_of_a_shipped_function_is_a_parameter_or_keeps_rows_apart() -> None:
    studies = list_studies(list_shipped())
    assert len(studies) >= 7
    for study in studies:
        others = [role.name for role in study.roles if role.name not in study.parameters]
        kinds = {role.kind for role in study.roles if role.name in others}
        assert kinds <= {"event"}, study.function


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("study: [RFM]", "a mapping"),
        ("study: {phrases: []}", "must have a list 'phrases'"),
        ("study: {phrases: [a], roles: {x: {kind: thin}}}", "the role 'x' must have a 'kind': thing"),
        ("study: {phrases: [a], roles: {x: thing}}", "the role 'x' must have a 'kind': thing"),
    ],
)
def test_a_part_that_cannot_be_read_is_a_problem_of_its_file(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "double.py").write_text("def double(x):\n    return 2 * x\n")
    (tmp_path / "double.yaml").write_text(text)
    folder = read_functions(tmp_path)
    assert folder.functions == ()
    assert message in folder.problems[0].message


def test_how_a_function_is_asked_for_is_kept_with_it(tmp_path: Path) -> None:
    (tmp_path / "double.py").write_text("def double(x):\n    return 2 * x\n")
    (tmp_path / "double.yaml").write_text("study: {phrases: [twice], roles: {x: {kind: figure}}}\n")
    function = read_functions(tmp_path).functions[0]
    keep_function(tmp_path / "kept", function)
    assert read_functions(tmp_path / "kept").functions[0].study == function.study
