"""The links of a timeline that are in doubt, asked of a pair scorer as *Review* asks people."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

import numpy as np

from core.arrays import Float32Array
from core.errors import InputError
from core.events.correction import History, Kind
from core.events.corrections import fitted
from core.events.grouping import Prepared, regroup
from core.events.reviewing import Reviewing, answered, can_review
from core.groups.answered_level import PairAnswer
from core.groups.joins import NO_TREE, speakers
from core.models.endpoints.recipe import answers_signature, sent_by
from core.models.weights import weights_signature
from core.pairs.scorer import PairScorer, pair_scorers
from core.pairs.scorers.endpoint import EndpointPairs
from core.results.render import count_words
from core.runtime import Runtime

ROUND: Final = 8  # links that are asked about before the next are looked for
UNSURE: Final = 0.1  # a score this near to the threshold is "not sure"
_LOOKED_AT: Final = 2_000  # pairs of events that a round chooses from
_STEP: Final = "Asking about links in doubt"


@dataclass(frozen=True, slots=True)
class AskedLinks:
    history: History  # the log with the answers, each with the scorer's name as whose it is
    answers: tuple[PairAnswer, ...]
    questions: int  # pairs that were scored, some in both orders
    unread: int  # of which so many got no score

    @property
    def sentence(self) -> str:
        """What came of it, for people."""
        same, apart = (sum(answer.same is said for answer in self.answers) for said in (True, False))
        said = f"{same:,} the same event, {apart:,} different, {len(self.answers) - same - apart:,} not sure"
        unread = f"; {self.unread:,} of {self.questions:,} answers were unread" if self.unread else ""
        return f"Asked about {count_words(len(self.answers), 'link', 'links')} in doubt: {said}{unread}."


def ask_links(
    prepared: Prepared, history: History, scorer: PairScorer, most: int, runtime: Runtime
) -> AskedLinks:
    """Asks a scorer about the links in doubt, with at most so many questions; its answers are corrections.

    An answer that would change the groups is asked for in the other order, too, and taken where both agree.
    A pair about which there was an answer, be it undone, is not asked about again.

    Raises:
        InputError: The grouping method builds no tree.
        CoreError: The scorer cannot answer.
        Cancelled: The runtime's stop was set.
    """
    if not can_review(prepared):
        raise InputError(NO_TREE, hint="Choose the method “average linkage”.")
    for line in (*sent_by(scorer), cost_of(prepared, history, scorer, most)):
        runtime.tell(line)
    runtime = replace(runtime, foreseen=True)
    asking = scorer.prepare(prepared.context, runtime)
    who = getattr(scorer.innermost, "model", "") or pair_scorers.name_of(scorer)
    row_of = prepared.timeline.index.row
    known = {
        frozenset(row_of[key] for key in (*entry.headlines, *entry.to) if key in row_of)
        for entry in history.corrections
        if entry.kind is Kind.LEVEL
    }
    answers, questions, unread = list[PairAnswer](), 0, 0

    def scores(pairs: list[tuple[int, int]]) -> Float32Array:
        left, right = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
        return asking.pairs(left, right)

    while questions < most:
        runtime.report(_STEP, questions, most)
        seen = _seen(prepared, history)
        ids = seen.grouping.ids
        fresh = (pair for pair in links_in_doubt(seen) if frozenset(pair) not in known)
        pairs = list(islice(fresh, min(ROUND, (most - questions) // 2)))
        if not pairs:
            break
        first = scores(pairs)
        said = [_answer(score, scorer.threshold) for score in first.tolist()]
        held = [bool(ids[left] == ids[right]) for left, right in pairs]
        changing = [at for at, same in enumerate(said) if same is (not held[at])]
        again = scores([pairs[at][::-1] for at in changing])
        for at, score in zip(changing, again.tolist(), strict=True):
            said[at] = said[at] if _answer(score, scorer.threshold) == said[at] else None
        questions += len(pairs) + len(changing)
        unread += int(np.isnan(first).sum() + np.isnan(again).sum())
        given = [PairAnswer(*pair, same) for pair, same in zip(pairs, said, strict=True)]
        known.update(map(frozenset, pairs))
        signed = *weights_signature(scorer), *answers_signature(runtime, scorer)
        by = " · ".join([pair_scorers.signature(scorer), *signed])
        history = answered(prepared, history, given, who=who, asked=by)
        answers += given
    runtime.report(_STEP, most, most)
    return AskedLinks(history, tuple(answers), questions, unread)


def cost_of(prepared: Prepared, history: History, scorer: PairScorer, most: int) -> str:
    """What `ask_links` is likely to cost at most, a sentence; "" where no model at an address is asked."""
    model = scorer.innermost
    if not isinstance(model, EndpointPairs):
        return ""
    texts, seen = prepared.timeline.texts, _seen(prepared, history)
    pairs = [texts[left] + texts[right] for left, right in islice(links_in_doubt(seen), ROUND)]
    times = most * (2 if scorer.scale.symmetric else 1) / max(len(pairs), 1)
    return model.cost_of(pairs, model.how["tokens"], times=times)


def _seen(prepared: Prepared, history: History) -> Reviewing:
    corrections = fitted(history, prepared.timeline.index.row)
    return Reviewing(prepared, regroup(prepared, corrections=corrections))


def _answer(score: float, threshold: float) -> bool | None:
    return None if not abs(score - threshold) >= UNSURE else score > threshold


def links_in_doubt(seen: Reviewing) -> Iterator[tuple[int, int]]:
    """Headlines that speak for two parts of an event or for two events, first where most is likely to change.

    That is the probability of a change, as the mean similarity of both sides says, times the square root of
    the pairs that hang on it.
    """
    from scipy import sparse

    similarities, joins, queue = seen.prepared.similarities, seen.joins, seen.queue
    groups = np.unique(seen.grouping.ids, return_inverse=True)[1]
    sizes = np.bincount(groups)
    of_group = sparse.csr_matrix((np.ones(len(groups), np.float32), (np.arange(len(groups)), groups)))
    sums = sparse.triu(of_group.T @ similarities.matrix @ of_group, k=1, format="coo")
    between = sums.data / np.sqrt(sizes[sums.row] * sizes[sums.col])
    nearest = np.argsort(-between, kind="stable")[:_LOOKED_AT]
    inside = np.flatnonzero(queue.together)
    places = queue.places[inside]
    pairs = (places - joins.ends[places, 0] + 1) * (joins.ends[places, 1] - places)
    worth = np.concatenate([joins.heights[places] * np.sqrt(pairs), between[nearest]])
    said, texts = seen.corrections.constraints, seen.prepared.timeline.texts
    apart = {frozenset(groups[[said.together[place][0] for place in both]].tolist()) for both in said.apart}
    for at in np.argsort(-worth, kind="stable").tolist():
        if at < len(inside):
            link = queue.link(int(inside[at]), similarities)
            left, right = link.left, link.right
            fits = groups[left] == groups[right]
        else:
            best = nearest[at - len(inside)]
            sides = int(sums.row[best]), int(sums.col[best])
            fits = frozenset(sides) not in apart
            left, right = speakers(similarities, *(np.flatnonzero(groups == side) for side in sides))
        if (
            fits
            and texts[left].casefold() != texts[right].casefold()
            and said.alone.isdisjoint((left, right))
        ):
            yield left, right
