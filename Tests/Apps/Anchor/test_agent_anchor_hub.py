"""The agent's watch and the hub's, for real: settings both ways, positions and events to the hub, a hub that is gone
for a while, and a network that is cut."""

import contextlib
import json
import time

import pytest
from agent import Agent
from bell_device import DRILLS, device_at, drilled, make_device
from gpsd import ANCHOR, Ticking
from hub import command, eventually
from local_server import LocalServer, QuietHandler
from cut_network import BOAT

pytestmark = [pytest.mark.timeout(120)]

ROOM = "/api/v1/anchor"


class Before(QuietHandler):
    """A proxy that answers for a hub that starts, as Traefik does."""
    told = []

    def do_GET(self):
        self.reply(404, b"404 page not found\n")

    def do_POST(self):
        report = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.do_GET()
        self.told += [event["kind"] for event in report.get("events", [])]


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
        status, answer = hub.patch(ROOM, ada, {"zone": zone, "grace_s": 1, "beat_s": 10, "depth_m": {"min": 2.5}})
        assert status == 200, answer
        status, answer = hub.post(f"{ROOM}/arm", ada, {})
        assert status == 200, answer
        # A silent push has told the boat.
        state = eventually(lambda: (now := agent.anchor("status"))["armed"] and now, 30, what="armed on the boat")
        assert state["settings"]["zone"] == {"shape": "circle", "radius_m": 30.0}
        # A depth that nothing tells rings nobody: both say so.
        assert state["warnings"] == [{"kind": "no depth"}]

        def arming_warns():
            return [one["kind"] for one in hub.post(f"{ROOM}/arm", ada, {})[1]["warnings"]]

        eventually(lambda: "no depth" in arming_warns(), 30, what="the hub knows it from the agent")
        # It is rung on the boat first, and without the hub. All is kept, also if a proxy answers for it.
        hub.kill()
        with LocalServer(Before, port=hub.port):
            boat["east"] = 55.0
            agent.wait_told("anchor", 40, kind="alarm")
            assert agent.anchor("status")["ringing"] == "alarm"
            eventually(lambda: "alarm" in Before.told, 30, what="a report that nobody takes")
            eventually(lambda: agent.anchor("status")["hub"]["waiting"] > 3, 30, what="what the hub does not have")
            kept = json.loads((agent.state / "anchor-reports.json").read_text())["events"]
            assert "alarm" in [event["kind"] for event in kept]
        # Told as soon as there is a hub again.
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


def test_an_anchor_is_dropped_where_the_boat_is_now_also_under_way(make_hub, tmp_path, gpsd):
    hub = make_hub()
    ada = hub.sign_in("owner", "Ada")
    made = make_device(hub, "boat", person="Ada")
    began = time.monotonic()
    with Agent(tmp_path, hub.url, "--gpsd", gpsd.address, "--audio", "off", secret=made["secret"]) as agent, Ticking(
            gpsd, lambda: (3 * (time.monotonic() - began), 0.0), 0.5):
        agent.wait_told("connected", 20)
        first = eventually(lambda: hub.get(ROOM, token=ada)[1]["fix"], 30, what="a position")
        # Long before the next report that was promised, after a minute.
        eventually(lambda: hub.get(ROOM, token=ada)[1]["fix"]["lon"] - first["lon"] > 0.0004, 25, what="it moves")
        assert hub.post(f"{ROOM}/drop", ada, {"arm": True})[1]["distance_m"] < 45


def test_a_drill_is_answered_by_a_loudspeaker_that_was_heard_and_by_no_other(make_hub, tmp_path, gpsd):
    hub = make_hub()
    ada = hub.sign_in("owner", "Ada")
    outputs = {"heard": f"file:{tmp_path}/heard.wav", "off": "off", "dead": "nosuch"}
    with contextlib.ExitStack() as stack:
        for name, output in outputs.items():
            (tmp_path / name).mkdir()
            agent = Agent(tmp_path / name, hub.url, "--gpsd", gpsd.address, "--audio", output,
                          secret=make_device(hub, name, person="Ada")["secret"])
            stack.enter_context(agent).wait_told("connected", 20)
        eventually(lambda: len(hub.get(ROOM, token=ada)[1]["sources"]) == 3, 30, what="the agents at the hub")
        assert hub.post(DRILLS, ada, {"room": "anchor"})[1]["devices"] == 3

        def answered():
            return [one["name"] for one in drilled(hub, ada)["devices"] if one["answered_after_s"] is not None]
        eventually(answered, 30, what="the loudspeaker that was heard")
        eventually(lambda: "nosuch" in agent.log, 20, what="the one that cannot be opened")
        assert answered() == ["heard"]


