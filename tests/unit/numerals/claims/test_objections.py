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
RENTS = "Rents in Velden rose from $1,200 a month in May to $1,500 a month in June, the town said on Friday."
FIRE = "Fires at Orme have burned 2,100 acres and are 15 percent contained, officials said on Thursday."
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
FINE = (
    "Regulators want to fine the airline Norvia 85 million euros for cancelling flights, a draft shows. "
    "A court blocked an earlier fine of 30 million euros."
)
NURSES = "The hospital in Orme plans to hire 140 nurses next year, its director said on Friday."
HIRED = "The hospital plans to hire 140 nurses. Last year it hired 140 nurses, its director said."
FLIGHTS = "Norvia cancelled 1,240 flights last summer, a report said on Friday. It flies to Orme."
PLACE = "Halstead beat Corwen on Saturday to move up to fourth place in the league."
CALL = "Her brother had called police at 9:40 p.m., ten minutes before the attack in Orme."
CLERK = (
    "The clerk of Velden faces up to five years in prison if he is convicted, the prosecutor said on Friday."
)
MILL = "Orme Mills had weighed cutting 600 jobs at its mill in Velden. It employs 2,100 people there."
CRASH = "A bus fell into a ravine near Orme, killing 24 people, seven of them children, and injuring 21."
SALE = "Orme Mills said it will sell 60 percent of its paper unit to Rusk. Orme Mills has a seat in Velden."
RIVER = "The river stood 84 centimeters above the level of danger in Orme on Friday."
ATTIC = "The family's 33-year-old son found the remains of a woman in the attic on Friday."
NURSE = "A man and a nurse, 41, were hurt. The 29-year-old driver, who is a woman, was not."
SON = (
    "Mayor Carl Rusk's eldest son, Nils Rusk, said today that he will run for governor in 2026. “I have "
    "thought of running in 2026,” Rusk said."
)
LAWYER = "Velden's mayor said Edda Orme's lawyer was paid $90,000 for it. Orme has no comment."
ALONE = "Edda Orme's lawyer said that Edda Orme was paid $90,000."
PRIZE = (
    "Novelist Hugo Lang, 68, won the Harrow Prize on Friday. He received 75,000 pounds. His wife, the "
    "painter Ines Lang, 61, has sold 14 pictures. The winner, a man, 68, lives in Orme."
)
ARREST = "Police in Orme arrested a man, 34, after two women were hurt on Friday."


@pytest.mark.parametrize(
    ("headline", "article", "fault"),
    [
        ("Keeper's Pension: £1,150 a Week", PENSION, Fault.OTHER),
        ("Fahrt kostet 2,40 Euro am Tag", BUS, Fault.OTHER),
        ("Brewery Shares Rise 12%", SHARES, Fault.BOUND),
        ("Painting Fetches €2.5M", PAINTING, Fault.UNIT),
        ("Cruz Re-Elected With 54%", VOTE, Fault.OTHER),
        ("11 Top Suspects in Town Fire", TOWN, Fault.OTHER),
        ("Town Spares 11 People", TOWN, Fault.OTHER),
        ("Brewery Shares Avoid 12% Fall", SHARES, Fault.OTHER),
        ("Rams Beat Comets 98-91", MATCH, Fault.OTHER),
        ("Orme Fire 15% Uncontained", FIRE, Fault.OTHER),
        ("Rents in Velden Fall to $1,500", RENTS, Fault.BOUND),
        ("Rents in Velden Rise by $300 a Week", RENTS, Fault.OTHER),
        ("Tolland Sentenced to 30 Months", COURT, Fault.OTHER),
        ("Solvex Sales Jump 22 Percent", COATINGS, Fault.OTHER),
        ("75 Patients to Sue This Month", CLINIC, Fault.OTHER),
        ("23 депутата проголосовали против бюджета", COUNCIL, Fault.OTHER),
        ("320 hectares avaient brûlé l'été dernier", SUMMER, Fault.OTHER),
        ("150 Missing off Orme", FERRY, Fault.OTHER),
        ("Climbers Left at 3 p.m.", "Three climbers left the hut at 3 a.m. on Sunday.", Fault.VALUE),
        ("Regulators Fine Norvia 85 Million Euros", FINE, Fault.OTHER),
        ("Hospital Hires 140 Nurses", NURSES, Fault.OTHER),
        ("Norvia Cancelled 1,240 Flights Last Winter", FLIGHTS, Fault.OTHER),
        ("Clerk Gets Five Years", CLERK, Fault.BOUND),
        ("Mill Cuts 600 Jobs", MILL, Fault.OTHER),
        ("24 Children Killed in Bus Crash", CRASH, Fault.OTHER),
        ("Orme Mills Sells 60 Percent of Rusk", SALE, Fault.OTHER),
        ("River 84 Centimeters Below Level of Danger", RIVER, Fault.BOUND),
        ("33-Year-Old Woman Found in Attic", ATTIC, Fault.OTHER),
        ("Carl Rusk to Run for Governor in 2026", SON, Fault.OTHER),
        ("Edda Orme Was Paid $90,000", LAWYER, Fault.OTHER),
        ("Hugo Lang Has Sold 14 Pictures", PRIZE, Fault.OTHER),
        ("Lang Has Sold 14 Pictures", PRIZE, Fault.OTHER),
        ("Ines Lang Receives 75,000 Pounds", PRIZE, Fault.OTHER),
        ("Woman, 34, Arrested in Orme", ARREST, Fault.OTHER),
        ("34-Year-Old Woman Arrested in Orme", ARREST, Fault.OTHER),
    ],
)
def test_what_the_article_plainly_denies_or_has_of_less_or_of_another_is_objected_to(
    headline: str, article: str, fault: Fault
) -> None:
    found = objection(claim_of(headline, article))
    assert found is not None
    assert found[0] is fault


