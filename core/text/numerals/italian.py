"""Words of Italian numerals."""

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
from core.text.tokens import STOP_WORDS

_UNITS: Final = ("uno", "due", "tre", "quattro", "cinque", "sei", "sette", "otto", "nove")
_TENS: Final = counted_up("venti trenta quaranta cinquanta sessanta settanta ottanta novanta", 20, 10)


def _below_hundred() -> dict[str, int]:
    """Words of 1–99, as they stand alone and at the end of longer ones."""
    found = counted_up(
        """uno due tre/tré quattro cinque sei sette otto nove dieci undici dodici tredici quattordici
        quindici sedici diciassette diciotto diciannove"""
    )
    for word, value in _TENS.items():
        found[word] = value
        for place, unit in enumerate(_UNITS, start=1):
            stem = word[:-1] if unit[0] in "uo" else word
            found[stem + unit] = value + place
        found[f"{word}tré"] = value + 3
        found[f"{word[:-1]}un"] = value + 1
    return found


def _below_thousand() -> dict[str, int]:
    """Words of 1–999 that are written together."""
    small = _below_hundred()
    found = dict(small)
    for place, head in enumerate(["", *_UNITS[1:]], start=1):
        for hundred in (f"{head}cento", f"{head}cent"):
            found |= {
                hundred + word: 100 * place + value
                for word, value in small.items()
                if hundred.endswith("o") or word[0] in "uo"
            }
        found[f"{head}cento"] = 100 * place
    return found


_WORDS: Final = _below_thousand()
_PLAIN: Final = {word: value for word, value in _WORDS.items() if word not in ("uno", "tré")} | {
    "zero": 0,
    "mille": 1_000,
}
_FIRST: Final = counted_up("prim second terz quart quint sest settim ottav non decim")
_ORDINALS: Final = {f"{stem}{end}": value for stem, value in _FIRST.items() for end in "oaie"} | {
    f"{word if word.endswith(('tre', 'sei')) else word[:-1]}esim{end}": value
    for word, value in (_WORDS | {"mille": 1_000}).items()
    if value > 10 and not word.endswith(("é", "un"))
    for end in "oaie"
}
_PARTS: Final = {f"{stem}o": value for stem, value in _FIRST.items() if value > 2} | {
    "mezzo": 2,
    "centesimo": 100,
    "millesimo": 1_000,
    "ventesimo": 20,
}


def together(word: str) -> tuple[int, int]:
    """The number that a word is ("tremilacinquecento"), or begins with ("quarantenne"); (0, 0) for others."""
    if "mil" in word:
        head, middle, rest = word.partition("mila")
        if not middle:
            head, middle, rest = word.partition("mille")
            if head or not middle:
                return 0, 0
        value = (_WORDS.get(head, 0) if head else 1) * 1_000
        below = _WORDS.get(rest, 0) if rest else 0
        return (value + below, len(word)) if value and (below or not rest) else (0, 0)
    if word.endswith(("enne", "enni")):
        stem = word[:-4]
        for last in ("i", "a", "o", "e", ""):
            if stem + last in _WORDS and _WORDS[stem + last] > 10:
                return _WORDS[stem + last], len(stem)
    return 0, 0


