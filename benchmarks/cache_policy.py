"""Which answers to forget first: the hit rates of LRU and of W-TinyLFU on the same calls of simulated agents.

    python benchmarks/cache_policy.py [--entries 200] [--calls 20000]

Agents work through tasks: a task asks about a few symbols, each from several sides and some of them again, with now
and then a look at something the whole project leans on (Zipf). Every so many calls a file is edited, which makes all
answers old, as the index's generation is part of their keys. One trace has no edits at all and reads each symbol once
in between, which suits a policy by frequency; the last has no tasks, and shows that the policy does what it is for. The last column
is what keeping everything would give.
"""

import argparse
import random
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterator

Trace = list[Hashable]
TOOLS = 6
WINDOW_SHARE, PROTECTED_SHARE = 0.01, 0.8  # as Caffeine has them
SAMPLE_PER_ENTRY = 10


def agents(seed: int, *, calls: int, agents_at_once: int, edit_every: int | None, sweep: bool) -> Trace:
    """The questions of some agents in one project of 3,000 symbols, one after the other."""
    rng = random.Random(seed)
    weights = [1 / (rank + 1) for rank in range(3_000)]
    popular = iter(rng.choices(range(3_000), weights, k=calls))
    tasks = [rng.sample(range(3_000), 8) for _ in range(agents_at_once)]
    generation, trace = 0, list[Hashable]()
    while len(trace) < calls:
        number = rng.randrange(agents_at_once)
        if rng.random() < 0.02:
            tasks[number] = rng.sample(range(3_000), 8)
        about = next(popular) if rng.random() < 0.25 else rng.choice(tasks[number])
        if sweep and rng.random() < 0.5:
            about = 10_000 + len(trace)  # asked once and never again
        trace.append((generation, rng.randrange(TOOLS), about))
        if edit_every is not None and len(trace) % edit_every == 0:
            generation += 1
    return trace


def lru(trace: Trace, entries: int) -> float:
    kept: OrderedDict[Hashable, None] = OrderedDict()
    hits = 0
    for key in trace:
        if key in kept:
            hits += 1
            kept.move_to_end(key)
            continue
        kept[key] = None
        if len(kept) > entries:
            kept.popitem(last=False)
    return hits / len(trace)


def tiny_lfu(trace: Trace, entries: int) -> float:
    """W-TinyLFU with exact counts in place of a sketch, which can only be better than the real one."""
    window: OrderedDict[Hashable, None] = OrderedDict()
    probation: OrderedDict[Hashable, None] = OrderedDict()
    protected: OrderedDict[Hashable, None] = OrderedDict()
    most_in_window = max(1, int(entries * WINDOW_SHARE))
    most_in_main = entries - most_in_window
    most_protected = int(most_in_main * PROTECTED_SHARE)
    seen: Counter[Hashable] = Counter()
    hits = sampled = 0
    for key in trace:
        seen[key] += 1
        sampled += 1
        if sampled >= entries * SAMPLE_PER_ENTRY:
            seen, sampled = (
                Counter({each: count // 2 for each, count in seen.items() if count > 1}),
                sampled // 2,
            )
        if key in window or key in protected:
            hits += 1
            (window if key in window else protected).move_to_end(key)
        elif key in probation:
            hits += 1
            del probation[key]
            protected[key] = None
            if len(protected) > most_protected:
                probation[protected.popitem(last=False)[0]] = None
        else:
            window[key] = None
            if len(window) > most_in_window:
                candidate = window.popitem(last=False)[0]
                if len(probation) + len(protected) < most_in_main:
                    probation[candidate] = None
                else:
                    victim = next(iter(probation or protected))
                    if seen[candidate] > seen[victim]:
                        del (probation if victim in probation else protected)[victim]
                        probation[candidate] = None
    return hits / len(trace)


def everything(trace: Trace, _entries: int) -> float:
    return 1 - len(set(trace)) / len(trace)


def traces(calls: int) -> Iterator[tuple[str, Trace]]:
    shapes = {
        "one agent, an edit every 20 calls": (1, 20, False),
        "one agent, an edit every 200 calls": (1, 200, False),
        "five agents, an edit every 50 calls": (5, 50, False),
        "five agents that only read": (5, None, False),
        "twenty agents that only read": (20, None, False),
        "twenty agents, half of it asked once": (20, None, True),
    }
    for name, (many, edit_every, sweep) in shapes.items():
        yield name, agents(1, calls=calls, agents_at_once=many, edit_every=edit_every, sweep=sweep)
    weights = [1 / (rank + 1) for rank in range(3_000)]
    yield (
        "no tasks, one popularity for all time",
        list(random.Random(1).choices(range(3_000), weights, k=calls)),
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--entries", type=int, default=200)
    parser.add_argument("--calls", type=int, default=20_000)
    given = parser.parse_args()
    policies: tuple[Callable[[Trace, int], float], ...] = (lru, tiny_lfu, everything)
    print(f"{'hit rate with ' + str(given.entries) + ' entries':<40}   LRU  TinyLFU  all")
    for name, trace in traces(given.calls):
        print(f"{name:<40} {'   '.join(f'{policy(trace, given.entries):5.1%}' for policy in policies)}")


if __name__ == "__main__":
    main()
