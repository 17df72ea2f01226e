"""Static analysis of a cell before it runs: findings from its syntax tree, each with a line and a message.

It helps a person to review code; it is no protection: code can always be written so that no analysis sees what it does.
The cage is the protection. Pure; it runs nothing, and knows nothing of SQL.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Severity = Literal["note", "warning", "danger"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NETWORK = _words(
    """socket ssl http urllib urllib3 requests httpx aiohttp ftplib smtplib imaplib poplib telnetlib xmlrpc websocket
    websockets paramiko boto3 botocore grpc dns scapy socketserver"""
)
_PROCESS_MODULES = _words("subprocess pty pexpect sh plumbum")
_NATIVE_MODULES = _words("ctypes _ctypes cffi mmap")
_UNPICKLERS = _words(
    """pickle.load pickle.loads marshal.load marshal.loads dill.load joblib.load pandas.read_pickle cloudpickle.load
    cloudpickle.loads shelve.open"""
)
_PROCESS_CALLS = re.compile(r"os\.(system|popen|exec\w+|spawn\w+|posix_spawnp?|fork(pty)?|kill|killpg)$")
_DELETES = _words(
    """os.remove os.unlink os.rmdir os.removedirs os.rename os.replace os.truncate os.chmod os.chown shutil.rmtree
    shutil.move"""
)
_WRITES = _words(
    """shutil.copy shutil.copy2 shutil.copyfile shutil.copytree os.symlink os.link os.mkdir os.makedirs os.write
    numpy.save numpy.savez numpy.savetxt"""
)
_WRITE_METHODS = _words(
    """to_csv to_excel to_parquet to_feather to_pickle to_hdf to_stata to_sql savefig write_text write_bytes write_csv
    write_parquet write_excel"""
)
_PATH_DELETE_METHODS = _words("unlink rmdir rmtree")
_DYNAMIC = _words("eval exec compile __import__")
_INTROSPECTION = _words(
    """__subclasses__ __globals__ __builtins__ __bases__ __base__ __mro__ __code__ __closure__ __loader__ __spec__
    __getattribute__ __reduce__ __reduce_ex__ __import__ f_back f_globals f_locals f_builtins gi_frame tb_frame"""
)
_FRAMES = _words(
    """sys._getframe sys.settrace sys.setprofile sys.modules gc.get_objects gc.get_referrers inspect.currentframe
    inspect.stack"""
)
_READS = _words("open io.open os.listdir os.scandir os.walk glob.glob")
_ALLOWED_FOLDERS = ("/desk", "/data", "/tmp", "/dev/null")
_SHELL_LINE = re.compile(r"^(?P<indent>\s*)(?:[\w, ]+=\s*)?(?P<mark>!{1,2}|%{1,2})(?P<rest>[^=].*)?$")
_HELP_LINE = re.compile(r"^\s*\?{1,2}\S|^\s*[\w.]+\?{1,2}\s*$")
_SHELL_MAGICS = frozenset(
    ["bash", "sh", "script", "system", "sx", "perl", "ruby", "html", "javascript", "js", "writefile", "cmd"]
)
_HARMLESS_MAGICS = _words("time timeit matplotlib who whos who_ls precision pylab prun capture")
_URL = re.compile(r"^(https?|ftp|s3|gs|sftp|hdfs)://", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeFinding:
    """One thing worth a look.

    Attributes:
        line: Line of the cell, counted from 1.
        severity: note: good to know. warning: look at it. danger: has no place in an analysis.
        rule: A short stable name ("network", "process", "dynamic", "write", "delete", "read", "introspection",
            "packages", "shell", "magic", "native", "pickle", "environment", "threads", "endless", "input", "syntax").
        message: One sentence for a person.
    """

    line: int
    severity: Severity
    rule: str
    message: str


def find_risks(code: str) -> tuple[CodeFinding, ...]:
    """What is worth a look in `code`, by line; each rule at most once a line. Raises nothing."""
    collected: list[CodeFinding] = []
    tree = _parse(code, collected)
    if tree is not None:
        collected += _Reader().read(tree)
    distinct = {(finding.line, finding.rule): finding for finding in reversed(collected)}
    return tuple(sorted(distinct.values(), key=lambda finding: (finding.line, finding.rule)))


def _parse(code: str, findings: list[CodeFinding]) -> ast.Module | None:
    try:
        return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        first: Exception = error
    # Perhaps only IPython's own lines stand in the way: report and blank them, then read the rest.
    lines = code.split("\n")
    blanked = [_without_ipython(number, line, findings) for number, line in enumerate(lines, start=1)]
    if lines and lines[0].lstrip().startswith("%%") and _magic_name(lines[0]) not in _HARMLESS_MAGICS:
        return None  # the whole cell belongs to that magic
    try:
        if blanked != lines:
            return ast.parse("\n".join(blanked))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        first = error
    line = first.lineno if isinstance(first, SyntaxError) and first.lineno else 1
    reason = first.msg if isinstance(first, SyntaxError) else str(first) or type(first).__name__
    findings.append(
        CodeFinding(line=line, severity="warning", rule="syntax", message=f"This is not valid Python: {reason}.")
    )
    return None


def _without_ipython(number: int, line: str, findings: list[CodeFinding]) -> str:
    if _HELP_LINE.match(line):
        return ""
    match = _SHELL_LINE.match(line)
    if match is None:
        return line
    mark, name = match["mark"], _magic_name(line)
    words = (match["rest"] or "").split()
    if "install" in words and ("pip" in words or name in ("pip", "conda", "uv", "mamba")):
        findings.append(_packages(number))
    elif mark.startswith("!") or name in _SHELL_MAGICS:
        message = "Runs a shell command, which cannot be read as Python."
        findings.append(CodeFinding(line=number, severity="danger", rule="shell", message=message))
    elif name not in _HARMLESS_MAGICS:
        message = f"Uses IPython's %{name}, which works only in a notebook."
        findings.append(CodeFinding(line=number, severity="warning", rule="magic", message=message))
    return f"{match['indent']}pass"


def _magic_name(line: str) -> str:
    match = re.search(r"%{1,2}\s*(\w+)", line)
    return match[1] if match else ""


def _packages(line: int) -> CodeFinding:
    message = "Installs packages: the cage has no network; ask for the package instead."
    return CodeFinding(line=line, severity="warning", rule="packages", message=message)


class _Reader:
    """Walks one tree, knowing under which names modules were imported."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {"pd": "pandas", "np": "numpy"}

    def read(self, tree: ast.Module) -> Iterator[CodeFinding]:
        nodes = list(ast.walk(tree))
        for node in nodes:
            self._learn(node)
        for node in nodes:
            for severity, rule, message in self._judge(node):
                line = getattr(node, "lineno", 1)
                yield CodeFinding(line=line, severity=severity, rule=rule, message=message)

    def _learn(self, node: ast.AST) -> None:
        match node:
            case ast.Import(names=names):
                for alias in names:
                    self._names[alias.asname or alias.name.split(".")[0]] = (
                        alias.name if alias.asname else alias.name.split(".")[0]
                    )
            case ast.ImportFrom(module=str(module), names=names):
                for alias in names:
                    self._names[alias.asname or alias.name] = f"{module}.{alias.name}"
            case _:
                pass

    def _dotted(self, node: ast.AST) -> str:
        match node:
            case ast.Name(id=name):
                return self._names.get(name, name)
            case ast.Attribute(value=value, attr=attr):
                base = self._dotted(value)
                return f"{base}.{attr}" if base else ""
            case _:
                return ""

    def _judge(self, node: ast.AST) -> Iterator[tuple[Severity, str, str]]:
        match node:
            case ast.Import() | ast.ImportFrom():
                yield from _judge_import(node)
            case ast.Call():
                yield from self._judge_call(node)
            case ast.Attribute(attr=attr):
                if attr in _INTROSPECTION:
                    yield "danger", "introspection", f"Reaches into Python's internals (.{attr})."
                yield from _judge_name(self._dotted(node))
            case ast.Name(id="__builtins__" | "__loader__" | "__spec__" as name):
                yield "danger", "introspection", f"Reaches into Python's internals ({name})."
            case ast.While(test=ast.Constant(value=value)) if value and not _leaves(node):
                yield "note", "endless", "This loop has no way out; it will be stopped when its time is up."
            case ast.Constant(value=str(text)) if text in _INTROSPECTION:
                yield "warning", "introspection", f"Names one of Python's internals ({text!r})."
            case _:
                pass

    def _judge_call(self, call: ast.Call) -> Iterator[tuple[Severity, str, str]]:
        name = self._dotted(call.func)
        method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        first = _text(call.args[0]) if call.args else None
        if name in _DYNAMIC or name == "importlib.import_module":
            yield "danger", "dynamic", f"{name}() runs code that cannot be read here."
        if name in _UNPICKLERS:
            yield "warning", "pickle", f"{name}() runs whatever code the file holds."
        if name in ("input", "getpass.getpass"):
            yield "warning", "input", f"{name}() waits for a keyboard; there is none."
        if name in ("threading.Thread", "threading.Timer", "concurrent.futures.ThreadPoolExecutor"):
            yield "note", "threads", "Starts a thread; what outlives the cell gets no data from the host."
        if name in ("pip.main", "pip._internal.main"):
            finding = _packages(call.lineno)
            yield finding.severity, finding.rule, finding.message
        if first is not None and _URL.match(first):
            yield "warning", "network", f"Wants to reach {_short(first)}: the cage has no network."
        if name in ("getattr", "setattr", "delattr", "hasattr") and len(call.args) > 1:
            attribute = _text(call.args[1])
            if attribute is None:
                yield "warning", "introspection", f"{name}() with a name that is only known when it runs."
        yield from self._judge_files(call, name, method, first)

    def _judge_files(
        self, call: ast.Call, name: str, method: str, first: str | None
    ) -> Iterator[tuple[Severity, str, str]]:
        writes = False
        if name in ("open", "io.open") or method == "open":
            mode = _mode(call, position=0 if method == "open" and name not in ("io.open",) else 1)
            writes = mode is None or any(letter in mode for letter in "wax+")
        elif name in _WRITES or (method in _WRITE_METHODS and (call.args or call.keywords)):
            writes = True
        if name in _DELETES or method in _PATH_DELETE_METHODS:
            yield "warning", "delete", f"{name or method}() removes or changes files."
        elif writes:
            if first is not None and _is_outside(first):
                yield "warning", "write", f"Writes {_short(first)}, which is outside the work folder."
            else:
                yield "note", "write", f"{method or name}() writes a file into the work folder."
        elif (name in _READS or method.startswith("read_")) and first is not None and _is_outside(first):
            yield "warning", "read", f"Reads {_short(first)}, which the cage does not show."


