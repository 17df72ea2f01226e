"""SQL parsing with a budget of work: the only access to sqlglot's parser.

The length of a statement says little about the cost of parsing it: 150 characters of `ARRAY[ARRAY[...` or 50 joins
without conditions keep sqlglot's parser busy for hours, 2,000 of `a[1][1]...` for seconds. So whatever a person, a
model, a file or a cell wrote is parsed here, under three limits: length (`TOKENS_MAX`), nesting (`NESTING_MAX`,
`DEPTH_MAX`), and work (`WORK_MAX`). Work is counted, not timed: every call that the thread makes while it parses. The
parser is Python throughout, so everything that takes time is counted, the same statement is refused on each machine,
and a refused statement stops at once, which a clock could not do in a thread.

Parsing may still take half a second of one processor. Nothing here is called on an event loop. The module is in
`knowledge` because semantic models are the lowest layer that parses SQL.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from types import FrameType

from sqlglot import Dialect, exp
from sqlglot.errors import ParseError
from sqlglot.expressions.core import Expr
from sqlglot.tokenizer_core import Token

TOKENS_MAX = 16_000
"""Words, numbers and signs: an IN list of 5,000 values has 10,000; 2,000 lines of generated SQL have 12,000."""
NESTING_MAX = 40
"""Brackets within brackets. sqlglot takes about 20 of Python's 1,000 nested calls for each of them."""
JOINS_OPEN_MAX = 16
"""Joins without a condition. The parser looks for the condition of each behind all that follow, and retreats."""
DEPTH_MAX = 120
"""Levels of a tree; a chain of one operator (`a OR b OR c`) is one level. Writing SQL takes 4 nested calls for each."""
WORK_MAX = 1_250_000
"""Calls and returns, of Python and of C: about 70 for each token of an ordinary statement."""


class TooComplex(ParseError):
    """Reading a statement would take too much.

    A `ParseError`, so that whoever can do without a tree of a statement that is no SQL can do without this one's, too.

    Attributes:
        span: Where it becomes too much, as start and end offsets; None where the whole statement is meant.
    """

    def __init__(self, message: str, span: tuple[int, int] | None = None) -> None:
        super().__init__(message)
        self.span = span


class _Spent(BaseException):
    """The budget is spent. No `Exception`: sqlglot tries things, and goes on where they fail."""


def _meter() -> Callable[[FrameType, str, object], None]:
    """A profile function that counts down. A closure, since it is called a million times."""
    remaining = WORK_MAX

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal remaining
        remaining -= 1
        if remaining < 0:
            raise _Spent

    return count


@contextmanager
def limit_work() -> Generator[None]:
    """A budget for all the work on one statement within; a budget within a budget is part of it.

    For synchronous code that belongs to one thread: no `await` and no `yield` inside. A profiler that is at work in
    the thread keeps its place, and nothing is counted.

    Raises:
        TooComplex: The budget is spent, or the nesting is too deep for Python.
    """
    if sys.getprofile() is not None:
        yield
        return
    sys.setprofile(_meter())
    try:
        yield
    except _Spent:
        raise TooComplex(
            "The statement takes too much work to read. Split it into WITH clauses or several queries, "
            "and shorten its longest expression or chain of joins"
        ) from None
    except RecursionError:
        raise TooComplex("The statement is nested too deeply. Write it with WITH clauses") from None
    finally:
        sys.setprofile(None)


def tokenize(sql: str, dialect: Dialect | str) -> tuple[Token, ...]:
    """The tokens of a text, of which there are not too many, nor too many brackets within brackets.

    Raises:
        TokenError: A quote or a comment has no end.
        TooComplex: There is too much of it.
    """
    tokens = tuple(
        Dialect.get_or_raise(dialect).tokenize(sql)
    )  # its work grows with the length alone, in every dialect
    if len(tokens) > TOKENS_MAX:
        place = tokens[TOKENS_MAX]
        raise TooComplex(
            f"The statement has {len(tokens):,} words and signs, of at most {TOKENS_MAX:,}. Shorten it, or load a "
            "long list of values as a table and join it",
            (place.start, place.end + 1),
        )
    _require_joined(tokens)
    depth, deepest, span = 0, 0, None
    for token in tokens:
        if token.text in _OPENING:
            depth += 1
            deepest = max(deepest, depth)
            if depth == NESTING_MAX + 1 and span is None:
                span = (token.start, token.end + 1)
        elif token.text in _CLOSING:
            depth -= 1
    if span is not None:
        raise TooComplex(
            f"Brackets are nested {deepest:,} deep, of at most {NESTING_MAX}. Write the inner queries as WITH clauses",
            span,
        )
    return tokens


def _require_joined(tokens: Sequence[Token]) -> None:
    """Refuse a statement with many joins that lack a condition."""
    joins = [
        token
        for place, token in enumerate(tokens)
        if token.text.upper() == "JOIN" and (not place or tokens[place - 1].text.upper() not in _WITHOUT_CONDITION)
    ]
    conditions = sum(token.text.upper() in ("ON", "USING") for token in tokens)
    if len(joins) - conditions > JOINS_OPEN_MAX:
        raise TooComplex(
            f"{len(joins) - conditions} joins have no condition, of at most {JOINS_OPEN_MAX}. Give each join its ON, "
            "or write CROSS JOIN",
            (joins[0].start, joins[0].end + 1),
        )


_WITHOUT_CONDITION = frozenset({"CROSS", "NATURAL", "POSITIONAL", "ARRAY"})
_OPENING = frozenset("([{")
_CLOSING = frozenset(")]}")


def parse(sql: str, dialect: Dialect) -> list[Expr]:
    """The trees of the statements of a text.

    Raises:
        ParseError: It is not SQL of this dialect.
        TokenError: A quote or a comment has no end.
        TooComplex: Reading it would take too much.
    """
    tokens = list(tokenize(sql, dialect))
    with limit_work():
        trees = [tree for tree in dialect.parser().parse(tokens, sql) if tree is not None]
    for tree in trees:
        _require_shallow(tree)
    return trees


def parse_one(sql: str, dialect: str | None = None) -> Expr:
    """The tree of a statement; a `Block` where the text holds several.

    Args:
        sql: The text.
        dialect: sqlglot's name of its dialect; None or empty for the general one.

    Raises:
        ParseError: It is not SQL of this dialect, or nothing.
        TokenError: A quote or a comment has no end.
        TooComplex: Reading it would take too much.
        ValueError: The dialect is unknown.
    """
    trees = parse(sql, Dialect.get_or_raise(dialect or None))
    if not trees:
        raise ParseError(f"No statement stands in {sql!r}")
    return trees[0] if len(trees) == 1 else exp.Block(expressions=trees)


_CHAINS = (exp.Connector, exp.Add, exp.Sub, exp.Mul, exp.DPipe)
"""Operators whose chains sqlglot writes without recursion."""


def _require_shallow(tree: Expr) -> None:
    """Refuse a tree that those who walk it by recursion, such as sqlglot's own writer, could not follow."""
    stack = [(tree, 1)]
    while stack:
        node, depth = stack.pop()
        if depth > DEPTH_MAX:
            raise TooComplex(
                f"The statement is nested more than {DEPTH_MAX} levels deep. Shorten its longest chain of operators, "
                "or compute a part of it in a WITH clause"
            )
        for child in node.iter_expressions():
            connected = isinstance(node, _CHAINS) and type(child) is type(node)
            united = isinstance(node, exp.SetOperation) and isinstance(child, exp.SetOperation)
            stack.append((child, depth if connected or united else depth + 1))
