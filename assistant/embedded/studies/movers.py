"""Which of them grew or fell the most: one dimension of a figure in two periods, ranked by its change.

The same rows and the same Python as for the parts of a change; only the question and the answer differ.
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re
from typing import Literal

from assistant.embedded.meaning import Dimension, Meaning
from assistant.embedded.studies.asking import Asked, Read, figure_of, stripped, titled
from assistant.embedded.studies.outcomes import Recognised, Refused
from assistant.embedded.studies.study import Causes
from assistant.embedded.studies.telling import Result, Told, amount, difference, number, percent
from assistant.embedded.studies.twoperiods import TwoSpans, compared_spans, two_spans
from assistant.embedded.wording.phrases import condition_words, figure_words
from assistant.embedded.wording.plain import joined
from assistant.embedded.words.lexicon import plural, singular

_GREW = r"grew|grown|rose|risen|increased|gained|improved|rising|growing"
_FELL = r"fell|fallen|dropped|declined|decreased|shrank|shrunk|lost|falling|declining|shrinking"
_PATTERN = re.compile(
    rf"^(?:which|what)(?: of)?(?: the| our)? (?P<by>[\w ]+?) (?:has |have |is |are )?(?P<verb>{_GREW}|{_FELL})"
    r" (?:by )?(?:the )?(?:most|fastest|strongest)(?: in (?:terms of )?(?P<figure>(?!\d|q\d|the last|last|this|january|february|march|april"
    r"|may|june|july|august|september|october|november|december)[\w ]+?))?(?P<rest> (?:in|this|last|since|during|compared|from|between|over|year).*)?$",
    re.IGNORECASE,
)


def recognise(asked: Asked) -> tuple[Recognised, ...] | Refused | None:
    """Read a question for the member that moved most; None where it asks for something else."""
    match = _PATTERN.match(asked.text)
    if match is None:
        return None
    by, figure = match["by"], match["figure"] or ""
    read = split_by(asked, figure, by)
    if read is None:
        return None
    spans = two_spans(Asked(question=match["rest"] or "this year", analyst=asked.analyst), compares=False)
    if spans is None:
        return Refused(reason=f"I do not know between which periods {by} should be compared.", understood=True)
    grown = re.fullmatch(_GREW, match["verb"], re.IGNORECASE) is not None
    found = _study(asked, read, spans, "rise" if grown else "fall")
    return found if isinstance(found, Refused) else (found,)


def split_by(asked: Asked, figure: str, by: str) -> Read | None:
    """The figure by the dimension; the first figure of the knowledge base, or the revenue, where none is named."""
    sources = asked.analyst.sources.values()
    names = [figure] if figure else [*(m.name for s in sources for m in s.known.metrics if m.date_column), "revenue"]
    for name in names[:4]:
        for words in (f"{name} by {singular(by)}", f"total {name} by {singular(by)}"):
            found = asked.read(words)
            kept = () if isinstance(found, Refused) else tuple(r for r in found if _is_split(r.meaning))
            if kept:
                return kept[0]
    return None


def _is_split(meaning: Meaning) -> bool:
    one = len(meaning.dimensions) == 1 and not meaning.dimensions[0].more and meaning.dimensions[0].grain is None
    return one and bool(meaning.measures) and meaning.verified_sql is None


def _study(asked: Asked, read: Read, spans: TwoSpans, leading: Literal["rise", "fall"]) -> Recognised | Refused:
    group: Dimension = read.meaning.dimensions[0]
    alone = Read(meaning=stripped(read.meaning), assumptions=read.assumptions, cited=read.cited)
    by = asked.by_months(alone)
    if isinstance(by, Refused):
        return by
    now, then = compared_spans(asked, by, spans)
    if (unknown := asked.outside(by.meaning, now, then)) is not None:
        return unknown
    figure = figure_words(alone.meaning, alone.meaning.measures[0])
    conditions = condition_words(alone.meaning)
    scope = f", where {joined(conditions)}" if conditions else ""
    split = by.meaning.model_copy(update={"dimensions": (by.meaning.dimensions[0], group)})
    study = Causes(
        asked=asked.question,
        title=titled(f"change of {figure} by {group.label}{scope}: {now.label} against {then.label}"),
        source=by.meaning.source,
        rows=(by.meaning, split),
        figure=figure_of(by.meaning),
        period=by.meaning.dimensions[0].label,
        now=now,
        before=then,
        parts=(group.label,),
        leading=leading,
    )
    return Recognised(study=study, assumptions=(*by.assumptions, *spans.assumptions), cited=by.cited)


def word(study: Causes, result: Result) -> Told:
    """The answer: who moved most, who next, and who went against it."""
    members = [r for r in result.records if r["split_by"] == study.parts[0] and r["change"] is not None]
    sign = 1 if study.leading == "rise" else -1
    ordered = sorted(members, key=lambda r: -sign * number(r["change"]))
    figure, kinds = study.figure, plural(study.parts[0])
    moved, verb = ("rose", "grew") if sign > 0 else ("fell", "lost")
    if not ordered or sign * number(ordered[0]["change"]) <= 0:
        return Told(
            text=f"None: {figure.label} {moved} in no {study.parts[0]} from {study.before.label} to {study.now.label}."
        )
    top = ordered[0]
    share = f", {percent(number(top['change %']) / 100, signed=True)}" if top["change %"] is not None else ""
    text = (
        f"**{top['member']}** {verb} most: {figure.label} {moved} from {amount(top['before'], figure)} ({study.before.label}) to "
        f"**{amount(top['now'], figure)}** ({study.now.label}), **{difference(top['change'], figure)}**{share}."
    )
    following = [r for r in ordered[1:4] if sign * number(r["change"]) > 0]
    if following:
        others = [f"**{r['member']}** ({difference(r['change'], figure)})" for r in following]
        text += f" Then {joined(others)}."
    fastest = max(
        (r for r in members if r["change %"] is not None), key=lambda r: sign * number(r["change %"]), default=None
    )
    if fastest is not None and fastest is not top:
        text += (
            f" In percent it was **{fastest['member']}** ({percent(number(fastest['change %']) / 100, signed=True)})."
        )
    notes = [note for note in (study.now.partial,) if note]
    notes.append(
        f"The {kinds} with the largest changes are shown; small ones may move more in percent than they matter."
    )
    return Told(text=text, notes=tuple(notes))
