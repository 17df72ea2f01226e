"""What a Python cell's text gives away before it runs, beside what is in the kernel. Pure.

Names that nothing defines, columns that a frame has not, fields that a chart's data has not, a cell that works with no
result at all. A frame that the cell itself changes is not looked at further: no finding is better than a false one.
"""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from assistant.cells.first_cell import list_aliases
from assistant.core.events import Finding, Variable

_PREDEFINED = ("query", "files", "display", "get_ipython", "In", "Out", "_", "__", "_i", "exit", "quit")
"""Names that every cell has besides its imports."""
_NAMED_MAX = 8
_CHANGING = ("insert", "pop", "rename", "drop", "set_index", "reset_index", "join", "merge", "update", "columns")
"""What may give a frame other columns in place."""
_LABELLED = ("sort_values", "groupby", "set_index", "drop_duplicates", "nlargest", "nsmallest")
"""What takes columns by name as its first argument, or as `by`, `subset`, `keys`."""
_CALLED = ("sum", "mean", "median", "count", "size", "min", "max", "head", "describe", "reset_index")
_DRAWING = (
    ast.expr_context,
    ast.operator,
    ast.Call,
    ast.Constant,
    ast.List,
    ast.Tuple,
    ast.Dict,
    ast.BinOp,
    ast.UnaryOp,
    ast.unaryop,
)
"""What else an expression is made of that only draws: charts are layered and put side by side by operators."""
_COMPUTING = ("transform", "datum", "expr", "from_dict", "from_json", "save")
"""What of altair computes fields, or does something else than to draw."""
_SHORTHAND = re.compile(r"(?:(?P<figure>\w+)\((?P<inner>.*)\)|(?P<field>.+?))(?::[QNOTG])?")


def review_cell(code: str, variables: Sequence[Variable]) -> tuple[Finding, ...]:
    """Likely mistakes of a Python cell; none where it cannot be parsed.

    Args:
        code: The cell.
        variables: What is in the kernel, by its profile.
    """
    tree = _parse(code)
    if tree is None:
        return ()
    frames = _find_unchanged_frames(tree, variables)
    findings = (
        *_find_undefined_names(tree, variables),
        *_find_missing_columns(tree, frames),
        *_find_missing_labels(tree, frames),
        *_find_missing_fields(tree, frames),
        *_find_idle_code(tree),
        *_find_unrelated(tree, variables),
    )
    return tuple({finding.text: finding for finding in findings}.values())


def is_plain_chart(code: str, variables: Sequence[Variable]) -> bool:
    """Whether a cell only draws columns of results as they are: it computes nothing, so nothing is to be judged.

    Args:
        code: The cell.
        variables: What is in the kernel, by its profile.
    """
    tree = _parse(code)
    if tree is None:
        return False
    results = {variable.name for variable in variables}
    charts, has_data = {"alt"}, False
    for statement in tree.body:
        match statement:
            case ast.Import(names=[ast.alias(name="altair", asname="alt")]):
                continue
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                charts.add(name)
            case ast.Expr(value=value):
                pass
            case _:
                return False
        nodes = list(ast.walk(value))
        if not all(_only_draws(node, charts, results - charts) for node in nodes):
            return False
        has_data = has_data or any(_find_chart_data(node) in results for node in nodes if isinstance(node, ast.Call))
    return has_data


def _parse(code: str) -> ast.Module | None:
    try:
        return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError):
        return None


def _only_draws(node: ast.AST, charts: Collection[str], results: Collection[str]) -> bool:
    """Whether a part of an expression puts charts together, and computes nothing."""
    match node:
        case ast.Name(id=name):
            return name in charts or name in results
        case ast.Attribute(value=ast.Name(id=name), attr=attr):
            return name in charts and not attr.startswith(_COMPUTING)
        case ast.Attribute(attr=attr):
            return not attr.startswith(_COMPUTING)
        case ast.Constant(value=str() as text):
            shorthand = _SHORTHAND.fullmatch(text.strip())
            return shorthand is None or shorthand["figure"] is None
        case ast.keyword(arg=name):
            return name not in ("aggregate", "bin", "timeUnit", "impute")
        case _:
            return isinstance(node, _DRAWING)


