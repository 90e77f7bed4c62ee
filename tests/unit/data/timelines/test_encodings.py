"""Headlines in the encodings of before UTF-8: each comes out as it went in, or the file is refused."""

import pytest

from core.data.timelines.decode import KNOWN, decode, guess
from core.errors import InputError

LANGUAGES = {
    "Japanese": ("shift_jis cp932 euc-jp", "台風が九州に上陸、空港は全便欠航 | "
        "日銀が政策金利を0.25%に引き上げ | 東京株式市場、3日続けて値上がり"),
    "Chinese simplified": ("gb18030", "台风登陆福建，机场全部航班取消 | 央行下调贷款市场报价利率 | "
        "上证指数连续三天上涨"),
    "Chinese traditional": ("big5", "颱風登陸花蓮，機場班機全部取消 | 央行宣布升息半碼 | 台股連續三天上漲"),
    "Korean": ("euc-kr cp949", "태풍 상륙으로 공항 항공편 모두 결항 | "
        "한국은행, 기준금리 0.25%포인트 인상 | 코스피 사흘 연속 상승"),
    "Polish": ("cp1250 iso-8859-2", "Burza zamknęła lotnisko w Łodzi | Żółte światło dla źródeł energii | "
        "Premier spotka się z prezydentem w środę"),
    "Czech": ("cp1250 iso-8859-2", "Bouře uzavřela letiště v Praze | "
        "Vláda schválila rozpočet na příští rok | Premiér se sejde s prezidentem ve středu"),
    "Hungarian": ("cp1250", "Vihar miatt lezárták a repülőteret | "
        "A kormány elfogadta a jövő évi költségvetést | Földrengés Olaszországban, több sérült"),
    "Russian": ("cp1251 koi8-r cp866 iso-8859-5 mac-cyrillic", "Буря закрыла аэропорт в Петербурге | "
        "Центробанк поднял ключевую ставку | Землетрясение в Италии, есть пострадавшие"),
    "Ukrainian": ("cp1251 koi8-u", "Буря закрила аеропорт у Львові | Нацбанк підвищив облікову ставку | "
        "Землетрус в Італії, є постраждалі"),
    "Greek": ("cp1253 iso-8859-7", "Η καταιγίδα έκλεισε το αεροδρόμιο | Η τράπεζα ανέβασε τα επιτόκια | "
        "Σεισμός στην Ιταλία με τραυματίες"),
    "Turkish": ("cp1254 iso-8859-9", "Fırtına havaalanını kapattı | Merkez Bankası faizi yükseltti | "
        "İtalya'da deprem, yaralılar var"),
    "French": ("cp1252 latin-1 iso-8859-15", "Tempête à Orléans: l'aéroport fermé | "
        "La banque centrale relève ses taux | Séisme en Italie, plusieurs blessés"),
    "German": ("cp1252 latin-1", "Sturm schließt Flughafen in München | Zentralbank erhöht die Zinsen | "
        "Erdbeben in Italien, mehrere Verletzte"),
    "Spanish": ("cp1252 latin-1", "La tormenta cierra el aeropuerto de Málaga | "
        "El banco central sube los tipos de interés | Terremoto en Italia: varios heridos"),
    "Lithuanian": ("cp1257", "Audra uždarė oro uostą Vilniuje | Bankas šiandien didina palūkanų normą | "
        "Žemės drebėjimas Italijoje, yra sužeistų"),
    "Hebrew": ("cp1255", "סערה סגרה את שדה התעופה | הבנק העלה את הריבית | רעידת אדמה באיטליה, יש נפגעים"),
    "Arabic": ("cp1256", "عاصفة تغلق المطار | البنك يرفع سعر الفائدة | زلزال في إيطاليا وإصابة العشرات"),
    "Thai": ("cp874", "พายุปิดสนามบิน | ธนาคารขึ้นดอกเบี้ย | แผ่นดินไหวในอิตาลี มีผู้บาดเจ็บ"),
}  # fmt: skip
"""Encodings in which each language is written, and three headlines."""
HEADLINES = {language: lines.split(" | ") for language, (_, lines) in LANGUAGES.items()}
WRITTEN = {language: names.split() for language, (names, _) in LANGUAGES.items()}


def table(lines):
    return "headline,date,link\n" + "".join(
        f"{line},2024-05-{day % 28 + 1:02d},https://example.org/{day}\n" for day, line in enumerate(lines)
    )


@pytest.mark.slow
@pytest.mark.parametrize("rows", [1, 3, 600])
@pytest.mark.parametrize(
    ("language", "encoding"), [(language, name) for language in WRITTEN for name in WRITTEN[language]]
)
def test_every_language_in_every_encoding(language, encoding, rows):
    for first in range(3 if rows < 3 else 1):
        lines = (HEADLINES[language] * 201)[first : first + rows]
        for text in (table(lines), "\n".join(lines) + "\n"):
            data = text.encode(encoding)
            if not data.isascii():
                found = decode(data)
                assert found.text == text, (found.encoding, lines[0])
                assert found.encoding in KNOWN
                assert "if letters look wrong" in found.notes[0]


@pytest.mark.parametrize(
    "text",
    ["Rent at £70, up", "A 3½-day week", "Peace – at last", "“We won’t”", "€50m lost", "Café shut", "© AP"],
)
def test_english_with_a_sign_or_two_is_western(text):
    found = decode(f"headline\n{text}\nBank raises rates\n".encode("cp1252"))
    assert found.text == f"headline\n{text}\nBank raises rates\n"
    assert found.encoding == "cp1252"


def test_a_file_cut_inside_a_character_says_so():
    data = "\n".join(HEADLINES["Japanese"]).encode("cp932")[:-1]
    found = decode(data)
    assert found.text.split("\n")[:-1] == HEADLINES["Japanese"][:-1]
    assert found.notes[1].startswith("1 ")


@pytest.mark.parametrize(
    "data", [b"\xff" * 900, "headline\nStorm\n".encode("cp500") * 9, bytes(range(255, 127, -3)) * 9]
)
def test_what_makes_no_sense_is_refused(data):
    assert guess(data) is None
    with pytest.raises(InputError, match="encoding of the file could not be made out"):
        decode(data)
