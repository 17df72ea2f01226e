"""The bundled editor: whole, licensed, and free of addresses."""

from __future__ import annotations

import json
import re
from pathlib import Path

import ui.components.editor

HERE = Path(ui.components.editor.__file__).parent


def test_every_bundled_package_has_its_licence_text() -> None:
    lock = json.loads((HERE / "package-lock.json").read_text())
    licences = (HERE / "LICENCES.txt").read_text()
    bundled = [
        (path.split("node_modules/")[-1], entry)
        for path, entry in lock["packages"].items()
        if path and not entry.get("dev") and not entry.get("optional")
    ]
    assert len(bundled) > 10
    for name, entry in bundled:
        assert entry["license"] == "MIT"
        assert f"{name} {entry['version']} (MIT)" in licences
    assert "(no licence file)" not in licences


def test_neither_lock_nor_bundle_names_an_address() -> None:
    assert "resolved" not in (HERE / "package-lock.json").read_text()
    addresses = set(re.findall(r"https?://[^\"'` )]+", (HERE / "editor.js").read_text()))
    assert addresses <= {"http://www.w3.org/2000/svg"}
