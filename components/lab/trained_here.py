"""The pair models that were trained on this computer."""

from contextlib import suppress

from core.runtime import workshop


def trained_here() -> dict[str, str]:
    """Names by signature, the newest first; none without `research`, and none for visitors."""
    with suppress(ImportError):
        from research.catalogue.training_runs import pair_models

        return {} if workshop() else pair_models()
    return {}
