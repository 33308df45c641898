import subprocess
import sys


def test_nothing_heavy_is_imported_with_the_kernel():
    code = (
        "import sys\n"
        "from drift.kernel import answer, cursors, errors, files, paths, render, similar, text, tokens, wire\n"
        "heavy = {'rapidfuzz', 'splintr', 'mcp', 'pydantic', 'orjson', 'asyncio', 'sqlite3', 'tempfile', 'subprocess'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )

    output = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout

    assert output == "[]\n"
