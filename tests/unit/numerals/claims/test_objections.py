"""What speaks so plainly against a claim that it is never shown as supported."""

from __future__ import annotations

import pytest

from core.numerals.claims.objections import objection
from core.numerals.claims.verdict import Fault
from tests.unit.numerals.claims.claims_by_hand import claim_of

PENSION = "The keeper of the light at Orme will get a pension of £1,150 a month, the council said on Friday."
BUS = "Der Umsatz der Buslinie sank im Mai um 8 Prozent. Eine Fahrt kostet 2,40 Euro pro Stunde."
MATCH = "The Comets beat the Rams 98-91 on Friday before 11,200 people in Velden."
SHARES = "Shares of the brewery in Velden fell 12% on Monday after it warned of a poor summer."
MEAL = "Le prix du repas augmente de 12 % à la rentrée, a annoncé la ville, qui sert 900 enfants."
VOTE = (
    "Gov. Marian Holt was re-elected with 54 percent of the vote, beating Luis Cruz, who took 43 percent. "
    "On Friday Cruz conceded, and Holt thanked him."
)
PAINTING = "A painting sold for $2.5 million in Ghent. A hand in Ghent bid 300 times."
RIVALS = (
    "On Monday Orme said it will cut 240 jobs at its brewery. Beer sells badly. Its shares fell. "
    "In Velden its rival Rusk earned $3 million."
)
TOWN = "All 11 people who live in the town of Pava are under investigation over a fire, police in Pava said."
REPAIRS = "Repairs of the schools in Orme will cost $350 million over five years, the county said."
RENTS = "Rents in Velden rose from $1,200 a month in May to $1,500 a month in June, the town said on Friday."
FIRE = "Fires at Orme have burned 2,100 acres and are 15 percent contained, officials said on Thursday."
FOOT = "The 14th severed foot has washed up on a beach near Orme, police in Velden said on Friday."

COURT = (
    "A judge in Velden on Monday sentenced Peter Marsh to 30 months in prison. His partner, Ruth Tolland, "
    "who spoke against him, was given probation."
)
COATINGS = "Solvex said that sales of its coatings division jumped 22 percent. Sales of Solvex were flat."
CLINIC = (
    "The lawyers said that 75 patients have joined the suit since May, and that 40 more will sue this month."
)
COUNCIL = "Городская дума приняла бюджет. За проголосовали 23 депутата, против — 11."
SUMMER = "L'incendie a ravagé dimanche 320 hectares près du Cap. L'été dernier, 90 hectares avaient brûlé."
FERRY = "Rescuers saved 150 people after a ferry broke off Orme, and 14 others are missing, the guard said."


