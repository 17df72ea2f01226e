"""History of sessions: list, search, label, delete, copy and share."""

from assistant.record.history.history import History as History
from assistant.record.history.searching import (
    Binned as Binned,
    SearchMatch as SearchMatch,
    Labelled as Labelled,
    TurnTitle as TurnTitle,
    UsedIn as UsedIn,
)
from assistant.session.session_cards import SessionCard as SessionCard
from assistant.session.sharing import Sharing as Sharing
