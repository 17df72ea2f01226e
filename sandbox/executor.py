"""AutoGen's `CodeExecutor` over a caged kernel: a drop-in replacement for its JupyterCodeExecutor.

It differs where that one is wrong: it passes no environment on, an expired time limit stops the cell, and a later call
never returns an earlier cell's output.
"""

from __future__ import annotations

import asyncio
import base64
import json
import uuid
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from autogen_core import CancellationToken, Component
from autogen_core.code_executor import CodeBlock, CodeExecutor, CodeResult
from pydantic import BaseModel

from . import temporary, trees
from .blocking import in_thread
from .cage.policy import Level
from .kernel import Kernel
from .levels import find
from .limits import Limits
from .pool import Pool
from .results import ERROR_MIME, Execution, Output

_KERNEL_NAME = "python3"
_LANGUAGES = ("", "python", "py", "python3", "ipython")
_SILENT_MIMES = ("application/vnd.dataresource+json",)  # the same table is there as text and HTML


@dataclass
class CagedCodeResult(CodeResult):
    """A result with the files (images, HTML) that its outputs were written to."""

    output_files: list[Path]


class CagedCodeExecutorConfig(BaseModel):
    """What `dump_component` keeps."""

    kernel_name: str = _KERNEL_NAME
    timeout: int = 60
    output_dir: str | None = None
    level: Level | None = None
    allow_process: bool = False


