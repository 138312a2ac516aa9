"""The state of agents of earlier versions: the agent of today goes on with it."""

import json

import pytest

from agent import Agent
from hub import eventually
from upgrade import FOLDERS
from upgrade_agent import CLOCK, FILE, SOURCE, WATCH, unpack

VERSIONS = sorted(path.parent.name for path in FOLDERS.glob(f"*/{FILE}"))
assert VERSIONS, "an empty list would test nothing"


@pytest.mark.parametrize("version", VERSIONS)
def test_an_agent_goes_on_with_what_an_earlier_one_kept(tmp_path, gateway, version):
    unpack(version, tmp_path / "state")
    with Agent(tmp_path, gateway.url, *SOURCE) as agent:
        gateway.wait_connected()
        # The hub did not learn that the first one was shown, and sends it again.
        first = gateway.show("First")
        gateway.wait_acknowledged(first)
        gateway.numbers = 10  # the earlier gateway has used some
        second = gateway.show("Second")
        eventually(lambda: agent.told("shown", id=second), what="the next notification")
        gateway.wait_acknowledged(second)
        assert agent.told("shown", id="1") == [], "it was shown by the earlier agent"
        # An order of the hub that is older than what is known changes nothing.
        watch = eventually(lambda: agent.anchor("status"), what="the watch answers")
        assert watch["armed"] and watch["settings"]["zone"] == WATCH["settings"]["zone"], watch
        assert agent.end() == 0
    clock = json.loads((tmp_path / "state/clock.json").read_text())
    assert clock["on"] and clock["volume"] == CLOCK["volume"] and clock["settings"] == CLOCK["settings"]
