"""Fixtures of the talking clock's tests."""

import pytest
from sound_server import SoundServer


@pytest.fixture
def sound(tmp_path):
    """A sound server of the test's own."""
    with SoundServer(tmp_path / "sound") as server:
        yield server
