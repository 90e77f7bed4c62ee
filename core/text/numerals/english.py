"""Words of English numerals."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from core.text.numerals.numeral import Approximation, Kind
from core.text.numerals.tables import (
    Language,
    Single,
    counted_up,
    currencies,
    named,
    nearness,
    phrased,
    phrases,
    valued,
    words,
)

_SMALL: Final = counted_up(
    """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen""",
    0,
)
_TENS: Final = counted_up("twenty thirty forty/fourty fifty sixty seventy eighty ninety", 20, 10)
_ORDINALS: Final = (
    counted_up(
        """first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
        fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"""
    )
    | counted_up("twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth", 20, 10)
    | {"hundredth": 100, "thousandth": 1_000, "millionth": 10**6, "billionth": 10**9, "trillionth": 10**12}
)
_PARTS: Final = {word: value for word, value in _ORDINALS.items() if value > 2} | {"quarter": 4}

ENGLISH: Final = Language(
    code="en",
    comma=False,
    cardinals=_SMALL | _TENS,
    hundreds=frozenset({"hundred"}),
    scales={"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12, "quadrillion": 10**15},
    bare_scales=words("thousand million billion trillion"),
    abbreviations=valued(
        (("k thou", 10**3), ("m mn mln mil", 10**6), ("b bn bln", 10**9), ("t tn trn", 10**12))
    ),
    groups={
        "dozen": (12, ""),
        "decade": (10, "year"),
        "decades": (10, "year"),
        "century": (100, "year"),
        "centuries": (100, "year"),
        "millennium": (1_000, "year"),
        "millennia": (1_000, "year"),
    },
    articles=words("a an"),
    joiners=words("and"),
    halves={
        ("and", "a", "half"): Fraction(1, 2),
        ("and", "half"): Fraction(1, 2),
        ("and", "one", "half"): Fraction(1, 2),
        ("and", "a", "quarter"): Fraction(1, 4),
        ("and", "a", "third"): Fraction(1, 3),
        ("and", "two", "thirds"): Fraction(2, 3),
        ("and", "three", "quarters"): Fraction(3, 4),
    },
    ordinals=_ORDINALS,
    ordinal_suffixes=words("st nd rd th"),
    denominators=_PARTS,
    denominators_many={f"{word}s": value for word, value in _PARTS.items()} | {"halves": 2},
    singles={
        "half": Single(Fraction(1, 2), Kind.FRACTION),
        "both": Single(Fraction(2)),
        "pair": Single(Fraction(2)),
        "duo": Single(Fraction(2)),
        "trio": Single(Fraction(3)),
        "quartet": Single(Fraction(4)),
        "twins": Single(Fraction(2)),
        "triplets": Single(Fraction(3)),
        "twice": Single(Fraction(2)),
        "thrice": Single(Fraction(3)),
        "double": Single(Fraction(2)),
        "doubled": Single(Fraction(2)),
        "triple": Single(Fraction(3)),
        "tripled": Single(Fraction(3)),
        "quadruple": Single(Fraction(4)),
        "quadrupled": Single(Fraction(4)),
        "single": Single(Fraction(1)),
        "dozen": Single(Fraction(12)),
        "hundred": Single(Fraction(100)),
    }
    | {f"{word}fold": Single(Fraction(value)) for word, value in _SMALL.items() if value > 1}
    | {"hundredfold": Single(Fraction(100))},
    past=words("past last next full entire first half quarter whole new this"),
    vague={
        "dozens": 12,
        "scores": 20,
        "hundreds": 100,
        "thousands": 1_000,
        "millions": 10**6,
        "billions": 10**9,
        "trillions": 10**12,
    },
    vague_many=words("few several many couple"),
    percents=phrases("percent,per cent,pct,percentage points,percentage point,percent points"),
    currencies=currencies(
        (
            ("dollars,dollar,us dollars,bucks,buck,usd", "USD", 1),
            ("cents,cent", "USD", 100),
            ("euros,euro,eur", "EUR", 1),
            ("pounds sterling,pound sterling,gbp,quid", "GBP", 1),
            ("pence", "GBP", 100),
            ("yen", "JPY", 1),
            ("yuan,renminbi", "CNY", 1),
            ("rubles,ruble,roubles,rouble", "RUB", 1),
            ("rupees,rupee", "INR", 1),
            ("canadian dollars", "CAD", 1),
            ("australian dollars", "AUD", 1),
            ("swiss francs,francs", "CHF", 1),
            ("pesos,peso", "MXN", 1),
            ("won", "KRW", 1),
            ("shekels", "ILS", 1),
            ("hryvnia", "UAH", 1),
            ("kronor", "SEK", 1),
            ("kroner", "NOK", 1),
            ("reais", "BRL", 1),
        )
    ),
    measures=phrased(
        (
            ("miles,mile,mi", "mile"),
            ("square miles,square mile", "square mile"),
            ("miles per hour,mph,miles an hour,mile per hour", "mile per hour"),
            ("miles per gallon,mpg", "mile per gallon"),
            ("kilometers,kilometer,kilometres,kilometre,km,kms", "kilometre"),
            ("square kilometers,square kilometres", "square kilometre"),
            ("kph,km h,kilometers per hour", "kilometre per hour"),
            ("meters,meter,metres,metre,m", "metre"),
            ("centimeters,centimeter,centimetres,cm", "centimetre"),
            ("millimeters,millimeter,mm", "millimetre"),
            ("feet,foot,ft", "foot"),
            ("square feet,square foot", "square foot"),
            ("inches,inch", "inch"),
            ("yards,yard", "yard"),
            ("acres,acre", "acre"),
            ("hectares,hectare", "hectare"),
            ("pounds,pound,lbs,lb", "pound"),
            ("ounces,ounce,oz", "ounce"),
            ("kilograms,kilogram,kilos,kilo,kg", "kilogram"),
            ("grams,gram", "gram"),
            ("milligrams,milligram,mg", "milligram"),
            ("tons,ton,tonnes,tonne", "ton"),
            ("gallons,gallon", "gallon"),
            ("liters,liter,litres,litre", "litre"),
            ("barrels,barrel", "barrel"),
            ("degrees,degree", "degree"),
            ("calories,calorie", "calorie"),
            ("carats,carat,karat", "carat"),
            ("megawatts,megawatt,mw", "megawatt"),
            ("gigabytes,gigabyte,gb", "gigabyte"),
            ("terabytes,terabyte,tb", "terabyte"),
            ("megapixels,megapixel", "megapixel"),
            ("light years,light year", "light year"),
            ("stories,story,storey", "story"),
            ("magnitude", "magnitude"),
            ("watts,watt", "watt"),
            ("knots", "knot"),
        )
    ),
    fillers=words("straight consecutive more additional full long short whole extra solid entire calendar"),
    spans=named(
        (
            ("year years yr yrs", "year"),
            ("month months mo", "month"),
            ("week weeks", "week"),
            ("day days", "day"),
            ("hour hours hr hrs", "hour"),
            ("minute minutes min mins", "minute"),
            ("seconds", "second"),
        )
    ),
    months=words(
        """january february march april may june july august september october november december jan feb mar
        apr jun jul aug sep sept oct nov dec"""
    ),
    year_before=words(
        """in since by until from through of before after during between early late mid around circa spring
        summer autumn fall winter year and to till back last"""
    ),
    year_after=words(
        """election elections campaign olympics season budget census report study film movie song book case
        deal law race war war's book ruling interview version model edition presidential"""
    ),
    age_before=words("aged age ages turns turned turning"),
    age_after=phrases(
        "years old,year old,year olds,years of age,months old,month old,month olds,weeks old,"
        "week old,days old,day old,days of age,years young,hours old"
    ),
    name_before=words(
        """boeing airbus flight apollo iphone ipad route highway interstate windows xbox playstation formula
        channel area pier catch level type chapter section article title proposition prop rule room gate
        terminal line episode volume galaxy nexus pixel mark bowl war explorer soyuz voyager studio psalm
        genesis luke matthew john proverbs amendment resolution ward precinct fifa nba madden p
        fortune russell ftse nikkei"""
    ),
    rank_before=words("no nos number"),
    time_after=phrases("o clock"),
    near_before=nearness(
        (
            (
                "nearly,almost,about,around,some,roughly,approximately,estimated,an estimated,close to,circa,"
                "near,or so,like,approaching,virtually,a mere,just about,probably,maybe,perhaps",
                Approximation.ABOUT,
            ),
            (
                "more than,over,above,upwards of,upward of,in excess of,just over,well over,greater than,"
                "exceeding,bigger than,exceeds,exceeded,topped,tops,surpassed,north of,past",
                Approximation.MORE_THAN,
            ),
            ("less than,under,below,fewer than,just under,shy of,short of", Approximation.LESS_THAN),
            ("at least,no less than,no fewer than,minimum of,not less than", Approximation.AT_LEAST),
            (
                "at most,up to,no more than,as many as,as much as,maximum of,not more than",
                Approximation.AT_MOST,
            ),
        )
    ),
    near_after={
        ("or", "so"): Approximation.ABOUT,
        ("ish",): Approximation.ABOUT,
        ("odd",): Approximation.ABOUT,
        ("or", "more"): Approximation.AT_LEAST,
        ("or", "less"): Approximation.AT_MOST,
        ("or", "fewer"): Approximation.AT_MOST,
        ("and", "over"): Approximation.AT_LEAST,
        ("and", "up"): Approximation.AT_LEAST,
        ("plus",): Approximation.MORE_THAN,
    },
    share_words=words("in"),
    range_words=words("to or through"),
    between={"between": "and", "from": "to"},
    definite=words("the"),
    stops=words(
        """a an the and or but nor of in on at by to for from with without within into onto over under after
        before since until till during through throughout across against between among as than that which who
        whom whose what when where while why how if because though although is are was were be been being am
        has have had having do does did will would can could may might must shall should not no it its he she
        they them their his her him we us our you your i me my this these those there here then so very just
        also still only even yet per via about around near up down out off back away ago later earlier more
        less most least s said says say told tells according including such some any each every all both
        either neither ever never once twice again monday tuesday wednesday thursday friday saturday sunday
        today yesterday tonight tomorrow overseas worldwide nationwide aboard apiece hadn didn wasn isn aren
        don doesn couldn wouldn weren haven hasn won t re ve ll"""
    ),
    skipped=words("of the its his her their our my these those more other additional most"),
    persons=words("he she who i they"),
    being=words("was is were am be turned"),
    not_after={
        "one": words(
            "no this that the any every which each another some only's new old latest everyone bad good"
        ),
        "second": words("per split every"),
        "half": words("first second better other latter"),
        "quarter": words("first second third fourth last fiscal"),
        "single": words("hit lead debut her his their new latest"),
    },
    not_before={
        "one": words("that who whom which another can could should might would may must wonders"),
        "half": words("brother sister siblings sibling way hearted time mast"),
        "double": words("check standard standards down agent"),
        "single": words("mother mothers mom moms father parent parents women men woman man and out handedly"),
    },
)
"""English."""
