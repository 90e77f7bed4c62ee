"""Headlines in the encodings of before UTF-8: each comes out as it went in, or the file is refused."""

from __future__ import annotations

import pytest

from core.data.timelines.decode import KNOWN, decode, guess, makes_sense
from core.errors import InputError

HEADLINES = {
    "Japanese": [
        "台風が九州に上陸、空港は全便欠航",
        "日銀が政策金利を0.25%に引き上げ",
        "首相、来週の訪米で首脳会談へ",
        "東京株式市場、3日続けて値上がり",
        "新型ロケットの打ち上げに成功",
        "都内で火災、3人が病院に運ばれる",
    ],
    "Chinese simplified": [
        "台风登陆福建，机场全部航班取消",
        "央行下调贷款市场报价利率",
        "总理下周访问欧洲三国",
        "上证指数连续三天上涨",
        "新型运载火箭发射成功",
        "市中心一栋大楼起火，三人送医",
    ],
    "Chinese traditional": [
        "颱風登陸花蓮，機場班機全部取消",
        "央行宣布升息半碼",
        "總統下週出訪三個友邦",
        "台股連續三天上漲",
        "新型火箭發射成功",
        "市中心大樓失火，三人送醫",
    ],
    "Korean": [
        "태풍 상륙으로 공항 항공편 모두 결항",
        "한국은행, 기준금리 0.25%포인트 인상",
        "대통령 다음 주 미국 방문",
        "코스피 사흘 연속 상승",
        "신형 로켓 발사 성공",
        "도심 건물 화재로 3명 병원 이송",
    ],
    "Polish": [
        "Burza zamknęła lotnisko w Łodzi",
        "Żółte światło dla źródeł energii",
        "Rząd przyjął projekt budżetu na przyszły rok",
        "Premier spotka się z prezydentem w środę",
        "Trzęsienie ziemi we Włoszech, są ranni",
        "Ceny żywności wzrosły o 12 proc.",
    ],
    "Czech": [
        "Bouře uzavřela letiště v Praze",
        "Vláda schválila rozpočet na příští rok",
        "Česká národní banka zvýšila úrokové sazby",
        "Premiér se sejde s prezidentem ve středu",
        "Zemětřesení v Itálii, desítky zraněných",
        "Ceny potravin vzrostly o dvanáct procent",
    ],
    "Hungarian": [
        "Vihar miatt lezárták a repülőteret",
        "A kormány elfogadta a jövő évi költségvetést",
        "Emelte az alapkamatot a jegybank",
        "Földrengés Olaszországban, több sérült",
        "Tizenkét százalékkal nőttek az élelmiszerárak",
        "A hó megbénította a fővárosi közlekedést",
    ],
    "Russian": [
        "Буря закрыла аэропорт в Петербурге",
        "Центробанк поднял ключевую ставку",
        "Премьер встретится с президентом в среду",
        "Землетрясение в Италии, есть пострадавшие",
        "Цены на продукты выросли на двенадцать процентов",
        "Снегопад парализовал движение в столице",
    ],
    "Ukrainian": [
        "Буря закрила аеропорт у Львові",
        "Нацбанк підвищив облікову ставку",
        "Прем'єр зустрінеться з президентом у середу",
        "Землетрус в Італії, є постраждалі",
        "Ціни на продукти зросли на дванадцять відсотків",
        "Снігопад паралізував рух у столиці",
    ],
    "Greek": [
        "Η καταιγίδα έκλεισε το αεροδρόμιο",
        "Η τράπεζα ανέβασε τα επιτόκια",
        "Ο πρωθυπουργός συναντά τον πρόεδρο την Τετάρτη",
        "Σεισμός στην Ιταλία με τραυματίες",
        "Οι τιμές των τροφίμων αυξήθηκαν δώδεκα τοις εκατό",
        "Το χιόνι παρέλυσε την κυκλοφορία στην πρωτεύουσα",
    ],
    "Turkish": [
        "Fırtına havaalanını kapattı",
        "Merkez Bankası faizi yükseltti",
        "Başbakan çarşamba günü cumhurbaşkanıyla görüşecek",
        "İtalya'da deprem, yaralılar var",
        "Gıda fiyatları yüzde on iki arttı",
        "Kar yağışı başkentte ulaşımı felç etti",
    ],
    "French": [
        "Tempête à Orléans: l'aéroport fermé",
        "La banque centrale relève ses taux",
        "Le Premier ministre rencontre le président mercredi",
        "Séisme en Italie, plusieurs blessés",
        "Les prix de l'alimentation ont augmenté de douze pour cent",
        "La neige paralyse la circulation dans la capitale",
    ],
    "German": [
        "Sturm schließt Flughafen in München",
        "Zentralbank erhöht die Zinsen",
        "Kanzler trifft Präsidenten am Mittwoch",
        "Erdbeben in Italien, mehrere Verletzte",
        "Lebensmittelpreise um zwölf Prozent gestiegen",
        "Schnee legt Verkehr in der Hauptstadt lahm",
    ],
    "Spanish": [
        "La tormenta cierra el aeropuerto de Málaga",
        "El banco central sube los tipos de interés",
        "¿Qué dirá el presidente el miércoles?",
        "Terremoto en Italia: varios heridos",
        "El precio de los alimentos subió un doce por ciento",
        "La nieve paraliza el tráfico en la capital",
    ],
    "Lithuanian": [
        "Audra uždarė oro uostą Vilniuje",
        "Bankas šiandien didina palūkanų normą",
        "Premjeras trečiadienį susitiks su prezidentu",
        "Žemės drebėjimas Italijoje, yra sužeistų",
        "Maisto kainos išaugo dvylika procentų",
        "Mokslininkai atrado naują planetą",
    ],
    "Hebrew": [
        "סערה סגרה את שדה התעופה",
        "הבנק העלה את הריבית",
        "ראש הממשלה ייפגש עם הנשיא ביום רביעי",
        "רעידת אדמה באיטליה, יש נפגעים",
        "מחירי המזון עלו בשנים עשר אחוזים",
        "מדענים גילו כוכב לכת חדש",
    ],
    "Arabic": [
        "عاصفة تغلق المطار",
        "البنك يرفع سعر الفائدة",
        "رئيس الوزراء يلتقي الرئيس يوم الأربعاء",
        "زلزال في إيطاليا وإصابة العشرات",
        "ارتفاع أسعار الغذاء بنسبة اثني عشر بالمئة",
        "علماء يكتشفون كوكبا جديدا",
    ],
    "Thai": [
        "พายุปิดสนามบิน",
        "ธนาคารขึ้นดอกเบี้ย",
        "นายกรัฐมนตรีพบประธานาธิบดีวันพุธ",
        "แผ่นดินไหวในอิตาลี มีผู้บาดเจ็บ",
        "ราคาอาหารเพิ่มขึ้นสิบสองเปอร์เซ็นต์",
        "นักวิทยาศาสตร์ค้นพบดาวเคราะห์ดวงใหม่",
    ],
}
WRITTEN = {
    "Japanese": ("shift_jis", "cp932", "euc-jp"),
    "Chinese simplified": ("gb18030",),
    "Chinese traditional": ("big5",),
    "Korean": ("euc-kr", "cp949"),
    "Polish": ("cp1250", "iso-8859-2"),
    "Czech": ("cp1250", "iso-8859-2"),
    "Hungarian": ("cp1250",),
    "Russian": ("cp1251", "koi8-r", "cp866", "iso-8859-5", "mac-cyrillic"),
    "Ukrainian": ("cp1251", "koi8-u"),
    "Greek": ("cp1253", "iso-8859-7"),
    "Turkish": ("cp1254", "iso-8859-9"),
    "French": ("cp1252", "latin-1", "iso-8859-15"),
    "German": ("cp1252", "latin-1"),
    "Spanish": ("cp1252", "latin-1"),
    "Lithuanian": ("cp1257",),
    "Hebrew": ("cp1255",),
    "Arabic": ("cp1256",),
    "Thai": ("cp874",),
}


