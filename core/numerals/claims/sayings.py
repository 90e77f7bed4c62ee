"""Words of a headline that the article plainly denies: opposites, plans, periods, what a number counts."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final

from core.numerals.checked_headline import Fault, Objection
from core.numerals.claims import amounts, changes, clauses, pairs, periods, words
from core.numerals.claims.claim import DATED, ENGLISH, HOW_OFTEN, PARTS, Claim, unanimous
from core.numerals.claims.differences import says_less, ways_worked
from core.numerals.claims.fates import OF_PEOPLE, counts_others
from core.numerals.claims.words import TABLES, Word, article_words, opposed_to, predicates_of, sentence_words
from core.numerals.question import ReadArticle
from core.text.numerals.numeral import Numeral, NumeralKind

_CONVERSE: Final = frozenset({"donate", "receive", "pay"})  # what is given is got
_DIRECTIONS: Final = frozenset({"rise", "fall", "profit", "loss", "win", "lose", "most", "least"})
_PART_OF: Final = frozenset({"of", "von", "des", "der", "sur", "su", "di", "dei", "из"})
_FEW: Final = 12  # such numbers are often a sum, or said of several things
_BESIDE: Final = 3  # words beside a number in a headline that say what became of those whom it counts
_COUNTS: Final = {NumeralKind.COUNT}
_LONGEST: Final = 3
_AHEAD: Final = 9  # words between what leaves a deed open and its number, at most
_STEM: Final = 4  # letters at the beginning by which "burned" and "burns" are one
_POINTS, _RUN, _LENGTH, OF_WHOLE, _OF_THEM = map(words.sign, ("points", "run", "length", "part", "inherits"))
_LENGTHS: Final = words.expressions(TABLES["lengths"], behind=r"(?![- ]old)\b")
_LEFT, _RIGHT, _JUST = 30, 40, 12  # characters between a number and the span of time that is said of it
_EARLIER, _SAYS_EARLIER = (words.expressions(TABLES[name]) for name in ("earlier", "says_earlier"))
_NEXT_TO: Final = 40  # characters before a number in which what makes it the earlier one stands


def opposite_word(claim: Claim) -> Iterator[Objection]:
    """The opposite word in the source's sentence, and the headline's in none beside it."""
    if claim.source is None or not claim.equal:
        return
    source, at = claim.article.numerals[claim.source], claim.article.places[claim.source]
    given = predicates_of(chain(*article_words(claim.article).sentences[max(at - 1, 0) : at + 2]))
    near, beside_it = clauses.said_of(claim), clauses.given_of(claim, claim.source)
    said = predicates_of(word for _, word in near)
    # One side's win is the other's defeat.
    converse = _CONVERSE | {"win", "lose"} if amounts.scores_of(claim) else _CONVERSE
    for _, mine in near:
        for _, yours in beside_it:
            if mine.predicates & yours.predicates:
                break
            if mine.predicates & given or yours.predicates & said:
                continue
            for predicate in mine.predicates - converse:
                if opposed_to(predicate) & yours.predicates:
                    fault = Fault.BOUND if predicate in _DIRECTIONS else Fault.OTHER
                    yield fault, f"Of “{source.text}” the article says “{yours.text}”, not “{mine.text}”."


def said_of_another_number(claim: Claim) -> Iterator[Objection]:
    """What the article says of another number in its own clause, where it says the opposite of this one."""
    if word := unanimous(_exchanged_word(claim, row) for row in claim.equal):
        number = claim.article.numerals[claim.equal[0]].text
        yield Fault.OTHER, f"The article says “{word.text.lower()}”, but not of “{number}”."


def _exchanged_word(claim: Claim, row: int) -> Word | None:
    article, mine = claim.article, claim.article.numerals[row]
    own, others = predicates_of(clauses.own_words(article, row)), frozenset[str]()
    for clause, spoken in clauses.clauses_in(article)[article.places[row]].items():
        inside = [n for n in clauses.telling_beside(article, row) if clause.holds(n.number_start)]
        others |= predicates_of(spoken) if inside and mine not in inside else set()
    for _, word in clauses.said_of(claim):
        opposed = any(opposed_to(predicate) & own for predicate in word.predicates)
        if opposed and word.predicates & others and not word.predicates & own:
            return word
    return None


def said_of_another_number_alone(claim: Claim) -> Iterator[Objection]:
    """180 injured, where the article has 180 passengers and says of 27 alone that they were injured."""
    article, numeral, at = claim.article, claim.numeral, claim.numeral.start
    others = [other.numeral.start for other in claim.others]
    near = (word for distance, word in claim.near if distance <= _BESIDE and word.predicates & OF_PEOPLE)
    own = (word for word in near if all(abs(word.start - at) < abs(word.start - other) for other in others))
    said = next(own, None)
    counts = numeral.kind is NumeralKind.COUNT and numeral.value > _FEW
    if said is None or not counts or not claim.equal or _is_of_whole(claim):
        return
    if predicates_of(word for row in claim.equal for word in sentence_words(article, row)) & said.predicates:
        return
    for row, source in enumerate(article.numerals):
        same = (word for word in clauses.own_words(article, row) if word.predicates & said.predicates)
        counts = source.kind is NumeralKind.COUNT and source.value != numeral.value
        if counts and (other := next(same, None)):
            given = f"“{other.text}” of “{source.text}”"
            yield Fault.OTHER, f"The article says {given}, not “{said.text}” of “{numeral.text}”."


def _is_of_whole(claim: Claim) -> bool:
    """Whether a word beside the headline's number makes it a part, or a whole: "120 of the 640"."""
    text, numeral = claim.headline, claim.numeral
    beside = (*text[: numeral.start].split()[-1:], *text[numeral.end :].split()[:1])
    return any(word.lower() in _PART_OF for word in beside)