def _judge_import(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[Severity, str, str]]:
    match node:
        case ast.Import(names=names):
            for alias in names:
                yield from _judge_module(alias.name)
        case ast.ImportFrom(module=str(module), names=names):
            yield from _judge_module(module)
            for alias in names:
                yield from _judge_name(f"{module}.{alias.name}")
        case _:
            pass  # from . import name: a cell has no package


def _judge_module(module: str) -> Iterator[tuple[Severity, str, str]]:
    top = module.split(".", maxsplit=1)[0]
    if top in _NETWORK and module not in ("urllib.parse", "http.cookies"):
        yield "warning", "network", f"Imports {module}: the cage has no network."
    elif top in _PROCESS_MODULES:
        yield "danger", "process", f"Imports {module}, which starts other programs."
    elif top in _NATIVE_MODULES:
        yield "danger", "native", f"Imports {module}, which goes past Python to the machine."
    elif top == "multiprocessing":
        yield "note", "process", "Starts processes; they share the session's limits."
    elif top in ("pip", "conda", "ensurepip"):
        yield "warning", "packages", "Handles packages: the cage has no network; ask for the package instead."


def _judge_name(name: str) -> Iterator[tuple[Severity, str, str]]:
    if _PROCESS_CALLS.match(name):
        yield "danger", "process", f"{name} starts or ends other programs."
    elif name in _FRAMES:
        yield "danger", "introspection", f"{name} reaches into Python's internals."
    elif name in ("os.environ", "os.getenv", "os.environb"):
        yield "note", "environment", "Reads the environment, which holds no secrets inside the cage."


def _text(node: ast.AST) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _mode(call: ast.Call, *, position: int) -> str | None:
    """The mode of an `open`, "r" where none is given, None where it is not a constant."""
    for keyword in call.keywords:
        if keyword.arg == "mode":
            return _text(keyword.value)
    return _text(call.args[position]) if len(call.args) > position else "r"


def _is_outside(path: str) -> bool:
    if path.startswith("~") or ".." in path.split("/"):
        return True
    return path.startswith("/") and not path.startswith(_ALLOWED_FOLDERS)


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:57]}...")


def _leaves(loop: ast.While) -> bool:
    return any(isinstance(node, (ast.Break, ast.Return, ast.Raise, ast.Yield)) for node in ast.walk(loop))
