"""Benchmark: how good is each system, at pairs of headlines and at writing them?"""

from components.frame.page_state import write_address
from components.lab.pair_sets import pair_set
from components.page import page

with page(__file__, "Benchmark", "Which system is best, and how sure is that?") as shown:
    write_address()
    if shown == "pair_sets":
        pair_set()
    else:
        from components.lab import benchmark  # not above: `research` may not be installed

        benchmark.SHOWN[shown]()
