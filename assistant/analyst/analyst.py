"""The embedded analyst's front: reads a question to a meaning, offers a few to choose from, or declines.

It knows nothing of sessions and runs nothing. A question that follows an answer is given that answer's meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from assistant.analyst import algebra as al
from assistant.analyst.checking import problems
from assistant.analyst.deciding import OPTIONS_MAX, QueryRuns, decide
from assistant.analyst.dialogue.cues import begins, once_said
from assistant.analyst.dialogue.edits import depends_on_previous, edited, is_new_question
from assistant.analyst.dialogue.replies import changes_data, small_talk
from assistant.analyst.interpretation.interpretation import Interpretation, interpret
from assistant.analyst.interpretation.partial import partial_reading
from assistant.analyst.known.documents import name_words
from assistant.analyst.linking.embedding_links import Alike
from assistant.analyst.linking.tokens import light, words
from assistant.analyst.meaning import Meaning
from assistant.analyst.names import words_of
from assistant.analyst.outcomes import Ambiguous, Declined, Explanation, Message, Outcome, Understood, declined
from assistant.analyst.presenting.headings import statement
from assistant.analyst.prose import learned_from_prose, not_understood
from assistant.analyst.reading import QuestionReading
from assistant.analyst.repeated_values import counted_once
from assistant.analyst.schema import Schema
from assistant.analyst.source import AnalystSource, Candidates
from assistant.analyst.starters import describe_tables, follow_ups, main_figure, starters, summary
from assistant.analyst.studies.recognising import recognised
from assistant.analyst.text_figures import refuse_counted_text, refuse_text_figure
from assistant.analyst.verified import recalled
from assistant.analyst.wording import sentence
from assistant.core.events.base import Trust
from assistant.errors import InterpretationError
from assistant.output.presentation.requests import remove_kind
from assistant.word_forms import is_known

if TYPE_CHECKING:
    from datetime import date

    from assistant.analyst.studies.function_study import FunctionStudy
    from assistant.core.catalog import Catalog
    from assistant.core.events import ChartKind
    from knowledge.documents import Document

_STARTERS = 3
_QUOTED_MAX = 6
_UNKNOWN = "I could not tell what {} means for this data."
_IN_ENGLISH = "I read questions in English."
_UNREAD_MAX = 3
"""From more words that mean nothing to it than these, and half of a question, it may be in another language."""
_HINT = "I can count, add up, average, rank, compare and group what the tables hold."


class Analyst:
    """The analyst for some data, knowledge and a day. Making one and reading block; neither does I/O.

    Args:
        catalogs: The sources.
        documents: The knowledge base.
        today: The day that "last month" goes by.
        alike: Tells how alike words are in meaning; it is asked only of words that nothing else links. None: nobody
            can tell, and such words stay unread.
        functions: The tested functions that can be asked for by name.
    """

    def __init__(
        self,
        catalogs: Sequence[Catalog],
        documents: Sequence[Document],
        today: date,
        *,
        alike: Alike | None = None,
        functions: Sequence[FunctionStudy] = (),
    ) -> None:
        self.catalogs = tuple(catalogs)
        self.documents = tuple(documents)
        self.today = today
        self.functions = tuple(functions)
        sources = [AnalystSource(catalog, documents, today) for catalog in catalogs]
        for source in sources:
            learned_from_prose(source)
            source.functions = self.functions
            source.alike = alike  # what a person wrote as a definition is not guessed at
        self.sources = {source.name: source for source in sources}
        self._beyond = _beyond(documents)
        self._not_understood = {
            source.name: [
                (name, name_words(name)) for term in not_understood(source) for name in (term.name, *term.synonyms)
            ]
            for source in sources
        }
        self._starters: tuple[str, ...] | None = None

    # --- reading ---

    def read(self, question: str, previous: Meaning | None = None, runs: QueryRuns | None = None) -> Outcome:
        """What a question means; with the meaning of the answer before, what it means after that.

        Args:
            question: The question.
            previous: What the answer before meant.
            runs: The results of readings that were run. Those it still wants are wanted because they would tell more
                surely; the outcome is then what is known without them. None: nothing is to be run.
        """
        wording, kind = remove_kind(question.strip())
        wording = self._with_main_figure(wording)
        if (counted := self._counted_once(wording, previous, runs)) is not None:
            return self._drawn(counted, kind) if kind is not None else counted
        outright = partial(self._outright, wording, previous)
        outcome = (runs.once((wording, previous), outright) if runs else outright()) or self._alone(wording, runs)
        outcome = refuse_counted_text(wording, outcome, self.sources.values())
        return self._drawn(outcome, kind) if kind is not None else outcome

    def _counted_once(self, wording: str, previous: Meaning | None, runs: QueryRuns | None) -> Outcome | None:
        """What a question means that says "counting each order once"; None where nothing of an order repeats."""
        tokens = words(wording)
        at, unit_words = once_said(tokens) or (0, ())
        unit_names = {base for word in unit_words for base in words_of(word.cased)} - light()
        numbers = (
            c for s in self.sources.values() for c in s.schema.wholes if unit_names <= set(s.schema.typed[c].words)
        )
        if not unit_names or next(numbers, None) is None:
            return None
        remaining = wording[: tokens[at].start].rstrip(" ,")
        plain = (
            self.read(remaining, previous, runs)
            if remaining
            else self.understood(previous)
            if previous is not None
            else None
        )
        match plain:
            case Understood():
                meanings = (plain.meaning,)
            case Ambiguous():
                meanings = tuple(meaning for _, meaning in plain.options)
            case _:
                return plain
        answers = [once for meaning in meanings if (once := self.once(meaning)) is not None]
        if len(answers) < 2 or isinstance(plain, Understood):
            return answers[0] if answers else declined("not once", " ".join(word.text for word in unit_words))
        return replace(plain, options=_told_apart([(answer.restated, answer.meaning) for answer in answers]))

    def once(self, meaning: Meaning) -> Understood | None:
        """A meaning that counts each value once that repeats on several rows; None where there is none."""
        schema = self.schema_of(meaning)
        query = counted_once(meaning.query, schema) if not meaning.study and not meaning.verbatim else None
        if query is None or problems(query, schema):
            return None
        return self.understood(replace(meaning, query=query))

    def _outright(self, wording: str, previous: Meaning | None) -> Outcome | None:
        """What a question means whatever its readings give; None where that is to be decided."""
        talk = small_talk(wording)
        if talk is not None:
            return self._told(talk)
        if (description := self._description(wording)) is not None:
            return description
        if changes_data(wording):
            return declined("reads only", wording, hint=self._hint())
        for source in self.sources.values():
            query = recalled(wording, source)
            if query is not None and query.verbatim is not None:
                return self.understood(query, trust="adapted" if query.verbatim.is_adapted else "verified")
        if name := next(_named_in(wording, self._beyond), None):  # only the compiler of metric steps can compute it
            return declined("beyond", name, hint=self._hint())
        if previous is not None and (followed := self._followed(wording, previous)) is not None:
            return followed
        return refuse_text_figure(wording, self.sources.values()) or self._study(wording, previous)

    def _description(self, wording: str) -> Message | None:
        """What the columns of a table are, or of all; None where that is not asked."""
        tokens = tuple(word for word in words(wording) if word.is_word)
        size = begins(tokens, "describing")
        names = [word.lower for word in tokens[size:]]
        is_whole = bool(size) and not names and tokens[-1].lower not in ("describe", "of", "in", "about")
        texts = [text for source in self.sources.values() if (text := describe_tables(source, names))]
        is_asked = size and (names or is_whole) and texts
        return Message(text="\n\n".join(texts), follow_ups=self.starters()) if is_asked else None

    def _with_main_figure(self, wording: str) -> str:
        """ "How did we do last month" as a question for the main figure of the data."""
        tokens = words(wording)
        size = begins(tokens, "business")
        figure = next(filter(None, map(main_figure, self.sources.values())), "") if size else ""
        return f"{figure} {wording[tokens[size].start :]}" if figure and size < len(tokens) else figure or wording

    def depends_on_previous(self, question: str) -> bool:
        """Whether a question says nothing by itself that could be counted, measured or listed: "by city"."""
        return all(depends_on_previous(question, source) for source in self.sources.values())

    def is_new_question(self, text: str) -> bool:
        """Whether what a person types while something waits is a question of its own, and no change of what waits."""
        return any(is_new_question(text, source) for source in self.sources.values())

    def _told(self, talk: str) -> Message:
        text = "\n\n".join(map(summary, self.sources.values())) if talk == "summary" else talk
        return Message(text=text, follow_ups=self.starters())

    def _followed(self, question: str, previous: Meaning) -> Outcome | None:
        """What a question means that changes the answer before; None where it stands for itself."""
        source = self.sources.get(previous.source)
        change = edited(question, previous, source) if source is not None else None
        if not isinstance(change, Meaning):
            return change
        return declined("shown already") if change == previous else self.understood(change)

    def _study(self, question: str, previous: Meaning | None) -> Outcome | None:
        outcomes = (recognised(question, source, previous) for source in self.sources.values())
        outcome = next((study for study in outcomes if study is not None), None)
        return self.understood(outcome) if isinstance(outcome, Meaning) else outcome

    def _alone(self, question: str, runs: QueryRuns | None) -> Outcome:
        """What a question means that stands for itself, on the source where it is surest."""
        best = self._surest(question)
        if best is None:
            return declined("no data")
        name = self._without_meaning(*best, question)
        outcome = self._decided(*best, question, runs) if name is None else declined("not understood", name)
        return replace(outcome, partial=self.partial(question)) if isinstance(outcome, Declined) else outcome

    def _without_meaning(self, source: AnalystSource, candidates: Candidates, question: str) -> str | None:
        """The word that a person defined, that could not be understood, and that a reading leaves unread."""
        unread = candidates.readings[0].unread if candidates.readings else (question,)
        unread_words = frozenset(name_words(" ".join(unread)))
        names = _named_in(question, self._not_understood[source.name])
        return next((name for name in names if unread_words.intersection(name_words(name))), None)

    def _surest(self, question: str) -> tuple[AnalystSource, Candidates] | None:
        readings = [(source, source.candidates(question)) for source in self.sources.values()]
        return max(readings, key=lambda item: item[1].confidence, default=None)

    def _decided(self, source: AnalystSource, candidates: Candidates, question: str, runs: QueryRuns | None) -> Outcome:
        readings = candidates.readings
        if not readings:
            return self._not_read(source, candidates, question)
        results = runs.results(source.name, (reading.sql for reading in readings)) if runs is not None else None
        decision = decide(readings, results, source.reader.weights)
        offered = [readings[place] for place in decision.options]
        options = _told_apart(
            [(sentence(source.schema.said(reading.query)), self._meaning(source, reading)) for reading in offered]
        )
        is_told = len(options) == 1 and not offered[0].features.get("untold")
        if decision.kind == "answer" or (is_told and (decision.kind == "ask" or candidates.is_defined)):
            return self.understood(options[0][1], confidence=decision.confidence)
        unread = readings[0].unread
        remark = self._unread_in_words(source, readings[0], question) if unread else ""
        remark = " ".join(filter(None, (_missing_measures(offered[:1]), remark)))
        if len(options) > 1 and (decision.kind == "ask" or _missing_measures(offered[:1])):
            return Ambiguous(text=f"{remark} Which of these do you mean?".lstrip(), options=options)
        failure = (
            runs.failure(source.name, (reading.sql for reading in readings)) if runs is not None and not results else ""
        )
        if failure and not unread:
            return declined("engine", source.name, failure, hint=self._hint())
        is_unsure = decision.confidence < source.reader.weights.unrun.ask and not _missing_measures(offered[:1])
        if unread or not options or is_unsure:
            return self._not_read(source, candidates, question)
        return Ambiguous(text=f"{remark} Is this what you mean?".lstrip(), options=options[:1])

    def _not_read(self, source: AnalystSource, candidates: Candidates, question: str) -> Declined:
        """Says which words mean nothing here: all of them, where there is no reading at all."""
        words = [word.text for word in source.words(question) if word.is_word and word.lower not in light()]
        first = next(iter(candidates.readings), None)
        unread = first.unread if first is not None else tuple(words)
        if not unread:
            return declined("no question", hint=self._hint())
        english = sum(is_known(word.lower()) for word in words if word.isalpha())
        foreign = len(unread) > _UNREAD_MAX and 2 * len(unread) > len(words) > 2 * english
        reason = self._unread_in_words(source, first, question) if first else _UNKNOWN.format(_quoted(unread))
        return Declined(reason=f"{reason} {_IN_ENGLISH}" if foreign else reason, hint=self._hint())

    def _unread_in_words(self, source: AnalystSource, reading: QuestionReading, question: str) -> str:
        """What of a question a reading leaves unread: words without a meaning, or names that do not go together."""
        if names := source.names_unread(reading, source.words(question)):
            return f"I know {_quoted(names)}, but cannot answer it together with the rest of the question."
        return _UNKNOWN.format(_quoted(reading.unread))

    def _hint(self) -> str:
        asks = self.starters()
        return f"{_HINT} For example: {'; '.join(f'“{ask}”' for ask in asks)}." if asks else _HINT

    def _drawn(self, outcome: Outcome, kind: ChartKind) -> Outcome:
        """An outcome whose meanings are shown as the kind of chart that was asked for."""
        match outcome:
            case Understood():
                meaning = _drawn_as(outcome.meaning, kind)
                return replace(outcome, meaning=meaning, restated=self.restated(meaning))
            case Ambiguous():
                charted = [_drawn_as(meaning, kind) for _, meaning in outcome.options]
                fit = [option for option in charted if kind != "box" or isinstance(option.query, al.Listing)] or charted
                options = _told_apart([(self.restated(option), option) for option in fit])
                return self.understood(options[0][1]) if len(options) == 1 else replace(outcome, options=options)
            case _:
                return outcome

    # --- meanings ---

    def _meaning(self, source: AnalystSource, reading: QuestionReading) -> Meaning:
        plain = Meaning(source=source.name, query=reading.query)
        return replace(plain, assumptions=source.assumed(plain, reading))

    def understood(self, meaning: Meaning, *, trust: Trust = "new", confidence: float = 1.0) -> Understood:
        """A meaning as the outcome, with all that it rests on; also one that a person chose among those offered."""
        cited = tuple(dict.fromkeys((*meaning.cited, *self.sources[meaning.source].cited(meaning))))
        cited_meaning = replace(meaning, cited=cited)
        return Understood(
            meaning=cited_meaning, restated=self.restated(cited_meaning), trust=trust, confidence=confidence
        )

    def restated(self, meaning: Meaning) -> str:
        """A meaning in a sentence."""
        if meaning.verbatim is not None:
            return meaning.verbatim.question.rstrip("?. ")
        in_data_words = self.schema_of(meaning).said
        return meaning.study.subject if meaning.study is not None else sentence(in_data_words(meaning.query))

    def sql(self, meaning: Meaning) -> str:
        """The statement of a meaning, in its source's dialect."""
        return statement(meaning, self.sources[meaning.source].schema)

    def schema_of(self, meaning: Meaning) -> Schema:
        """The schema of the source that a meaning is about."""
        return self.sources[meaning.source].schema

    def explain(self, question: str) -> Explanation | None:
        """How a question was read, on the source where it is surest; None where there is no reading."""
        best = self._surest(question)
        if best is None or not best[1].readings:
            return None
        source, candidates = best
        reading = candidates.readings[0]
        meaning = self._meaning(source, reading)
        return Explanation(
            sentence=self.restated(meaning),
            confidence=candidates.confidence,
            chips=interpret(meaning, source).chips,
            unread=reading.unread,
            sql=self.sql(meaning),
        )

    # --- chips ---

    def interpretation(self, meaning: Meaning, question: str = "") -> Interpretation:
        """A meaning in chips; with the question that was read, its other readings and unread words, too."""
        source = self.sources[meaning.source]
        readings = source.candidates(question).readings if question else ()
        reading = next((reading for reading in readings if reading.query == meaning.query), None)
        if reading is None:
            return interpret(meaning, source)
        alternatives = [other.query for other in readings[:OPTIONS_MAX]]
        return interpret(meaning, source, unread=reading.unread, alternatives=alternatives)

    def partial(self, question: str) -> Interpretation:
        """What was understood of a question, in chips, and the words that were not; never a refusal.

        Raises:
            InterpretationError: there is no data.
        """
        if not self.sources:
            raise InterpretationError("There is no data yet.")
        read = [partial_reading(question, source) for source in self.sources.values()]
        return min(read, key=lambda one: len(one.unread))

    # --- offers ---

    def starters(self) -> tuple[str, ...]:
        """Up to three questions about this data that the analyst answers: each was read before it is offered."""
        if self._starters is None:
            self._starters = ()
            possible = (text for source in self.sources.values() for text in starters(source))
            self._starters = self._readable(possible, None)
        return self._starters

    def follow_ups(self, meaning: Meaning) -> tuple[str, ...]:
        """Up to three ways to go on from an answer: each was read before it is offered."""
        source = self.sources.get(meaning.source)
        if source is None or meaning.verbatim is not None:
            return ()
        return self._readable(follow_ups(meaning, source), meaning)

    def _readable(self, texts: Iterable[str], previous: Meaning | None) -> tuple[str, ...]:
        return tuple(islice((text for text in texts if isinstance(self.read(text, previous), Understood)), _STARTERS))


