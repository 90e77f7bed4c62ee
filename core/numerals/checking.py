"""Checks the numerals of headlines against their articles."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from core import limits
from core.arrays import FloatArray
from core.models.networks.precision import numbers_told
from core.models.weights import fingerprint, weights_told
from core.numerals.claims.claim import ClaimPlace, LoadedRereader
from core.numerals.claims.judge import JudgedClaim, judge_claims, verdict_of
from core.numerals.claims.verdict import Light
from core.numerals.claims.weights import FOLDER, ClaimWeights, names_with, read_claim_weights
from core.numerals.claims.words import invented_in
from core.numerals.derivations.features import features
from core.numerals.derivations.operands import DerivationCandidate, looks_like_year
from core.numerals.derivations.search import derivations_of
from core.numerals.entailing.rereading import ClaimReader, ClaimRereader, NobodyRereads, rereading
from core.numerals.expressions.printing import explain
from core.numerals.provenance import (
    CheckedHeadline,
    CheckedNumeral,
    Derivation,
    Status,
    why_unread,
)
from core.numerals.question import (
    AT_ONCE,
    Attacher,
    AttacherRecipe,
    Attachment,
    NumeralQuestion,
    ReadArticle,
    numeral_attachers,
    questions_of,
    read_article,
)
from core.numerals.weighing.weights import (
    SINGLE,
    SUPPORT_NAMES,
    Weights,
    ranked,
    read_weights,
    support_features,
)
from core.runtime import Runtime
from core.text.numerals.numeral import Approximation, Numeral, NumeralKind

if TYPE_CHECKING:
    from core.numerals.entailing.network import ClaimModel

DEFAULT: Final = "blend.v1"  # the attacher that is used by default
STEP: Final = "Checking numerals"


@dataclass(frozen=True, slots=True, eq=False)
class Checker:
    """A loaded checker."""

    attacher: Attacher  # judges what belongs where
    weights: Weights  # weigh what it says
    claims: ClaimWeights  # judge the claims
    system: str  # signature of the attacher, and its weights
    reader: ClaimModel | None = None  # the claim model; None to judge claims without a network
    rereader: LoadedRereader | None = None  # reads once more what would be shown as supported or wrong

    def check(
        self, headlines: Sequence[str], articles: Sequence[str], runtime: Runtime
    ) -> list[CheckedHeadline]:
        """Checks headlines, of each its first `limits.HEADLINE_NUMERALS` numerals.

        A headline that holds no numeral has none to check. What is in a language whose numbers are not read
        is not guessed at: such a headline says so (`CheckedHeadline.unread`), and the others are checked.
        """
        read: dict[str, ReadArticle] = {}
        found: list[CheckedHeadline] = []
        for start in runtime.track(range(0, len(headlines), AT_ONCE), STEP):
            part = slice(start, start + AT_ONCE)
            pairs = list(zip(headlines[part], articles[part], strict=True))
            for _, text in pairs:
                if text not in read:
                    read[text] = read_article(text)
            unread = [why_unread(headline, text) for headline, text in pairs]
            asked = [pair for pair, why in zip(pairs, unread, strict=True) if not why]
            places = self._places(asked, read, runtime)
            judged = iter(judge_claims(places, self.claims, self.reader, runtime, self.rereader))
            weighed = [place.weighed for some in places for place in some]
            sums = iter(self.weights.support.predict(np.array(weighed)).tolist() if weighed else ())
            for (headline, text), why in zip(pairs, unread, strict=True):
                article = read[text]
                if why:
                    found.append(CheckedHeadline(headline, article, (), self.system, unread=why))
                    continue
                numerals = tuple(self._checked(one, next(sums)) for one in next(judged))
                invented = invented_in(headline, article)
                found.append(CheckedHeadline(headline, article, numerals, self.system, invented))
            # A long table seldom comes back to an article that it has left.
            read = {text: read[text] for _, text in pairs}
        return found

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
        asked = [questions_of(headline, read[text])[:most] for headline, text in pairs]
        flat = [question for some in asked for question in some]
        if not flat:
            return [[] for _ in asked]
        attached = self.attacher.attach(flat, runtime)
        found = [derivations_of(question) for question in flat]
        rows = [features(*one) for one in zip(flat, attached, found, strict=True)]
        # Trees are asked once for all places: a call costs more than a few rows.
        ends = np.cumsum([len(one) for one in rows])[:-1]
        ranks = np.split(self.weights.derivations.predict(np.concatenate(rows)), ends)
        places = map(_place, flat, attached, found, rows, ranks)
        return [[next(places) for _ in some] for some in asked]

    def _checked(self, judged: JudgedClaim, logit: float) -> CheckedNumeral:
        place = judged.claim.place
        numeral, article, candidates = place.numeral, place.article, place.derivations
        constants = self.weights.constants
        support = _logistic(constants.slope * logit + constants.intercept) if candidates else 0.0
        derivations = ranked(candidates, place.ranks, support)
        rival = None
        if support >= constants.threshold:
            copied = derivations[0].candidate.way == "copy"
            status = Status.COPIED if copied else Status.DERIVED
        else:
            rival = _rival(numeral, article, candidates, place.shares, constants.rival)
            status = Status.UNSUPPORTED if rival is None else Status.CONTRADICTED
        claim = verdict_of(judged, wrong=self.claims.constants.wrong, rival=rival)
        if claim.light is Light.SUPPORTED and status not in {Status.COPIED, Status.DERIVED}:
            status, rival = Status.DERIVED, None
        return CheckedNumeral(
            numeral=numeral,
            status=status,
            support=support,
            derivations=derivations,
            same_thing=self._same_thing(candidates, place.shares),
            rival=rival,
            reason=_reason(numeral, article, status, derivations, rival),
            claim=claim,
        )

    def _same_thing(self, candidates: Sequence[DerivationCandidate], shares: FloatArray) -> float | None:
        rows = single_sources(candidates)
        if not rows:
            return None
        constants = self.weights.constants
        odds = log_odds(float(shares[rows].sum()))
        return _logistic(constants.same_slope * odds + constants.same_intercept)


def _place(
    question: NumeralQuestion,
    attachment: Attachment,
    candidates: Sequence[DerivationCandidate],
    rows: FloatArray,
    ranks: FloatArray,
) -> ClaimPlace:
    order = np.argsort(-ranks, kind="stable").tolist()
    return ClaimPlace(
        question=question,
        attachment=attachment,
        derivations=tuple(candidates[row] for row in order),
        ranks=ranks[order],
        weighed=support_features(attachment, candidates, rows, ranks),
    )


def load_checker(attacher: str | None, runtime: Runtime) -> Checker:
    """Loads a checker."""
    recipe = recipe_of(attacher)
    reading = (*ClaimReader().weights, *rereading()) if recipe.with_network else ()
    parts = [
        numeral_attachers.signature(recipe),
        *weights_told(recipe),
        f"claims:{fingerprint(FOLDER, *reading)}",
        *numbers_told(runtime, recipe, *((ClaimReader(), ClaimRereader()) if recipe.with_network else ())),
    ]
    claims = read_claim_weights(names_with(SUPPORT_NAMES))
    reader = ClaimReader().build(runtime) if recipe.with_network else None
    rereader: LoadedRereader | None = None
    if recipe.with_network:
        rereader = ClaimRereader().build(runtime) if rereading() else NobodyRereads()
    told = " · ".join(parts)
    return Checker(recipe.build(runtime), read_weights(recipe.folder), claims, told, reader, rereader)


def recipe_of(attacher: str | None) -> AttacherRecipe:
    """The attacher of a signature, None for `DEFAULT`; its weights are there."""
    recipe = numeral_attachers.parse(attacher or DEFAULT)
    recipe.check()
    return recipe


def single_sources(candidates: Sequence[DerivationCandidate]) -> list[int]:
    """Rows of the article's numerals from which a number comes without another numeral's help."""
    return sorted({row for one in candidates if one.way in SINGLE for row in one.sources})


def log_odds(share: float) -> float:
    """Log-odds of a share, between 2 and 98 %: attachers are surer than they are right."""
    kept = min(max(share, 0.02), 0.98)
    return math.log(kept / (1 - kept))


def _logistic(value: float) -> float:
    return 1 / (1 + math.exp(-min(max(value, -30.0), 30.0)))


_COUNTED: Final = frozenset({NumeralKind.COUNT, NumeralKind.MEASURE, NumeralKind.DURATION})
"""Kinds that readers take for each other: "three more", "3 hours", "3 acres"."""


def _rival(
    numeral: Numeral,
    article: ReadArticle,
    candidates: Sequence[DerivationCandidate],
    shares: FloatArray,
    least: float,
) -> int | None:
    same = set(single_sources(candidates))
    rivals = [
        row
        for row, other in enumerate(article.numerals)
        if row not in same and shares[row] >= least and comparable(numeral, other)
    ]
    return max(rivals, key=lambda row: shares[row], default=None)


def comparable(numeral: Numeral, other: Numeral) -> bool:
    """Whether two numerals could tell the same thing and differ: kind and unit agree, neither is vague."""
    if Approximation.VAGUE in (numeral.approximation, other.approximation):
        return False
    if numeral.value == other.value or (numeral.unit and other.unit and numeral.unit != other.unit):
        return False
    if looks_like_year(numeral) != looks_like_year(other):  # "the 2012 debates" counts no debates
        return False
    return numeral.kind is other.kind or {numeral.kind, other.kind} <= _COUNTED


def _reason(
    numeral: Numeral,
    article: ReadArticle,
    status: Status,
    derivations: Sequence[Derivation],
    rival: int | None,
) -> str:
    if status is Status.COPIED:
        return f"The article has “{article.numerals[derivations[0].candidate.sources[0]].text}”."
    if status is Status.DERIVED and derivations:
        return f"It is {explain(derivations[0].candidate.expression)}."
    if status is Status.DERIVED:
        return "It follows from the article's numbers."
    if status is Status.CONTRADICTED and rival is not None:
        return f"For this the article has “{article.numerals[rival].text}”."
    if not article.numerals:
        return "The article has no number."
    if any(one.candidate.way in ("copy", "trans") for one in derivations):
        return f"The article has “{numeral.number}”, but seemingly for something else."
    if len(article.numerals) == limits.ARTICLE_NUMERALS.value:
        return f"Nothing in the article's first {len(article.numerals):,} numbers gives {numeral.number}."
    return f"Nothing in the article gives {numeral.number}."