@pytest.mark.parametrize(
    ("headline", "article", "fault"),
    [
        ("Keeper's Pension: £1,150 a Week", PENSION, Fault.OTHER),
        ("Fahrt kostet 2,40 Euro am Tag", BUS, Fault.OTHER),
        ("Umsatz sinkt auf 8 Prozent", BUS, Fault.OTHER),
        ("Comets Beat Rams 98-81", MATCH, Fault.VALUE),
        ("Brewery Shares Rise 12%", SHARES, Fault.BOUND),
        ("Le repas en baisse de 12 %", MEAL, Fault.BOUND),
        ("Painting Fetches €2.5M", PAINTING, Fault.UNIT),
        ("Cruz Re-Elected With 54%", VOTE, Fault.OTHER),
        ("11 Top Suspects in Town Fire", TOWN, Fault.OTHER),
        ("11 People Are Top Suspects", TOWN, Fault.OTHER),
        ("Town Spares 11 People", TOWN, Fault.OTHER),
        ("Rusk Brewery to Cut 240 Jobs", RIVALS, Fault.OTHER),
        ("Brewery Shares Avoid 12% Fall", SHARES, Fault.OTHER),
        ("School Repairs to Cost $350M a Year", REPAIRS, Fault.OTHER),
        ("Rams Beat Comets 98-91", MATCH, Fault.OTHER),
        ("Orme Fire 15% Uncontained", FIRE, Fault.OTHER),
        ("14th Severed Foot Washes Down Near Orme", FOOT, Fault.OTHER),
        ("Rents in Velden Down by $300", RENTS, Fault.BOUND),
        ("Rents in Velden Fall to $1,500", RENTS, Fault.BOUND),
        ("Rents in Velden Rise to $1,200", RENTS, Fault.BOUND),
        ("Rents in Velden Rise by $300 a Week", RENTS, Fault.OTHER),
        ("Tolland Sentenced to 30 Months", COURT, Fault.OTHER),
        ("Solvex Sales Jump 22 Percent", COATINGS, Fault.OTHER),
        ("75 Patients to Sue This Month", CLINIC, Fault.OTHER),
        ("23 депутата проголосовали против бюджета", COUNCIL, Fault.OTHER),
        ("320 hectares avaient brûlé l'été dernier", SUMMER, Fault.OTHER),
        ("150 Missing off Orme", FERRY, Fault.OTHER),
        ("Climbers Left at 3 p.m.", "Three climbers left the hut at 3 a.m. on Sunday.", Fault.VALUE),
    ],
)
def test_what_the_article_plainly_denies_is_objected_to(headline: str, article: str, fault: Fault) -> None:
    found = objection(claim_of(headline, article))
    assert found is not None
    assert found[0] is fault


@pytest.mark.parametrize(
    ("headline", "article"),
    [
        ("Keeper's Pension: £1,150 a Month", PENSION),
        ("Keeper to Get £1,150", PENSION),
        ("Fahrt kostet 2,40 Euro je Stunde", BUS),
        ("Umsatz sinkt um 8 Prozent", BUS),
        ("Comets Beat Rams 98-91", MATCH),
        ("Brewery Shares Fall 12%", SHARES),
        ("Le repas en hausse de 12 %", MEAL),
        ("Painting Fetches $2.5M", PAINTING),
        ("Holt Re-Elected With 54%", VOTE),
        ("Holt Beats Cruz With 54%", VOTE),
        ("Cruz Concedes With 43%", VOTE),
        ("11 Suspects in Town Fire", TOWN),
        ("Orme to Cut 240 Jobs", RIVALS),
        ("Brewery to Cut 240 Jobs", RIVALS),
        ("Rusk Earned $3M", RIVALS),
        ("Firm Refuses to Pay 40 Workers", "The firm in Velden said it will not pay 40 workers this week."),
        ("11 People Suspected", TOWN),
        ("School Repairs to Cost $350M", REPAIRS),
        ("Comets Top Rams 98-91", "The Rams fell to the Comets 98-91 on Friday in Velden."),
        ("Orme Fire 15% Contained", FIRE),
        ("14th Severed Foot Washes Up Near Orme", FOOT),
        ("Rents in Velden Up by $300", RENTS),
        ("Rents in Velden Rise to $1,500", RENTS),
        ("Rents of $1,500 Shock Velden", RENTS),
        (
            "Rents Rise by $300",
            "Rents rose from $1,200 to $1,500 in May. In June rents fell from $1,500 to $1,200.",
        ),
        ("Climbers Left at 3", "The climbers left the hut at 3 a.m. on Sunday."),
        ("Marsh Sentenced to 30 Months", COURT),
        ("Judge Sentences Marsh to 30 Months", COURT),
        ("Solvex Coatings Sales Jump 22 Percent", COATINGS),
        ("Sales of Solvex Division Jump 22 Percent", COATINGS),
        ("75 Patients Have Joined Suit Since May", CLINIC),
        ("23 депутата проголосовали за бюджет", COUNCIL),
        ("320 hectares brûlés dimanche", SUMMER),
        ("150 Saved, 14 Missing off Orme", FERRY),
    ],
)
def test_what_the_article_says_is_not(headline: str, article: str) -> None:
    assert objection(claim_of(headline, article)) is None
