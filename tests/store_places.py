"""Where the stores of a project are, for tests that look behind the tools."""

import os
import shutil
import sqlite3
from contextlib import closing

from drift.index.binding import bind
from drift.project import StateDir
from drift.project.stores import find_stores


def memory_db(root, environ=None):
    return find_stores(root, os.environ if environ is None else environ).memory_db


def catalog_db(root, environ=None):
    return find_stores(root, os.environ if environ is None else environ).catalog_db


def copy_project(source, target):
    """Copy a project with what belongs to it: a mere copy of the folder would have neither index nor memories."""
    shutil.copytree(source, target)
    shutil.copytree(find_stores(source, os.environ).folder, find_stores(target, os.environ).folder)
    index = StateDir(target).index_db
    with closing(sqlite3.connect(index)) as connection, connection:
        connection.executemany(
            "UPDATE meta SET value = ? WHERE key = ?", [(v, k) for k, v in bind(index).items()]
        )
