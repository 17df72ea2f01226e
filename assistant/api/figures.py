"""Formats of numbers, dates and columns for a person."""

from assistant.output.presentation.columns import (
    Column as Column,
    FigureProperties as FigureProperties,
    columns_of as columns_of,
    moment as moment,
    number as number,
)
from assistant.output.presentation.formats import (
    DEFAULT as DEFAULT,
    LANGUAGES as LANGUAGES,
    locale_of as locale_of,
    rounded as rounded,
    shown as shown,
)
from assistant.plain_english import joined as joined
