"""Writes values as numerals of a language, in digits, words and phrases, so that reading can be tested."""

from fractions import Fraction

from num2words import num2words

from core.text.tokens import word_list

THOUSANDS = {"en": ",", "ru": "\u00a0", "it": ".", "de": ".", "fr": "\u202f"}
DECIMAL = {"en": ".", "ru": ",", "it": ",", "de": ",", "fr": ","}


def digits_of(value, *, language="en"):
    exact = Fraction(value)
    places = next(places for places in range(13) if 10**places % exact.denominator == 0)
    whole, rest = divmod(int(exact * 10**places), 10**places)
    written = str(whole)
    if len(written) > (3 if language == "en" else 4):
        written = f"{whole:,}".replace(",", THOUSANDS[language])
    return f"{written}{DECIMAL[language]}{rest:0{places}d}" if places else written


_ITALIAN = word_list(
    """zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici
    sedici diciassette diciotto diciannove"""
)
_ITALIAN_TENS = word_list("venti trenta quaranta cinquanta sessanta settanta ottanta novanta")


def words_of(value, *, language="en"):
    """A whole number in words, as num2words has them but for its slips; its Italian has too many."""
    if language == "it":
        return _italian(value)
    written = str(num2words(value, lang=language)).replace("einstausend", "eintausend")
    return written.replace(" and ", " ").replace(",", "")


def russian_form(value, forms):
    if value % 10 == 1 and value % 100 != 11:
        return forms[0]
    return forms[1] if value % 10 in (2, 3, 4) and value % 100 not in (12, 13, 14) else forms[2]


def _italian(value):
    if value < 1_000_000:
        return _italian_together(value)
    for size, one, many in ((10**9, "un miliardo", "miliardi"), (10**6, "un milione", "milioni")):
        if value >= size:
            count, rest = divmod(value, size)
            head = one if count == 1 else f"{_italian_together(count)} {many}"
            return f"{head} {_italian(rest)}" if rest else head
    return ""


