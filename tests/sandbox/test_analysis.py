"""Findings: what is dangerous is named with its line, what is ordinary analysis is left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.analysis import find_risks


@pytest.mark.parametrize(
    ("code", "rule", "severity", "line"),
    [
        ("import socket", "network", "warning", 1),
        ("x = 1\nimport urllib.request as u", "network", "warning", 2),
        ("from requests import get", "network", "warning", 1),
        ("pd.read_csv('https://example.org/a.csv')", "network", "warning", 1),
        ("import subprocess", "process", "danger", 1),
        ("import os\nos.system('ls')", "process", "danger", 2),
        ("import os as o\n\no.popen('ls').read()", "process", "danger", 3),
        ("from os import execv as e", "process", "danger", 1),
        ("import ctypes", "native", "danger", 1),
        ("eval('1+1')", "dynamic", "danger", 1),
        ("__import__('os')", "dynamic", "danger", 1),
        ("import importlib\nimportlib.import_module('x')", "dynamic", "danger", 2),
        ("pd.read_pickle('a.pkl')", "pickle", "warning", 1),
        ("().__class__.__bases__[0].__subclasses__()", "introspection", "danger", 1),
        ("import sys\nsys._getframe(1)", "introspection", "danger", 2),
        ("getattr(x, name)", "introspection", "warning", 1),
        ("open('a.txt', 'w').write('x')", "write", "note", 1),
        ("open('/etc/cron.d/x', mode='a')", "write", "warning", 1),
        ("df.to_csv('out.csv')", "write", "note", 1),
        ("open('/etc/passwd')", "read", "warning", 1),
        ("open('../secret')", "read", "warning", 1),
        ("import shutil\nshutil.rmtree('x')", "delete", "warning", 2),
        ("import os\nos.environ['HOME']", "environment", "note", 2),
        ("while True:\n    pass", "endless", "note", 1),
        ("name = input()", "input", "warning", 1),
        ("!ls -la", "shell", "danger", 1),
        ("x = 1\nfiles = !ls", "shell", "danger", 2),
        ("%%bash\nrm -rf x", "shell", "danger", 1),
        ("%pip install requests", "packages", "warning", 1),
        ("!pip install requests", "packages", "warning", 1),
        ("%load_ext sql", "magic", "warning", 1),
        ("x = (1,\n", "syntax", "warning", 1),
        ("x = 1\ny = = 2", "syntax", "warning", 2),
    ],
)
def test_what_deserves_a_look_is_found_on_its_line(code: str, rule: str, severity: str, line: int) -> None:
    matching = [finding for finding in find_risks(code) if finding.rule == rule]
    assert [(finding.severity, finding.line) for finding in matching] == [(severity, line)]


@pytest.mark.parametrize(
    "code",
    [
        "df = query('''select 1''')\ndf.groupby('region')['sales'].sum().sort_values()",
        "import pandas as pd\nimport numpy as np\npd.eval('a + b')\ndf.eval('c = a + b')",
        "import re\nre.compile('x').match('y')",
        "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()",
        "open('notes.txt').read()",
        "open('/data/result.arrow', 'rb')",
        "from urllib.parse import quote",
        "while True:\n    break",
        "value = 7 % 3\ntext = '100%'\ntotal = (a\n    % b)",
        "text = '''\n!not a command\n%neither\n'''",
        "%matplotlib inline\nx = 1",
        "df.replace('a', 'b').rename(columns={'x': 'open'})",
        "class A:\n    def __init__(self):\n        self.x = 1",
        "df.head?",
    ],
)
def test_ordinary_analysis_is_left_alone(code: str) -> None:
    assert find_risks(code) == ()


def test_python_beside_a_magic_is_read_too() -> None:
    assert {finding.rule for finding in find_risks("%load_ext x\nimport socket")} == {"magic", "network"}


@given(st.text())
def test_any_text_is_judged_without_an_error(code: str) -> None:
    for finding in find_risks(code):
        assert finding.line >= 1
        assert finding.message


def test_code_nested_too_deeply_is_a_finding_and_no_crash() -> None:
    assert [finding.rule for finding in find_risks("(" * 5000 + ")" * 5000)] == ["syntax"]