def other_thing(claim: Claim) -> Iterator[Objection]:
    """4,100 factories, where the article has 4,100 homes and 1,500 factories."""
    article, numeral = claim.article, claim.numeral
    equal = [article.numerals[row] for row in claim.equal]
    things = unanimous(_things_of(article, row) for row in claim.equal)
    mine = _things(claim.words, claim.headline, numeral)[:1]
    if not mine or not things or {numeral.kind, *(n.kind for n in equal)} != _COUNTS:
        return
    said = mine[0].form
    if any(word.form == said for row in claim.equal for word in clauses.own_words(article, row)):
        return
    for row, other in enumerate(article.numerals):
        near = any(abs(article.places[row] - article.places[own]) <= 1 for own in claim.equal)
        counts = near and other.kind is NumeralKind.COUNT and other.start >= article.dateline
        counts = counts and other.value not in claim.shown
        if counts and any(word.form == said for word in _things_of(article, row)):
            given = f"“{equal[0].text} {things[0].text}”"
            yield Fault.OTHER, f"The article has {given}, and “{mine[0].text}” of “{other.text}”."


def _things_of(article: ReadArticle, row: int) -> list[Word]:
    return _things(sentence_words(article, row), article.text, article.numerals[row])


def _things(spoken: Sequence[Word], text: str, numeral: Numeral) -> list[Word]:
    """Up to three words that say behind a number what it counts: "4,100 family homes"."""
    named, end = list[Word](), numeral.end
    for word in [word for word in spoken if word.start >= numeral.end][:_LONGEST]:
        if not word.content or text[end : word.start].strip("- "):
            break
        named.append(word)
        end = word.start + len(word.text)
    return named


def other_period(claim: Claim) -> Iterator[Objection]:
    """A period that the article has of other numbers alone: "last summer" for what burned on Sunday."""
    # A half of a match is no period of its score at the end.
    if not amounts.scores_of(claim) and (period := periods.of_other_numbers(claim)):
        number = claim.article.numerals[claim.equal[0]].text
        yield Fault.OTHER, f"The article says “{period.text}”, but not of “{number}”."


