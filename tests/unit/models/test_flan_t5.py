"""FLAN-T5-small as the package holds it."""

import pytest

from core.errors import ModelUnavailableError
from core.models.networks import flan_t5 as module
from core.models.networks.flan_t5 import flan_t5


@pytest.mark.slow
def test_it_writes_titles_as_its_makers_trained_it_to():
    model, tokenizer = flan_t5()
    given = tokenizer(
        "headline: A ferry carrying 212 passengers ran aground off Paros on Sunday.", return_tensors="pt"
    )
    written = model.generate(input_ids=given.input_ids, max_new_tokens=16)[0]
    assert {"212", "passengers"} <= set(tokenizer.decode(written, skip_special_tokens=True).split())
    assert sum(value.numel() for value in {id(v): v for v in model.parameters()}.values()) == 76_961_152


def test_files_that_are_damaged(tmp_path, monkeypatch):
    for name in ("encoder.onnx", "decoder.onnx", "tokenizer.json"):
        (tmp_path / name).write_bytes(b"\x3a\x00")
    monkeypatch.setattr(module, "flan_t5_folder", lambda: tmp_path)
    with pytest.raises(ModelUnavailableError, match="damaged or of another version") as caught:
        flan_t5()
    assert "requirements.txt" in caught.value.hint
