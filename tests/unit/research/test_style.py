"""What an outlet's style is, and a writer that takes it on."""

import numpy as np
import pytest

from core.errors import InputError
from core.headlines.generator import GenerationOptions, HeadlineCandidate, headline_generators
from core.runtime import Runtime
from research import style

TOPICS = ["ferry", "strike", "election", "storm", "trial", "merger"]


@pytest.fixture(scope="module")
def timeline(tmp_path_factory):
    """Post asks questions, Herald tells; Gazette writes about ferries alone, and as Herald does."""
    drawn, lines = np.random.default_rng(0), ["headline,date,publisher,gold_group"]
    for event in range(30):
        topic = TOPICS[event % len(TOPICS)]
        town = "".join(drawn.choice(list("abdelnorst"), 6)).title()
        told = [f"{town} {topic} ends in silence", f"{town} {topic} is over"]
        row = [(f"Why did the {topic} in {town} end?", "Post"), *((text, "Herald") for text in told)]
        if topic == "ferry":
            row.append((f"{town} ferry comes to its end", "Gazette"))
        lines += [f"{text},2024-03-{1 + event % 28:02d},{outlet},{event}" for text, outlet in row]
    path = tmp_path_factory.mktemp("style") / "timeline.csv"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_a_style_is_known_again_and_a_theme_is_no_style(timeline):
    rows = {row[0]: row for row in style.style_table(timeline, Runtime()).rows}
    assert rows["Post"][3].value == 1.0
    assert "“?”" in rows["Post"][4]
    assert rows["Gazette"][3] is None  # five events are too few to learn from
    with pytest.raises(InputError, match="events"):
        style.learn_from(timeline, "Gazette")


def test_a_timeline_without_groups_has_no_styles(tmp_path):
    path = tmp_path / "plain.csv"
    path.write_text("headline,publisher\nFerry sinks,Post\nFerry is lost,Herald\n")
    with pytest.raises(InputError, match="no gold groups"):
        style.style_table(str(path), Runtime())


def test_a_style_does_not_know_what_a_headline_is_about(timeline):
    post = style.learn_from(timeline, "Post")
    scores = post.scores(["Why did the trial in Lodi end?", "Why did the merger in Rome end?"])
    assert scores[0] == scores[1]


class Several:
    def write(self, articles, options, runtime):
        texts = ["Ferry ends", "Ferry is over", "Why did the ferry end?", "Why did the ferry sink?"]
        cautions = ["", "", "", "Wrong: it did not sink."]
        pairs = list(zip(texts, cautions, strict=True))[: options.candidates]
        return [[HeadlineCandidate(text, 0.0, caution=why) for text, why in pairs] for _ in articles]


def test_a_writer_takes_the_style_on_but_not_at_the_price_of_a_caution(timeline):
    writer = style.StyledWriter(Several(), style.learn_from(timeline, "Post"))
    (written,) = writer.write(["An article."], GenerationOptions(candidates=2), Runtime())
    assert written[0].text == "Why did the ferry end?"
    (everything,) = writer.write(["An article."], GenerationOptions(candidates=4), Runtime())
    assert everything[-1].caution


def test_the_generator_opens_a_timeline_and_its_writer(timeline):
    recipe = headline_generators.parse(f"outlet_style|outlet:Post|timeline:{timeline}|generator:lead_one")
    written = recipe.build(Runtime()).write(["The ferry sank. Why did it?"], GenerationOptions(), Runtime())
    assert written[0][0].text
    with pytest.raises(InputError, match="its own writer"):
        headline_generators.parse("outlet_style|generator:outlet_style").build(Runtime())
