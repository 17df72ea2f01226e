"""Packages: proposed from a local index, refused where they are unfit, and imported in a real caged kernel."""

from __future__ import annotations

import asyncio
import os
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from conversation import Stage, Told, kinds, last
from wheels import birds, printed, wheel

from assistant.core.events import DecisionRequested, Execution, KernelRestarted
from assistant.errors import AssistantError
from assistant.packages.index import PackageProposal, describe_proposal, propose
from assistant.packages.names import explain_suspicion, find_missing, looks_like, split_requirement
from assistant.packages.store import store_files, unpack_packages

ALL = ("plan", "query", "python")


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only index that pip is configured with."""
    folder = tmp_path / "index"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def proposed(asked: str, tmp_path: Path) -> PackageProposal:
    folder = tmp_path / f"fetched-{asked}"
    folder.mkdir()
    return asyncio.run(propose(asked, folder))


def test_a_proposal_names_all_that_it_would_bring(index: Path, tmp_path: Path) -> None:
    birds(index)
    found = proposed("zebrafinch", tmp_path)
    assert [(one.name, one.version) for one in found.wheels] == [("zebrafinch", "1.2"), ("brownowl", "0.1")]
    assert (found.summary, found.publisher) == ("A bird", "Ada [31m")
    assert found.size_bytes == sum(path.stat().st_size for path in index.iterdir())
    assert found.doubts == ("zebrafinch is not among the well-known projects.",)
    told = "\n".join(describe_proposal(found))
    assert all(one.sha256 in told for one in found.wheels)


def test_added_it_is_imported_in_the_cage_and_again_after_a_restart(index: Path, tmp_path: Path) -> None:
    birds(index)
    code = "import sys, zebrafinch\nprint(zebrafinch.SONG, sys.path[-1] in zebrafinch.__file__)"

    async def scenario() -> None:
        stage = Stage(tmp_path, Told(cells=(("python", "before = 20"),)))
        async with stage.session() as session:
            await session.ask("First?", approve=ALL)
            await session.settled()
            added = await asyncio.to_thread(
                lambda: store_files(proposed("zebrafinch", tmp_path), tmp_path / "packages", ())
            )
            assert added.modules == ("zebrafinch", "brownowl")
            await session.add_package(added)
            stage.told.cells = (("python", code + "\nprint(before + 1)"),)
            await session.ask("And now?", approve=ALL)
            await session.settled()
            assert kinds(session)[-1] == "answer", session.events()[-3:]
            restarted = last(session, KernelRestarted)
            assert isinstance(restarted, KernelRestarted)
            assert (restarted.reason, restarted.drifted) == ("A package was added.", ())
            assert printed(last(session, Execution)) == "sings hoo True\n21\n"
            stage.masks = ("shop.sales.region",)  # results that nobody knows are cleared away; packages are none
            await session.apply_masks()
        stage.told.cells = (
            (
                "python",
                "import zebrafinch\ntry:\n    open(zebrafinch.__file__, 'a')\nexcept OSError as e:\n    print('no')",
            ),
        )
        async with stage.session() as session:
            await session.ask("And later?", approve=ALL)
            await session.settled()
            assert printed(last(session, Execution)) == "no\n"

    asyncio.run(scenario())


def test_a_cell_that_waits_for_its_decision_finds_what_was_added_meanwhile(index: Path, tmp_path: Path) -> None:
    birds(index)

    async def scenario() -> None:
        stage = Stage(tmp_path, Told(cells=(("python", "import zebrafinch\nprint(zebrafinch.SONG)"),)))
        async with stage.session() as session:
            await session.ask("First?", approve=("plan",))
            await session.settled()
            waiting = last(session, DecisionRequested)
            assert isinstance(waiting, DecisionRequested)
            await session.add_package(
                await asyncio.to_thread(
                    lambda: store_files(proposed("zebrafinch", tmp_path), tmp_path / "packages", ())
                )
            )
            assert session.state == "waiting"
            assert await session.decide(waiting.id, "approve")
            await session.settled()
            assert printed(last(session, Execution)) == "sings hoo\n"

    asyncio.run(scenario())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place_", "said"),
    [
        ("../outside.py", "outside its folder"),
        ("/etc/outside.py", "outside its folder"),
        ("bird\\..\\outside.py", "outside its folder"),
        ("bird.pth", "Python runs when it starts"),
        ("bird-1.2.data/purelib/bird.pth", "Python runs when it starts"),
        ("sitecustomize.py", "Python runs when it starts"),
        ("usercustomize/__init__.py", "Python runs when it starts"),
        ("pandas/extra.py", "has already"),
        ("json.py", "has already"),
        ("bird-1.2.data/platlib/numpy.py", "has already"),
        ("tandem_guest/__init__.py", "has already"),
        ("assistant/evil.py", "has already"),
    ],
)
def test_an_unfit_wheel_is_refused_and_nothing_is_kept(index: Path, tmp_path: Path, place_: str, said: str) -> None:
    wheel(index, "bird", {"bird.py": "", place_: "raise SystemExit"})
    with pytest.raises(AssistantError, match=said):
        store_files(proposed("bird", tmp_path), tmp_path / "packages", ())
    assert not (tmp_path / "packages").exists()
    assert not list(tmp_path.rglob("outside.py"))


def test_a_link_in_a_wheel_is_refused(index: Path, tmp_path: Path) -> None:
    path = wheel(index, "bird", {"bird.py": ""})
    link = zipfile.ZipInfo("bird_data/link")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(AssistantError, match="symbolic link"):
        store_files(proposed("bird", tmp_path), tmp_path / "packages", ())


def test_a_file_that_changed_after_the_approval_is_not_kept(index: Path, tmp_path: Path) -> None:
    birds(index)
    found = proposed("zebrafinch", tmp_path)
    wheel(found.folder, "zebrafinch", {"zebrafinch/__init__.py": "evil = 1"})
    with pytest.raises(AssistantError, match="not the file that was approved"):
        store_files(found, tmp_path / "packages", ())
    assert not (tmp_path / "packages").exists()


def test_a_kept_file_that_changed_is_not_unpacked(index: Path, tmp_path: Path) -> None:
    birds(index)
    store, data = tmp_path / "packages", tmp_path / "data"
    added = store_files(proposed("zebrafinch", tmp_path), store, ())
    (kept,) = store.iterdir()
    wheel(kept, "brownowl", {"brownowl.py": "evil = 1"}, version="0.1")
    with pytest.raises(AssistantError, match="not the file that was approved"):
        unpack_packages((added,), store, data)
    assert not list(data.rglob("*.py"))


def test_a_second_package_shares_what_the_first_brought_but_replaces_nothing(index: Path, tmp_path: Path) -> None:
    birds(index)
    first = store_files(proposed("brownowl", tmp_path), tmp_path / "packages", ())
    second = store_files(proposed("zebrafinch", tmp_path), tmp_path / "packages", (first,))
    assert [one.name for one in second.wheels] == ["zebrafinch"]
    wheel(index, "brownowl", {"brownowl.py": "word = 'new'\n"}, version="0.2")
    with pytest.raises(AssistantError, match="brings brownowl, which the session has already"):
        store_files(proposed("brownowl==0.2", tmp_path), tmp_path / "packages", (first,))


def test_what_has_no_wheel_builds_nothing(index: Path, tmp_path: Path) -> None:
    import tarfile

    ran = tmp_path / "ran"
    script = tmp_path / "setup.py"
    script.write_text(f"open({str(ran)!r}, 'w')")
    with tarfile.open(index / "bird-1.0.tar.gz", "w:gz") as archive:
        archive.add(script, "bird-1.0/setup.py")
    with pytest.raises(AssistantError, match="was not found in the package index"):
        proposed("bird", tmp_path)
    assert not ran.exists()


def test_what_is_here_already_is_said(index: Path, tmp_path: Path) -> None:
    with pytest.raises(AssistantError, match="pandas is here already"):
        proposed("pandas", tmp_path)


@pytest.mark.parametrize(
    "asked", ["--index-url=http://x", "-r", "git+https://x/y", "a b", "x==", "x==--pre", "./x", ""]
)
def test_nothing_but_a_name_reaches_the_installer(asked: str) -> None:
    with pytest.raises(AssistantError, match="names no package"):
        split_requirement(asked)


@pytest.mark.parametrize(
    ("name", "like"),
    [
        ("numpyy", "numpy"),
        ("nunpy", "numpy"),
        ("padnas", "pandas"),
        ("reqeusts", "requests"),
        ("scikit_leran", "scikit-learn"),
        ("numpy", ""),
        ("Scikit.Learn", ""),
        ("zebrafinch", ""),
    ],
)
def test_a_look_alike_is_known_as_one(name: str, like: str) -> None:
    assert looks_like(name) == like
    assert (like in explain_suspicion(name)) if like else (explain_suspicion(name) == "") == (name != "zebrafinch")


def test_a_module_is_asked_for_by_its_project() -> None:
    assert [split_requirement(asked)[0] for asked in ("sklearn", "cv2", "yaml", "Emoji")] == [
        "scikit-learn",
        "opencv-python-headless",
        "pyyaml",
        "emoji",
    ]


@pytest.mark.parametrize(
    ("code", "lacks"),
    [
        ("import zebrafinch", ["zebrafinch"]),
        ("def later():\n    from zebrafinch.song import sing", ["zebrafinch"]),
        ("try:\n    import zebrafinch\nexcept ImportError:\n    zebrafinch = None", []),
        ("try:\n    import zebrafinch\nexcept (OSError, ModuleNotFoundError):\n    import brownowl", []),
        ("try:\n    import zebrafinch\nexcept:\n    pass", []),
        ("try:\n    import zebrafinch\nexcept ValueError:\n    pass", ["zebrafinch"]),
        ("try:\n    x = 1\nexcept ImportError:\n    pass\nelse:\n    import zebrafinch", ["zebrafinch"]),
        ("import assistant.core.events, ui, knowledge", ["assistant", "ui", "knowledge"]),
    ],
)
def test_what_a_cell_can_do_without_is_not_missing(code: str, lacks: list[str]) -> None:
    assert [name for name, _ in find_missing(code, ())] == lacks


@pytest.mark.slow
def test_at_the_command_line_nothing_is_added_but_by_a_typed_name(index: Path, tmp_path: Path) -> None:
    birds(index)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TANDEM_")}

    def tandem(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(Path(sys.executable).parent / "tandem"), *arguments],
            env=kept | {"TANDEM_HOME": str(tmp_path / "home"), "TANDEM_AS_OF": "2026-11-21"},
            capture_output=True,
            text=True,
            timeout=120,
            stdin=subprocess.DEVNULL,
            check=False,
        )

    tandem("ask", "How many orders were there in 2025?", "--json")
    (session,) = [path.name for path in (tmp_path / "home" / "sessions").iterdir() if not path.name.startswith("pool")]
    add = ("packages", "add", "zebrafinch", "--session", session)
    for wrong in ((), ("--confirm", "yes"), ("--confirm", "brownowl")):
        refused = tandem(*add, *wrong)
        assert (refused.returncode, refused.stderr) == (2, "Nothing was added.\n"), refused
        assert "brings brownowl 0.1" in refused.stdout
    assert tandem("packages", "list", "--session", session).stdout == ""
    done = tandem(*add, "--confirm", "zebrafinch")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (
        0,
        "Added. Cells of this session can import zebrafinch, brownowl.",
    )
    assert tandem("packages", "list", "--session", session).stdout.startswith("zebrafinch==1.2  sha256:")
    again = tandem(*add, "--confirm", "zebrafinch")
    assert (again.returncode, "was added to this session before" in again.stderr) == (1, True)
    tandem("export", session, str(tmp_path / "session.ipynb"))
    assert "%pip install zebrafinch==1.2" in (tmp_path / "session.ipynb").read_text()


def test_a_cell_says_what_the_cage_lacks() -> None:
    code = "import pandas, os.path\nfrom zebrafinch.song import a\nimport brownowl\nfrom . import x"
    assert find_missing(code, ()) == (("zebrafinch", 2), ("brownowl", 3))
    assert find_missing(code, ("zebrafinch",)) == (("brownowl", 3),)
    assert find_missing("import (", ()) == ()
