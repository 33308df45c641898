"""Follows data through a project: functions are run when what they do is asked for, each once for each of its states."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping
from typing import Final

from drift.flow.calls import call
from drift.flow.checking import UNSETTLED
from drift.flow.closures import parameter_values, run_closure, summary_of
from drift.flow.comparison import same_summary, same_values
from drift.flow.evaluation import evaluate
from drift.flow.execution import execute
from drift.flow.findings import finding_of
from drift.flow.ir import Function, is_stub
from drift.flow.program import FileContext, Program
from drift.flow.run import Machine, Results, Run, Summary
from drift.flow.values import EMPTY, NONE, Origin, Step, Taint, Value
from drift.index import SymbolId, file_of_symbol, is_file

MOST_UNITS: Final = 40_000  # functions that are run for one project
_MOST_CALLS: Final = 24  # of functions one inside the other
_MOST_AGAIN: Final = 3
_NOBODY: Final = -1  # stands for whoever might call a function
_MACHINE: Final = Machine(evaluate, call, run_closure)


class Engine:
    """The running of all functions that matter, and what came out."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self.results = Results()
        self._summaries: dict[int, Summary] = {}
        self._running: list[int] = []
        self._asked: dict[int, set[int]] = {}  # the functions that what a function does was found from
        self._asking: list[set[int]] = []
        self._inner: dict[int, int] = {}  # functions inside others, which are run with them
        self._before: dict[int, Summary] = {}  # what functions did until their files changed
        self._modules_before: dict[int, Mapping[str, Value]] = {}
        self._recursive: set[int] = set()
        self._modules: dict[int, Mapping[str, Value]] = {}
        self._met_itself = False  # a function was asked for that is being run
        self._half_known: set[int] = set()  # files whose outside asked for such a function
        self.units = 0
        self.is_cut = False

    def run_all(self, roots: Iterable[SymbolId]) -> None:
        """Run functions, and whoever calls those that give back data of a source."""
        queue = deque(dict.fromkeys(map(self._unit, roots)))
        queued = set(queue)
        rounds: dict[int, int] = {}
        while queue:
            unit = queue.popleft()
            queued.discard(unit)
            if rounds.get(unit, 0) >= _MOST_AGAIN:
                continue
            rounds[unit] = rounds.get(unit, 0) + 1
            if is_file(unit) and (rounds[unit] > 1 or file_of_symbol(unit) in self._half_known):
                self._modules.pop(file_of_symbol(unit), None)
            self._summaries.pop(unit, None)
            summary = self.summary(SymbolId(unit))
            wanted: set[SymbolId] = set()
            if summary is not None and _gives_data(summary):
                wanted.update(self._unit(each) for each in self._program.callers_of([SymbolId(unit)]))
            for owner in self.results.changed:
                wanted.update(self._methods(owner))
            self.results.changed.clear()
            for each in wanted - queued - {unit}:
                state = self._program.files.get(file_of_symbol(each))
                if state is not None and state.role != "test" and rounds.get(each, 0) < _MOST_AGAIN - 1:
                    queue.append(each)
                    queued.add(each)

    def again(self, units: Iterable[SymbolId]) -> set[SymbolId]:
        """Run functions of changed files again, and whoever asked for one that does something else now: who else is to be run."""
        wanted = set(units)
        for unit in wanted:
            self.summary(unit)
        late = {self._unit(method) for owner in self.results.changed for method in self._methods(owner)}
        self.results.changed.clear()
        self._forget(late & wanted)  # a field was written after they had read it
        changed = {unit for unit in wanted if self._does_otherwise(unit)}
        self._before.clear()
        self._modules_before.clear()
        asking = self._asking_for(changed)
        self._forget(asking)
        for unit in asking:
            self.summary(unit)
        given = [
            unit for unit in asking | changed if (found := self._summaries.get(unit)) and _gives_data(found)
        ]
        return {self._unit(each) for each in self._program.callers_of(given)} - self._asked.keys()

    def _asking_for(self, units: Iterable[SymbolId]) -> set[SymbolId]:
        """Whoever asked for one of these functions, or for one that did."""
        asking: dict[int, list[SymbolId]] = {}
        for unit, asked in self._asked.items():
            for each in asked:
                asking.setdefault(each, []).append(SymbolId(unit))
        found: set[SymbolId] = set()
        ways = list(units)
        while ways:
            new = [unit for unit in asking.get(ways.pop(), ()) if unit not in found]
            found.update(new)
            ways += new
        return found

    def _does_otherwise(self, unit: SymbolId) -> bool:
        file = file_of_symbol(unit)
        now = self.summary(unit)
        if is_file(unit):
            return not same_values(self._modules_before.get(file, {}), self._modules.get(file, {}))
        inner = [each for each, outer in self._inner.items() if outer == unit]
        before = self._before.get(unit)
        if before is None or now is None or not same_summary(before, now):
            return True
        return any(
            each in self._before and not same_summary(self._before[each], self._summaries[each])
            for each in inner
        )

    def summary(self, symbol: SymbolId) -> Summary | None:
        """What a function does; None where it cannot be read."""
        known = self._summaries.get(symbol)
        if known is not None:
            self._note(symbol)
            return known
        unit = self._unit(symbol)
        if unit != symbol:
            if unit in self._running or unit in self._summaries:
                return self._summaries.get(symbol)
            self.summary(SymbolId(unit))
            return self._summaries.get(symbol)
        if symbol in self._running:
            self._recursive.add(symbol)
            self._met_itself = True
            return Summary()
        if len(self._running) >= _MOST_CALLS or self.units >= MOST_UNITS:
            self.is_cut = self.is_cut or self.units >= MOST_UNITS
            return None
        outer = self._enter(symbol)
        try:
            found = self._run(symbol)
            if symbol in self._recursive:
                self._recursive.discard(symbol)
                self._summaries[symbol] = found
                found = self._run(symbol)
        finally:
            self._leave(symbol, outer)
        self._summaries[symbol] = found
        return found

    def _enter(self, symbol: int) -> int:
        """Begin to run a function; what was run until now is given back."""
        self._running.append(symbol)
        self._asking.append(set())
        outer, self.results.unit = self.results.unit, symbol
        self.results.by_unit.pop(symbol, None)
        return outer

    def _leave(self, symbol: int, outer: int) -> None:
        self._running.pop()
        asked = self._asking.pop()
        # Outside of functions, a file is run inside of what stands for it.
        self._asked[symbol] = asked | self._asked.get(symbol, set()) if symbol in asked else asked
        self.results.unit = outer
        self._note(symbol)

    def _note(self, symbol: int) -> None:
        """What a function does was asked for by the one that is run."""
        if self._asking:
            self._asking[-1].add(self._inner.get(symbol, symbol))

    def drop(self, files: set[int]) -> set[int]:
        """Forget what functions of these files do, which are given; what they did is kept to be compared."""
        dropped = {unit for unit in self._asked if file_of_symbol(unit) in files}
        self._modules_before = {file: self._modules[file] for file in files if file in self._modules}
        self._before = self._forget(dropped)
        for key in [each for each in self.results.stored if file_of_symbol(each[0]) in files]:
            del self.results.stored[key]
        self.units = 0
        return dropped

    def _forget(self, units: Collection[int]) -> dict[int, Summary]:
        """Forget what functions do; what that was is given."""
        gone = {*units, *(inner for inner, unit in self._inner.items() if unit in units)}
        known = {unit: self._summaries.pop(unit) for unit in gone if unit in self._summaries}
        for unit in gone:
            self._asked.pop(unit, None)
            self._inner.pop(unit, None)
            self.results.by_unit.pop(unit, None)
            self.results.cut.discard(unit)
            if is_file(unit):
                self._modules.pop(file_of_symbol(unit), None)
        return known

    def unsettled(self) -> None:
        """Enter sinks that a parameter gets to although nobody is known to call the function."""
        self.results.unit = _NOBODY
        self.results.by_unit.pop(_NOBODY, None)
        open_units = [
            SymbolId(unit) for unit, found in self._summaries.items() if found.hits and not is_file(unit)
        ]
        called = self._program.called(open_units)
        for unit in open_units:
            state = self._program.files.get(file_of_symbol(unit))
            if state is None or state.role == "test" or unit in called:
                continue
            for hit in self._summaries[unit].hits:
                if hit.origin.trust != "unknown" or hit.origin.function != unit:
                    continue  # what an object holds is its own
                if hit.kind in UNSETTLED and hit.counts:
                    self.results.add(finding_of(hit))

    def _unit(self, symbol: SymbolId) -> SymbolId:
        context = self._program.context(file_of_symbol(symbol))
        return context.unit_of(symbol) if context is not None else symbol

    def _methods(self, owner: int) -> list[SymbolId]:
        context = self._program.context(file_of_symbol(owner))
        return [each.id for each in context.symbols.values() if each.parent_id == owner] if context else []

    def _run(self, symbol: SymbolId) -> Summary:
        self.units += 1
        file = file_of_symbol(symbol)
        context, source = self._program.context(file), self._program.source(file)
        if context is None or source is None:
            return Summary()
        if is_file(symbol):
            self._module(file)
            return Summary(is_known=True)
        own = context.symbols.get(symbol)
        function = source.function_at(own.start_byte, own.end_byte) if own is not None else None
        if own is None or function is None or is_stub(function):
            return Summary()
        if function.is_cut:
            self.results.cut.add(symbol)
        run = self._new_run(file, symbol, context)
        first = function.parameters[0].name if function.parameters else ""
        has_receiver = first in run.form.self_names or (
            bool(first) and run.form.receiver_first and own.kind == "method"
        )
        run.env = parameter_values(run, function, unit=symbol, has_receiver=has_receiver)
        if not has_receiver and run.owner:
            self._add_self(run, function, symbol)
        execute(run, function.body or ())
        return summary_of(run, function, has_receiver=has_receiver)

    def _add_self(self, run: Run, function: Function, symbol: SymbolId) -> None:
        taint = Taint(Step(None, run.file, function.line, f"object of {function.name}", 1))
        for name in run.form.self_names:
            run.env.setdefault(name, Value({Origin(symbol, -1): taint}))

    def _new_run(self, file: int, symbol: SymbolId, context: FileContext) -> Run:
        state = self._program.files[file]
        source = self._program.source(file)
        assert source is not None
        own = context.symbols.get(symbol)
        owner = context.class_of(symbol)
        return Run(
            file=file,
            unit=symbol,
            context=context,
            models=self._program.models(state.language),
            form=source.form,
            machine=_MACHINE,
            results=self.results,
            summaries=self.summary,
            keep=self._keep,
            outer=self._module(file) if not is_file(symbol) else {},
            handlers=self._program.handlers,
            owner=owner or 0,
            is_handler=symbol in self._program.handlers,
            name=own.qualname if own is not None else "",
        )

    def _keep(self, symbol: int, summary: Summary) -> None:
        self._summaries[symbol] = summary
        if self._running:
            self._inner[symbol] = self._running[-1]

    def _module(self, file: int) -> Mapping[str, Value]:
        """What names mean that stand outside of functions in a file."""
        known = self._modules.get(file)
        if known is not None:
            self._note(file << 16)
            return known
        self._modules[file] = {}  # of a file that asks for itself
        context, source = self._program.context(file), self._program.source(file)
        if context is None or source is None:
            return {}
        run = self._new_run(file, SymbolId(file << 16), context)
        outer, met, self._met_itself = self._enter(file << 16), self._met_itself, False
        execute(run, source.outside())
        self._leave(file << 16, outer)
        (self._half_known.add if self._met_itself else self._half_known.discard)(file)
        self._met_itself = met
        if source.is_cut:
            self.results.cut.add(file << 16)
        found = {
            name: value for name, value in run.env.items() if value is not EMPTY and value.closure is None
        }
        self._modules[file] = found
        return found


def _gives_data(summary: Summary) -> bool:
    """Whether data of a source comes out of a function."""
    given = summary.returns.all_taints() or NONE
    if any(not origin.function for origin in given):
        return True
    return any(not origin.function for value in summary.effects.values() for origin in value.all_taints())