def plan_for_fact(claim: Claim) -> Iterator[Objection]:
    """ "Hires 450", where the article has 450 only after "intends to"."""
    article, language, numeral = claim.article, claim.language, claim.numeral
    if numeral.kind in DATED or "?" in claim.headline or words.LEAVES_OPEN[language].search(claim.headline):
        return

    def leaves_open(row: int) -> str:
        before = article.text[clauses.clause_of(article, row).start : article.numerals[row].start]
        plans = (match for match in words.OPEN[language].finditer(before) if match[0] != "May")
        return next((plan[0] for plan in plans if len(before[plan.end() :].split()) <= _AHEAD), "")

    if said := unanimous(map(leaves_open, claim.alike_rows)):
        number = article.numerals[claim.alike_rows[0]].text
        yield Fault.OTHER, f"The article says “{said}” of “{number}”: it need not have come about."


def percentage_points(claim: Claim) -> Iterator[Objection]:
    """2 % more, where the article has two percentage points, and the other way round."""
    article, numeral = claim.article, claim.numeral
    if numeral.kind is not NumeralKind.PERCENT:
        return
    equal = (article.numerals[row] for row in claim.equal)
    shares = ((other, _is_points(article.text, other)) for other in equal)
    given = {n.text: in_points for n, in_points in shares if in_points or n.kind is NumeralKind.PERCENT}
    said = _is_points(claim.headline, numeral)
    if given and said not in given.values():
        text = next(iter(given))
        meant = f"“{text}” as points, not as a share" if not said else f"“{text}”, not points"
        yield Fault.UNIT, f"The article has {meant}."
    if not (said or claim.equal) and changes.direction_of(claim):
        for _, _, low, high in () if "change" in ways_worked(claim) else pairs.pairs_of_one_kind(article):
            if low.kind is NumeralKind.PERCENT and high.value - low.value == numeral.value:
                yield Fault.UNIT, f"From “{low.text}” to “{high.text}” are points between two percentages."


def _is_points(text: str, numeral: Numeral) -> bool:
    return bool(_POINTS.match(text, numeral.end) or _POINTS.search(numeral.text))


def ordinal_for_count(claim: Claim) -> Iterator[Objection]:
    """Three dead where the article has the third, and nothing else from which three would follow."""
    numerals, said = claim.article.numerals, claim.numeral.kind
    ranks = {numerals[row].kind for row in claim.equal} == {NumeralKind.ORDINAL} and not ways_worked(claim)
    counts = claim.numeral.counted and claim.numeral.counted not in HOW_OFTEN and not says_less(claim)
    if said is NumeralKind.COUNT and counts and ranks and not _RUN.search(claim.headline):
        yield Fault.OTHER, f"The article has “{numerals[claim.equal[0]].text}”, not “{claim.numeral.text}”."


def other_length(claim: Claim) -> Iterator[Objection]:
    """352 a month, where the article has 352 last year."""
    article, numeral = claim.article, claim.numeral
    said = [
        match
        for match in _LENGTH.finditer(claim.headline)
        if -_LEFT <= match.start() - numeral.end <= _RIGHT or 0 <= numeral.start - match.end() <= _JUST
    ]
    if claim.language != ENGLISH or len(said) != 1 or numeral.kind in DATED | {NumeralKind.DURATION}:
        return
    length = next(own for own in _LENGTHS.values() if own.search(said[0][1] or said[0]["adverb"]))

    def other(row: int) -> str:
        place = article.places[row]
        before, own = (article.text[slice(*article.sentences[max(at, 0)])] for at in (place - 1, place))
        found = next((match for lengths in _LENGTHS.values() if (match := lengths.search(own))), None)
        return "" if found is None or length.search(own) or length.search(before) else found[0]

    if given := unanimous(map(other, reversed(claim.alike_rows))):
        yield Fault.OTHER, f"Of “{numeral.text}” the article says “{given}”, not “{said[0][0]}”."


