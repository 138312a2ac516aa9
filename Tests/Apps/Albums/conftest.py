"""One album of each test, with its host and two guests; the tests of a file share a hub."""

import pytest

from uploads import Guest, join, make_album


@pytest.fixture(scope="module")
def hub(shared_hub):
    return shared_hub


@pytest.fixture
def album(hub):
    return make_album(hub)


@pytest.fixture
def host(hub, album):
    return Guest(hub, album, album["host_token"])


@pytest.fixture
def ada(hub, album):
    return Guest(hub, album, join(hub, album, "Ada"))


@pytest.fixture
def ben(hub, album):
    return Guest(hub, album, join(hub, album, "Ben"))