class CagedCodeExecutor(CodeExecutor, Component[CagedCodeExecutorConfig]):
    """Runs code blocks one after the other in one persistent kernel.

    Args:
        kernel_name: There is one kernel, "python3"; here so that this stands where JupyterCodeExecutor stood.
        timeout: Seconds for each block, at least 1.
        output_dir: Where images and HTML are written; a temporary folder by default, removed by `stop`.
        level: Which cage; None takes the strongest that holds here.
        allow_process: Consent to run without walls where no cage holds.
    """

    component_config_schema = CagedCodeExecutorConfig
    component_provider_override = "sandbox.executor.CagedCodeExecutor"

    def __init__(
        self,
        kernel_name: str = _KERNEL_NAME,
        timeout: int = 60,
        output_dir: Path | str | None = None,
        *,
        level: Level | None = None,
        allow_process: bool = False,
    ) -> None:
        if kernel_name != _KERNEL_NAME:
            raise ValueError(f"the cage holds a Python kernel, {_KERNEL_NAME!r}, and {kernel_name!r} was asked for")
        if timeout < 1:
            raise ValueError("Timeout must be greater than or equal to 1.")
        self._timeout = timeout
        self._output_dir = Path(output_dir) if output_dir is not None else None
        self._level: Level | None = level
        self._allow_process = allow_process
        self._pool: Pool | None = None
        self._kernel: Kernel | None = None
        self._folder: Path | None = None

    @property
    def output_dir(self) -> Path | None:
        """Where images and HTML go; None before `start` where no folder was named."""
        if self._output_dir == Path():
            warnings.warn("Using the current directory as output_dir is deprecated", DeprecationWarning, stacklevel=2)
        return self._outputs

    @property
    def _outputs(self) -> Path | None:
        return self._output_dir or (self._folder / "output" if self._folder is not None else None)

    async def start(self) -> None:
        """Choose a cage and lease a kernel. Does nothing where that was done.

        Raises:
            SandboxError: No acceptable cage holds here, or no kernel came up.
        """
        if self._kernel is not None:
            return
        report = await find(self._level, allow_process=self._allow_process)
        self._folder = await asyncio.to_thread(temporary.make, "executor")
        self._pool = Pool(level=report.level, limits=Limits(wall_s=self._timeout), size=0)
        try:
            await self._pool.__aenter__()
            self._kernel = await self._pool.lease(desk=self._folder / "desk", data=self._folder / "data")
        except BaseException:
            await self.stop()
            raise

    async def stop(self) -> None:
        """End the kernel and remove what was temporary."""
        pool, self._pool, self._kernel = self._pool, None, None
        if pool is not None:
            await pool.__aexit__()
        folder, self._folder = self._folder, None
        if folder is not None:
            await in_thread(trees.remove, folder)

    async def restart(self) -> None:
        """Begin with an empty kernel."""
        if self._kernel is None:
            await self.start()
        else:
            await self._kernel.restart()

    async def execute_code_blocks(
        self, code_blocks: list[CodeBlock], cancellation_token: CancellationToken
    ) -> CagedCodeResult:
        """Run the blocks until one fails.

        Raises:
            ValueError: A block is not Python.
            RuntimeError: `start` was not called.
            asyncio.TimeoutError: A block took too long; it has been stopped, and the kernel serves again.
            asyncio.CancelledError: The token was cancelled; likewise.
        """
        if self._kernel is None:
            raise RuntimeError("Executor must be started before executing cells")
        for block in code_blocks:
            if block.language.lower() not in _LANGUAGES:
                raise ValueError(f"only Python runs here, and a block is in {block.language!r}")
        texts: list[str] = []
        files: list[Path] = []
        for block in code_blocks:
            cell = asyncio.create_task(self._kernel.execute(block.code))
            cancellation_token.link_future(cell)
            execution = await cell
            if execution.status == "timeout":
                raise TimeoutError(execution.failure.message if execution.failure is not None else "")
            if execution.status == "interrupted":
                raise asyncio.CancelledError
            text, paths = await asyncio.to_thread(self._render, execution)
            texts.append(text)
            files += paths
            if not execution.ok:
                return CagedCodeResult(exit_code=1, output="\n".join(texts), output_files=files)
        return CagedCodeResult(exit_code=0, output="\n".join(texts), output_files=files)

    def _render(self, execution: Execution) -> tuple[str, list[Path]]:
        texts: list[str] = []
        files: list[Path] = []
        for output in execution.outputs:
            if output.kind == "stream":
                texts.append(output.text)
            elif output.kind == "error":
                texts.append("\n".join(output.to_nbformat()["traceback"]))
            else:
                self._render_bundle(output, texts, files)
        if execution.failure is not None and not any(output.kind == "error" for output in execution.outputs):
            texts.append(execution.failure.message)
        return "\n".join(texts), files

    def _render_bundle(self, output: Output, texts: list[str], files: list[Path]) -> None:
        for mime, content in output.data.items():
            match mime:
                case "text/plain":
                    texts.append(output.text)
                case "image/jpeg" if "image/png" in output.data:
                    pass  # the same picture, with losses
                case "image/png" | "image/jpeg" if isinstance(content, str):
                    files.append(self._save(base64.b64decode(content), mime.partition("/")[2]))
                case "text/html" | "image/svg+xml" if isinstance(content, str):
                    files.append(self._save(content.encode(), "html" if mime == "text/html" else "svg"))
                case _ if mime not in (*_SILENT_MIMES, ERROR_MIME):
                    texts.append(json.dumps(content))
                case _:
                    pass

    def _save(self, content: bytes, suffix: str) -> Path:
        folder = self._outputs
        assert folder is not None
        folder.mkdir(parents=True, exist_ok=True)
        path = folder.absolute() / f"{uuid.uuid4().hex}.{suffix}"
        path.write_bytes(content)
        return path

    def _to_config(self) -> CagedCodeExecutorConfig:
        output_dir = str(self._output_dir) if self._output_dir is not None else None
        return CagedCodeExecutorConfig(
            timeout=self._timeout, output_dir=output_dir, level=self._level, allow_process=self._allow_process
        )

    @classmethod
    def _from_config(cls, config: CagedCodeExecutorConfig) -> Self:
        return cls(
            kernel_name=config.kernel_name,
            timeout=config.timeout,
            output_dir=config.output_dir,
            level=config.level,
            allow_process=config.allow_process,
        )
