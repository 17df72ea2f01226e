"""Definitions in prose: which sentences of the knowledge base say what a word means, and with which words they say it.

Notes, terms without SQL and rules without a condition are cut into sentences; one of a known form becomes a
`Definition`. Whether its words can be read to something that SQL can be built from is decided elsewhere (`prose`).
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.embedded.words.lexicon import name_words
from assistant.embedded.words.vocabulary import STOP_WORDS

if TYPE_CHECKING:
    from knowledge.documents import Document

_NAME_WORDS_MAX = 8
_BODY_CHARS_MAX = 400
DEFINITIONS_MAX = 400
"""How many definitions of all documents are looked at; each takes some milliseconds to read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """A business word, as it was defined. `names` go from the first one written on; `subject` is what a quality is
    said of ("a customer is active if ..."), where the sentence has that form."""

    names: tuple[str, ...]
    body: str
    document: Document
    subject: str = ""


def definitions(documents: Iterable[Document]) -> tuple[Definition, ...]:
    """Every definition in the prose of some documents, in their order."""
    from knowledge.documents import Note, Rule, Term

    found: list[Definition] = []
    for document in documents:
        match document:
            case Note():
                found += _of_text(document.body, document, heading=document.heading)
            case Rule() if not document.condition:
                found += _of_text(document.statement, document)
            case Term() if not document.sql and document.definition.strip():
                body = " ".join(document.definition.split())
                found.append(Definition(names=(document.name, *document.synonyms), body=body, document=document))
            case _:
                continue
    return tuple(found[:DEFINITIONS_MAX])


def _of_text(text: str, document: Document, heading: str = "") -> list[Definition]:
    found: list[Definition] = []
    blocks = _blocks(text)
    for block in blocks:
        sentences = _sentences(block)
        read = [_definition(sentence, document) for sentence in sentences]
        for at, definition in enumerate(read):
            following = [s for s, d in zip(sentences[at + 1 :], read[at + 1 :], strict=True) if d is None]
            if definition is not None and not any(_RESTRICTS.search(sentence) for sentence in following):
                found.append(definition)
    title = heading.rpartition(": ")[2]
    if not found and len(blocks) == 1 and heading and _named(title) and not _HEADINGS & set(name_words(title)):
        sentences = _sentences(blocks[0])
        if not any(_RESTRICTS.search(sentence) for sentence in sentences[1:]):
            found.append(Definition(names=_names(title), body=_body(sentences[0]), document=document))
    return found


_HEADINGS = frozenset(
    ("definition", "definitions", "glossary", "terms", "words", "notes", "overview", "introduction", "metrics", "rules",
     "vocabulary", "knowledge", "about", "faq", "background", "general", "data", "instructions", "guide", "summary")
)  # fmt: skip
"""Words of headings that name a part of a text rather than what it defines."""
_RESTRICTS = re.compile(
    r"\b(?:exclud\w*|only|except\w*|not|ignor\w*|unless|includ\w*|must|should|always|never|without|but|however|plus"
    r"|also|filter\w*|where|minus|less|add\w*|subtract\w*|otherwise|instead)\b|n't\b",
    re.IGNORECASE,
)
"""What a further sentence of the same paragraph says when it changes the definition before it."""

_ITEM = re.compile(r"^\s*(?:[-*+•]|\d+[.)])\s+")
_RULE_LINE = re.compile(r"^\s*\|?[\s:|=-]+\|?\s*$")


def _blocks(text: str) -> list[str]:
    """Paragraphs, list items and rows of tables, each on one line, without Markdown's marks."""
    blocks: list[str] = []
    fresh = True
    for line in re.sub(r"```.*?```", "", text, flags=re.DOTALL).splitlines():
        if not line.strip() or _RULE_LINE.match(line):
            fresh = True
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        row = line.strip().startswith("|") and len(cells) >= 2
        item = _ITEM.match(line) is not None
        starts = re.match(r"\s*(?:\*\*|__|`)?[\w][\w ()/%'-]{0,50}(?:\*\*|__|`)?\s*(?::|=|:=|—|–)(?:\*\*)?\s", line)
        whole = bool(blocks) and re.search(r"[.;:!?]\s*$", blocks[-1]) is not None
        text_line = f"{cells[0]}: {cells[1]}" if row else _ITEM.sub("", line).strip()
        if fresh or row or item or starts or (whole and line[:1].isupper()):
            blocks.append(text_line)
        else:
            blocks[-1] += f" {text_line}"
        fresh = row
    return [_unmarked(block) for block in blocks]


def _unmarked(text: str) -> str:
    text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"\*\*(.+?)\*\*|__(.+?)__", lambda m: m[1] or m[2], text)
    text = re.sub(r"(?<!\w)[*_](\w[^*_]*\w)[*_](?!\w)", r"\1", text)
    return " ".join(text.replace("“", '"').replace("”", '"').replace("’", "'").replace("‘", "'").split())


_END = re.compile(r"(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\betc)(?<!\bno)[.;!]\s+(?=[A-Z0-9`\"'(])")


