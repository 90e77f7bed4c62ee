"""Which words carry a scorer's answer about two headlines, and the smallest change found that turns it."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from statistics import mean
from typing import Final

from core.data.pair_sets.pair_file import pairs_of_frame
from core.errors import InputError
from core.pairs.cross_encoder.inference import PairModelScorer
from core.pairs.file_scoring import ScoredPairs, default_scorer, score_file
from core.pairs.scorer import pair_scorers
from core.results.table import Table, TableColumn
from core.runtime import Runtime, detect_device

TWO_BY_TWO: Final = 8  # words that count most, of which any two are taken out together
_COLUMNS: Final = tuple(
    map(TableColumn, ("Word", "Headline", "Without it", "… and those above", "… and below"))
)
_ANSWERS: Final = "different events", "the same event"


def explain_pair(
    left: str,
    right: str,
    runtime: Runtime | None = None,
    *,
    scorer: str = "",
    threshold: float | None = None,
    days: Sequence[str] = ("", ""),
    names: Sequence[str] = "AB",
) -> Table:
    """The words of two headlines with scores without them, those first that carry the answer (occlusion).

    Further columns are deletion curves: where the words matter, the first falls at once and the other stays.
    A note names the fewest words found whose loss turns the answer. Pair models have integrated gradients,
    too, with the curve of their own order. Source: Li et al. 2016, "Understanding Neural Networks through
    Representation Erasure"; DeYoung et al. 2020, "ERASER", section 4; Sundararajan, Taly and Yan 2017.

    >>> explain_pair("Storm hits coast", "Storm hits the coast", scorer="token_overlap").rows[-1][0]
    'the'
    """
    import pandas as pd

    recipe, split = pair_scorers.parse(scorer or default_scorer()), (left.split(), right.split())
    machine = runtime or Runtime(device=detect_device(), patient=True)

    def without(every: Sequence[Iterable[tuple[int, int]]]) -> ScoredPairs:
        columns = {"timeline": list(map(str, range(len(every))))}
        for side, (name, words, day) in enumerate(zip("ab", split, days, strict=True)):
            kept = ([word for at, word in enumerate(words) if (side, at) not in out] for out in every)
            columns |= {f"headline_{name}": list(map(" ".join, kept)), f"date_{name}": [day] * len(every)}
        return score_file(pairs_of_frame(pd.DataFrame(columns)), recipe, machine, threshold=threshold)

    places = [(side, at) for side, words in enumerate(split) for at in range(len(words))]
    scored = without([(), *((place,) for place in places)])
    base, same = scored.scores[0], scored.same_event[0]
    if base is None or same is None:
        raise InputError(scored.why_not[0], hint="Give two headlines that this scorer can read.")
    alone = {
        place: score for place, score in zip(places, scored.scores[1:], strict=True) if score is not None
    }
    order = sorted(alone, key=lambda place: alone[place] if same else -alone[place])
    above, below = ([order[: at + 1] for at in range(len(order))], [order[at:] for at in range(len(order))])
    tried = [*((place,) for place in order), *combinations(order[:TWO_BY_TWO], 2), *above[2:]]
    gradients: dict[tuple[int, int], float] = {}
    if isinstance(recipe, PairModelScorer):
        from core.pairs.cross_encoder.gradients import integrated_gradients

        first, second = map(" ".join, split)
        apart = float(scored.file.pairs.days_apart[0])
        model = recipe.network().to(machine.device)
        added, *ends = integrated_gradients(model, first, second, apart, machine)
        gradients = dict(zip(places, added.tolist(), strict=True))
    by_gradient = sorted(order if gradients else (), key=lambda place: gradients[place] * (1 - 2 * same))
    carried = [by_gradient[: at + 1] for at in range(len(by_gradient))]
    more = without([*tried, *above, *below, *carried])
    turned = (out for out, said in zip(tried, more.same_event, strict=False) if said == 1 - same)
    lost = ", ".join(f"“{split[side][at]}” ({names[side]})" for side, at in next(turned, ()))
    found = f"Without {lost} it says {_ANSWERS[1 - same]}." if lost else "No words found turn the answer."
    said = f"Score {base:.3f}: {_ANSWERS[same]}, as {_ANSWERS[1]} is from {scored.threshold:g} on."
    up, down, rest = (more.scores[len(tried) + k * len(order) :][: len(order)] for k in range(3))
    curve, notes, columns = dict(zip(by_gradient, rest, strict=True)), [said, found], _COLUMNS
    if gradients:
        further, better = ("more", "lower") if same else ("less", "higher")
        columns = (*_COLUMNS, *map(TableColumn, ("Integrated gradients", f"… and those with {further}")))
        both = [(one, two) for one, two in zip(up, rest, strict=True) if None not in (one, two)]
        means = " and ".join(f"{mean(line):.3f}" for line in zip(*both, strict=True)) or "unknown"
        notes += [
            f"Integrated gradients sum to {added.sum():+.3f}: from {ends[1]:.3f}, where every word is blank, "
            f"to {ends[0]:.3f}.",
            "The mean score while words go in turn, in the order of this table and in that of the gradients: "
            f"{means} ({better} is better).",
        ]
    rows = (
        (split[place[0]][place[1]], names[place[0]], alone[place], one, other)
        + ((gradients[place], curve[place]) if gradients else ())
        for place, one, other in zip(order, up, down, strict=True)
    )
    signed, title = (("", scored.signature),), "Which words carry the answer"
    return Table(columns=columns, rows=tuple(rows), notes=tuple(notes), title=title, signatures=signed)