def _find_undefined_names(tree: ast.Module, variables: Sequence[Variable]) -> Iterator[Finding]:
    """Names that neither the cell nor the kernel defines."""
    from pyflakes.checker import Checker
    from pyflakes.messages import UndefinedName

    defined_names = {*_PREDEFINED, *list_aliases(), *(variable.name for variable in variables)}
    messages: list[Any] = Checker(tree, builtins=defined_names).messages
    for message in messages:
        if isinstance(message, UndefinedName):
            name = str(message.message_args[0])
            near = difflib.get_close_matches(name, defined_names, n=1, cutoff=0.75)
            hint = f" Did you mean {near[0]}?" if near else " Import it, or name what holds it."
            yield Finding(level="warning", text=f"Nothing defines the name {name}.{hint}", line=message.lineno)


def _find_unchanged_frames(tree: ast.Module, variables: Sequence[Variable]) -> Mapping[str, tuple[str, ...]]:
    """The frames of the kernel whose columns are all known and that the cell does not change, with their columns."""
    frames = {
        v.name: v.columns
        for v in variables
        if v.type.endswith("DataFrame")
        and v.shape is not None
        and len(v.shape) == 2
        and len(v.columns) == v.shape[1]
        and not any(column.startswith("(") for column in v.columns)  # labels of several levels
    }
    changed: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                changed.add(name)
            case ast.Subscript(ctx=ast.Store() | ast.Del()) | ast.Attribute(ctx=ast.Store() | ast.Del()):
                changed |= {n.id for n in ast.walk(node.value) if isinstance(n, ast.Name)}
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr), keywords=keywords) if (
                attr in _CHANGING
            ):
                if attr in ("insert", "pop", "update") or any(k.arg == "inplace" for k in keywords):
                    changed.add(name)
            case ast.arg(arg=name):
                changed.add(name)  # the parameter of a function hides the frame
            case _:
                pass
    return {name: columns for name, columns in frames.items() if name not in changed}


def _find_missing_columns(tree: ast.Module, frames: Mapping[str, tuple[str, ...]]) -> Iterator[Finding]:
    """`frame["column"]` and `frame[["a", "b"]]` of columns that the frame has not."""
    for node in ast.walk(tree):
        match node:
            case ast.Subscript(value=ast.Name(id=name), slice=labels) if name in frames:
                for label in labels.elts if isinstance(labels, ast.List) else (labels,):
                    if isinstance(label, ast.Constant) and isinstance(label.value, str):
                        yield from _report_absent(label.value, name, frames[name], node.lineno)
            case _:
                pass


