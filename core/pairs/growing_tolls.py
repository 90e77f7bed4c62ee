"""Growing tolls: reports a day apart of one place and thing, by which its toll rose, are of one event."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from core.pairs.context import PairContext
from core.pairs.look_alikes import LOOK_ALIKE
from core.similarities import Similarities
from core.text.differences import FALLING, TOLLS, ParsedHeadline
from core.text.facts import has_toll_word, read_counted
from core.text.tokens import content

ONE_EVENT: Final = 0.5  # least similarity of the reports around two of them (docs/decisions/0017)
_RISING: Final = frozenset(TOLLS) - FALLING
_LATER: Final = 1.5  # days up to which a toll is the next of another
_AROUND: Final = 0.5  # similarity from which a headline is of the event whose toll another one states


def join_growing_tolls(similarities: Similarities, context: PairContext) -> Similarities:
    """With at least `ONE_EVENT` between headlines around tolls of one event, each above the one before."""
    reading = context.reading
    codes = (*reading.by_language, reading.language)
    counting = np.array([has_toll_word(text, codes) for text in context.texts], dtype=bool)
    left, right, _ = similarities.edges(float(np.nextafter(LOOK_ALIKE, 1)))
    near = counting[left] & counting[right] & (np.abs(context.days[left] - context.days[right]) < _LATER)
    turned = (context.days[left] > context.days[right])[near]
    earlier, later = np.where(turned, (right[near], left[near]), (left[near], right[near])).tolist()
    read = {
        row: read_counted(context.texts[row], known=reading.names, language=reading.language)
        for row in {*earlier, *later}
    }
    pairs = [pair for pair in zip(earlier, later, strict=True) if _grows(read[pair[0]], read[pair[1]], codes)]
    if not pairs:
        return similarities
    from scipy import sparse
    from scipy.sparse.csgraph import connected_components

    n = len(similarities)
    linked = sparse.coo_matrix((np.ones(len(pairs)), np.transpose(pairs)), shape=(n, n))
    _, event = connected_components(linked, directed=False)
    stating = np.unique(pairs)
    around = [
        np.flatnonzero(
            np.max([similarities.row(row) for row in stating[event[stating] == each]], axis=0) >= _AROUND
        )
        for each in np.unique(event[stating])
    ]
    return similarities.raised_within(around, ONE_EVENT)


def _grows(earlier: ParsedHeadline, later: ParsedHeadline, codes: Sequence[str]) -> bool:
    before, after = (
        {n.unit: n.value for n in each.numbers if n.unit in _RISING} for each in (earlier, later)
    )
    names, others = ({token.form for token in each.names} for each in (earlier, later))
    things, same = (
        {t.form for t in content(each.tokens) if not (t.number or has_toll_word(t.form, codes))} - names
        for each in (earlier, later)
    )
    one_place = bool(names & others) and (names <= others or others <= names)
    both = before.keys() & after.keys()
    risen = any(after[unit] > before[unit] for unit in both)
    return one_place and bool(things & same) and risen and all(after[unit] >= before[unit] for unit in both)
