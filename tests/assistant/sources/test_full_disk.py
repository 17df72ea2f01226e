"""A disk that is full while a file is loaded is called that, and nothing half-written stays on it."""

from __future__ import annotations

import errno
import os
import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from rights_of_person import PERSON

from assistant.core.data_errors import SourceError
from assistant.sources.addresses import SourceAddress, parse_addresses
from assistant.sources.reading.loading import load_files
from assistant.sources.workers.converting import full_disk


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 6 MB."""
    if os.getuid() != 0:
        pytest.skip("only root may mount a small disk")
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("this container may not mount a small disk")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def orders(folder: Path, rows: int) -> SourceAddress:
    chance = random.Random(34)
    path = folder / "orders.csv"
    with path.open("w") as file:
        file.write("id,key,amount\n")
        for number in range(rows):
            file.write(f"{number},{chance.getrandbits(256):064x},{chance.random()}\n")
    (address,) = parse_addresses(str(path), PERSON)
    return address


def test_a_file_that_does_not_fit_on_the_disk_says_so(small_disk: Path, tmp_path: Path) -> None:
    address = orders(tmp_path, 100_000)
    loaded = small_disk / "loaded"
    loaded.mkdir()
    with pytest.raises(SourceError, match=r"the disk that holds Tandem's data folder is full.* MB are free") as refused:
        load_files(address, loaded)
    text = str(refused.value)
    assert "orders.csv" in text
    assert "CHECKPOINT" not in text
    assert str(small_disk) not in text
    assert list(loaded.iterdir()) == []
    shutil.copyfile(orders(tmp_path, 500).files[0], tmp_path / "few.csv")
    (few,) = parse_addresses(str(tmp_path / "few.csv"), PERSON)
    assert load_files(few, loaded).path.exists(), "the disk serves again"


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_the_systems_own_refusals_are_a_full_disk(tmp_path: Path, number: int) -> None:
    address = orders(tmp_path, 10)
    assert "is full" in str(full_disk(address, tmp_path / "missing" / "too", OSError(number, os.strerror(number))))


def test_another_fault_is_no_full_disk(tmp_path: Path) -> None:
    assert full_disk(orders(tmp_path, 10), tmp_path, OSError(errno.EACCES, "Permission denied")) is None
    assert full_disk(orders(tmp_path, 10), tmp_path, RuntimeError("it is no CSV")) is None
