"""Warnings on cases worked out by hand, in English, Russian and Italian."""

from __future__ import annotations

import pytest

from core.headlines.extractive import HeadlineWarning, WarningKind, copied_share, warnings_of

LEAD = "The central bank raised its main interest rate by half a point on Thursday. Markets fell."
LEAD_RU = "Центральный банк повысил ключевую ставку до 21 процента в пятницу. Рынок упал."
LEAD_IT = "La banca centrale ha alzato i tassi di mezzo punto giovedì. I mercati scendono."


def kinds(headline: str, article: str = "", *others: str) -> list[WarningKind]:
    return [one.kind for one in warnings_of(headline, article, others)]


@pytest.mark.parametrize("headline", ["", "  ", "?", "…", '""', "—\n"])
def test_headlines_that_say_nothing(headline: str) -> None:
    assert warnings_of(headline, LEAD, [headline]) == (
        HeadlineWarning(WarningKind.EMPTY, "The headline has no word."),
    )


@pytest.mark.parametrize(
    ("headline", "other"),
    [
        ("Bank raises rates", "BANK RAISES RATES!"),
        ("Bank raises rates", "“Bank raises rates”"),
        ("L’Italia alza i tassi", "L'Italia alza i tassi"),
    ],
)
def test_headlines_that_are_worded_alike(headline: str, other: str) -> None:
    assert kinds(headline, "", "Something else", other) == [WarningKind.DUPLICATE]
    assert warnings_of(headline, "", [other, other])[0].text == "It is worded like 2 other headlines."


@pytest.mark.parametrize(
    ("headline", "article", "share"),
    [
        ("Central Bank Raised Its Main Interest Rate", LEAD, 1.0),
        ("Central bank raised its main rate", LEAD, 5 / 6),
        ("Central bank lifts its main interest rate", LEAD, 4 / 7),
        ("Bank surprises with half a point", LEAD, 0.0),
        ("Thursday", LEAD, 1.0),
        ("Центральный банк повысил ключевую ставку", LEAD_RU, 1.0),
        ("La banca centrale ha alzato i tassi", LEAD_IT, 1.0),
    ],
)
def test_shares_copied_from_the_lead(headline: str, article: str, share: float) -> None:
    assert copied_share(headline, article) == pytest.approx(share)
    assert (kinds(headline, article) == [WarningKind.COPIED]) == (share >= 0.75)


def test_nothing_to_compare_with() -> None:
    assert copied_share("?", LEAD) is None
    assert copied_share("Bank raises rates", "") is None
    assert kinds("Bank raises rates") == []