def _find_missing_labels(tree: ast.Module, frames: Mapping[str, tuple[str, ...]]) -> Iterator[Finding]:
    """Columns that a method of a frame is told by name: `frame.sort_values("column")`."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr)) if (
                name in frames and attr in _LABELLED
            ):
                arguments = [
                    *(node.args[:1] if attr not in ("nlargest", "nsmallest") else node.args[1:2]),
                    *(k.value for k in node.keywords if k.arg in ("by", "subset", "keys")),
                ]
                for labels in arguments:
                    for label in labels.elts if isinstance(labels, ast.List) else (labels,):
                        if isinstance(label, ast.Constant) and isinstance(label.value, str):
                            yield from _report_absent(label.value, name, frames[name], node.lineno)
            case _:
                pass


def _find_idle_code(tree: ast.Module) -> Iterator[Finding]:
    """What is worked out and never used or shown, and a method that is named and not called."""
    names_used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    names_in_result = {n.id for n in ast.walk(tree.body[-1]) if isinstance(n, ast.Name)} if tree.body else set[str]()
    for statement in tree.body[:-1]:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)]) if (
                name not in names_used | names_in_result and not name.startswith("_")
            ):
                text = f"{name} is worked out and neither used nor shown."
                yield Finding(level="warning", text=text, line=statement.lineno)
            case _:
                pass
    match tree.body[-1] if tree.body else None:
        case ast.Expr(value=ast.Attribute(value=ast.Call(), attr=attr)) if attr in _CALLED:
            text = f"{attr} is named and not called: write {attr}()."
            yield Finding(level="warning", text=text, line=tree.body[-1].lineno)
        case _:
            pass


def _find_missing_fields(tree: ast.Module, frames: Mapping[str, tuple[str, ...]]) -> Iterator[Finding]:
    """Fields of an altair chart that its data has not: it would be drawn without them, and nothing would say so."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr != "encode":
            continue
        data = _find_chart_data(node.func.value)
        if data is None or data not in frames:
            continue
        for text, line in _find_shorthands([*node.args, *(keyword.value for keyword in node.keywords)]):
            field = _parse_field(text)
            if field is None or field in frames[data]:
                continue
            plain = field.replace("\\", "")
            if plain in frames[data]:
                continue
            yield from _report_absent(field, data, frames[data], line)
        for text, line in _find_shorthands([*node.args, *(keyword.value for keyword in node.keywords)]):
            field = _parse_field(text)
            if field in frames[data] and re.search(r"(?<!\\)[.\[\]]", field or ""):
                message = (
                    f"altair reads the dot or bracket in {field!r} as nesting, and draws nothing. Rename the column."
                )
                yield Finding(level="warning", text=message, line=line)


def _find_chart_data(node: ast.expr) -> str | None:
    """The name of the data behind a chain of calls that begins with `alt.Chart(name)`; None where it is transformed."""
    while isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr == "Chart":
            return node.args[0].id if node.args and isinstance(node.args[0], ast.Name) else None
        if not isinstance(node.func, ast.Attribute) or node.func.attr.startswith("transform"):
            return None
        node = node.func.value
    return None


def _find_shorthands(values: Iterable[ast.expr]) -> Iterator[tuple[str, int]]:
    for value in values:
        match value:
            case ast.Constant(value=str() as text):
                yield text, value.lineno
            case ast.Call(func=ast.Attribute(attr="value" | "datum" | "condition")):
                pass
            case ast.Call(func=ast.Attribute(), args=[ast.Constant(value=str() as text), *_]):
                yield text, value.lineno
            case ast.List(elts=elements):
                yield from _find_shorthands(elements)
            case _:
                pass


def _parse_field(shorthand: str) -> str | None:
    """The field of an encoding's shorthand: `sum(revenue):Q` is of revenue, `count()` of none."""
    match = _SHORTHAND.fullmatch(shorthand.strip())
    if match is None:
        return None
    return (match["field"] or match["inner"] or "").strip() or None


def _report_absent(label: str, name: str, columns: tuple[str, ...], line: int) -> Iterator[Finding]:
    if label in columns:
        return
    near = difflib.get_close_matches(label, columns, n=1, cutoff=0.7)
    column_list = ", ".join(columns[:_NAMED_MAX]) + (", …" if len(columns) > _NAMED_MAX else "")
    hint = f"Did you mean {near[0]!r}?" if near else f"It has {column_list}."
    yield Finding(level="warning", text=f"{name} has no column {label!r}. {hint}", line=line)


def _find_unrelated(tree: ast.Module, variables: Sequence[Variable]) -> Iterator[Finding]:
    """A cell that works with nothing that is there: its figures can only stand in it."""
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    if variables and not used & {"query", "files", *(variable.name for variable in variables)}:
        text = "It uses no earlier result and asks no source: whatever it shows was written into it."
        yield Finding(level="warning", text=text)
