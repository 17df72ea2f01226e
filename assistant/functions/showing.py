"""Functions that a model wrote by test, as text: specification, tests, results and code. Pure."""

from __future__ import annotations

from assistant.core.events import FunctionsProposed, WrittenFunction


def format_functions(proposed: FunctionsProposed) -> str:
    """Specification, code, tests and results of each function, and what was changed on the way."""
    parts = [_format_function(function) for function in proposed.functions]
    parts += [
        f"{repair.category} ({repair.outcome}): {repair.cause} {repair.note}".strip() for repair in proposed.repairs
    ]
    if (doubt := proposed.doubt) is not None:
        parts.append(f"The test {doubt.test} of {doubt.function} seems wrong: {doubt.cause}\n{doubt.tests}")
    return "\n".join(parts)


def _format_function(function: WrittenFunction) -> str:
    lines = [
        f"{function.name}: {function.purpose}",
        *(f"  {entry}" for entry in function.inputs),
        f"  gives {function.output}",
        f"  needs {', '.join(function.needs)}" if function.needs else "",
        f"  time {function.complexity}" if function.complexity else "",
        *(f"  {result.outcome}: {result.name} {result.message}".rstrip() for result in function.results),
        f"  {function.error}" if function.error else "",
        f"\n{function.code}\n# --- tests\n{function.tests}",
    ]
    return "\n".join(line for line in lines if line)
