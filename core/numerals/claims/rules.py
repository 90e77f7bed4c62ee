"""The rules that speak against a claim, by their names."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from core.numerals.checked_headline import Objection
from core.numerals.claims import amounts, directions, fates, holders, right_numbers, sayings
from core.numerals.claims.claim import Claim

Rule = Callable[[Claim], Iterator[Objection]]


def _named(*rules: Rule) -> Mapping[str, Rule]:
    return {rule.__name__.replace("_", " "): rule for rule in rules}


OTHERWISE: Final = _named(  # the article says otherwise: they make a number wrong
    *(fates.nobody, amounts.other_currency, amounts.other_unit, amounts.other_magnitude, amounts.other_end),
    *(amounts.other_month, amounts.other_score, directions.ends_of_a_change, directions.other_way),
    directions.profit_or_loss,
)
REASONS: Final = _named(  # they ask for a look: most written headlines that meet them are false
    *(fates.other_fate, amounts.bare_end, amounts.wrong_side, directions.turned_behind_it),
    *(sayings.plan_for_fact, sayings.percentage_points, sayings.ordinal_for_count, sayings.other_length),
    *(sayings.earlier_number, sayings.opposite_word, amounts.rate, directions.to_or_by),
    *(sayings.said_of_another_number, sayings.said_of_another_number_alone, sayings.whole_for_part),
    *(sayings.other_thing, sayings.other_period, holders.turned_round, holders.other_name_before_it),
    *(holders.other_age, holders.named_later),
)
RULES: Final[Mapping[str, Rule]] = {**OTHERWISE, **REASONS}
UNWEIGHED: Final = _named(sayings.whole_of_part, right_numbers.other_holder)
"""They ask for a look as well, and the trees do not know them."""


def reasons_of(claim: Claim) -> dict[str, Objection]:
    """What speaks against a claim, by the name of the rule, the plainest first."""
    rules = {**RULES, **UNWEIGHED} if claim.numeral.value else {"nobody": RULES["nobody"]}
    return {name: objection for name, rule in rules.items() if (objection := next(iter(rule(claim)), None))}
