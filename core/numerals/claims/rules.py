"""The named reasons against a claim, each a rule that the plain words of both texts meet or do not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from core.numerals.claims import amounts, holders, otherwise, sayings
from core.numerals.claims.claim import Claim
from core.numerals.claims.verdict import Objection

Rule = Callable[[Claim], Iterator[Objection]]

OTHERWISE: Final[Mapping[str, Rule]] = MappingProxyType(
    {
        "nobody": otherwise.nobody,
        "other currency": amounts.other_currency,
        "other unit": otherwise.other_unit,
        "other magnitude": otherwise.other_magnitude,
        "other month": otherwise.other_month,
        "other half of the day": amounts.other_half,
        "other score": amounts.other_score,
        "ends of a change": amounts.other_change,
        "other way": otherwise.other_way,
    }
)
"""Rules by which the article says otherwise: they make a number wrong."""
REASONS: Final[Mapping[str, Rule]] = MappingProxyType(
    {
        "other fate": otherwise.other_fate,
        "opposite word": sayings.opposite,
        "rate": amounts.other_rate,
        "to or by": amounts.other_step,
        "said of another number": sayings.exchanged,
        "said of another number alone": sayings.said_elsewhere,
        "denial": sayings.denied,
        "other period": sayings.other_period,
        "other winner": holders.other_winner,
        "other name before it": holders.other_holder,
        "named later": holders.named_later,
        "man or woman": holders.other_sex,
    }
)
"""Rules that ask for a look, where most written headlines that meet them are false."""
RULES: Final[Mapping[str, Rule]] = MappingProxyType({**OTHERWISE, **REASONS})


def reasons_of(claim: Claim) -> dict[str, Objection]:
    """What speaks against a claim, by the name of the rule, the plainest first."""
    found = ((name, next(iter(rule(claim)), None)) for name, rule in RULES.items())
    return {name: one for name, one in found if one is not None}
