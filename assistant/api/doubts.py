"""What may be wrong about data, and how a person chooses the other reading."""

from assistant.core.doubts import Correction as Correction, Doubt as Doubt, list_other_notes as list_other_notes
