"""The agent's sources of positions: a real gpsd, sentences over TCP and UDP, a Signal K server's stream."""

import json
import re
import socket
import time

import pytest
from agent import WatchingAgent
from hub import eventually
from receivers import SentenceServer, SignalK, broadcast, delta, instant, minimum, real_gpsd, sentence

pytestmark = [pytest.mark.timeout(120)]

PLACE = (54.1, 10.2)
OTHER = (54.2, 10.3)


class ListeningAgent(WatchingAgent):
    def __init__(self, tmp_path, *options):
        super().__init__(tmp_path, None, *options, "--audio", f"file:{tmp_path}/heard.wav")

    def fix(self):
        return self.anchor("status")["fix"]

    def at(self, place):
        fix = self.fix()
        return fix and (round(fix["lat"], 6), round(fix["lon"], 6)) == place and fix


@pytest.mark.waits
def test_a_real_gpsd_is_listened_to_and_a_boat_that_drags_rings(tmp_path):
    def drags(second):
        return (PLACE[0], PLACE[1] + max(0, second - 60) * 2e-5)  # 1.3 m a second

    with real_gpsd(tmp_path, drags) as port, ListeningAgent(tmp_path, "--gpsd", f"127.0.0.1:{port}") as agent:
        eventually(agent.fix, 40, what="a fix of the receiver")
        settings = json.dumps({"grace_s": 2})
        place = f"{PLACE[0]},{PLACE[1]}"
        assert agent.anchor("drop", "--at", place, "--radius", 40, "--settings", settings)["armed"]
        alarm = agent.wait_told("anchor", 60, kind="alarm")
        assert alarm["distance_m"] > 40


def test_sentences_over_tcp_with_everything_that_is_none_among_them(tmp_path):
    def text():
        now = time.time()
        good = minimum(now, *PLACE)
        return (
            "\x00\xff noise\r\n" + minimum(now, *OTHER, status="V") + good.replace("5406", "5407")
            + minimum(now, *OTHER).partition("*")[0] + "\r\n" + minimum(now, 0, 0) + "$GPRMC,12" + good
            + sentence("GPGSV,1,1,00") + "x" * 5_000 + "\r\n")

    with SentenceServer(text) as server, ListeningAgent(tmp_path, "--nmea", f"tcp://{server.address}") as agent:
        eventually(lambda: agent.at(PLACE), 20, what="the one good sentence")
        # A multiplexer that is started anew.
        server.dropping = True
        eventually(lambda: server.connections > 1, 20, what="the agent connects again")
        known = agent.fix()
        eventually(lambda: agent.fix() != known, 20, what="the next fix")


