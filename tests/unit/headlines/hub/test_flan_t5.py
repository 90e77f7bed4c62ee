import pytest

from core.headlines.generator import Wishes
from core.headlines.generators.neural import NUMBERS, FlanT5Headlines
from core.headlines.hub.opening import open_adapted, prefix_of
from core.headlines.hub.writing import WholeArticle
from core.models.language_models.language_model import Length
from core.models.language_models.writing.choices import NUMBER
from core.runtime import Runtime

EXACT = Runtime(half=False)
ARTICLES = [
    "Three of 65,000 boats sank; 968 sailors are lost.",
    "Nobody came.",
    "It rose by 3.5 to 21 in 2019.",
]


@pytest.mark.parametrize(
    ("length", "question", "text"),
    [
        (Length.USUAL, False, "headline: "),
        (Length.SHORT, False, "short headline: "),
        (Length.LONG, True, "long question headline: "),
    ],
)
def test_what_is_wished_stands_before_the_article(length, question, text):
    assert prefix_of(length, question=question) == text


def test_updates_answer_as_the_layers_in_training(flan_adapter, flan_in_training):
    import torch

    network = open_adapted(flan_adapter, EXACT)
    ids = torch.tensor(WholeArticle(network, "", 40).tokens(ARTICLES[:1]))
    with torch.inference_mode():
        found = network.model(input_ids=ids, decoder_input_ids=ids).logits
        wanted = flan_in_training(input_ids=ids, decoder_input_ids=ids).logits
    assert torch.allclose(found, wanted, atol=0.05)


@pytest.mark.parametrize("rule", [name for name, allowed in NUMBERS.items() if allowed])
@pytest.mark.parametrize("wishes", [Wishes(candidates=6), Wishes(candidates=8, sample=True, temperature=3.0)])
def test_no_number_that_the_article_does_not_give(flan_adapter, rule, wishes):
    """With random weights a free writer puts down digits of all kinds."""

    def wrong(numbers):
        writer = FlanT5Headlines(model=str(flan_adapter), allowed_numbers=numbers).build(EXACT)
        return sum(
            not set(NUMBER.findall(one.text)) <= NUMBERS[rule](article)
            for article, some in zip(ARTICLES, writer.write(ARTICLES, wishes, EXACT), strict=True)
            for one in some
        )

    assert wrong("any") > 0
    assert wrong(rule) == 0


def test_an_article_keeps_its_own_numbers_beside_others(flan_adapter):
    writer = FlanT5Headlines(model=str(flan_adapter), allowed_numbers="restated").build(EXACT)
    together = writer.write(ARTICLES, Wishes(candidates=3), EXACT)
    for article, some in zip(ARTICLES, together, strict=True):
        (alone,) = writer.write([article], Wishes(candidates=3), EXACT)
        assert [one.text for one in alone] == [one.text for one in some]
