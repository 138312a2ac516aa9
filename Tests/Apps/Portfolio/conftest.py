"""The tests of most files share a hub: each has a portfolio of its own."""

import pytest


@pytest.fixture(scope="module")
def hub(shared_hub):
    return shared_hub


@pytest.fixture
def ada(hub):
    return hub.sign_in("owner", "Ada")
