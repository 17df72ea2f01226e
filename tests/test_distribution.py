"""What is handed to others: a wheel that installs and runs elsewhere, and libraries whose licences allow it."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from importlib.metadata import distributions, packages_distributions, requires
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("assistant", "knowledge", "sandbox", "tandem", "ui")
BRING = ("autogen-agentchat", "autogen-ext", "chromadb", "ipykernel", "markdownify", "pydantic", "streamlit")
"""Declared dependencies whose own dependencies we import: AutoGen's core and clients, onnxruntime, IPython, Starlette."""
_COPYLEFT = ("AGPL", "GNU AFFERO", "SSPL", "BUSL", "PROPRIETARY", "NON-COMMERCIAL")
"""Licences under which Tandem could not be handed on under Apache-2.0."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel as it is built from this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.mark.slow
def test_a_wheel_holds_the_product(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        packed = set(archive.namelist())
    sources = [
        path
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file()
        and path.suffix in (".py", ".md", ".yaml", ".json", ".css", ".js", ".html", ".toml", ".txt")
        and not {"node_modules", "__pycache__", "src"} & set(path.parts)
        and not path.name.startswith(("package", "."))
    ]
    assert [str(path.relative_to(ROOT)) for path in sources if str(path.relative_to(ROOT)) not in packed] == []


@pytest.mark.slow
def test_an_installed_wheel_reads_a_question(wheel: Path, tmp_path: Path) -> None:
    """A new environment has the wheel as pip installs it; the libraries are lent by this one, for there is no network."""
    environment = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True, capture_output=True)
    python = environment / "bin" / "python"
    install = [
        str(python),
        "-m",
        "pip",
        "install",
        "--no-index",
        "--no-deps",
        "--disable-pip-version-check",
        str(wheel),
    ]
    subprocess.run(install, check=True, capture_output=True)
    (packages,) = (environment / "lib").glob("python*/site-packages")
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib"))
    where = "import assistant, tandem; print(assistant.__file__, tandem.__file__)"
    (tmp_path / "towns.csv").write_text("city,visits\nBern,1200\nBasel,900\nBern,300\n")

    def run(*command: str) -> str:
        env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "TANDEM_HOME": str(tmp_path / "home")}
        done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert all(path.startswith(str(environment)) for path in run(str(python), "-c", where).split())
    tandem = str(environment / "bin" / "tandem")
    assert "Usage: tandem" in run(tandem, "--help")
    # No kernel: its cage shows it this environment alone, and not the one that lends the libraries.
    assert 'SUM("towns"."visits")' in run(tandem, "explain", "total visits by city", "--source", "towns.csv")


def test_what_the_product_imports_is_declared() -> None:
    """A library that nothing declares is missing once the one that happens to bring it no longer does."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [one for extra, more in project["optional-dependencies"].items() if extra != "dev" for one in more]
    declared = {_library(one) for one in [*project["dependencies"], *extras]}
    declared |= {_library(one) for library in BRING for one in requires(library) or []}
    owners = packages_distributions()
    undeclared = {
        f"{name} ({path.relative_to(ROOT)})"
        for path in (file for package in PACKAGES for file in (ROOT / package).rglob("*.py"))
        for name in _imported(path) - sys.stdlib_module_names - set(PACKAGES)
        if name in owners and not {_library(one) for one in owners[name]} & declared
    }
    assert sorted(undeclared) == []


def _library(requirement: str) -> str:
    return re.split(r"[^\w.-]", requirement)[0].lower().replace("_", "-")


def _imported(path: Path) -> set[str]:
    """The top-level names of the absolute imports of a file, those in functions too."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {one.name.partition(".")[0] for one in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.partition(".")[0])
    return found


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
