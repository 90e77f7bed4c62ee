"""Writes values as numerals of a language, in digits, words and phrases, so that reading can be tested."""

from fractions import Fraction

from num2words import num2words

from core.text.tokens import word_list

THOUSANDS = {"en": ",", "ru": "\u00a0", "it": ".", "de": ".", "fr": "\u202f", "es": ".", "pt": "."}
DECIMAL = {"en": ".", "ru": ",", "it": ",", "de": ",", "fr": ",", "es": ",", "pt": ","}


def digits_of(value, *, language="en"):
    exact = Fraction(value)
    places = next(places for places in range(13) if 10**places % exact.denominator == 0)
    whole, rest = divmod(int(exact * 10**places), 10**places)
    written = str(whole)
    if len(written) > (3 if language == "en" else 4):
        written = f"{whole:,}".replace(",", THOUSANDS[language])
    return f"{written}{DECIMAL[language]}{rest:0{places}d}" if places else written


def words_of(value, *, language="en"):
    """A whole number in words, as num2words has them but for its slips; its Italian has too many."""
    written = str(num2words(value, lang=language)).replace("einstausend", "eintausend")
    return written.replace(" and ", " ").replace(",", "")


MAGNITUDES = {
    "en": {10**3: "thousand", 10**6: "million", 10**9: "billion", 10**12: "trillion"},
    "ru": {10**3: "тыс.", 10**6: "млн", 10**9: "млрд", 10**12: "трлн"},
    "it": {10**3: "mila", 10**6: "milioni", 10**9: "miliardi", 10**12: "trilioni"},
    "de": {10**3: "Tsd.", 10**6: "Mio.", 10**9: "Mrd.", 10**12: "Billionen"},
    "fr": {10**3: "milliers", 10**6: "millions", 10**9: "milliards", 10**12: "billions"},
    "es": {10**3: "mil", 10**6: "millones", 10**9: "mil millones", 10**12: "billones"},
    "pt": {10**3: "mil", 10**6: "milhões", 10**9: "bilhões", 10**12: "trilhões"},
}

CURRENCIES = {
    "en": {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "INR": "₹"},
    "ru": {"RUB": "рублей", "USD": "долларов", "EUR": "евро", "CNY": "юаней"},
    "it": {"EUR": "euro", "USD": "dollari", "GBP": "sterline", "RUB": "rubli"},
    "de": {"EUR": "Euro", "USD": "Dollar", "CHF": "Franken", "RUB": "Rubel"},
    "fr": {"EUR": "euros", "USD": "dollars", "CHF": "francs suisses", "RUB": "roubles"},
    "es": {"EUR": "euros", "USD": "dólares", "MXN": "pesos", "RUB": "rublos"},
    "pt": {"EUR": "euros", "USD": "dólares", "BRL": "reais", "RUB": "rublos"},
}

MONTHS = {
    "en": word_list("January February March April May June July August September October November December"),
    "ru": word_list("января февраля марта апреля мая июня июля августа сентября октября ноября декабря"),
    "it": word_list("""gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre
        dicembre"""),
    "de": word_list("Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
    "es": word_list(
        """enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"""
    ),
    "pt": word_list(
        """janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"""
    ),
    "fr": word_list("janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
}


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
    of = {"it": "di ", "es": "de ", "pt": "de "}.get(language, "") if factor >= 10**6 else ""
    return f"{written} {of}{name}"


def date_of(day, month, year, *, language="en"):
    name = MONTHS[language][month - 1]
    if language == "en":
        return f"{name} {day}, {year}"
    if language == "de":
        return f"{day}. {name} {year}"
    if language == "fr":
        return f"{day}{'er' if day == 1 else ''} {name} {year}"
    if language in ("es", "pt"):
        return f"{day} de {name} de {year}"
    return f"{day} {name} {year} года" if language == "ru" else f"{day} {name} {year}"
