"""Old turns in few words. The extractive summariser needs no model and says only what the digests say.

A language model in the planner's role summarises what no longer fits here (`assistant.agents.model.history_summary`).
What must not be lost (definitions, corrections, rejections) is not summarised but pinned in `tiers`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.record.memory.tiers import Digest
from assistant.record.memory.tokens import cut, estimate

_SENTENCE = re.compile(r".+?(?:[.!?。！？](?=\s|$)|$)", re.DOTALL)
_LINE_TOKENS = 120

SUMMARY_TOKENS = 1_500
"""What the history takes of a prompt at most, however long the session."""


class ExtractiveSummariser:
    """Keeps, of each old turn, its question, the first sentence of its answer, what was decided and what it left."""

    def __init__(self, *, with_answers: bool = True) -> None:
        self._with_answers = with_answers

    def summarise(self, digests: Sequence[Digest], *, tokens_max: int) -> str:
        """Give one line per turn, the newest turns first served; say how many turns found no room."""
        lines: list[str] = []
        left = len(digests)
        for digest in reversed(digests):
            line = cut(self._summarise_turn(digest), _LINE_TOKENS)
            remaining = left - 1
            closing = f"\n{_describe_left_out(remaining)}" if remaining else ""
            if estimate("\n".join([line, *lines]) + closing) > tokens_max:
                break
            lines.insert(0, line)
            left = remaining
        if left:
            lines.insert(0, _describe_left_out(left))
        return cut("\n".join(lines), tokens_max)

    def _summarise_turn(self, digest: Digest) -> str:
        parts = [f"Turn {digest.turn}: {_one_line(digest.question)!r}"]
        parts += [
            f"asked back {_one_line(question)!r}, they said {_one_line(reply)!r}"
            for question, reply in digest.asked_back
        ]
        refused = [decision for decision in digest.decisions if not decision.startswith("approved")]
        parts += [_one_line(decision) for decision in refused]
        if digest.results:
            parts.append("left " + ", ".join(digest.results))
        if digest.status == "answered" and self._with_answers:
            parts.append("answer: " + _first_sentence(digest.answer))
        elif digest.status != "answered":
            parts.append(digest.status)
        return "; ".join(parts)


def _describe_left_out(turns: int) -> str:
    return f"({turns} earlier turn{'s' if turns != 1 else ''} left out.)"


def split_sentences(text: str) -> list[str]:
    """The sentences of a text, each on one line."""
    return [sentence for match in _SENTENCE.findall(_one_line(text)) if (sentence := match.strip())]


def _first_sentence(text: str) -> str:
    return next(iter(split_sentences(text)), "")


def _one_line(text: str) -> str:
    return " ".join(text.split())