_NEXT = re.compile(r"[,;] (?:and )?(?=[A-Z][\w %-]{0,40}(?: \([^)]*\))? ?(?:=|:) )")
"""Where one formula ends and the next begins: "A = b / c, D = e - f"."""


def _sentences(block: str) -> list[str]:
    parts = (part for sentence in _END.split(block) for part in _NEXT.split(sentence))
    return [part.strip() for part in parts if part.strip()]


_ARTICLE = r"(?:the |a |an |our |any )?"
_CALLED = (
    r"(?:is|are|was) (?:considered|called|counted as|deemed|regarded as|said to be|classified as|flagged as|"
    r"treated as|labell?ed|marked|known as|counts? as)"
)
_BE = r"(?:is|are|should be|must be|can be|will be|shall be|gets?)"
_FORMS: tuple[re.Pattern[str], ...] = tuple(
    re.compile(f"^(?:{form})$", re.IGNORECASE)
    for form in (
        # "When asked about CR, use ...", "If someone says revenue, they mean ..."
        r"(?:when(?:ever)?|if) (?:\w+ ){0,3}?(?:ask(?:ed|s|ing)?|talk(?:s|ing)?|speak(?:s|ing)?|say(?:s|ing)?|mention(?:s|ed|ing)?"
        r"|refer(?:s|ring)? to|calculating|computing|measuring|reporting)"
        rf"(?: about| for| of)? {_ARTICLE}(?P<n>[^,]+?), (?:please )?(?:we |they |you |it |this |that |always )*(?:should )?"
        r"(?:use|take|means?|look at|refers? to|calculate(?: it)? as|compute(?: it)? as|return)(?: it as| it by)? (?P<b>.+)",
        # "To calculate X, divide A by B"
        r"to (?:calculate|compute|determine|get|find|obtain|measure|work out|derive|identify)"
        rf" {_ARTICLE}(?P<n>[^,]+?), (?:we |you |please |one |always |simply )*(?:should |must )?(?:use |take )?(?P<b>.+)",
        rf"(?:when asked (?:about|for) |to (?:find|get|identify|select) |for ){_ARTICLE}(?P<n>[^,]+?), (?:please |always |you should )?filter"
        r" (?:by|on|for|where|to|the rows where|rows where) (?P<b>.+)",
        rf"for {_ARTICLE}(?P<n>[^,]+?),? (?:please |always )?(?:use|take) (?P<b>.+)",
        rf"(?:please |always )?use (?P<b>.+?) (?:for|as|when asked (?:about|for)|to (?:calculate|compute|measure|get)) {_ARTICLE}(?P<n>.+)",
        rf"(?:by|with) {_ARTICLE}(?P<n>.+?),? (?:we|people|they|you) (?:always )?mean (?P<b>.+)",
        rf"(?:we|the company|people|please|always)? ?(?:define|consider|calculate|compute|measure|count|treat|understand) {_ARTICLE}"
        r"(?P<n>.+?) (?:as|by|to be) (?P<b>.+)",
        rf"(?:the )?(?:definition|formula|calculation|rule) (?:of|for) {_ARTICLE}(?P<n>.+?)(?: is|:| =|=) (?P<b>.+)",
        # "A customer is active if ...", "An order counts as late when ..."
        rf"(?:(?:a|an|any|each|every|the|all) )?(?P<s>[\w ]+?) (?:{_CALLED}|is|are|counts? as) (?:an? |the )?(?P<n>[\w -]+?)"
        r" (?:if|when|whenever|once|as soon as|only if|if and only if) (?P<b>.+)",
        # "X is defined as ...", "X should be calculated by ..."
        rf"{_ARTICLE}(?P<n>.+?),? {_BE} (?:always |usually |simply )?(?:defined|calculated|computed|measured|determined|derived|obtained"
        r"|understood|counted|expressed|taken|given|found|worked out)(?: as| by| from| to be| with| using)?"
        r"(?: the following(?: formula)?:?)?:? (?P<b>.+)",
        rf"{_ARTICLE}(?P<n>[^:=]+?),? (?:always |simply |just )?(?:means|mean(?! of)|refers? to|stands? for|denotes?|represents?|equals?|signif(?:y|ies)"
        r"|measures?|is equal to|is short for|is an abbreviation (?:of|for)|is (?:just )?an?other (?:word|name|term) for"
        r"|is an? (?:synonym|alias) (?:of|for)|is the same(?: thing)? as|corresponds? to|(?:is|are) (?:stored|recorded|found|held|kept|saved)"
        r" in|can be found in|comes? from):? (?P<b>.+)",
        rf"(?:the )?(?P<b>[\w.]+) (?:column|field)(?: (?:of|in) (?:the )?[\w. ]+?)? (?:always |only )?(?:shows?|contains?|holds?|stores?|gives?"
        rf"|records?|represents?|denotes?|indicates?|is|means) {_ARTICLE}(?P<n>.+)",
        rf"{_ARTICLE}(?P<n>[^:=]+?) (?:is|happens|occurs|means|applies) (?:when|if|whenever) (?P<b>.+)",
        r"(?P<n>[^:=]+?) ?(?::=|==?|:| — | – | - |—) ?(?P<b>.+)",
        rf"{_ARTICLE}(?P<n>[^:=]+?),? (?P<h>has|have) (?P<b>.+)",
        rf"{_ARTICLE}(?P<n>[^:=]+?),? (?:is|are) (?:always |simply |just |basically )?(?P<b>.+)",
    )
)  # fmt: skip


