"""What is handed to others: a wheel that installs and runs elsewhere, and libraries whose licences allow it."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from importlib.metadata import distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
_COPYLEFT = ("AGPL", "GNU AFFERO", "SSPL", "BUSL", "PROPRIETARY", "NON-COMMERCIAL")
"""Licences under which Tandem could not be handed on under Apache-2.0."""


@pytest.mark.slow
def test_a_wheel_holds_the_product_and_runs_elsewhere(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        packed = set(archive.namelist())
        archive.extractall(tmp_path / "installed")
    sources = [
        path
        for package in ("assistant", "knowledge", "sandbox", "tandem", "ui")
        for path in (ROOT / package).rglob("*")
        if path.is_file()
        and path.suffix in (".py", ".md", ".yaml", ".json", ".css", ".js", ".html", ".toml", ".txt")
        and not {"node_modules", "__pycache__", "src"} & set(path.parts)
        and not path.name.startswith(("package", "."))
    ]
    assert [str(path.relative_to(ROOT)) for path in sources if str(path.relative_to(ROOT)) not in packed] == []
    # The libraries are this environment's; the product is the wheel's, and nothing of the checkout.
    program = "import sys; sys.path.insert(0, sys.argv[1]); import assistant.delivery.command_line as c; print(c.__file__); c.main(['--help'])"
    done = subprocess.run(
        [sys.executable, "-P", "-c", program, str(tmp_path / "installed")],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith(str(tmp_path / "installed"))
    assert "Usage: tandem" in done.stdout


def test_no_library_forbids_handing_tandem_on() -> None:
    told = {
        one.metadata["Name"]: " ".join(
            [
                one.metadata.get("License-Expression") or "",
                (one.metadata.get("License") or "")[:80],
                *[c for c in one.metadata.get_all("Classifier") or [] if c.startswith("License")],
            ]
        ).upper()
        for one in distributions()
    }
    assert len(told) > 100
    assert {name: text for name, text in told.items() if any(word in text for word in _COPYLEFT)} == {}
