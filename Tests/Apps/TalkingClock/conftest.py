"""Fixtures of the talking clock's tests."""

import pytest
from agent import AGENT, SECRET
from gateway import Gateway
from sound_server import SoundServer


@pytest.fixture
def sound(tmp_path):
    """A sound server of the test's own."""
    with SoundServer(tmp_path / "sound") as server:
        yield server


@pytest.fixture
def gateway():
    """A double of the hub's gateway, for one device."""
    if not AGENT.exists():
        raise pytest.UsageError(f"{AGENT} is not there: bin/build eightbells-agent makes it.")
    with Gateway(SECRET) as gateway:
        yield gateway
