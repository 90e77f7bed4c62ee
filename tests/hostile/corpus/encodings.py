"""Text in every encoding that is met, and in none."""

import codecs
import quopri
import random

from tests.hostile.corpus.file import File

ENGLISH = "headline,date\nStorm closes airport,2024-05-01\nBank raises rates,2024-05-02\n"
ACCENTS = "headline,date\nTempête à Orléans: l’aéroport fermé,2024-05-01\nÉté à Malmö – 30 °C,2024-05-02\n"
RUSSIAN = "headline,date\nБуря закрыла аэропорт,2024-05-01\nБанк поднял ставку,2024-05-02\n"
JAPANESE = "headline,date\n嵐で空港が閉鎖された,2024-05-01\n銀行が金利を引き上げる,2024-05-02\n"
CHINESE = "headline,date\n暴风雨关闭机场,2024-05-01\n银行提高利率,2024-05-02\n"


def noise(size, seed):
    return random.Random(seed).randbytes(size)


FILES = {
    "UTF-8 with a mark": File("a.csv", codecs.BOM_UTF8 + ACCENTS.encode(), headlines=2),
    "UTF-8 with a mark in the middle": File(
        "a.csv", ENGLISH.replace("Bank", "\ufeffBank").encode(), headlines=2
    ),
    "UTF-16 little, marked": File("a.csv", codecs.BOM_UTF16_LE + ACCENTS.encode("utf-16-le"), headlines=2),
    "UTF-16 big, marked": File("a.csv", codecs.BOM_UTF16_BE + RUSSIAN.encode("utf-16-be"), headlines=2),
    "UTF-16 big": File("a.csv", ENGLISH.encode("utf-16-be"), headlines=2),
    "UTF-32 little, marked": File("a.csv", codecs.BOM_UTF32_LE + CHINESE.encode("utf-32-le"), headlines=2),
    "UTF-32 little": File("a.csv", ENGLISH.encode("utf-32-le"), "not text"),
    "UTF-16 of odd length": File(
        "a.csv", codecs.BOM_UTF16_LE + ENGLISH.encode("utf-16-le")[:-1], headlines=1
    ),
    "UTF-7": File("a.csv", RUSSIAN.encode("utf-7"), headlines=2),
    "Latin-1": File("a.csv", ACCENTS.replace("’", "'").replace("–", "-").encode("latin-1"), headlines=2),
    "Windows-1251": File("a.csv", RUSSIAN.encode("cp1251"), headlines=2),
    "Shift-JIS": File("a.csv", JAPANESE.encode("shift_jis"), headlines=2),
    "GB18030": File("a.csv", CHINESE.encode("gb18030"), headlines=2),
    "EBCDIC": File("a.csv", ENGLISH.encode("cp500"), "encoding"),
    "two encodings in one file": File(
        "a.csv", RUSSIAN.encode() + "Буря закрыла порт,2024-05-03\n".encode("cp1251"), headlines=2
    ),
    "UTF-8 and Latin-1 in one file": File("a.csv", ACCENTS.encode() + b"Caf\xe9 ferm\xe9,\n", headlines=3),
    "cut inside a character": File("a.csv", RUSSIAN.encode()[:-16] + b"\xd0", headlines=2),
    "overlong UTF-8": File("a.csv", ENGLISH.encode() + b"Storm \xc0\xaf\xe0\x80\xaf etc,\n", "encoding"),
    "CESU-8": File("a.csv", ENGLISH.encode() + b"Storm \xed\xa0\xbd\xed\xb8\x80,\n", headlines=3),
    "lone surrogates as bytes": File("a.csv", ENGLISH.encode() + b"Storm \xed\xb0\x80 hits,\n", headlines=3),
    "NULs between letters of some rows": File(
        "a.csv", ENGLISH.encode() + b"S\x00t\x00o\x00r\x00m,\n", headlines=3
    ),
    "NULs at the end": File("a.csv", ENGLISH.encode() + bytes(4_096), "not text"),
    "nothing but NULs": File("a.csv", bytes(10_000), "empty"),
    "noise": File("a.csv", noise(20_000, 1), "not text"),
    "noise after a sound start": File("a.csv", ENGLISH.encode() + noise(4_000, 6), "not text"),
    "quoted-printable": File("a.csv", quopri.encodestring(ACCENTS.encode()), headlines=2),
    "backspaces and escapes": File(
        "a.csv", b"headline\nStorm\x08\x08\x08 \x1b[2J\x1b]0;x\x07 hits\nBank\n", headlines=2
    ),
    "line ends of the Macintosh": File("a.csv", ENGLISH.replace("\n", "\r").encode(), headlines=2),
}