def _beyond(documents: Sequence[Document]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The names of metrics that need the compiler of metric steps, in base forms; not those that are a metric here."""
    from knowledge.documents import Metric, Note

    own = {
        name_words(name)
        for document in documents
        if isinstance(document, Metric)
        for name in (document.name, *document.synonyms)
    }
    names = (name for document in documents if isinstance(document, Note) for name in document.governs)
    return tuple((name, words) for name in names if (words := name_words(name)) and words not in own)


def _named_in(question: str, names: Iterable[tuple[str, tuple[str, ...]]]) -> Iterator[str]:
    """The names that a question says, each given with its words in base forms."""
    tokens = name_words(" ".join(re.findall(r"\w+", question)))
    places = [tokens[place:] for place in range(len(tokens))]
    return (name for name, words in names if words and any(ending[: len(words)] == words for ending in places))


def _drawn_as(meaning: Meaning, kind: ChartKind) -> Meaning:
    """A meaning that is shown as a kind of chart. A box is drawn of single values, not of one figure for each group."""
    match meaning.query:
        case al.Grouped(of, _, (al.Aggregate(term=term, where=al.NO_FILTER),)) as query if kind == "box":
            keys = (output for output in al.outputs_shown(query) if output in query.keys)
            return replace(meaning, query=al.Listing(of, (*keys, term)), chart=kind)
        case _:
            return replace(meaning, chart=kind)


def _missing_measures(readings: Sequence[QuestionReading]) -> str:
    """Says which measures a question names that the data have not, where a reading takes another one for them."""
    names = list(dict.fromkeys(guess.said for reading in readings for guess in reading.guesses if guess.measure))
    return f"There is no {_quoted(names)} in this data." if names else ""


def _quoted(words: Sequence[str]) -> str:
    """Each word once, the first of many."""
    once = list(dict.fromkeys(words))
    more = f" and {len(once) - _QUOTED_MAX} more words" if len(once) > _QUOTED_MAX + 1 else ""
    return ", ".join(f"“{word}”" for word in (once[:_QUOTED_MAX] if more else once)) + more


def _told_apart(options: list[tuple[str, Meaning]]) -> tuple[tuple[str, Meaning], ...]:
    """Options that a person can tell apart: of two that are said alike the likelier one."""
    labelled: dict[str, Meaning] = {}
    for label, meaning in options:
        labelled.setdefault(label, meaning)
    return tuple(labelled.items())
