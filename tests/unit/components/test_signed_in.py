"""Who is signed in by OpenID Connect."""

from types import SimpleNamespace

import pytest

from components.server import signed_in

ADA = "ada@example.org"


@pytest.mark.parametrize(
    ("verified", "name"),
    [
        (True, ADA),
        ("true", ADA),
        (None, ADA),
        (False, ""),
        ("false", ""),
    ],
)
def test_an_address_that_is_said_to_be_unverified_is_nobodys(monkeypatch, verified, name):
    user = {"is_logged_in": True, "email": ADA, "email_verified": verified}
    monkeypatch.delenv(signed_in.HEADER, raising=False)
    monkeypatch.setattr(signed_in, "st", SimpleNamespace(user=user))
    assert signed_in.signed_in() == name
