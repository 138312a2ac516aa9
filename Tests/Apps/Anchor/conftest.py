"""Fixtures of the anchor watch's tests."""

import pytest
from agent import AGENT
from gpsd import Gpsd
from cut_network import OwnNetwork


@pytest.fixture
def cut_network():
    """A network for this test alone; to be named before whatever is to be in it."""
    with OwnNetwork() as network:
        yield network


@pytest.fixture
def gpsd():
    """A double of gpsd that tells what a test wants."""
    if not AGENT.exists():
        raise pytest.UsageError(f"{AGENT} is not there: bin/build eightbells-agent makes it.")
    with Gpsd() as receiver:
        yield receiver
