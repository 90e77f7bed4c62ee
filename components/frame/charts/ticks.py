"""Where the lines of a scale stand."""

import math
from itertools import count


def round_ticks(low: float, high: float, most: int = 4) -> list[float]:
    """Round numbers from `low` to `high`, with at most as many steps between them."""
    least = (high - low) / most
    steps = (times * 10.0**power for power in count(math.floor(math.log10(least))) for times in (1, 2, 5))
    step = next(step for step in steps if step > least * (1 - 1e-9))
    return [step * at for at in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]
