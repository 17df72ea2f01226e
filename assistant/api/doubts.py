"""What may be wrong about data, and how a person chooses the other reading."""

from assistant.core.doubts import Correction as Correction, Doubt as Doubt, notes_besides as notes_besides
