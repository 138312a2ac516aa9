"""One album of each test, with its host and two guests."""

import pytest

from uploads import Guest, join, make_album


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
