"""How much of a memory's confidence is left. Reckoned whenever it is read, never stored: it cannot compound."""

import math
from typing import Final

from drift.memory.records import Importance, Memory
from drift.memory.types import memory_types

_DAY_MS: Final = 86_400_000
# What matters more fades more slowly; multiplying the value itself would lift everything to 1.
_LASTING: Final = {
    Importance.CRITICAL: 2.0,
    Importance.HIGH: 1.5,
    Importance.NORMAL: 1.0,
    Importance.LOW: 0.75,
}


def current_confidence(memory: Memory, *, now_ms: int) -> float:
    """The confidence left at `now_ms`: half of it after each half-life without use or validation."""
    return faded(memory.confidence, memory.type, memory.importance, age_ms=now_ms - last_sign_ms(memory))


def last_sign_ms(memory: Memory) -> int:
    """When the memory was last made, changed, used or found true."""
    seen = (memory.updated_at_ms, memory.last_validated_ms, memory.last_accessed_ms)
    return max(one for one in (memory.recorded_at_ms, *seen) if one is not None)


def faded(confidence: float, memory_type: str, importance: Importance, *, age_ms: int) -> float:
    """What is left of a confidence after so long."""
    half_life_days = memory_types()[memory_type].half_life_days
    if half_life_days is None or age_ms <= 0:
        return confidence
    return confidence * math.exp2(-age_ms / _DAY_MS / (half_life_days * _LASTING[importance]))


def is_spent(memory: Memory, *, now_ms: int) -> bool:
    """Whether so little is left that the memory should be archived."""
    return current_confidence(memory, now_ms=now_ms) < memory_types()[memory.type].least_confidence
