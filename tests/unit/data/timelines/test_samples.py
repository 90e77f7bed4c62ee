import pytest

from core.data.timelines import samples
from core.errors import UnknownNameError


@pytest.mark.parametrize("name", samples.names())
def test_each_sample_is_what_its_card_says(name):
    card = samples.info(name)
    timeline = samples.load_sample(name)
    assert (len(timeline), timeline.report.format) == (card.rows, card.format)
    assert not timeline.report.rejected
    assert timeline.name == card.title
    assert card.licence
    assert card.source
    assert card.path.stat().st_size < 2_000_000
    readme = (card.path.parent / "README.md").read_text(encoding="utf-8")
    assert card.licence in readme
    assert card.source in readme


def test_iss_is_the_default_and_first():
    assert samples.names() == ["iss", "numhg", "uci"]
    timeline = samples.load_sample()
    assert (len(timeline), timeline.table["gold_group"].nunique()) == (47, 12)
    assert timeline.has_gold


def test_an_unknown_sample():
    with pytest.raises(UnknownNameError, match="iss, numhg, uci"):
        samples.info("moon")
