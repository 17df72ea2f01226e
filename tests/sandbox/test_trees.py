"""Folders of a session are cleaned, counted and given however deep they are, and no link is followed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sandbox import trees

DEEP = 3000
NAME = "a-folder-with-a-long-name"  # 3,000 of it: a path of 78,000 bytes


def nest(top: Path, depth: int = DEEP) -> None:
    """Folders in each other below `top`, a file in the last one."""
    fd = os.open(top, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir(NAME, dir_fd=fd)
        inner = os.open(NAME, os.O_RDONLY, dir_fd=fd)
        os.close(fd)
        fd = inner
    os.close(os.open("last", os.O_CREAT | os.O_WRONLY, dir_fd=fd))
    os.close(fd)


def test_a_tree_deeper_than_recursion_and_paths_go_is_walked_and_removed(tmp_path: Path) -> None:
    top = tmp_path / "top"
    top.mkdir()
    nest(top)
    before = len(os.listdir("/dev/fd"))
    names = [name for step in trees.walk(top) if isinstance(step, trees.Entered) for name in step.folders + step.files]
    assert (len(names), names[-1]) == (DEEP + 1, "last")
    assert trees.change_owner(top, os.getuid(), os.getgid())
    assert trees.remove(top)
    assert not top.exists()
    assert len(os.listdir("/dev/fd")) <= before, "others may have been collected meanwhile"


def test_no_link_is_followed(tmp_path: Path) -> None:
    top, outside = tmp_path / "top", tmp_path / "outside"
    (top / "inner").mkdir(parents=True)
    outside.mkdir()
    (outside / "precious").write_text("kept")
    (top / "inner" / "folder").symlink_to(outside)
    (top / "file").symlink_to(outside / "precious")
    (top / "nowhere").symlink_to(tmp_path / "nowhere")
    assert [step.folders for step in trees.walk(top) if isinstance(step, trees.Entered)] == [["inner"], []]
    assert trees.remove(top)
    assert (outside / "precious").read_text() == "kept"


def test_a_link_in_the_place_of_the_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "precious").write_text("kept")
    (tmp_path / "top").symlink_to(tmp_path / "outside")
    assert not trees.remove(tmp_path / "top")
    assert not trees.change_owner(tmp_path / "top", os.getuid(), os.getgid())
    assert (tmp_path / "outside" / "precious").read_text() == "kept"


def test_what_is_gone_already_counts_as_removed(tmp_path: Path) -> None:
    assert trees.remove(tmp_path / "nothing")


def test_a_walk_does_not_leave_the_tree_through_a_folder_that_was_moved(tmp_path: Path) -> None:
    (tmp_path / "top" / "inner" / "innermost").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    walk = trees.walk(tmp_path / "top")
    for _ in range(3):
        next(walk)
    os.rename(tmp_path / "top" / "inner", tmp_path / "outside" / "inner")
    assert isinstance(next(walk), trees.Left)  # `innermost`, in `inner`, wherever that is by now
    with pytest.raises(trees.FolderMoved):
        next(walk)


def closed_tree(top: Path) -> None:
    (top / "a" / "b").mkdir(parents=True)
    (top / "a" / "b" / "file").write_text("x")
    for folder, mode in ((top / "a" / "b", 0o444), (top / "a", 0o111), (top, 0)):
        os.chmod(folder, mode)


def test_folders_that_are_closed_to_their_owner_are_walked_and_removed(tmp_path: Path) -> None:
    closed_tree(tmp_path / "top")
    names = [name for step in trees.walk(tmp_path / "top") if isinstance(step, trees.Entered) for name in step.files]
    assert names == ["file"]
    closed_tree(tmp_path / "again")
    assert trees.remove(tmp_path / "again")
    closed_tree(tmp_path / "third")
    trees.open_up(tmp_path / "third")
    assert (tmp_path / "third").stat().st_mode & 0o700 == 0o700
