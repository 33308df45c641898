"""Functions that tests have to run."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from drift.analyses.testing.reach import find_covered
from drift.analyses.testing.suites import suites_of
from drift.guards.constraints.form import CannotTellError, Constraint, Site, fits_name

if TYPE_CHECKING:
    from drift.guards.constraints.scene import Scene


def check_tests(scene: "Scene", constraint: Constraint) -> Iterator[Site]:
    """The functions that `functions` fits are run by a test, as far as the call graph tells."""
    suites = suites_of(scene.reader)
    if not suites.count_all(scene.reader):
        raise CannotTellError("no test is known here")
    covered = find_covered(scene.reader, suites)
    wanted = constraint.predicate.get("functions") or ("*",)
    for id_ in sorted(scene.files):
        if not scene.is_about(constraint.where, id_):
            continue
        for one in scene.reader.testing.functions_of(id_):
            if fits_name(wanted, one.qualname):
                yield Site(
                    one.path, one.line, one.end_line, one.qualname, one.id in covered, "no test runs it"
                )
