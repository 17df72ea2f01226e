"""Charts of tables: kinds, columns, and rendering."""

from assistant.output.presentation.drawing import Chart as Chart, draw as draw, kinds_for as kinds_for
from assistant.output.presentation.kinds import NAMES as NAMES
from assistant.output.presentation.styling import make_standalone as make_standalone
from assistant.output.presentation.shaping import Shaped as Shaped, shape as shape, compute_totals as compute_totals
from assistant.output.presentation.styling import HUES as HUES
