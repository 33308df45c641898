"""A real `drift mcp memory` over stdio, which obeys permissions, and a valid call of every one of its tools."""

import ctypes
import json
import os
import subprocess
import sys
from contextlib import contextmanager

from forked import start_drift

PATIENCE_SECONDS = 300
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "tests", "version": "1"}}
IS_ROOT = os.name == "posix" and os.geteuid() == 0


def become_an_owner():
    """Give up CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH, with which root may write whatever the modes say."""
    library = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)  # version 3, this process
    rights = (ctypes.c_uint32 * 6)()  # effective, permitted and inheritable ones, in two halves
    failed = library.capget(header, rights)
    rights[0] &= ~0b110
    rights[1] &= ~0b110
    if failed or library.capset(header, rights):
        sys.exit("the rights cannot be given up")


NOTE = "Retries of payments must keep the idempotency key, or customers are charged twice."

# A call that only reads, and one that writes, of each tool that has it. ID is a memory that is there.
ID = "<id>"
READING = {
    "drift_grounding_check": {"memoryId": ID},
    "drift_memory_agent_spawn": {"action": "suggest", "query": "review the payment code"},
    "drift_memory_brief": {},
    "drift_memory_conflicts": {},
    "drift_memory_consolidate": {"dryRun": True},
    "drift_memory_context": {"focus": "payments are charged twice"},
    "drift_memory_contradictions": {},
    "drift_memory_conversation": {"action": "search", "query": "pricing"},
    "drift_memory_discover": {},
    "drift_memory_entity": {"action": "search", "query": "billing"},
    "drift_memory_environment": {"action": "list"},
    "drift_memory_explain": {"memoryId": ID},
    "drift_memory_export": {},
    "drift_memory_for_context": {"focus": "payments are charged twice", "activeFile": "orders.py"},
    "drift_memory_get": {"id": ID},
    "drift_memory_goal": {"action": "list"},
    "drift_memory_graph": {"memoryId": ID},
    "drift_memory_health": {},
    "drift_memory_hygiene": {},
    "drift_memory_incident": {"action": "warnings", "query": "change the retry of payments"},
    "drift_memory_manage": {"name": "drift_memory_search", "args": {"query": "payments"}},
    "drift_memory_meeting": {"action": "search", "query": "planning"},
    "drift_memory_path": {"action": "recall", "text": "KeyError: 'discount' in cart.total"},
    "drift_memory_predict": {"activeFile": "orders.py"},
    "drift_memory_query": {"from": ID},
    "drift_memory_search": {"query": "payments", "sessionId": "s1"},
    "drift_memory_skill": {"action": "relevant", "query": "tune a query"},
    "drift_memory_stash": {"action": "list"},
    "drift_memory_status": {},
    "drift_memory_suggest": {},
    "drift_memory_validate": {},
    "drift_memory_warnings": {"files": ["orders.py"]},
    "drift_memory_workflow": {"action": "search", "query": "cut a release"},
    "drift_why": {"focus": "orders.py"},
    "recall": {"query": "payments"},
}
WRITING = {
    "drift_memory_add": {"type": "tribal", "text": "The importer must run before midnight UTC."},
    "drift_memory_agent_spawn": {
        "action": "create",
        "fields": {"name": "Reviewer", "slug": "reviewer", "systemPrompt": "Review."},
    },
    "drift_memory_conversation": {"action": "record", "fields": {"title": "Pricing", "summary": "Cents."}},
    "drift_memory_delete": {"id": ID},
    "drift_memory_entity": {"action": "create", "fields": {"name": "Billing", "entityType": "service"}},
    "drift_memory_environment": {"action": "create", "fields": {"name": "staging"}},
    "drift_memory_feedback": {"memoryId": ID, "action": "confirm"},
    "drift_memory_goal": {"action": "create", "fields": {"title": "Drop Python 3.10"}},
    "drift_memory_import": {
        "memories": [{"id": "n1", "type": "tribal", "text": "Retries are capped at two"}]
    },
    "drift_memory_incident": {"action": "record", "fields": {"title": "Charged twice"}},
    "drift_memory_ingest": {},
    "drift_memory_learn": {"original": "requests.get(url)", "feedback": "Use httpx instead of requests."},
    "drift_memory_manage": {"name": "save_memory", "args": {"text": "The bank refuses cents."}},
    "drift_memory_meeting": {"action": "record", "fields": {"title": "Planning", "decisions": ["Weekly"]}},
    "drift_memory_path": {"action": "start", "text": "KeyError: 'discount' in cart.total"},
    "drift_memory_skill": {"action": "create", "fields": {"name": "SQL"}},
    "drift_memory_stash": {"action": "stash", "topic": "Retry of payments", "summary": "Tests missing"},
    "drift_memory_update": {"id": ID, "importance": "high"},
    "drift_memory_workflow": {"action": "create", "fields": {"name": "release", "steps": []}},
    "recall": {"action": "purge", "ids": [ID]},
    "save_memory": {"text": "Images are resized by the worker, never in the request."},
}


class Server:
    """One server process in a project, asked one thing at a time."""

    def __init__(self, process):
        self.process = process
        self._number = 0

    def request(self, method, **params):
        self._number += 1
        message = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        self.send(message)
        while line := self.process.stdout.readline():
            answer = json.loads(line)
            if answer.get("id") == self._number and "method" not in answer:
                return answer["result"]
        raise AssertionError("the server ended")

    def call(self, tool, arguments, **placed):
        """The answer's structured content; `isError` is put into it."""
        text = json.dumps(arguments)
        for name, value in placed.items():
            text = text.replace(f"<{name}>", value)
        result = self.request("tools/call", name=tool, arguments=json.loads(text))
        return {**result["structuredContent"], "isError": result.get("isError", False)}

    def save(self, text=NOTE):
        answer = self.call("save_memory", {"text": text})
        assert not answer["isError"], answer
        return answer["data"]["id"]

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()


@contextmanager
def serving(root, home, **environ):
    """A server of its own process that may do no more than the owner of the files; it ends with the block."""
    surroundings = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "DRIFT_HOME": str(home / "drift"),
        "DRIFT_MCP_MEMORY_RATE_LIMIT": "0",
        **environ,
    }
    with start_drift(
        "mcp", "memory", "--surface", "full", prepare=become_an_owner if IS_ROOT else int,
        cwd=root, environ=surroundings, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        server = Server(process)
        try:
            server.request("initialize", **HELLO)
            server.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
            yield server
        finally:
            process.stdin.close()
            process.wait(PATIENCE_SECONDS)
