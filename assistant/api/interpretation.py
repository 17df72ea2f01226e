"""The interpretation of a question as chips: a value that is edited in terms of the data, and comparisons of two."""

from assistant.analyst.interpretation.chips import Chip as Chip, ChipKind as ChipKind
from assistant.analyst.interpretation.choices import ChipChoice as ChipChoice
from assistant.analyst.interpretation.differences import difference as difference
from assistant.analyst.interpretation.interpretation import Interpretation as Interpretation
from assistant.errors import InterpretationError as InterpretationError
