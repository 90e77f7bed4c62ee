"""Headlines in scripts and characters that break lines, widths, order and searches."""

from tests.hostile.corpus.file import File
from tests.hostile.corpus.texts import table

STRINGS = {
    "Hebrew": "שלום עולם: ראש הממשלה נפגש",
    "Arabic": "هبوط مركبة على سطح القمر",
    "both directions": "Minister الوزير says שר 123 (١٢٣)",
    "an override": "abc \u202egnp.exe\u202c direction is turned",
    "an override that never ends": "abc \u202e\u202e\u202e turned for good",
    "isolates that never end": "abc \u2066\u2067\u2068 isolated",
    "marks without letters": "\u0301\u0302\u0303\u0304",
    "a thousand marks": "a" + "\u0300" * 900,
    "stacked marks": "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L stacked marks",
    "joined emoji": "👩‍🚀👨‍👩‍👧‍👦 lands 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🇺🇳",
    "flags of letters": "🇦🇧🇨🇩🇪🇫🇬🇭",
    "invisible letters": "\u200b\u200c\u200d\ufeff\u2060",
    "invisible between letters": "S\u200bt\u200co\u200dr\u2060m hits",
    "tags of language": "\U000e0001\U000e0065\U000e006e tagged",
    "soft hyphens": "air\u00adport clo\u00adsed",
    "blank of Hangul": "\u3164\u3164 \u115f",
    "blank of Braille": "\u2800\u2800\u2800",
    "wide blanks": "\u3000\u2003\u00a0\u202f wide",
    "line ends of Unicode": "one\u2028two\u2029three\x85four",
    "vertical tabs": "one\x0btwo\x0cthree",
    "controls": "NUL \x00 bell \x07 escape \x1b[31m inside",
    "private letters": "\ue000\uf8ff\U0010fffd private",
    "no characters": "\ufdd0\ufffe\uffff none",
    "unassigned letters": "\u0378\U0003fffe unassigned",
    "replaced letters": "\ufffd\ufffd\ufffd replaced",
    "annotated lines": "\ufff9a\ufffab\ufffb annotated",
    "mathematical letters": "𝔖𝔱𝔬𝔯𝔪 𝕔𝕝𝕠𝕤𝕖𝕤 𝖆𝖎𝖗𝖕𝖔𝖗𝖙",
    "full width": "Ｓｔｏｒｍ　ｃｌｏｓｅｓ",
    "letters that look alike": "Ѕtоrm сlоsеs аirроrt",
    "one long ligature": "﷽﷽﷽﷽",
    "dotless and dotted i": "İSTANBUL ıssız İİİ",
    "sharp s": "STRASSE straße ẞ ﬁ ﬀ",
    "Thai without spaces": "พายุปิดสนามบินกรุงเทพ" * 9,
    "Chinese without spaces": "暴风雨关闭机场银行提高利率" * 20,
    "Tibetan": "བོད་ཀྱི་གསར་འགྱུར།",
    "cuneiform": "𒀀𒁀𒂀 𒃀𒄀",
    "digits of ten scripts": "١٢٣ १२३ ১২৩ ๑๒๓ ၁၂၃ ０１２ 𝟏𝟐𝟑 ⅫⅣ ½ ①",
    "a very long word": "Donaudampfschifffahrt" * 40,
    "only digits": "1234567890",
    "only punctuation": "?!…—«»¿¡",
    "the word null": "null",
    "the word NaN": "NaN",
    "the word nil of spreadsheets": "#N/A",
    "the word true": "TRUE",
    "a name of a device": "CON",
    "a date": "2024-05-01",
    "a number with an exponent": "1e400",
}


def one(text):
    """A table in which the string is a headline, an outlet and an event."""
    return table([["headline", "publisher", "group"], [text, text, text], ["Bank raises rates", "B", "2"]])


NO_HEADLINE = {
    "the word null", "the word NaN", "invisible letters", "blank of Hangul", "blank of Braille",
    "only digits", "the word nil of spreadsheets",
}  # fmt: skip
"""Strings whose row is left out, because nothing can be seen in them or no word is."""

FILES = {
    name: File("a.csv", one(text), headlines=1 if name in NO_HEADLINE else 2)
    for name, text in STRINGS.items()
}
NAMES = [text for text in STRINGS.values() if len(text) < 60 and not any(map(str.isdigit, text))]
FILES["columns named in all of them"] = File(
    "a.csv", table([["headline", *NAMES], *([f"Storm {i}", *NAMES] for i in (1, 2))]), headlines=2
)