ITALIAN: Final = Language(
    code="it",
    comma=True,
    cardinals=_PLAIN,
    scales=valued(
        (
            ("mila", 10**3),
            ("milione milioni", 10**6),
            ("miliardo miliardi", 10**9),
            ("bilione bilioni trilione trilioni", 10**12),
        )
    ),
    abbreviations=valued((("k mila", 10**3), ("m mln mil", 10**6), ("mld mrd bn", 10**9))),
    groups={
        **dict.fromkeys(("dozzina", "dozzine"), (12, "")),
        **dict.fromkeys(("decina",), (10, "")),
        **dict.fromkeys(("ventina",), (20, "")),
        **dict.fromkeys(("trentina",), (30, "")),
        **dict.fromkeys(("quarantina",), (40, "")),
        **dict.fromkeys(("cinquantina",), (50, "")),
        **dict.fromkeys(("sessantina",), (60, "")),
        **dict.fromkeys(("settantina",), (70, "")),
        **dict.fromkeys(("ottantina",), (80, "")),
        **dict.fromkeys(("novantina",), (90, "")),
        **dict.fromkeys(("centinaio", "centinaia"), (100, "")),
        **dict.fromkeys(("migliaio", "migliaia"), (1_000, "")),
        **dict.fromkeys(("paio",), (2, "")),
        **dict.fromkeys(("decennio", "decenni"), (10, "year")),
        **dict.fromkeys(("secoli",), (100, "year")),
    },
    articles=words("un una"),
    joiners=words("e"),
    halves={
        ("e", "mezzo"): Fraction(1, 2),
        ("e", "mezza"): Fraction(1, 2),
        ("e", "un", "quarto"): Fraction(1, 4),
    },
    ordinals=_ORDINALS,
    ordinal_suffixes=words("º ª ° o a mo esimo esima"),
    denominators=_PARTS,
    denominators_many={f"{word[:-1]}i": value for word, value in _PARTS.items()},
    singles={
        **dict.fromkeys(("mezzo", "mezza", "mezz"), Single(Fraction(1, 2), Kind.FRACTION)),
        "metà": Single(Fraction(1, 2), Kind.FRACTION),
        **dict.fromkeys(("entrambi", "entrambe"), Single(Fraction(2))),
        "coppia": Single(Fraction(2)),
        "doppio": Single(Fraction(2)),
        "doppia": Single(Fraction(2)),
        "triplo": Single(Fraction(3)),
        "tripla": Single(Fraction(3)),
        "trio": Single(Fraction(3)),
        "ambo": Single(Fraction(2)),
    },
    weak=words("mezzo mezza mezz"),
    past=words("ultimo scorso intero prossimo"),
    vague={
        "decine": 10,
        "dozzine": 12,
        "centinaia": 100,
        "migliaia": 1_000,
        "milioni": 10**6,
        "miliardi": 10**9,
    },
    vague_many=words("alcune alcuni diverse diversi parecchie qualche poche varie"),
    percents=phrases("percento,per cento,punti percentuali,punto percentuale"),
    dotted=words("mln mld"),
    endings=(("enne", Kind.AGE, "year"), ("enni", Kind.AGE, "year")),
    currencies=currencies(
        (
            ("euro,di euro,eur", "EUR", 1),
            ("dollari,dollaro,di dollari,usd", "USD", 1),
            ("sterline,sterlina,di sterline", "GBP", 1),
            ("centesimi,centesimo", "EUR", 100),
            ("yen,di yen", "JPY", 1),
            ("yuan,di yuan", "CNY", 1),
            ("rubli,rublo,di rubli", "RUB", 1),
            ("franchi,di franchi", "CHF", 1),
            ("lire,di lire", "ITL", 1),
            ("rupie,di rupie", "INR", 1),
        )
    ),
    measures=phrased(
        (
            ("chilometri,chilometro,km", "kilometre"),
            ("chilometri quadrati,chilometro quadrato,kmq", "square kilometre"),
            ("chilometri orari,km h,chilometri all ora,km orari", "kilometre per hour"),
            ("metri,metro,mt", "metre"),
            ("metri quadrati,metri quadri,mq", "square metre"),
            ("centimetri,centimetro,cm", "centimetre"),
            ("millimetri,millimetro,mm", "millimetre"),
            ("miglia,miglio", "mile"),
            ("chili,chilo,chilogrammi,kg,chili di", "kilogram"),
            ("grammi,grammo", "gram"),
            ("tonnellate,tonnellata", "ton"),
            ("litri,litro", "litre"),
            ("barili,barile", "barrel"),
            ("ettari,ettaro", "hectare"),
            ("gradi,grado", "degree"),
            ("megawatt,mw", "megawatt"),
        )
    ),
    fillers=words("lunghi lunghe lunghissimi altri altre interi intere"),
    spans=named(
        (
            ("anno anni", "year"),
            ("mese mesi", "month"),
            ("settimana settimane", "week"),
            ("giorno giorni", "day"),
            ("ora ore", "hour"),
            ("minuto minuti", "minute"),
            ("secondi", "second"),
        )
    ),
    months=words(
        """gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre gen
        feb mar apr mag giu lug ago set ott nov dic"""
    ),
    year_before=words(
        "nel dal del al il anno fino estate inverno autunno primavera entro dopo prima da tra fra e"
    ),
    age_before=words("anni età"),
    age_after=phrases("anni compiuti,anni di età,anni d età"),
    name_before=words("boeing airbus volo articolo serie legge canale a4 decreto"),
    rank_before=words("n numero nr"),
    time_before=words("ore alle dalle ora"),
    time_after=phrases("di mattina,di sera,di notte,del mattino,del pomeriggio"),
    near_before=nearness(
        (
            (
                "quasi,circa,intorno a,intorno ai,intorno alle,attorno a,pressappoco,all incirca,suppergiù",
                Approximation.ABOUT,
            ),
            (
                "più di,oltre,oltre i,oltre le,superiore a,oltre gli,ben oltre,più dei,più del",
                Approximation.MORE_THAN,
            ),
            ("meno di,sotto i,inferiore a,sotto le,meno del", Approximation.LESS_THAN),
            ("almeno,non meno di,come minimo,minimo", Approximation.AT_LEAST),
            ("fino a,al massimo,non più di,massimo,fino ai", Approximation.AT_MOST),
        )
    ),
    near_after={
        ("circa",): Approximation.ABOUT,
        ("o", "più"): Approximation.AT_LEAST,
        ("e", "oltre"): Approximation.AT_LEAST,
    },
    share_words=words("su"),
    between={"tra": "e", "fra": "e", "da": "a", "dai": "ai", "dalle": "alle", "dal": "al"},
    definite=words("il lo la i gli le l"),
    stops=STOP_WORDS["it"] | words("d l un' all dall nell sull stato stata stati state"),
    skipped=words("di dei delle degli altri altre nuovi nuove giovani grandi piccoli"),
    not_after={
        "secondo": words(""),
        "sei": words("tu che non se ci ti"),
        "metà": words("a"),
        "mille": words("per"),
        "prima": frozenset(),
        "coppia": frozenset(),
    },
    not_before={
        "sei": words("tu un una il la lo stato stata in già sicuro sicura qui nato nata mai sempre come"),
        "secondo": words(
            "il lo la i gli le l un una uno quanto me te lei lui noi fonti alcuni alcune voi questo questa"
        ),
        "prima": words("di che del della dei delle degli dell d il"),
        "nove": frozenset(),
    },
    compound=together,
)
"""Italian."""
