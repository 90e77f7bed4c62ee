"""Headlines that people wrote of articles, right and wrong, and the questions about their numbers."""

import json
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from core.data.articles import written_claims
from core.data.articles.blanks import Blanks
from core.data.articles.written_claims import WrittenClaim, load_written_claims
from core.numerals.checking import Checker, recipe_of
from core.numerals.claims.claim import question_of, read_claim
from core.numerals.claims.claim_weights import ClaimWeights
from core.numerals.reader import ClaimQuestion
from core.numerals.weighing import read_weights
from core.parts import Part
from core.runtime import Runtime
from research.training.numerals.corruptions import Corruption, corrupt
from research.training.numerals.lessons import filled_question

_AT_ONCE: Final = 50


class WrittenQuestion(NamedTuple):
    question: ClaimQuestion
    true: bool


def written_questions(
    claims: Sequence[WrittenClaim], runtime: Runtime, *, languages: Collection[str] = ()
) -> list[WrittenQuestion]:
    """The questions about the numbers in question; those without a source in the article are left out."""
    if not claims:
        return []
    recipe = recipe_of(None)
    # Nothing is judged, so nothing judges.
    checker = Checker(recipe.build(runtime), read_weights(recipe.folder), ClaimWeights({}, {}, {}), system="")
    questions = []
    for start in runtime.track(range(0, len(claims), _AT_ONCE), "Reading written headlines"):
        some = claims[start : start + _AT_ONCE]
        headlines, articles = [claim.headline for claim in some], [claim.article for claim in some]
        for claim, places in zip(some, checker.places(headlines, articles, runtime), strict=True):
            meant = [at for at in places if at.numeral.start < claim.end and claim.start < at.numeral.end][:1]
            if claim.start < 0 and (claim.true or len(places) == 1):
                meant = places
            for place in meant:
                read = read_claim(place, [other for other in places if other is not place])
                question = question_of(read)
                if question is not None and (not languages or read.language in languages):
                    questions.append(WrittenQuestion(question, claim.true))
    return questions


def invented(path: Path, *, plain: bool = False) -> list[WrittenClaim]:
    """The headlines of a file with one invented article a line, true and false; plain ones have no number."""
    claims, names = [], ("true_plain", "false_plain", "plain_kinds") if plain else ("true", "false", "kinds")
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        (true, false, kinds), article, desk = (
            (row.get(n, []) for n in names),
            row["article"],
            row.get("desk", ""),
        )
        claims += [WrittenClaim(text, -1, -1, article, True, "", desk) for text in true]
        kinds = zip(false, kinds or [path.stem] * len(false), strict=True)
        claims += [WrittenClaim(text, -1, -1, article, False, kind, desk) for text, kind in kinds]
    return claims


def claims_written(part: Part, blanks: Blanks) -> list[WrittenClaim]:
    """Headlines written for a part's articles of NumHG, and for invented articles in several languages."""
    files = sorted((written_claims.PLACE.require() / "invented" / part.value).glob("*.jsonl"))
    return [*load_written_claims(part, blanks), *(claim for path in files for claim in invented(path))]


def numhg_claims(
    blanks: Blanks, made: Sequence[Corruption], *, most: int, seed: int
) -> Iterator[WrittenClaim]:
    """NumHG's own headlines, and the same with the number made wrong."""
    for row in range(min(most, len(blanks))):
        question = filled_question(blanks, row)
        if question is None:
            continue
        place = question.start, question.end, blanks.texts[row]
        yield WrittenClaim(question.headline, *place, True, "")
        for how in made:
            wrong = corrupt(question, how, seed)
            if wrong is not None:
                yield WrittenClaim(wrong, *place, False, how.value)
