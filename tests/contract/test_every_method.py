"""Every registered method can be imported, says what it is, and has a signature that reads back."""

import dataclasses

import pytest

from core.catalogue import left_out, registries
from core.people.forms import evaluation_forms
from core.registry import summary_of


def test_no_file_is_left_out():
    assert left_out() == []


@pytest.mark.parametrize("registry", registries(), ids=lambda registry: registry.kind)
def test_every_method_says_what_it_is(registry):
    for name in registry.names():
        recipe = registry.parse(name)
        assert summary_of(recipe), name
        assert "\n" not in summary_of(recipe), name
        signature = registry.signature(recipe)
        assert signature.startswith(name)
        assert registry.parse(signature) == recipe, name
        # The entries of a form stand in its file.
        for field in () if registry is evaluation_forms else dataclasses.fields(recipe):
            assert field.metadata.get("help"), f"{name} {field.name}"