def test_a_source_that_tells_no_position_says_why(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as closed:
        nobody = f"127.0.0.1:{closed.getsockname()[1]}"

    def text():
        return minimum(time.time(), *PLACE).partition("*")[0] + "\r\n"

    with SentenceServer(text) as server, ListeningAgent(
        tmp_path, "--gpsd", nobody, "--nmea", f"tcp://{server.address}"
    ) as agent:
        why = "it cannot be reached: Connection refused"

        def both_say_why():
            refused, unchecked = [one["problem"] or "" for one in agent.anchor("status")["sources"]]
            # After so many sentences, five a second, it has tried to connect several times.
            return refused == why and re.fullmatch(r"[2-9]\d refused: no checksum", unchecked)

        eventually(both_say_why, 20, what="both say why")
        assert agent.log.count(f"gpsd 127.0.0.1: {why}") == 1, "not at each attempt"


def test_a_source_that_tells_something_else_says_so(tmp_path, gpsd):
    with SentenceServer(lambda: sentence("SDDPT,4.0,0.0")) as server, ListeningAgent(
        tmp_path, "--gpsd", gpsd.address, "--nmea", f"tcp://{server.address}"
    ) as agent:
        # This gpsd has no receiver, and has told its version alone.
        eventually(lambda: [one["problem"] for one in agent.anchor("status")["sources"]]
                   == ["what it tells has no position"] * 2, 20, what="both say so")
        eventually(lambda: gpsd.tell(), 20, what="a receiver is plugged in")
        eventually(lambda: agent.anchor("status")["sources"][0]["problem"] is None, 20, what="a position")


def test_an_alarm_that_nothing_can_ring_is_named(tmp_path):
    besides = []

    def text():
        return "".join(besides) + minimum(time.time(), *PLACE)

    with SentenceServer(text) as server, ListeningAgent(tmp_path, "--nmea", f"tcp://{server.address}") as agent:
        def warnings():
            return [one["kind"] for one in agent.anchor("status")["warnings"]]

        eventually(lambda: agent.at(PLACE), 20, what="a fix")
        asked = json.dumps({"depth_m": {"min": 2.5}, "wind_shift_deg": 30})
        agent.anchor("drop", "--radius", 40, "--settings", asked)
        assert warnings() == ["no depth", "no wind"]
        besides.append(sentence("SDDPT,4.0,0.0"))
        eventually(lambda: warnings() == ["no wind"], 20, what="the depth is told")


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def test_sentences_that_a_bridge_cuts_between_datagrams_count(tmp_path):
    port = free_port()

    def datagrams():
        good = instant(time.time(), *PLACE).encode()
        return [good[begin:begin + 50] for begin in range(0, len(good), 50)]

    with ListeningAgent(tmp_path, "--nmea", f"udp://:{port}") as agent, broadcast(datagrams, port):
        eventually(lambda: agent.at(PLACE), 20, what="a fix")


@pytest.mark.parametrize(("listening", "group"), [("", "::1"), ("239.192.0.4", "239.192.0.4")])
def test_sentences_over_udp(tmp_path, listening, group):
    port = free_port()

    def datagrams():
        good = instant(time.time(), *PLACE)
        # Half a sentence at the end of a datagram does not run into the next one.
        return [good[:-20].encode(), b"\xff" * 3_000, good.encode()]

    with ListeningAgent(tmp_path, "--nmea", f"udp://{listening}:{port}") as agent, broadcast(datagrams, port, group):
        fix = eventually(lambda: agent.at(PLACE), 20, what="a fix")
        eventually(lambda: agent.fix()["at"] != fix["at"], 20, what="the next one")


def test_a_signal_k_server_is_subscribed_to_and_other_vessels_are_not_the_boat(tmp_path):
    def deltas():
        return [delta(*OTHER, context="vessels.urn:mrn:imo:mmsi:211999999"), delta(*PLACE),
                delta(0, 0), {"updates": [{"values": [{"path": "navigation.position", "value": None}]}]}]

    with SignalK(deltas) as server, ListeningAgent(tmp_path, "--signalk", server.url) as agent:
        eventually(lambda: agent.at(PLACE), 20, what="the boat's position")
        assert server.targets == ["/signalk/v1/stream?subscribe=none"]
        asked = server.subscriptions[0]
        assert asked["context"] == "vessels.self"
        paths = {one["path"] for one in asked["subscribe"]}
        assert {"navigation.position", "environment.depth.belowTransducer"} <= paths
        server.dropping = True
        eventually(lambda: len(server.subscriptions) > 1, 20, what="the agent connects again")
        known = agent.fix()
        eventually(lambda: agent.fix() != known, 20, what="the next fix")


@pytest.mark.waits
def test_a_server_that_repeats_itself_for_ever_is_a_lost_position(tmp_path):
    begun = time.time()
    known = {}

    def deltas():
        return [delta(*PLACE, at=known.get("at"))] * 20

    with SignalK(deltas) as server, ListeningAgent(tmp_path, "--signalk", server.url) as agent:
        eventually(lambda: agent.at(PLACE), 20, what="the boat's position")
        agent.anchor("drop", "--radius", 40, "--settings", json.dumps({"gap_s": 5, "lost_s": 10, "grace_s": 1}))
        known["at"] = begun
        agent.wait_told("anchor", 60, kind="position lost")
        assert agent.anchor("status")["state"] == "lost"
