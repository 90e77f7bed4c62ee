"""Checks the numerals of headlines against their articles, with the trees that belong to an aligner."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from core import limits
from core.arrays import FloatArray
from core.errors import CoreError
from core.models.networks.precision import numbers_signature
from core.models.weights import fingerprint, is_installed, weights_signature
from core.numerals import weighing
from core.numerals.checked_headline import CheckedHeadline, CheckedNumeral, ClaimVerdict, Derivation
from core.numerals.checked_scores import with_scores
from core.numerals.claims import claim_weights, judge, verdicts, whole
from core.numerals.claims.claim import ClaimPlace
from core.numerals.claims.invented_names import invented_in
from core.numerals.derivations.features import ADDED, NAMES, features
from core.numerals.derivations.operands import DerivationCandidate
from core.numerals.derivations.search import derivations_of
from core.numerals.question import (
    AT_ONCE,
    Aligner,
    AlignerRecipe,
    Alignment,
    NumeralQuestion,
    ReadArticle,
    questions_of,
    read_article,
    shares_of,
    source_aligners,
)
from core.numerals.reader import ClaimReader, ClaimReaderRecipe, ReadsClaims, claim_readers
from core.numerals.unread import NOT_READ, why_unread
from core.numerals.verifier import ClaimVerifier
from core.runtime import Runtime
from core.text.reading import lost, reads

DEFAULT: Final = "lexical.v1"  # the aligner that checks by default
STEP: Final = "Checking numerals"
NEEDED: Final = frozenset({"numbers", "words", "sentences", "language"})
"""Readings of a headline or its article without which no verdict is given."""
MOST_DERIVATIONS: Final = 5  # of a numeral
NOTHING: Final = -20.0  # stands for a score where there is no candidate: below all that occur
SINGLE: Final = frozenset({"copy", "trans", "paraphrase", "round"})  # ways with one numeral of the article
_Judged = tuple[tuple[CheckedNumeral, ...], tuple[str, ...], ClaimVerdict | None]
_UNREAD: Final[_Judged] = ((), (), None)


@dataclass(frozen=True, slots=True, eq=False)
class Checker:
    aligner: Aligner  # judges what belongs where
    weights: weighing.Weights  # weigh what it says
    claims: claim_weights.ClaimWeights  # judge the claims
    system: str  # signature of the aligner, and its weights
    reader: ReadsClaims | None = None  # reads each claim; None where its weights cannot be had
    verifier: ReadsClaims | None = None  # reads each English claim thoroughly; None not to

    def check(
        self, headlines: Sequence[str], articles: Sequence[str], runtime: Runtime
    ) -> list[CheckedHeadline]:
        """Checks headlines, of each its first `HEADLINE_NUMERALS` numerals; see `CheckedHeadline.unread`."""
        read: dict[str, ReadArticle] = {}
        results: list[CheckedHeadline] = []
        for start in runtime.track(range(0, len(headlines), AT_ONCE), STEP):
            part = slice(start, start + AT_ONCE)
            pairs = list(zip(headlines[part], articles[part], strict=True))
            # A long table seldom comes back to an article that it has left.
            read = {text: read.get(text) or read_article(text) for text in dict.fromkeys(articles[part])}
            unread = [why_unread(headline, text) for headline, text in pairs]
            asked = [pair for pair, why in zip(pairs, unread, strict=True) if not why]
            judged = iter(self._judged(asked, read, runtime))
            for (headline, text), foreign in zip(pairs, unread, strict=True):
                found = _UNREAD if foreign else next(judged)
                why = foreign or NOT_READ * (not NEEDED.isdisjoint(lost(headline) | lost(text)))
                numerals, invented, said = _UNREAD if why else found
                checked = CheckedHeadline(headline, read[text], numerals, self.system, invented, why)
                results.append(replace(checked, whole=said))
        return results

    def _judged(
        self, pairs: Sequence[tuple[str, str]], read: Mapping[str, ReadArticle], runtime: Runtime
    ) -> list[_Judged]:
        """The numerals of headlines, and words that the article lacks; a failure costs one headline alone."""
        networks = (self.reader, self.verifier)

        def judged(*some: tuple[str, str]) -> list[_Judged]:
            claims = judge.judge_claims(self._places(some, read, runtime), self.claims, runtime, *networks)
            both = zip(some, claims, strict=True)
            return [self._headline(line, read[of], own) for (line, of), own in both]

        one = reads("numbers", lambda headline: _UNREAD)(lambda headline, text: judged((headline, text))[0])
        try:
            return judged(*pairs)
        except (CoreError, MemoryError):
            raise
        except Exception:  # which of them it was is found, and logged, one by one
            return [one(*pair) for pair in pairs]

    def places(
        self, headlines: Sequence[str], articles: Sequence[str], runtime: Runtime
    ) -> list[list[ClaimPlace]]:
        """What is found of each number of some headlines before its claim is judged."""
        read = {text: read_article(text) for text in dict.fromkeys(articles)}
        return self._places(list(zip(headlines, articles, strict=True)), read, runtime)

    def _places(
        self, pairs: Sequence[tuple[str, str]], read: Mapping[str, ReadArticle], runtime: Runtime
    ) -> list[list[ClaimPlace]]:
        most = limits.HEADLINE_NUMERALS.value
        asked = [questions_of(headline, read[text], names=False)[:most] for headline, text in pairs]
        flat = [question for some in asked for question in some]
        if not flat:
            return [[] for _ in asked]
        found = (flat, self.aligner.align(flat, runtime), [*map(derivations_of, flat)])
        rows = [features(*each) for each in zip(*found, strict=True)]
        # Trees are asked once for all places: a call costs more than a few rows.
        ends = np.cumsum([len(row) for row in rows])[:-1]
        ranks = np.split(self.weights.derivations.predict(np.concatenate(rows)), ends)
        places = map(_place, *found, rows, ranks)
        return [[next(places) for _ in some] for some in asked]

    def _headline(
        self, headline: str, article: ReadArticle, judged: Sequence[verdicts.JudgedClaim]
    ) -> _Judged:
        numerals = with_scores(headline, article.text, [*map(self._checked, judged)])
        said = whole.whole_verdict(headline, article)
        if said is None or said.reason != whole.QUOTED:
            return numerals, invented_in(headline, article), said
        return tuple(replace(each, claim=said, rival=None) for each in numerals), (), said

    def _checked(self, judged: verdicts.JudgedClaim) -> CheckedNumeral:
        place = judged.claim.place
        claim, rival = verdicts.verdict_of(judged, self.claims)
        # The derivations of the numbers that the reason names come first.
        rows = set(judged.evidence.rows) if judged.evidence else set()
        derivations = ranked(place.derivations, place.ranks, claim.probability)
        ordered = sorted(derivations, key=lambda each: not rows or set(each.candidate.sources) != rows)
        return CheckedNumeral(place.numeral, claim, tuple(ordered), rival)


def _place(
    question: NumeralQuestion,
    alignment: Alignment,
    candidates: Sequence[DerivationCandidate],
    rows: FloatArray,
    ranks: FloatArray,
) -> ClaimPlace:
    order = np.argsort(-ranks, kind="stable")
    derivations = tuple(candidates[row] for row in order.tolist())
    # Numbers on one place, float64 [len(SUPPORT_NAMES)].
    shares, (best, second) = shares_of(alignment.numerals), (*ranks[order][:2], NOTHING, NOTHING)[:2]
    single = [candidate for candidate in candidates if candidate.way in SINGLE]
    used = np.unique(np.array([row for candidate in single for row in candidate.sources], dtype=np.int64))
    mass = shares[[row for derivation in derivations[:1] for row in derivation.sources]].sum()
    rank = (shares > shares[used].max(initial=0.0)).sum() if candidates else len(shares)
    added = {
        **{"best": best, "second": second, "margin": best - second, "candidates": len(candidates)},
        **{"single_candidates": len(single), "numerals": len(shares), "mass": mass, "rank": rank},
        **{"single_mass": shares[used].sum(), "rival_share": np.delete(shares, used).max(initial=0.0)},
        "entropy": -(shares * np.log(shares + 1e-12)).sum(),
    }
    top = rows[order[0]] if candidates else np.zeros(len(NAMES))
    weighed = np.concatenate([top, [added[name] for name in ADDED]])
    return ClaimPlace(question, alignment, derivations, ranks[order], weighed)


def readers() -> tuple[ClaimReaderRecipe, ...]:
    return (ClaimReader(),) if is_installed(ClaimReader().check) else ()


def load_checker(aligner: str | None, runtime: Runtime, *, thorough: bool = False) -> Checker:
    """Loads a checker; a thorough one reads each English claim with the small language model, too."""
    networks = (ClaimReader(), ClaimVerifier()) if thorough else readers()
    recipe = recipe_of(aligner)
    parts = [source_aligners.signature(recipe), *map(claim_readers.signature, networks)]
    parts += [*weights_signature(recipe, *networks), f"claims:{fingerprint(claim_weights.FOLDER)}"]
    system = " · ".join([*parts, *numbers_signature(runtime, recipe, *networks)])
    weights = weighing.read_weights(recipe.folder), claim_weights.read_claim_weights()
    built = (network.build(runtime) for network in networks)
    return Checker(recipe.build(runtime), *weights, system, *built)


def recipe_of(aligner: str | None) -> AlignerRecipe:
    recipe = source_aligners.parse(aligner or DEFAULT)
    recipe.check()
    return recipe


def ranked(
    candidates: Sequence[DerivationCandidate], scores: npt.NDArray[np.float64], probability: float
) -> tuple[Derivation, ...]:
    """The likeliest `MOST_DERIVATIONS` ways; a probability is divided among all by a softmax."""
    shares = shares_of(scores) * probability
    order = np.argsort(-scores, kind="stable")[:MOST_DERIVATIONS]
    return tuple(Derivation(candidates[row], float(shares[row])) for row in order.tolist())