def whole_for_part(claim: Claim) -> Iterator[Objection]:
    """640 jobs cut, where the article has 640 only as "120 of the 640"."""
    article, numeral = claim.article, claim.numeral
    of_it = says_less(claim) or _is_of_whole(claim)
    if numeral.kind is not NumeralKind.COUNT or of_it or counts_others(claim, claim.equal):
        return

    def part_of(row: int) -> str:
        part, whole = article.numerals[max(row - 1, 0)], article.numerals[row]
        is_part = row and {part.kind, whole.kind} <= PARTS and part.value != 1 and part.value < whole.value
        of_whole = is_part and OF_WHOLE.fullmatch(article.text[part.end : whole.start])
        shown = any(other.numeral.value == part.value for other in claim.others)
        said = f"“{whole.text}” is the whole, of which the article has “{part.text}”."
        return said if of_whole and not shown else ""

    if reason := unanimous(map(part_of, reversed(claim.equal))):
        yield Fault.OTHER, reason


def whole_of_part(claim: Claim) -> Iterator[Objection]:
    """15 workers burned, where the article has 15 in hospital, "nine of them with burns"."""
    article, numerals = claim.article, claim.article.numerals
    said = [word for word in clauses.words_said(claim) if len(word.form) >= _STEM]

    def part_of(row: int) -> str:
        whole = numerals[row]
        for at, part in enumerate(numerals[row + 1 : row + _LONGEST], row + 1):
            around = article.text[max(part.start - _JUST, whole.end) : part.end + _JUST]
            smaller = part.kind in PARTS and part.value < whole.value and part.value not in claim.shown
            left, right = (sentence_words(article, each) for each in (row, at))
            before = {word.form[:_STEM] for word in left if word.start < part.start}
            behind = {word.form[:_STEM] for word in right if word.start > part.end} - before
            if smaller and _OF_THEM.search(around) and (own := [w for w in said if w.form[:_STEM] in behind]):
                return f"The article says “{own[0].text}” of “{part.text}” of “{whole.text}”."
        return ""

    counts = claim.numeral.kind is NumeralKind.COUNT and not _is_of_whole(claim)
    if counts and (reason := unanimous(map(part_of, claim.equal))):
        yield Fault.OTHER, reason


def earlier_number(claim: Claim) -> Iterator[Objection]:
    """48 as this year's, where the article has it only in "51, up from 48"."""
    article, language, numeral = claim.article, claim.language, claim.numeral
    if numeral.kind in DATED or _SAYS_EARLIER[language].search(claim.headline):
        return
    ends = changes.changes_of(article)
    begins = {change.before for change in ends} - {change.after for change in ends}

    def is_earlier(row: int) -> bool:
        start = article.numerals[row].start
        said = article.text[max(start - _NEXT_TO, 0) : start].rstrip()
        return row in begins or _EARLIER[language].search(said) is not None

    if unanimous(map(is_earlier, claim.alike_rows)):
        number = article.numerals[claim.alike_rows[0]].text
        yield Fault.OTHER, f"The article has “{number}” as the earlier number."


def unlike(claim: Claim) -> str:
    """The plainest of what a headline says of its number and the article does not, a sentence."""
    article, numeral = claim.article, claim.numeral
    near = sorted(clauses.words_said(claim), key=lambda word: abs(word.start - numeral.start))
    own = [clauses.words_with(article, row) for row in clauses.own_rows(claim)]
    free = [word for word in near if not any(word.form in row[1] for row in own)]
    shares = claim.place.shares
    for row in sorted(clauses.rival_rows(claim), key=lambda row: -float(shares[row])):
        clause = {word.text.lower() for word in clauses.own_words(article, row)}
        if word := next((word for word in free if word.text.lower() in clause), None):
            there = f"where it has “{article.numerals[row].text}”, not where it has “{numeral.text}”"
            return f"The article says “{word.text}” {there}."
    if not free:
        return f"The article does not plainly say this of “{numeral.text}”."
    word = next((word for word in free if word.form in article_words(article).forms), free[0])
    given = article.numerals[clauses.own_rows(claim)[0]].text
    return f"Where the article has “{given}”, it does not say “{word.text}”."