def test_a_hub_that_does_not_know_the_agent_ends_no_watch(make_hub, tmp_path, gpsd):
    hub = make_hub()
    with Agent(tmp_path, hub.url, "--gpsd", gpsd.address, "--audio", "off", secret="x" * 64) as agent, Ticking(
            gpsd, seconds=0.5):
        eventually(lambda: "goes on without the hub" in agent.log, 20, what="it says so")
        state = agent.anchor("drop", "--at", f"{ANCHOR[0]},{ANCHOR[1]}")
        assert state["armed"] and agent.process.poll() is None
        eventually(lambda: agent.anchor("status")["state"] == "holding", 20)


def test_events_have_the_time_of_the_positions_though_the_boats_clock_is_behind(make_hub, tmp_path, gpsd):
    hub = make_hub()
    boat = {"east": 4.0}
    tell, ahead = gpsd.tell, 1_200
    gpsd.tell = lambda *where: tell(*where, at=time.time() + ahead)
    # A hub that does not know it takes no reports: they wait.
    with Agent(tmp_path, hub.url, "--gpsd", gpsd.address, "--audio", "off", secret="x" * 64) as agent, Ticking(
            gpsd, lambda: (boat["east"], 0.0), 0.5):
        eventually(lambda: "goes on without the hub" in agent.log, 20, what="it says so")
        settings = json.dumps({"grace_s": 1})
        agent.anchor("drop", "--at", f"{ANCHOR[0]},{ANCHOR[1]}", "--radius", 30, "--settings", settings)
        eventually(lambda: agent.anchor("status")["state"] == "holding", 20)
        boat["east"] = 55.0
        agent.wait_told("anchor", 40, kind="alarm")
        kept = agent.state / "anchor-reports.json"
        alarm = eventually(lambda: kept.exists() and [
            one for one in json.loads(kept.read_text())["events"] if one["kind"] == "alarm"], 10, what="the event")[0]
        assert abs(alarm["at"] - time.time() - ahead) < 30


def test_orders_on_the_boat_reach_the_hub_whenever_there_is_one(make_hub, tmp_path, gpsd):
    hub = make_hub()
    ada = hub.sign_in("owner", "Ada")
    made = make_device(hub, "boat", person="Ada")

    def watch():
        return hub.get(ROOM, token=ada)[1]

    with Agent(tmp_path, hub.url, "--gpsd", gpsd.address, "--audio", "off", secret=made["secret"]) as agent, Ticking(
            gpsd, lambda: (4.0, 0.0), 0.5):
        agent.wait_told("connected", 20)
        eventually(lambda: watch()["sources"], 30, what="the agent at the hub")
        hub.kill()
        agent.anchor("drop", "--at", f"{ANCHOR[0]},{ANCHOR[1]}", "--radius", 33)
        hub.start()
        known = eventually(lambda: (now := watch())["armed"] and now, 60, what="the anchor at the hub")
        assert known["settings"]["zone"]["radius_m"] == 33 and known["anchor_by"] == "drop"
        eventually(lambda: watch()["state"] == "holding", 60, what="the hub's watch")
        assert "eightbells_anchor_state 2" in hub.get("/metrics", token=hub.owner_token)[1]
        # Changed at the hub, then on the boat: the newest counts, and both agree.
        assert hub.patch(ROOM, ada, {"grace_s": 5})[0] == 200
        eventually(lambda: agent.anchor("status")["settings"]["grace_s"] == 5, 30, what="the hub's change")
        agent.anchor("set", "--radius", 44)
        eventually(lambda: watch()["settings"]["zone"]["radius_m"] == 44, 30, what="the boat's change")
        assert watch()["settings"]["grace_s"] == 5
        version = watch()["version"]
        agent.anchor("weigh")
        eventually(lambda: watch()["state"] == "idle", 30, what="weighed at the hub")
        assert not agent.anchor("status")["armed"]
        past, = hub.get(f"{ROOM}/history", token=ada)[1]["anchorages"]
        assert past["to"] and version == 3


