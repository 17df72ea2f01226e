"""A session with its kernel, and its result tables."""

from assistant.cells.tables import TableView as TableView, to_days as to_days, to_json_value as to_json_value
from assistant.session.answers.presenting import Facts as Facts
from assistant.session.answers.answers import Answers as Answers
from assistant.session.session import Action as Action, Session as Session
from assistant.record.memory.pins import Pin as Pin
from assistant.session.knowledge.ledger import StatementLedger as StatementLedger, NewScope as NewScope
