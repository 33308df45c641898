"""Handler: runs the tool's function, in a thread of our own when it is a plain function."""

import asyncio
import contextvars
import functools
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from drift.kernel.answer import Answer
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.pipeline.request import Request
from drift.registry import Call, Outcome, Runtime, ToolDefinition

# The SDK and anyio share one pool of 40 threads with their own reading and writing; slow tools
# in it would stall the whole server, so tools have a pool of their own.
_TOOL_THREADS = 16
# Calls without a time limit could hold all of those for as long as they like; more of them than this wait in line.
_LONG_THREADS = 4


class HandlerStep:
    """Calls functions with a `Call` and their bound arguments."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._threads = ThreadPoolExecutor(_TOOL_THREADS, thread_name_prefix="drift-tool")
        self._long_threads = ThreadPoolExecutor(_LONG_THREADS, thread_name_prefix="drift-long-tool")

    async def __call__(self, request: Request) -> Answer[Any] | Outcome:
        call = self._call(request)
        limit = request.settled_project.config.mcp.call_timeout_seconds
        seconds = time_left(limit, time.perf_counter() - request.started) if request.tool.is_timed else None
        try:
            async with asyncio.timeout(seconds):
                done = await self._run(request, call)
        except TimeoutError:
            request.cancelled.set()
            raise DriftError(
                ErrorCode.TIMEOUT,
                f"{request.tool.name} took longer than {limit} s",
                Recovery(hint="Narrow the question, or raise mcp.call_timeout_seconds."),
            ) from None
        except asyncio.CancelledError:
            request.cancelled.set()
            raise
        notes = [note for ask in call.closing_notes for note in ask()]
        request.warnings.extend(note for note in dict.fromkeys(notes) if note not in request.warnings)
        return done

    async def _run(self, request: Request, call: Call) -> Answer[Any] | Outcome:
        tool = request.tool
        if tool.is_async:
            result: Answer[Any] | Outcome = await _start(tool, call)
            return result
        context = contextvars.copy_context()
        # The first call of a tool loads its module, in the thread, so that no other call waits for that.
        work = functools.partial(context.run, _start, tool, call)
        threads = self._long_threads if tool.is_long else self._threads
        return await asyncio.get_running_loop().run_in_executor(threads, work)

    def close(self) -> None:
        """Let running tools end on their own; take no new ones."""
        for threads in (self._threads, self._long_threads):
            threads.shutdown(wait=False, cancel_futures=True)

    def _call(self, request: Request) -> Call:
        return Call(
            project=request.settled_project,
            tool=request.tool,
            arguments=request.arguments,
            caller=request.caller,
            client=request.client,
            runtime=self._runtime,
            request_id=request.id,
            depth=request.depth,
            max_tokens=request.max_tokens,
            relayed=request.relayed,
            cancelled=request.cancelled,
            index=request.index,
        )


def _start(tool: ToolDefinition, call: Call) -> Any:
    """The function's result, or what is to be awaited for it."""
    return tool.code.function(call, **tool.code.bind(call.arguments))


def time_left(limit_seconds: float, spent_seconds: float) -> float:
    """How long a tool may run of a call's time: what was spent on a fresh index counts, but leaves it half."""
    return limit_seconds - min(spent_seconds, limit_seconds / 2)
