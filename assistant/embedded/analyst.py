"""The embedded analyst's front: reads a question to a meaning, offers readings to choose from, or declines honestly.

It holds what is known about the sources and nothing of a conversation; the last meaning is handed in with a follow-up.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache, partial
from typing import TYPE_CHECKING

from assistant.embedded.clauses.ordering.by_default import NOTHING_SAID
from assistant.embedded.deciding import Decider
from assistant.embedded.definitions import stated, told_day
from assistant.embedded.dialogue import edits, paging, referring, same_rows, signs
from assistant.embedded.examples import examples, possible_follow_ups
from assistant.embedded.learned import Learned, learned
from assistant.embedded.linking import first_one, inquiries, said_amounts, wishes
from assistant.embedded.linking.by_name import by_name
from assistant.embedded.meaning import Meaning
from assistant.embedded.outcomes import NotUnderstood, Outcome, Understood
from assistant.embedded.reading import verified
from assistant.embedded.reading.confidence import ANSWERED
from assistant.embedded.reading.reader import (
    Candidate,
    Failure,
    near_best,
    read,
    readings,
)
from assistant.embedded.sql.select import to_sql
from assistant.embedded.wording.operations import operations
from assistant.embedded.words import language, sayings

if TYPE_CHECKING:
    from assistant.data.catalog import Catalog
    from assistant.embedded.linking.likeness import Embed
    from knowledge.documents import Document

_TELLING = 6
"""The weight from which a reason for not answering tells more than a reading with words left out."""
_SURE = 7
"""The weight of a reason that is told unless the words ask for something by themselves; beyond it they cannot."""
_FOLLOW_UPS_MAX = 3
_WHO = "I could not read that together with the answer before. Name what you mean, as in “how many customers …”."
_VERIFIED = "A verified query cannot be changed; please ask in full."
_IN_FULL = "Please ask for all of it in one question."


_Results = list[tuple[list[Candidate], Failure]]
"""The readings on each source, or why there is none."""


@dataclass
class Analyst:
    """Reads questions on some sources with some knowledge, on a day. `embed` finds what unknown words are like."""

    catalogs: Sequence[Catalog]
    documents: Sequence[Document]
    today: date
    embed: Embed | None = None
    _sources: dict[str, Learned] = field(default_factory=dict, init=False, repr=False)
    _decider: Decider = field(init=False, repr=False)
    _starters: tuple[str, ...] | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        for catalog in self.catalogs:
            self._sources[catalog.source] = learned(catalog, self.documents, self.today, self.embed)
        self._decider = Decider(self._sources, self._hint)

    @property
    def sources(self) -> Mapping[str, Learned]:
        """What is known of each source, by its name; for studies, which need more than a meaning's SQL."""
        return self._sources

    # --- reading ---

    def read(self, question: str, previous: Meaning | None = None) -> Outcome:
        """Understand a question, or a follow-up to `previous`."""
        if not question.strip():
            return self._decider.declined((), "The question is empty.")
        if not self._sources:
            return self._decider.declined((), "There is no data to ask about yet.")
        if foreign := language.foreign(question):
            return self._decider.declined((), f"The question seems to be in {foreign}; I only read English.")
        if found := self._verified(question):
            return found
        read_alone = cache(partial(self._readings, question))
        if previous is not None and previous.source in self._sources:
            continued = self._continued(question, previous, read_alone)
            if continued is not None:
                return continued
        results = read_alone()
        candidates = sorted((c for found, _ in results for c in found), key=lambda c: -c.confidence)
        if any(c.whole for c in candidates):
            return self._decider.decided(candidates)
        if previous is not None and previous.source in self._sources:
            edited, _ = self._edited(question, previous)
            if edited:
                return edited
        failure = max((failure for _, failure in results), key=lambda f: (f.weight, -len(f.words)))
        if candidates and failure.weight < _TELLING:
            outcome = self._decider.decided(candidates)
            if not isinstance(outcome, NotUnderstood):
                return outcome
        return self._decider.failed(failure)

    def recalls(self, question: str) -> bool:
        """Whether a person marked this very question right, or it with other values."""
        return self._verified(question) is not None

    # --- a follow-up ---

    def _continued(self, question: str, previous: Meaning, read_alone: Callable[[], _Results]) -> Outcome | None:
        """What a question means that says it goes on from the answer before; None where it does not say so.

        `read_alone` gives its readings without that answer.
        """
        page = paging.page_of(question)
        if page is not None and (previous.limit or previous.verified_sql is not None or not page.rows):
            return self._paged(page, previous)
        question = signs.of_each(question)
        if signs.says_whose(question):
            edited, failure = self._edited(question, previous)
            return edited or self._of_same_rows(question, previous) or self._not_added(failure)
        if (named := referring.things_asked(question)) and (found := self._things(named, previous)) is not None:
            return found
        if len(previous.dimensions) == 1:
            asked = signs.of_the_one(question, previous.dimensions[0].label)
            if asked != question and (edited := self._edited(asked, previous)[0]) is not None:
                return edited
        if referring.of_the_one(question, previous):
            return self._of_same_rows(question, previous) or self._decider.declined((), _WHO)
        if referring.asks_extreme(question, previous) and (found := self._of_same_rows(question, previous)):
            return found
        if referring.about_same_rows(question):
            found = self._of_same_rows(question, previous)
            return found or (None if referring.asks_who(question) else self._decider.declined((), _WHO))
        linker = self._sources[previous.source].linker
        if not signs.is_follow_up(question) and edits.names_conditions_only(question, linker, self.today):
            return self._edited(question, previous)[0]
        if not signs.is_follow_up(question) or (signs.may_stand_alone(question) and _stands(read_alone())):
            return None
        edited, failure = self._edited(question, previous)
        if edited is not None:
            return edited
        sure = failure.weight >= _SURE and (failure.weight > _SURE or not _stands(read_alone()))
        return self._not_added(failure) if sure or signs.only_continues(question) else None

    def _edited(self, question: str, previous: Meaning) -> tuple[Outcome | None, Failure]:
        """The meaning before, changed as the words say, or why it cannot be."""
        query = previous.verified_by
        meaning = self._unverified(previous)
        if meaning is None:
            return None, Failure(reason=_VERIFIED, weight=6)
        source = self._sources[meaning.source]
        found, failure = edits.edit(question, meaning, source.linker, source.joins, self.today)
        return (_adapted(self._decider.outcome(found), query) if found else None), failure

    def _paged(self, page: paging.Page, previous: Meaning) -> Outcome:
        """Other places of what was ranked before."""
        meaning = self._unverified(previous)
        if meaning is None:
            return self._decider.declined((), _VERIFIED)
        try:
            found = page.of(meaning)
        except paging.NoFurther as none_left:
            return self._decider.declined((), str(none_left))
        cited = self.cited(found)
        return _adapted(
            self._decider.understood(Candidate(meaning=found, score=1.0, assumptions=(), cited=cited)),
            previous.verified_by,
        )

    def _of_same_rows(self, question: str, previous: Meaning) -> Outcome | None:
        """What a question means whose rows are those of the answer before."""
        meaning = self._unverified(previous)
        source = self._sources[previous.source]
        if meaning is None:
            return None
        for rows in same_rows.rows_before(question, meaning, source.schema):
            found, _ = readings(rows.asked(question), source.linker, source.joins, self.today, source.likeness)
            kept = [(c, rows.restrict(question, c.meaning, meaning, source.joins)) for c in found if c.whole]
            candidates = [replace(c, meaning=restricted) for c, restricted in kept if restricted is not None]
            outcome = self._decider.decided(candidates) if candidates else None
            if outcome is not None and not isinstance(outcome, NotUnderstood):
                return outcome
        return None

    def _things(self, named: str, previous: Meaning) -> Outcome | None:
        """ "which products?": the rows before if they are products, else the figures before for each of them."""
        meaning, schema = self._unverified(previous), self._sources[previous.source].schema
        entity = next((e for e in schema.entities.values() if named in (e.many, e.one)), None)
        if meaning is None or entity is None:
            return None
        rows = same_rows.rows_before("which ones", meaning, schema)
        if rows and rows[0].entity == entity:
            return self._of_same_rows("which ones", previous)
        by_them = self._edited(f"by {named}", previous)[0] if meaning.measures and not meaning.limit else None
        return by_them or self._decider.declined((), f"Which {entity.many} do you mean? {_IN_FULL}")

    def _not_added(self, failure: Failure) -> NotUnderstood:
        """Why the answer before cannot be changed so, and what to do instead."""
        if failure.words:
            return self._decider.unread(failure.words)
        reason = failure.reason or "I could not tell how that changes the answer before."
        return self._decider.declined((), reason if failure.weight >= _TELLING else f"{reason} {_IN_FULL}")

    def candidates(self, question: str) -> list[Candidate]:
        """Every reading of a question, the likeliest first: what `read` decides on, for measuring it."""
        return sorted((c for found, _ in self._readings(question) for c in found), key=lambda c: -c.confidence)

    def _readings(self, question: str) -> _Results:
        """The readings on each source, or why there is none; by what the question defines itself, if it does."""
        schemas = [source.schema for source in self._sources.values()]
        linkers = [source.linker for source in self._sources.values()]
        question = by_name(inquiries.as_columns(sayings.plainly(question), schemas), linkers)
        question = said_amounts.behind_their_column(first_one.by_day(question, schemas), schemas)
        question = stated.spelt_out(wishes.in_front(question, schemas))
        if found := self._by_own_words(question) or self._by_its_day(question):
            return found
        return [readings(question, s.linker, s.joins, self.today, s.likeness) for s in self._sources.values()]

    def _by_own_words(self, question: str) -> _Results:
        """The readings of a question that says itself what one of its words means; nothing where it says none."""
        asked, defined = stated.cut(question)
        if not defined:
            return []
        from knowledge.documents import Note

        note = Note(origin="question", heading="question", body=defined)
        found: _Results = []
        for source in self._sources.values():
            taught = source.taught((*self.documents, note), self.today)
            if any(made.id == note.id for made in (*taught.known.metrics, *taught.known.terms)):
                read_so, failure = readings(asked, taught.linker, source.joins, self.today, source.likeness)
                whole = [replace(c, cited=tuple(i for i in c.cited if i != note.id)) for c in read_so]
                found.append((whole, failure))
        return found

    def _by_its_day(self, question: str) -> _Results:
        """The readings of a question that says from which day it counts; nothing where it says none."""
        found: _Results = []
        for source in self._sources.values():
            asked, day = told_day.cut(question, source.schema, self.today)
            if day is not None:
                taught = source.taught(self.documents, day)
                found.append(readings(asked, taught.linker, source.joins, day, source.likeness))
        return found

    def _unverified(self, meaning: Meaning) -> Meaning | None:
        """What a verified question means by the analyst's own reading, so that a follow-up can edit it; others stay."""
        if meaning.verified_sql is None:
            return meaning
        source = self._sources.get(meaning.source)
        if source is None:
            return None
        result = read(meaning.title, source.linker, source.joins, self.today)
        return None if isinstance(result, Failure) or len(near_best(result)) > 1 else result[0].meaning

    def _verified(self, question: str) -> Understood | None:
        for source in self._sources.values():
            found = verified.match(question, source.known.queries, source.schema, source.linker.index)
            if found is None:
                continue
            note = (
                "this very question was verified" if found.trust == "verified" else "a verified query with other values"
            )
            return Understood(
                meaning=verified.meaning_of(found, question, source.schema),
                restated=re.sub(r"[?.!\s]+$", "", question),
                tables=found.query.tables,
                assumptions=(f"{note} by {found.query.verifier} on {found.query.verified_on.isoformat()}",),
                cited=(found.query.id,),
                trust=found.trust,
            )
        return None

    def _hint(self) -> str:
        """What could be asked instead, with examples that can be answered."""
        asks = self.starters()
        hint = "I can count, add up, average, rank, filter and group what the tables hold."
        return f"{hint} For example: {'; '.join(f'“{a}”' for a in asks)}." if asks else hint

    # --- from a meaning ---

    def sql(self, meaning: Meaning, *, context: bool = True) -> str:
        """The SQL of a meaning, in its source's dialect."""
        return to_sql(meaning, self._sources[meaning.source].schema, context=context)

    def operations(self, meaning: Meaning) -> tuple[str, ...]:
        """What the query does, in plain words."""
        return operations(meaning)

    def cited(self, meaning: Meaning) -> tuple[str, ...]:
        """The ids of the documents a meaning rests on; for meanings chosen from options or taken from the log."""
        source = self._sources.get(meaning.source)
        if source is None:
            return ()
        if meaning.verified_sql is not None:
            return (meaning.verified_by,)
        named = {m.metric for m in meaning.measures if m.metric}
        found = [m.id for m in source.known.metrics if m.name in named]
        written = {term.id for term in source.known.terms} | {rule.id for rule in source.known.rules}
        return (*found, *dict.fromkeys(c.document for c in meaning.conditions if c.document in written))

    def follow_ups(self, meaning: Meaning, rows_total: int | None = None) -> tuple[str, ...]:
        """Up to three follow-ups that the analyst can really answer: each was read before it is offered.

        Args:
            meaning: What was answered.
            rows_total: How many rows the answer has, where it is known: after the last place none is offered.
        """
        unverified, source = self._unverified(meaning), self._sources.get(meaning.source)
        if unverified is None or source is None:
            return ()
        offered: list[str] = []
        for text in possible_follow_ups(unverified, source.schema, source.known, self.today, rows_total):
            outcome = self.read(text, meaning)
            if isinstance(outcome, Understood) and outcome.meaning != meaning:
                offered.append(text)
            if len(offered) == _FOLLOW_UPS_MAX:
                break
        return tuple(offered)

    def starters(self) -> tuple[str, ...]:
        """Three example questions on these very sources that the analyst can answer."""
        if self._starters is None:
            self._starters = ()
            good: list[str] = []
            for source in self._sources.values():
                for text in examples(source.schema, source.known, self.today):
                    outcome = self.read(text)
                    if isinstance(outcome, Understood):
                        good.append(text)
                    if len(good) == _FOLLOW_UPS_MAX:
                        break
                if len(good) == _FOLLOW_UPS_MAX:
                    break
            self._starters = tuple(good)
        return self._starters


def _stands(results: _Results) -> bool:
    """Whether a question is well understood by itself."""
    sure = [c for found, _ in results for c in found if c.whole and c.confidence >= ANSWERED]
    return any(not any(said.endswith(NOTHING_SAID) for said in c.assumptions) for c in sure)


def _adapted(outcome: Outcome, query: str) -> Outcome:
    """A verified query with other filters or groups is an adapted one."""
    if not query or not isinstance(outcome, Understood):
        return outcome
    return replace(outcome, trust="adapted", cited=(*outcome.cited, query))
