"""Formulas of spreadsheets as Python: a parser over openpyxl's tokens, and an expression for each formula. Pure.

Only the usual functions are known. Anything else is an error that names the cell; nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from openpyxl.formula import Tokenizer
from openpyxl.formula.tokenizer import Token
from openpyxl.utils.cell import get_column_letter, range_boundaries

from assistant.migration.statements import MigrationError

FUNCTIONS = frozenset(
    (
        "SUM", "SUMIF", "SUMIFS", "COUNT", "COUNTA", "COUNTIF", "COUNTIFS", "AVERAGE",
        "AVERAGEIF", "MIN", "MAX", "IF", "AND", "OR", "NOT", "IFERROR",
        "VLOOKUP", "XLOOKUP", "ROUND", "ABS", "DATE", "YEAR", "MONTH", "DAY",
    )
)  # fmt: skip
"""Each is `xl_NAME` of the prelude."""
_POWERS = {"=": 1, "<>": 1, "<": 1, ">": 1, "<=": 1, ">=": 1, "&": 2, "+": 3, "-": 3, "*": 4, "/": 4, "^": 5}
_NAMES = {"=": "eq", "<>": "ne", "<": "lt", ">": "gt", "<=": "le", ">=": "ge", "&": "join"}
_RANGE_MAX = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonFormula:
    """A formula as an expression over `c`, the cells by name; `reads`: the cells that it needs."""

    code: str
    reads: tuple[str, ...]


@dataclass(slots=True)
class _Parser:
    """Reads the tokens of one formula. `cell`: where it is, as people write it."""

    tokens: list[Token]
    cell: str
    sheet: str
    at: int = 0
    reads: dict[str, None] = field(default_factory=dict[str, None])

    def parse(self, power: int = 0) -> str:
        """An expression whose operators bind at least so strongly."""
        left = self._operand()
        while (token := self._peek()) is not None:
            if token.type == Token.OP_POST:
                self.at += 1
                left = f"({left} / 100)"
                continue
            bound = _POWERS.get(token.value) if token.type == Token.OP_IN else None
            if bound is None or bound <= power:
                break
            self.at += 1
            left = self._combine(token.value, left, self.parse(bound))
        return left

    def _combine(self, operator: str, left: str, right: str) -> str:
        if operator in _NAMES:
            return f"xl_{_NAMES[operator]}({left}, {right})"
        return f"(xl_number({left}) {'**' if operator == '^' else operator} xl_number({right}))"

    def _operand(self) -> str:
        token = self._next()
        match token.type, token.subtype:
            case Token.OP_PRE, _:
                operand = self.parse(_POWERS["^"])
                return f"(-xl_number({operand}))" if token.value == "-" else operand
            case Token.PAREN, Token.OPEN:
                inner = self.parse()
                self._next()
                return inner
            case Token.FUNC, Token.OPEN:
                return self._function(token.value.rstrip("(").upper().removeprefix("_XLFN."))
            case Token.OPERAND, Token.NUMBER:
                return token.value
            case Token.OPERAND, Token.TEXT:
                return repr(token.value[1:-1].replace('""', '"'))
            case Token.OPERAND, Token.LOGICAL:
                return token.value.capitalize()
            case Token.OPERAND, Token.RANGE:
                return self._range(token.value)
            case _:
                raise MigrationError(f"Cell {self.cell}: {token.value!r} cannot be turned over.")

    def _function(self, name: str) -> str:
        if name not in FUNCTIONS:
            raise MigrationError(f"Cell {self.cell}: the function {name} is not known, so it cannot be turned over.")
        arguments: list[str] = []
        while (token := self._peek()) is not None and not (token.type == Token.FUNC and token.subtype == Token.CLOSE):
            if token.type == Token.SEP:
                self.at += 1
                continue
            arguments.append(self.parse())
        self._next()
        if name in ("IF", "IFERROR"):
            arguments = [f"lambda: {argument}" for argument in arguments]  # only the branch that counts is computed
        return f"xl_{name.lower()}({', '.join(arguments)})"

    def _range(self, text: str) -> str:
        names = list(list_cells(text, self.sheet, self.cell))
        self.reads |= dict.fromkeys(name for row in names for name in row)
        if ":" not in text:
            return f"c[{names[0][0]!r}]"
        return f"[{', '.join('[' + ', '.join(f'c[{name!r}]' for name in row) + ']' for row in names)}]"

    def _peek(self) -> Token | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def _next(self) -> Token:
        token = self._peek()
        if token is None:
            raise MigrationError(f"Cell {self.cell}: the formula ends too early.")
        self.at += 1
        return token


def parse_formula(text: str, *, sheet: str, cell: str) -> PythonFormula:
    """A formula, with its sign `=`, as a Python expression.

    Raises:
        MigrationError: something in it is not known; the message names the cell.
    """
    try:
        tokens = [token for token in Tokenizer(text).items if token.type != Token.WSPACE]
        parser = _Parser(tokens, f"{sheet}!{cell}", sheet)
        code = parser.parse()
    except RecursionError:
        raise MigrationError(f"Cell {sheet}!{cell}: the formula is nested too deeply.") from None
    if parser.at < len(tokens):
        raise MigrationError(f"Cell {sheet}!{cell}: {tokens[parser.at].value!r} cannot be turned over.")
    return PythonFormula(code=code, reads=tuple(parser.reads))


def list_cells(text: str, sheet: str, cell: str) -> Iterator[tuple[str, ...]]:
    """The names of the cells of a range, row by row: "Sheet1!A1".

    Raises:
        MigrationError: it is no range of cells, such as a defined name or another workbook, or it is too large.
    """
    owner, _, area = text.rpartition("!")
    owner = owner.strip("'") or sheet
    try:
        left, top, right, bottom = range_boundaries(area.replace("$", ""))
    except ValueError:
        raise MigrationError(f"Cell {cell}: {text!r} is no range of cells, so it cannot be turned over.") from None
    if "[" in owner or not (left and top and right and bottom):
        raise MigrationError(f"Cell {cell}: {text!r} is another workbook or a whole column. Name a range of cells.")
    if (right - left + 1) * (bottom - top + 1) > _RANGE_MAX:
        raise MigrationError(f"Cell {cell}: {text!r} has more than {_RANGE_MAX:,} cells.")
    for row in range(top, bottom + 1):
        yield tuple(f"{owner}!{get_column_letter(column)}{row}" for column in range(left, right + 1))