def _italian_together(value):
    if value < 20:
        return _ITALIAN[value]
    if value < 100:
        tens, unit = _ITALIAN_TENS[value // 10 - 2], value % 10
        if unit == 3:
            return f"{tens}tré"
        return (tens[:-1] if unit in (1, 8) else tens) + (_ITALIAN[unit] if unit else "")
    if value < 1_000:
        head = "cento" if value < 200 else f"{_ITALIAN[value // 100]}cento"
        rest = value % 100
        return (head[:-1] if rest // 10 == 8 or rest == 8 else head) + _below(rest)
    thousands, rest = divmod(value, 1_000)
    head = "mille" if thousands == 1 else f"{_italian_together(thousands).replace('é', 'e')}mila"
    return head + _below(rest)


def _below(rest):
    if not rest:
        return ""
    return "tré" if rest == 3 else _italian_together(rest)


_ORDINAL_ITALIAN = word_list("primo secondo terzo quarto quinto sesto settimo ottavo nono decimo")


def ordinal_of(value, *, language="en", words=False):
    if words:
        if language == "it":
            return _ordinal_italian(value)
        written = str(num2words(value, lang=language, to="ordinal")).replace(" and ", " ")
        return written.replace("vingtsième", "vingtième").replace("centsième", "centième")
    written = digits_of(value, language=language)
    if language == "en":
        teen = 10 <= value % 100 < 20
        return written + ("th" if teen else {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th"))
    if language == "fr":
        return f"{written}{'er' if value == 1 else 'e'}"
    return written + {"ru": "-й", "it": "º", "de": "."}[language]


def _ordinal_italian(value):
    if value <= 10:
        return _ORDINAL_ITALIAN[value - 1]
    cardinal = words_of(value, language="it").replace("é", "e")
    return f"{cardinal if cardinal.endswith(('tre', 'sei')) else cardinal[:-1]}esimo"


MAGNITUDES = {
    "en": {10**3: "thousand", 10**6: "million", 10**9: "billion", 10**12: "trillion"},
    "ru": {10**3: "тыс.", 10**6: "млн", 10**9: "млрд", 10**12: "трлн"},
    "it": {10**3: "mila", 10**6: "milioni", 10**9: "miliardi", 10**12: "trilioni"},
    "de": {10**3: "Tsd.", 10**6: "Mio.", 10**9: "Mrd.", 10**12: "Billionen"},
    "fr": {10**3: "milliers", 10**6: "millions", 10**9: "milliards", 10**12: "billions"},
}

CURRENCIES = {
    "en": {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "INR": "₹"},
    "ru": {"RUB": "рублей", "USD": "долларов", "EUR": "евро", "CNY": "юаней"},
    "it": {"EUR": "euro", "USD": "dollari", "GBP": "sterline", "RUB": "rubli"},
    "de": {"EUR": "Euro", "USD": "Dollar", "CHF": "Franken", "RUB": "Rubel"},
    "fr": {"EUR": "euros", "USD": "dollars", "CHF": "francs suisses", "RUB": "roubles"},
}

MONTHS = {
    "en": word_list("January February March April May June July August September October November December"),
    "ru": word_list("января февраля марта апреля мая июня июля августа сентября октября ноября декабря"),
    "it": word_list("""gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre
        dicembre"""),
    "de": word_list("Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
    "fr": word_list("janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
}
_BETWEEN = {
    "en": ("between", "and"), "ru": ("от", "до"), "it": ("tra", "e"), "de": ("zwischen", "und"),
    "fr": ("entre", "et"),
}  # fmt: skip
_PARTS = {
    "en": {2: ("half", "halves"), 3: ("third", "thirds"), 4: ("quarter", "quarters"), 5: ("fifth", "fifths"),
           8: ("eighth", "eighths"), 10: ("tenth", "tenths")},
    "ru": {3: ("треть", "трети"), 4: ("четверть", "четверти"), 5: ("пятая", "пятых"),
           10: ("десятая", "десятых")},
    "it": {3: ("terzo", "terzi"), 4: ("quarto", "quarti"), 5: ("quinto", "quinti"), 10: ("decimo", "decimi")},
    "de": {3: ("Drittel", "Drittel"), 4: ("Viertel", "Viertel"), 5: ("Fünftel", "Fünftel"),
           10: ("Zehntel", "Zehntel")},
    "fr": {3: ("tiers", "tiers"), 4: ("quart", "quarts"), 5: ("cinquième", "cinquièmes"),
           10: ("dixième", "dixièmes")},
}  # fmt: skip


def scaled_of(amount, factor, *, language="en"):
    written = digits_of(amount, language=language)
    if factor == 1:
        return written
    name = MAGNITUDES[language][factor]
    return f"{written} {name}"


def money_of(amount, currency, *, language="en", factor=1):
    name = CURRENCIES[language][currency]
    written = scaled_of(amount, factor, language=language)
    if language == "en":
        return f"{name}{written}"
    if language == "fr" and factor > 1:
        return f"{written} d'{name}" if name[0] == "e" else f"{written} de {name}"
    return f"{written} di {name}" if language == "it" and factor >= 10**6 else f"{written} {name}"


def percent_of(amount, *, language="en"):
    return f"{digits_of(amount, language=language)}%"


def fraction_of(top, below, *, language="en", words=False):
    if not words:
        return f"{top}/{below}"
    names = _PARTS[language][below]
    count = words_of(top, language=language)
    if language == "ru":
        count = {"один": "одна", "два": "две"}.get(count, count)
        return f"{count} {names[top > 1]}"
    if language in ("it", "de", "fr"):
        one = "ein" if language == "de" else "un"
        return f"{one if top == 1 else count} {names[top > 1]}"
    return f"{count}-{names[top > 1]}"


def range_of(low, high, *, language="en"):
    first, second = _BETWEEN[language]
    return f"{first} {digits_of(low, language=language)} {second} {digits_of(high, language=language)}"


def clock_of(hour, minute):
    return f"{hour}:{minute:02d}"


def date_of(day, month, year, *, language="en"):
    name = MONTHS[language][month - 1]
    if language == "en":
        return f"{name} {day}, {year}"
    if language == "de":
        return f"{day}. {name} {year}"
    if language == "fr":
        return f"{day}{'er' if day == 1 else ''} {name} {year}"
    return f"{day} {name} {year} года" if language == "ru" else f"{day} {name} {year}"


def age_of(years, *, language="en"):
    if language == "fr":
        return f"un homme de {years} ans"
    return f"{years}" + {"en": "-year-old", "ru": "-летний", "it": "enne", "de": "-Jährigen"}[language]


def years_of(years, *, language="en"):
    if language == "ru":
        return f"{years} {russian_form(years, ('год', 'года', 'лет'))}"
    one, many = {
        "en": ("year", "years"), "it": ("anno", "anni"), "de": ("Jahr", "Jahre"), "fr": ("an", "ans"),
    }[language]  # fmt: skip
    return f"{years} {one if years == 1 else many}"
