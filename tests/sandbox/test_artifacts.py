"""Reading artifacts: what a session planted never makes the host read elsewhere, wait or fill its memory."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sandbox.artifacts import ArtifactRefused, read


def test_a_regular_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b.txt").write_bytes(b"content")
    assert read(tmp_path, "a/b.txt", bytes_max=7) == b"content"


@pytest.mark.parametrize(
    "name", ["link", "folder-link/secret", "pipe", "../secret", "/etc/passwd", "", "missing", "folder"]
)
def test_what_is_planted_is_refused(tmp_path: Path, name: str) -> None:
    desk, outside = tmp_path / "desk", tmp_path / "outside"
    desk.mkdir()
    outside.mkdir()
    (outside / "secret").write_text("x")
    (desk / "link").symlink_to(outside / "secret")
    (desk / "folder-link").symlink_to(outside)
    (desk / "folder").mkdir()
    os.mkfifo(desk / "pipe")
    with pytest.raises(ArtifactRefused):
        read(desk, name, bytes_max=100)


def test_a_file_too_large_is_refused(tmp_path: Path) -> None:
    (tmp_path / "large").write_bytes(b"x" * 101)
    with pytest.raises(ArtifactRefused, match="larger"):
        read(tmp_path, "large", bytes_max=100)