@pytest.mark.parametrize(
    ("headline", "article"),
    [
        ("Keeper's Pension: £1,150 a Month", PENSION),
        ("Fahrt kostet 2,40 Euro je Stunde", BUS),
        ("Brewery Shares Fall 12%", SHARES),
        ("Holt Re-Elected With 54%", VOTE),
        ("Orme to Cut 240 Jobs", RIVALS),
        ("Firm Refuses to Pay 40 Workers", "The firm in Velden said it will not pay 40 workers this week."),
        ("Comets Top Rams 98-91", "The Rams fell to the Comets 98-91 on Friday in Velden."),
        ("Orme Fire 15% Contained", FIRE),
        ("Rents in Velden Rise to $1,500", RENTS),
        (
            "Rents Rise by $300",
            "Rents rose from $1,200 to $1,500 in May. In June rents fell from $1,500 to $1,200.",
        ),
        ("Climbers Left at 3", "The climbers left the hut at 3 a.m. on Sunday."),
        ("Marsh Sentenced to 30 Months", COURT),
        ("Solvex Coatings Sales Jump 22 Percent", COATINGS),
        ("Sales of Solvex Division Jump 22 Percent", COATINGS),
        ("23 депутата проголосовали за бюджет", COUNCIL),
        ("320 hectares brûlés dimanche", SUMMER),
        ("150 Saved, 14 Missing off Orme", FERRY),
        ("Regulators Want to Fine Norvia 85 Million Euros", FINE),
        ("Norvia Faces Fine of 85 Million Euros, Draft Shows", FINE),
        ("Hospital to Hire 140 Nurses", NURSES),
        ("Hospital Hires 140 Nurses", HIRED),
        ("Norvia Cancelled 1,240 Flights Last Summer", FLIGHTS),
        ("Halstead Move Up to Fourth Place", PLACE),
        ("Attack Came at 9:50 p.m.", CALL),
        ("Clerk Faces Five Years", CLERK),
        ("Clerk Gets up to Five Years", CLERK),
        ("Mill Weighed Cutting 600 Jobs", MILL),
        ("24 Killed in Bus Crash", CRASH),
        ("Orme Mills Sells 60 Percent of Paper Unit", SALE),
        ("River 84 Centimeters Above Level of Danger", RIVER),
        ("33-Year-Old Man Finds Remains in Attic", ATTIC),
        ("29-Year-Old Woman Not Hurt", NURSE),
        ("Nils Rusk to Run for Governor in 2026", SON),
        ("Rusk to Run for Governor in 2026", SON),
        ("Edda Orme Lawyer Was Paid $90,000", LAWYER),
        ("Edda Orme Was Paid $90,000", ALONE),
        ("Ines Lang Has Sold 14 Pictures", PRIZE),
        ("Lang's Wife Has Sold 14 Pictures", PRIZE),
        ("Painter Has Sold 14 Pictures", PRIZE),
        ("Hugo Lang Receives 75,000 Pounds", PRIZE),
        ("Lang Receives 75,000 Pounds", PRIZE),
        ("Man, 34, Arrested in Orme", ARREST),
    ],
)
def test_what_the_article_says_is_not(headline: str, article: str) -> None:
    assert objection(claim_of(headline, article)) is None
