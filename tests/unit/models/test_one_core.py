"""Products that keep to one core, and those of other threads."""

import re
import threading

import numpy as np
import scipy.linalg
import torch
from threadpoolctl import threadpool_info

from core.models.networks.batches import one_core


def threads():
    """How many threads each library of numpy, scipy and torch would use in the calling thread."""
    libraries = [one for one in threadpool_info() if re.search("numpy|scipy|torch", one["filepath"])]
    return {one["filepath"]: one["num_threads"] for one in libraries}


def test_products_keep_to_one_core_while_it_lasts():
    assert np.linalg.eigvalsh(np.eye(2)).any()  # loads the libraries
    assert scipy.linalg.eigvalsh(np.eye(2)).any()
    assert torch.ones(2, 2).mm(torch.ones(2, 2)).any()
    kept = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        before = threads()
        with one_core():
            assert set(threads().values()) == {1}
            other: list[int] = []
            thread = threading.Thread(target=lambda: other.append(torch.get_num_threads()))
            thread.start()
            thread.join()
        assert threads() == before
        assert other == [2], "another thread's networks are left alone"
    finally:
        torch.set_num_threads(kept)
