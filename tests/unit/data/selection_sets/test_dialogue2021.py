from collections import Counter

import numpy as np
import pytest

from core.data.dialogue2021 import PLACE, Document, Verdict, load_dialogue2021
from core.errors import DataSourceError, InputError
from core.parts import Part

NAMES = {
    "0525": [("left", "a-b-c-d", "e-f-g-h"), ("draw", "e-f-g-h", "i-j-k-l"), ("bad", "a-b-c-d", "q-r-s-t")],
    "0527": [("right", "m-n-o-p", "1"), ("bad", "m-n-o-p", "q-w-e-r")],
    "0529": [("left", "z-x-c-v", "q-w-e-r")],
}


@pytest.fixture
def small(tmp_path, monkeypatch):
    folder = tmp_path / PLACE.folder
    folder.mkdir()
    for day, rows in NAMES.items():
        lines = ["quality\tleft_url\tright_url"]
        lines += [f"{quality}\thttps://h.ru/{left}\thttps://h.ru/{right}" for quality, left, right in rows]
        (folder / f"data__headline_selection__titles_markup_{day}_urls.tsv").write_text(
            "\n".join(lines) + "\n"
        )
    monkeypatch.setenv("HEADLINE_LAB_DATA", str(tmp_path))
    return folder


def test_pairs_whose_headlines_have_text_are_kept(small):
    read = load_dialogue2021()
    assert [str(one) for one in read.verdicts] == ["left", "draw", "bad", "bad", "left"]
    assert read.without_text == 1  # of 27 May: the address "1" holds no headline
    assert read.pseudo.all()
    assert len(read.pairs(files=["0527"])) == 1
    assert Counter(read.files) == {"0525": 3, "0527": 1, "0529": 1}
    first, second = read.left[0], read.right[0]
    assert read.groups[first] == read.groups[second]
    bad = read.right[2]
    assert read.texts[bad] == "Q р с т".replace("Q", "К")
    assert read.groups[bad] != read.groups[first]


def test_documents_replace_pseudo_headlines_and_are_never_mixed_with_them(small):
    given = {"h.ru/m-n-o-p": Document("Настоящий", 18_409.0), "h.ru/1": Document("Второй", np.nan)}
    read = load_dialogue2021(given)
    assert read.texts == ("Второй", "Настоящий")
    assert not read.pseudo.any()
    assert read.parts == (Part.TEST,)
    assert read.without_text == 3


def test_foreign_documents_and_wrong_files_are_refused(small):
    with pytest.raises(InputError, match="None of the judged pairs"):
        load_dialogue2021({"other.ru/x": Document("Чужой", np.nan)})
    file = small / "data__headline_selection__titles_markup_0525_urls.tsv"
    file.write_text("quality\tleft_url\tright_url\nbetter\ta\tb\n")
    with pytest.raises(InputError, match="titles_markup_0525"):
        load_dialogue2021()
    file.unlink()
    with pytest.raises(DataSourceError, match="cannot be read"):
        load_dialogue2021()


def test_the_real_files_have_the_published_counts():
    if PLACE.find() is None:
        pytest.skip("the files of Dialogue 2021 are not on this machine")
    read = load_dialogue2021()
    judged = sum(verdict is not Verdict.BAD for verdict in read.verdicts)
    # Table of section 4.1: 5,091 - 377, 3,147 - 440 and 3,103 - 518 pairs; one line of 29 May is not there.
    assert judged + read.without_text == 4_714 + 2_707 + 2_584
    parts: dict[int, set[Part]] = {}
    for left, verdict, part in zip(read.left.tolist(), read.verdicts, read.parts, strict=True):
        if verdict is not Verdict.BAD:
            parts.setdefault(int(read.groups[left]), set()).add(part)
    assert all(len({part is Part.TEST for part in found}) == 1 for found in parts.values())
    learned = {group for group, found in parts.items() if Part.TRAIN in found}
    assert not learned & {group for group, found in parts.items() if Part.VALIDATION in found}
