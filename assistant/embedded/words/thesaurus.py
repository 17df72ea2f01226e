"""Words that mean the same in most businesses. A synonym is a weaker link than the name itself.

A word may stand in several groups: "position" is a job as well as a rank. Only what people and schemas call things is
listed, in rooms by subject (`synonyms`); how the words are compared is in `lexicon`.
"""

from __future__ import annotations

from assistant.embedded.words.synonyms.culture import CULTURE
from assistant.embedded.words.synonyms.nature import NATURE
from assistant.embedded.words.synonyms.people import PEOPLE
from assistant.embedded.words.synonyms.places import PLACES
from assistant.embedded.words.synonyms.qualities import QUALITIES
from assistant.embedded.words.synonyms.trade import TRADE
from assistant.embedded.words.synonyms.work import WORK

SYNONYMS: tuple[tuple[str, ...], ...] = (*PEOPLE, *WORK, *TRADE, *PLACES, *CULTURE, *NATURE, *QUALITIES)
