"""CSV and TSV whose cells, quotation marks, headers or widths are wrong."""

from tests.hostile.corpus.file import File
from tests.hostile.corpus.texts import table

FILES = {
    "a quotation mark that never closes": File(
        "a.csv", b'headline,a\n"Storm hits,1\nBank raises rates,2\n', headlines=1
    ),
    "only quotation marks": File("a.csv", b'"' * 5_001, "no rows"),
    "more commas than columns are read": File("a.csv", b"," * 300 + b"\n" + b"x," * 300, "at most 200"),
    "ragged rows": File("a.csv", b"headline,a,b\nStorm\nBank,1\nSnow,1,2\nRain,1,2,3\n", headlines=3),
    "the delimiter of Excel": File("a.csv", b"sep=;\nheadline;a\nStorm;1\nBank;2\n", headlines=2),
    "two headers": File("a.csv", b"headline,date\nheadline,date\nStorm,2024-05-01\n", headlines=1),
    "a title over the header": File(
        "a.csv", b"Export of 1 May,,\nheadline,a,b\nStorm,1,2\nBank,1,2\n", headlines=2
    ),
    "names of columns alike but for case": File(
        "a.csv", b"Headline,HEADLINE,headline\nA storm,B,C\n", headlines=1
    ),
    "names of columns without letters": File(
        "a.csv", b"headline,,  ,\xe2\x80\x8b\nStorm,1,2,3\nBank,1,2,3\n", headlines=2
    ),
    "a name of a column of 10,000 characters": File(
        "a.csv", b"headline," + b"n" * 10_000 + b"\nStorm,1\nBank,2\n", "headline column"
    ),
    "a name of a column that the program uses": File(
        "a.csv",
        b"headline,group,score,reason,same_event,row,index\nStorm,1,2,3,4,5,6\nBank,1,2,3,4,5,6\n",
        headlines=2,
    ),
    "headlines over many lines": File(
        "a.csv", b'headline,a\n"Storm\n\n\nhits\r\nthe coast",1\nBank,2\n', headlines=2
    ),
    "a table of Markdown": File(
        "a.md", b"| headline | a |\n|---|---|\n| Storm | 1 |\n| Bank | 2 |\n", headlines=2
    ),
    "headlines that are numbers": File("a.csv", b"headline\n1\n2\n1e999\n-0\n", headlines=1),
    "dates that are none": File(
        "a.csv",
        table(
            [
                ["headline", "date"],
                *(
                    [f"Storm {d}", d]
                    for d in ("tomorrow", "2024-02-30", "0000-00-00", "99999-01-01", "1e30", "-1", "12:61")
                ),
            ]
        ),
        headlines=1,
    ),
    "dates at both ends of the calendar": File(
        "a.csv",
        b"headline,date\nStorm,0001-01-01T00:00:00+14:00\nBank,9999-12-31T23:59:59-12:00\nSnow,2024-05-01\n",
        headlines=1,
    ),
    "links that are none": File(
        "a.csv",
        b"headline,url\nStorm,javascript:alert(1)\nBank,file:///etc/passwd\nSnow,http://[::1\nRain,//x\n",
        headlines=4,
    ),
    "groups of everything": File(
        "a.csv", b"headline,group\nStorm,-1\nBank,1e309\nSnow,NaN\nRain,<b>\nHail,=1+1\nFog,\n", headlines=6
    ),
    "authors without end": File(
        "a.csv", b"headline,authors\nStorm," + b"A. B; " * 9_000 + b"\nBank,C\n", headlines=2
    ),
}
