"""Files that take a while to read."""

from __future__ import annotations

from pathlib import Path


def visits(folder: Path, *, rows: int) -> Path:
    """Write `visits.csv` with so many rows of `id,day,city,amount` into a folder."""
    file = folder / "visits.csv"
    with file.open("w") as out:
        out.write("id,day,city,amount\n")
        out.writelines(f"{n},2026-01-{n % 28 + 1:02d},City {n % 999},{n}.25\n" for n in range(rows))
    return file