def test_another_hub_that_does_not_know_of_the_watch_is_told_of_it_and_can_end_it(make_hub, tmp_path, gpsd):
    hubs = [make_hub(name) for name in ("first", "second")]
    adas = [hub.sign_in("owner", "Ada") for hub in hubs]
    secrets = [make_device(hub, "boat", person="Ada")["secret"] for hub in hubs]

    def watch(number):
        return hubs[number].get(ROOM, token=adas[number])[1]

    words = ["--gpsd", gpsd.address, "--audio", "off"]
    with Ticking(gpsd, lambda: (4.0, 0.0), 0.5):
        with Agent(tmp_path, hubs[0].url, *words, secret=secrets[0]) as agent:
            eventually(lambda: watch(0)["sources"], 30, what="the agent at the hub")
            agent.anchor("drop", "--at", f"{ANCHOR[0]},{ANCHOR[1]}", "--radius", 33)
            eventually(lambda: watch(0)["armed"], 30, what="the anchor at the hub")
            eventually(lambda: json.loads((agent.state / "anchor.json").read_text())["order"] is None, 30,
                       what="its answer to the order")
        with Agent(tmp_path, hubs[1].url, *words, secret=secrets[1]) as agent:
            known = eventually(lambda: (now := watch(1))["armed"] and now, 60, what="the anchor at the other hub")
            assert known["settings"]["zone"]["radius_m"] == 33 and agent.anchor("status")["armed"]
            eventually(lambda: "does not know of this watch" in agent.log, 30, what="its line in the log")
            assert hubs[1].post(f"{ROOM}/weigh", adas[1], {"sure": True})[0] in (200, 204)
            eventually(lambda: not agent.anchor("status")["armed"], 30, what="weighed on the boat")


@pytest.mark.waits
def test_a_night_whose_network_is_cut(cut_network, make_hub, tmp_path, gpsd):
    hub = make_hub(options=("--listen", "0.0.0.0:0"))
    ada = hub.sign_in("owner", "Ada")
    made = make_device(hub, "boat", person="Ada")
    phone = make_device(hub, "Ada's phone", person="Ada")

    def watch():
        return hub.get(ROOM, token=ada)[1]

    folder = tmp_path / "agent"
    folder.mkdir()
    with Agent(
            folder, f"http://{BOAT}:{hub.port}", "--gpsd", gpsd.address, "--audio", "off",
            secret=made["secret"]) as agent, Ticking(gpsd, lambda: (4.0, 0.0), 0.5) as ticking:
        agent.wait_told("connected", 20)
        settings = json.dumps({"beat_s": 10, "gap_s": 10, "lost_s": 20})
        agent.anchor("drop", "--at", f"{ANCHOR[0]},{ANCHOR[1]}", "--radius", 40, "--settings", settings)
        eventually(lambda: watch()["state"] == "holding", 60, what="the hub's watch")
        cut = time.time()
        cut_network.cut()
        # The hub misses the boat and rings; she watches on.
        with device_at(hub, phone["secret"]) as bell:
            content = bell.show(90)["content"]
        assert (content["title"], content["interruption_level"]) == ("Nothing heard from the boat", "critical")
        assert watch()["state"] == "lost"
        state = agent.anchor("status")
        assert state["state"] == "holding" and state["hub"]["waiting"] > 20
        cut_network.mend()
        eventually(lambda: watch()["state"] == "holding", 90, what="the boat is heard again")
        ticking.silent = True
        eventually(lambda: agent.anchor("status")["hub"]["waiting"] == 0, 60, what="all is told")
    mended = time.time()
    track = [row[0] for row in hub.get(f"{ROOM}/track", token=ada)[1]["fixes"]]
    told = [at for at in gpsd.told if cut - 2 < at < mended]
    assert len(told) > 60 and all(any(abs(at - one) < 0.02 for one in track) for at in told)
    kinds = [one["kind"] for one in hub.get(f"{ROOM}/track", token=ada)[1]["events"]]
    assert "boat lost" in kinds and "boat back" in kinds
