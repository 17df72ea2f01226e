"""Makes the recorded session importable, and keeps what Streamlit writes out of the home folder."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
