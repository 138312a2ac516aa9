"""The agent's watch and the hub's, for real: settings one way, positions and events the other way, and a hub that is
gone for a while."""

import json

import pytest
from agent import Agent
from bell_device import make_device
from gpsd import ANCHOR, Ticking
from hub import command, eventually

pytestmark = [pytest.mark.timeout(120)]

ROOM = "/api/v1/anchor"


def test_the_agent_takes_the_hubs_settings_and_tells_it_all_that_it_sees(make_hub, tmp_path, gpsd):
    hub = make_hub()
    ada = hub.sign_in("owner", "Ada")
    made = make_device(hub, "boat", person="Ada")
    folder = tmp_path / "agent"
    folder.mkdir()
    boat = {"east": 4.0}

    def watch():
        status, answer = hub.get(ROOM, token=ada)
        assert status == 200, answer
        return answer

    with Agent(folder, hub.url, "--gpsd", gpsd.address, "--audio", "off", secret=made["secret"]) as agent, Ticking(
            gpsd, lambda: (boat["east"], 0.0), 0.5):
        agent.wait_told("connected", 20)
        (source,) = eventually(lambda: watch()["sources"], 30, what="the agent at the hub")
        assert (source["name"], source["kind"]) == ("boat", "agent")
        status, answer = hub.post(f"{ROOM}/drop", ada, {"lat": ANCHOR[0], "lon": ANCHOR[1]})
        assert status in (200, 201), answer
        zone = {"shape": "circle", "radius_m": 30}
        status, answer = hub.patch(ROOM, ada, {"zone": zone, "grace_s": 1, "beat_s": 10})
        assert status == 200, answer
        status, answer = hub.post(f"{ROOM}/arm", ada, {})
        assert status == 200, answer
        # A silent push has told the boat.
        state = eventually(lambda: (now := agent.anchor("status"))["armed"] and now, 30, what="armed on the boat")
        assert state["settings"]["zone"] == {"shape": "circle", "radius_m": 30.0}
        # It is rung on the boat first, and without the hub.
        hub.kill()
        boat["east"] = 55.0
        agent.wait_told("anchor", 40, kind="alarm")
        assert agent.anchor("status")["ringing"] == "alarm"
        eventually(lambda: agent.anchor("status")["hub"]["waiting"] > 3, 30, what="what the hub does not have")
        # Kept, and told as soon as there is a hub again.
        hub.start()
        eventually(lambda: agent.anchor("status")["hub"]["waiting"] <= 2, 60, what="all is told")
        eventually(lambda: watch()["state"] == "alarm", 30, what="the hub's watch")
        assert watch()["armed"] and json.loads((agent.state / "anchor-reports.json").read_text())["reported"] > 0
        # The command for the hub can also be for the agent.
        said = command("anchor", "status", "--agent", agent.state)
        assert said.returncode == 0 and "55 m at 90°" in said.stdout, said
        # Somebody acts, at the hub.
        status, answer = hub.post(f"{ROOM}/acknowledge", ada, {})
        assert status in (200, 204), answer
        eventually(lambda: agent.anchor("status")["ringing"] is None, 30, what="silence on the boat")
        assert hub.post(f"{ROOM}/weigh", ada, {"sure": True})[0] in (200, 204)
        eventually(lambda: not agent.anchor("status")["armed"], 30, what="weighed on the boat")


def test_a_hub_that_does_not_know_the_agent_ends_no_watch(make_hub, tmp_path, gpsd):
    hub = make_hub()
    with Agent(tmp_path, hub.url, "--gpsd", gpsd.address, "--audio", "off", secret="x" * 64) as agent, Ticking(
            gpsd, seconds=0.5):
        eventually(lambda: "goes on without the hub" in agent.log, 20, what="it says so")
        state = agent.anchor("drop", "--at", f"{ANCHOR[0]},{ANCHOR[1]}")
        assert state["armed"] and agent.process.poll() is None
        eventually(lambda: agent.anchor("status")["state"] == "holding", 20)
