"""Doubts about data, and the person's choice of another reading."""

from assistant.core.doubts import Correction as Correction, Doubt as Doubt, list_other_notes as list_other_notes
