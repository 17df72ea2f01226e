"""Sources of new sessions: tables and columns, import options, and starter questions."""

from assistant.connections.connections import Connections as Connections
from assistant.session.sources.source_additions import SourceAdder as SourceAdder
from assistant.connections.descriptions import (
    ROLES as ROLES,
    ColumnShown as ColumnShown,
    FileReading as FileReading,
    KeyShown as KeyShown,
    LinkShown as LinkShown,
    Login as Login,
    PasswordPlace as PasswordPlace,
    Sample as Sample,
    SourceShown as SourceShown,
    Starter as Starter,
    TableShown as TableShown,
    Tried as Tried,
)
from assistant.sources.reading.pasted_tables import PastedTable as PastedTable, pasted_table as pasted_table
