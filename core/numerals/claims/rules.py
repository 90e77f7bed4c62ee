"""The rules that speak against a claim, by their names."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from core.numerals.checked_headline import Objection
from core.numerals.claims import amounts, directions, fates, holders, sayings
from core.numerals.claims.claim import Claim

Rule = Callable[[Claim], Iterator[Objection]]
OTHERWISE: Final[Mapping[str, Rule]] = {  # the article says otherwise: they make a number wrong
    "nobody": fates.nobody,
    "other currency": amounts.other_currency,
    "other unit": amounts.other_unit,
    "other magnitude": amounts.other_magnitude,
    "other end": amounts.other_end,
    "other month": amounts.other_month,
    "other score": amounts.other_score,
    "ends of a change": directions.other_change,
    "other way": directions.other_way,
    "profit or loss": directions.other_result,
}
REASONS: Final[Mapping[str, Rule]] = {  # they ask for a look: most written headlines that meet them are false
    "other fate": fates.other_fate,
    "bare end": amounts.bare_end,
    "wrong side": amounts.other_side,
    "turned behind it": directions.turned_behind,
    "plan for fact": sayings.plan_for_fact,
    "percentage points": sayings.points,
    "ordinal for count": sayings.ordinal,
    "other length": sayings.other_length,
    "earlier number": sayings.earlier,
    "opposite word": sayings.opposite,
    "rate": amounts.other_rate,
    "to or by": directions.other_step,
    "said of another number": sayings.exchanged,
    "said of another number alone": sayings.said_elsewhere,
    "whole for part": sayings.whole_for_part,
    "other thing": sayings.other_thing,
    "other period": sayings.other_period,
    "turned round": holders.turned_round,
    "other name before it": holders.other_holder,
    "other age": holders.other_age,
    "named later": holders.named_later,
}
RULES: Final[Mapping[str, Rule]] = {**OTHERWISE, **REASONS}


def reasons_of(claim: Claim) -> dict[str, Objection]:
    """What speaks against a claim, by the name of the rule, the plainest first."""
    rules = RULES if claim.numeral.value else {"nobody": RULES["nobody"]}
    return {name: objection for name, rule in rules.items() if (objection := next(iter(rule(claim)), None))}
