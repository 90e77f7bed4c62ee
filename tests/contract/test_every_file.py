"""Every file of a method can be imported, in a fresh process as well."""

from research.catalogue.catalogue import left_out


def test_no_file_is_left_out():
    assert left_out() == []