def _definition(sentence: str, document: Document) -> Definition | None:
    """The sentence as a definition, by the first form that fits."""
    text = re.sub(r"^(?:note(?: that)?|remember|nb|important|definition|metric|kpi|term)[:,]? +(?=\S)", "", sentence,
                  flags=re.IGNORECASE).rstrip(" .;")  # fmt: skip
    for form in _FORMS:
        match = form.match(text)
        if match is None:
            continue
        groups = match.groupdict()
        name, body, subject = groups["n"], _body(groups["b"]), groups.get("s") or ""
        body = f"those with {body}" if groups.get("h") else body
        if not _named(name) or not body or len(body) > _BODY_CHARS_MAX or (subject and not _named(subject)):
            continue
        return Definition(names=_names(name), body=body, document=document, subject=subject.strip())
    return None


_NO_NAMES = frozenset(
    ("it", "this", "that", "these", "those", "they", "there", "we", "you", "he", "she", "which", "what", "who", "how",
     "note", "example", "hint", "warning", "important", "remember", "source", "sources", "contact", "owner", "author",
     "see", "i", "here", "everything", "all", "both", "each", "some", "default", "formula", "definition", "table", "column")
)  # fmt: skip


def _named(name: str) -> bool:
    """Whether words may be the name of something."""
    words = [word for part in _bracketed(name) for word in name_words(part)]
    first = name_words(_bracketed(name)[0])
    if not words or len(first) > _NAME_WORDS_MAX or first[0] in _NO_NAMES or not re.search(r"[A-Za-z]", name):
        return False
    return any(word not in STOP_WORDS for word in first) and not re.search(
        r"[,<>*+]|\b(?:and|or|not|if|when|most|least|best|main|is|are|was|were|means?|has|have|who|that|which|whose)\b",
        name,
    )


def _names(name: str) -> tuple[str, ...]:
    """ "ADR (average daily rate)" are two names."""
    return tuple(dict.fromkeys(part for part in _bracketed(name) if part))


def _bracketed(name: str) -> list[str]:
    match = re.match(r"^(.*?)\s*\(([^()]+)\)\s*(.*)$", name.strip())
    unit = match is not None and re.fullmatch(
        r"(?:in |as )?(?:an? )?(?:%|percent(?:age)?|[A-Z]{3}|days|hours)", match[2]
    )
    parts = [f"{match[1]} {match[3]}".strip(), *([] if unit else [match[2]])] if match else [name]
    return [_plain_name(part) for part in parts]


def _plain_name(name: str) -> str:
    text = name.strip(" \"'`*_.,:")
    text = re.sub(r"^(?:the|a|an|our|also (?:known as|called)|or|i\.e\.|short|abbreviated(?: as)?|aka|term|metric|kpi|word|phrase)[ :]+", "",
                  text, flags=re.IGNORECASE)  # fmt: skip
    text = re.sub(r"^(?:the )?(?:term|metric|kpi|word|phrase|value of)\s+(?=\S)", "", text, flags=re.IGNORECASE)
    return text.strip(" \"'`*_.,:")


def _body(text: str) -> str:
    """What is said, without what only introduces it."""
    body = text.strip().strip(" .;").replace("`", "")
    body = re.sub(r"^(?:simply|just|basically|defined as|calculated (?:as|by)|computed (?:as|by)|equal to|that)\s+", "", body,
                  flags=re.IGNORECASE)  # fmt: skip
    return body.strip()


def acronym_of(short: str, words: str) -> bool:
    """Whether capitals are the first letters of words: "AOV" of "average order value"."""
    letters = "".join(word[0] for word in name_words(words) if word not in STOP_WORDS)
    every = "".join(word[0] for word in name_words(words))
    return short.lower() in (letters, every)


_GLOSS_WORDS_MAX, _BODY_WORDS_MIN = 4, 3


def parts_of_gloss(body: str) -> Iterator[tuple[str, str]]:
    """ "the conversion rate, the share of ...": another name, and what it means."""
    for match in re.finditer(
        r"(?:,| —|:)?\s+(?:i\.e\.,?|that is,?|meaning|which (?:is|means|equals))\s+|, | — |: ", body
    ):
        left, right = body[: match.start()], body[match.end() :]
        if _named(left) and len(left.split()) <= _GLOSS_WORDS_MAX and len(right.split()) >= _BODY_WORDS_MIN:
            yield _plain_name(left), _body(right)
