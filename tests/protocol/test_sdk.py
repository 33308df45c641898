"""The protocol library's packages, put in place unrun: in processes of their own, where nothing has loaded them."""

import subprocess
import sys


def run(code):
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_a_server_loads_no_client():
    told = run(
        "import sys\n"
        "from drift.protocol.sdk import load_on_demand\n"
        "load_on_demand()\n"
        "import drift.protocol.stdio.transport, drift.servers\n"
        "print(*(name for name in ('mcp.server.lowlevel', 'mcp.client', 'mcp.server.mcpserver') if name in sys.modules))"
    )

    assert told == ["mcp.server.lowlevel"]


def test_what_is_asked_for_by_name_is_there():
    told = run(
        "from drift.protocol.sdk import load_on_demand\n"
        "load_on_demand()\n"
        "import mcp.server.lowlevel\n"
        "from mcp import ClientSession\n"
        "from mcp.server import MCPServer\n"
        "print(ClientSession.__name__, MCPServer.__name__, hasattr(mcp, 'no_such_name'), mcp.server is __import__('sys').modules['mcp.server'])"
    )

    assert told == ["ClientSession", "MCPServer", "False", "True"]


def test_a_library_that_is_loaded_stays_as_it_is():
    told = run(
        "import mcp.server\n"
        "before = mcp, mcp.server, type(mcp)\n"
        "from drift.protocol.sdk import load_on_demand\n"
        "load_on_demand()\n"
        "import mcp.server as after\n"
        "print(before == (mcp, after, type(mcp)))"
    )

    assert told == ["True"]
