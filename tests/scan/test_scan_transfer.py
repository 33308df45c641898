"""What a worker sends is the rows of its file, or it is nothing: whoever took the worker over could send anything."""

import marshal
import pickle
import random

import pytest

from drift.index.rows import FileRow, FileRows
from drift.languages.python import extract
from drift.scan.describing import Task, describe
from drift.scan.transfer import UnfitRowsError, rows_from_bytes, rows_to_bytes

TASK = Task(7, "shop.py", "python", "source", 20, 5)
SOURCE = b'"""Doc."""\nimport os\n\n\n@cached\ndef price(a=1):\n    # why\n    return os.environ["PRICE"], "text"\n'
ROWS = describe(TASK, extract(SOURCE, "shop.py"), "0" * 32)


def test_rows_arrive_as_they_were_sent():
    assert ROWS.symbols
    assert ROWS.comments
    assert rows_from_bytes(rows_to_bytes(ROWS), TASK) == ROWS


@pytest.mark.parametrize(
    "sent",
    [
        ROWS._replace(file=ROWS.file._replace(id=8)),
        ROWS._replace(file=ROWS.file._replace(path="../other.py")),
        ROWS._replace(file=ROWS.file._replace(hash=["a list"])),
        ROWS._replace(symbols=((8 << 16, *ROWS.symbols[0][1:]), *ROWS.symbols[1:])),
        ROWS._replace(symbols=tuple(row[:-1] for row in ROWS.symbols)),
        ROWS._replace(symbols=[*ROWS.symbols]),
        ROWS._replace(symbols=tuple((str(row[0]), *row[1:]) for row in ROWS.symbols)),
        ROWS._replace(comments=((8, *ROWS.comments[0][1:]),)),
        ROWS._replace(fingerprints=((1, 2, 3, 4),)),
        ROWS._replace(constants=((7 << 16, 0, 1, "string", compile("1", "", "eval"), None, 1),)),
        ROWS._replace(packed="text"),
        FileRows(FileRow(7, "shop.py", None, "source", 0, 5, "", status=b"ok"), symbols=None),
    ],
    ids=[
        "another id",
        "another path",
        "a list for a hash",
        "a symbol of another file",
        "short rows",
        "a list of rows",
        "text for an id",
        "a comment of another file",
        "a fingerprint of another file",
        "code for a constant",
        "text for bytes",
        "bytes for text",
    ],
)
def test_what_is_not_about_the_file_or_not_plain_is_refused(sent):
    with pytest.raises(UnfitRowsError):
        rows_from_bytes(rows_to_bytes(sent), TASK)


@pytest.mark.parametrize(
    "data", [b"", b"x", marshal.dumps(5), marshal.dumps(()), pickle.dumps(ROWS)], ids=range(5)
)
def test_what_is_no_message_is_refused(data):
    with pytest.raises(UnfitRowsError):
        rows_from_bytes(data, TASK)


def test_a_message_that_is_cut_anywhere_is_refused():
    data = rows_to_bytes(ROWS)
    chance = random.Random(1)

    for _ in range(100):
        with pytest.raises(UnfitRowsError):
            rows_from_bytes(data[: chance.randrange(len(data))], TASK)
