"""The organisation's knowledge of its data: documents as cards, and edits of entries."""

from assistant.session.knowledge.defining import Defined as Defined, split_definition as split_definition
from assistant.session.knowledge.editing import Editing as Editing
from assistant.session.knowledge.entries import (
    Effect as Effect,
    Entry as Entry,
    Outcome as Outcome,
    EntryValue as EntryValue,
)
from assistant.session.knowledge.knowledge_cards import Knowledge as Knowledge, KnowledgeCard as KnowledgeCard
from assistant.session.knowledge.workspace_knowledge import WorkspaceKnowledge as WorkspaceKnowledge
