"""Formats of numbers, dates and columns for a person."""

from assistant.output.presentation.columns import (
    Column as Column,
    FigureProperties as FigureProperties,
    columns_of as columns_of,
    parse_time as parse_time,
    number as number,
)
from assistant.output.presentation.formats import (
    DEFAULT as DEFAULT,
    LANGUAGES as LANGUAGES,
    locale_of as locale_of,
    round_value as round_value,
    shown as shown,
)
from assistant.plain_english import joined as joined
