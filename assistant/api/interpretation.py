"""What a question computes, in chips: a value that is edited in the words of the data, and what tells two apart."""

from assistant.analyst.interpretation.chips import Chip as Chip, ChipKind as ChipKind
from assistant.analyst.interpretation.choices import ChipChoice as ChipChoice
from assistant.analyst.interpretation.differences import difference as difference
from assistant.analyst.interpretation.interpretation import Interpretation as Interpretation
from assistant.errors import InterpretationError as InterpretationError
