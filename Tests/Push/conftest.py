"""Fixtures of the tests of what receives notifications."""

import pytest
from agent import AGENT, SECRET
from gateway import Gateway


@pytest.fixture
def gateway():
    """A double of the hub's gateway, for one device."""
    if not AGENT.exists():
        raise pytest.UsageError(f"{AGENT} is not there: bin/build eightbells-agent makes it.")
    with Gateway(SECRET) as gateway:
        yield gateway
