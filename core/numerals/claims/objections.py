"""What speaks against a claim so plainly that no weighing may show it as supported.

NumHG has too few such headlines to learn from: other amounts (`amounts`), of somebody else (`holders`,
`persons`), said in other words (`sayings`), of what is only wanted (`intentions`), of less (`narrower`).
"""

from __future__ import annotations

from typing import Final

from core.numerals.claims import amounts, holders, intentions, narrower, persons, sayings
from core.numerals.claims.claim import Claim
from core.numerals.claims.narrower import Objection


def objection(claim: Claim) -> Objection | None:
    """The first that there is; None where nothing speaks so plainly."""
    found = (one for look in _LOOKS for one in look(claim))
    return next(found, None)


_LOOKS: Final = (
    amounts.other_currency,
    amounts.other_rate,
    amounts.other_step,
    amounts.other_change,
    amounts.other_half,
    amounts.other_score,
    holders.other_winner,
    holders.other_holder,
    holders.absent_holder,
    holders.other_subject,
    holders.of_division,
    sayings.other_rank,
    sayings.denied,
    sayings.undone,
    sayings.turned,
    sayings.opposite,
    sayings.exchanged,
    sayings.other_period,
    sayings.no_such_period,
    narrower.only_up_to,
    narrower.not_done,
    narrower.of_some,
    narrower.other_side,
    holders.other_whole,
    persons.other_sex,
    persons.of_a_relative,
    persons.of_his_relative,
    persons.named_later,
    intentions.not_yet,
)