def table(lines: list[str]) -> str:
    return "headline,date,link\n" + "".join(
        f"{line},2024-05-{day % 28 + 1:02d},https://example.org/{day}\n" for day, line in enumerate(lines)
    )


@pytest.mark.slow
@pytest.mark.parametrize("rows", [1, 2, 6, 600])
@pytest.mark.parametrize(
    ("language", "encoding"), [(language, name) for language in WRITTEN for name in WRITTEN[language]]
)
def test_every_language_in_every_encoding(language: str, encoding: str, rows: int) -> None:
    for first in range(6 if rows < 6 else 1):
        lines = (HEADLINES[language] * 101)[first : first + rows]
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
def test_english_with_a_sign_or_two_is_western(text: str) -> None:
    found = decode(f"headline\n{text}\nBank raises rates\n".encode("cp1252"))
    assert found.text == f"headline\n{text}\nBank raises rates\n"
    assert found.encoding == "cp1252"


def test_letters_far_down_decide() -> None:
    """Hundreds of kilobytes of ASCII come before the first letter that tells."""
    lines = [*["Storm closes airport again and again"] * 20_000, *HEADLINES["Polish"]]
    assert decode("\n".join(lines).encode("cp1250")).text == "\n".join(lines)


def test_a_file_cut_inside_a_character_says_so() -> None:
    data = "\n".join(HEADLINES["Japanese"]).encode("cp932")[:-1]
    found = decode(data)
    assert found.text.split("\n")[:-1] == HEADLINES["Japanese"][:-1]
    assert found.notes[1].startswith("1 ")


@pytest.mark.parametrize(
    "data", [b"\xff" * 900, "headline\nStorm\n".encode("cp500") * 9, bytes(range(255, 127, -3)) * 9]
)
def test_what_makes_no_sense_is_refused(data: bytes) -> None:
    assert guess(data) is None
    with pytest.raises(InputError, match="encoding of the file could not be made out"):
        decode(data)


def test_sense() -> None:
    assert makes_sense("Zürich – 30 °C, 第3回NHK杯, Москва")
    for nonsense in ("Tempкte а Orlйans", "└прАп", "rent at Ł70", "изъ€тие денег у экс"):
        assert not makes_sense(nonsense)
