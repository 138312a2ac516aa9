"""The agent's anchor watch, alone: no hub, no network but a double of gpsd, real kills."""

import contextlib
import csv
import functools
import json
import operator
import os
import re
import select
import signal
import socket
import threading
import time

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.server import serve
from agent import WatchingAgent, run
from faults import preloaded
from gpsd import ANCHOR, Ticking, place
from hub import eventually

pytestmark = [pytest.mark.timeout(120)]

# Confirmed soon, since what is measured is not how long the rules wait.
QUICK = '{"grace_s":1,"gap_s":5,"lost_s":10}'


def alone(tmp_path, gpsd, *options):
    return WatchingAgent(
        tmp_path, None, "--gpsd", gpsd.address, "--audio", f"file:{tmp_path}/heard.wav", *options)


def track(agent):
    """The times of the track log, whose every line has to be whole."""
    with open(agent.state / "track.csv", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["time", "lat", "lon", "accuracy", "hdop", "source", "heading"]
    assert all(len(row) == 7 for row in rows)
    return [float(row[0]) for row in rows[1:]]


def heard(tmp_path):
    file = tmp_path / "heard.wav"
    return file.stat().st_size if file.exists() else 0


def flight(agent, *words):
    return [line for line in agent.last_words().stdout.splitlines() if all(word in line for word in words)]


def dropped(agent, *options):
    """Drops the anchor where the boat is, as soon as that is known."""
    eventually(lambda: agent.anchor("status")["fix"], 20, what="a fix")
    return agent.anchor("drop", "--radius", 30, "--settings", QUICK, *options)


def test_it_watches_alone_rings_until_somebody_acts_and_survives_kills(tmp_path, gpsd):
    boat = {"east": 3.0}
    with alone(tmp_path, gpsd) as agent, Ticking(gpsd, lambda: (boat["east"], 0.0), 0.2):
        state = dropped(agent, "--at", f"{ANCHOR[0]},{ANCHOR[1]}")
        assert state["armed"] and state["settings"]["zone"] == {"shape": "circle", "radius_m": 30.0}
        state = eventually(lambda: (now := agent.anchor("status"))["state"] == "holding" and now, 20)
        assert abs(state["distance_m"] - 3) < 0.2 and state["bearing_deg"] == 90 and state["ringing"] is None
        # The terminal that it was started in goes.
        agent.process.send_signal(signal.SIGHUP)
        # Killed at any moment, it goes on by itself.
        assert agent.anchor("status")["armed"]
        agent.end(signal.SIGKILL)
        agent.start()
        assert eventually(lambda: (now := agent.anchor("status"))["fix"] and now, 20)["armed"]
        # The anchor drags.
        boat["east"] = 50.0
        alarm = agent.wait_told("anchor", 30, kind="alarm")
        assert abs(alarm["distance_m"] - 50) < 2
        agent.wait_told("shown", 20, id="anchor")
        begun = heard(tmp_path)
        eventually(lambda: heard(tmp_path) > begun, 30, what="the alarm goes on")
        # A kill does not end it, nor does the receiver that is gone.
        agent.end(signal.SIGKILL)
        before = heard(tmp_path)
        agent.start()
        eventually(lambda: heard(tmp_path) > before, 30, what="the alarm after a kill")
        state = agent.anchor("acknowledge")
        assert state["ringing"] is None and state["armed"] and state["state"] == "alarm"
        # Somebody is on it, and she drags on: it rings again, after a start at once.
        boat["east"] = 58.0
        eventually(lambda: agent.anchor("status")["distance_m"] > 56, 20, what="she drags on")
        agent.end(signal.SIGKILL)
        agent.start()
        eventually(lambda: agent.anchor("status")["ringing"] == "alarm", 30, what="the alarm of a boat that drags on")
        assert agent.anchor("acknowledge")["ringing"] is None
        quiet = heard(tmp_path)
        # Back inside, and out again: it rings anew.
        boat["east"] = 2.0
        agent.wait_told("anchor", 30, kind="clear")
        assert agent.anchor("status")["ringing"] is None
        boat["east"] = 60.0
        eventually(lambda: heard(tmp_path) > quiet, 30, what="the next alarm")
        state = agent.anchor("weigh")
        assert not state["armed"] and state["state"] == "idle" and state["ringing"] is None
        # The next anchor begins with the settings of the last one, and a rode that is told counts for its radius.
        rode = '{"rode": {"length_m": 45, "depth_m": 7}}'
        again = agent.anchor("drop", "--at", f"{ANCHOR[0]},{ANCHOR[1]}", "--settings", rode)["settings"]
        assert {name: again[name] for name in json.loads(QUICK)} == json.loads(QUICK)
        assert 70 < again["zone"]["radius_m"] < 80
    assert "The agent ended without a word" in agent.last_words().stdout
    assert flight(agent, "watch=on", "why=charger", "share=", "battery=none", "lease=none", "process=running")
    assert flight(agent, "event=alarm") and flight(agent, "rings=alarm") and flight(agent, "restored")
    # A flight recorder and a log have no positions.
    places = re.compile(r"(?<![:\d])54\.1")  # a time may end with :54.1
    assert not places.search(agent.last_words().stdout) and not places.search(agent.log)


def test_a_loudspeaker_that_another_program_has_is_tried_again_soon(tmp_path, gpsd):
    (tmp_path / "heard.wav").mkdir()
    with alone(tmp_path, gpsd) as agent, Ticking(gpsd, lambda: (50.0, 0.0), 0.2):
        dropped(agent, "--at", f"{ANCHOR[0]},{ANCHOR[1]}")
        eventually(lambda: "heard.wav cannot be written" in agent.log, 30, what="it says so")
        (tmp_path / "heard.wav").rmdir()
        eventually(lambda: heard(tmp_path), 3, what="the alarm")


def test_a_sound_server_that_is_not_there_silences_no_alarm(tmp_path, gpsd):
    cards = tmp_path / "asound.conf"
    cards.write_text(
        "pcm.default { type hw card 99 }\n"
        f'pcm.sysdefault {{ type file file "{tmp_path}/heard.wav" format raw slave.pcm {{ type null }} }}\n')
    with WatchingAgent(tmp_path, None, "--gpsd", gpsd.address, env={"ALSA_CONFIG_PATH": str(cards)}) as agent, Ticking(
            gpsd, lambda: (50.0, 0.0), 0.2):
        dropped(agent, "--at", f"{ANCHOR[0]},{ANCHOR[1]}")
        eventually(lambda: heard(tmp_path), 30, what="the alarm")
        assert "The sound device default" in agent.log


def test_a_card_that_can_only_be_read_ends_no_watch(tmp_path, gpsd, gateway):
    full, audio = tmp_path / "full", f"file:{tmp_path}/heard.wav"
    faults = preloaded(tmp_path / "state", **{"while": full})
    with WatchingAgent(tmp_path, gateway.url, "--gpsd", gpsd.address, "--audio", audio, env=faults) as agent, Ticking(
            gpsd, lambda: (50.0 if full.exists() else 3.0, 0.0), 0.2):
        gateway.wait_connected()
        dropped(agent, "--at", f"{ANCHOR[0]},{ANCHOR[1]}")
        eventually(lambda: agent.anchor("status")["state"] == "holding", 20)
        full.touch()
        gateway.wait_acknowledged(gateway.show("unrecorded"))
        assert "not recorded" in agent.log
        eventually(lambda: agent.anchor("status")["ringing"] == "alarm", 30, what="the alarm")
        eventually(lambda: heard(tmp_path), 30, what="the siren")
        # Also when it is started so, and once more: what it learns is in memory.
        for ringing in ("alarm", None):
            agent.end(signal.SIGKILL)
            begun = heard(tmp_path)
            agent.start()
            state = eventually(lambda: (now := agent.anchor("status"))["state"] == "alarm" and now, 30, what="a start")
            assert state["ringing"] == ringing and {"kind": "not kept"} in state["warnings"]
            if ringing:
                eventually(lambda: heard(tmp_path) > begun, 30, what="the siren")
                assert "kept in memory alone" in agent.log and agent.anchor("acknowledge")["ringing"] is None
        # A card that can be written again has it.
        full.unlink()
        agent.end(signal.SIGKILL)
        agent.start()
        state = eventually(lambda: (now := agent.anchor("status"))["state"] == "alarm" and now, 30, what="the card")
        assert state["ringing"] is None and state["warnings"] == []
        assert json.loads((agent.state / "anchor.json").read_text())["acknowledged_at"]


def test_an_alarm_that_somebody_is_on_keeps_still_after_a_start_though_the_track_begins_later(tmp_path, gpsd):
    with alone(tmp_path, gpsd) as agent, Ticking(gpsd, lambda: (50.0, 0.0), 0.2):
        dropped(agent, "--at", f"{ANCHOR[0]},{ANCHOR[1]}")
        agent.wait_told("anchor", 30, kind="alarm")
        assert agent.anchor("acknowledge")["ringing"] is None
        known = json.loads((agent.state / "anchor.json").read_text())["acknowledged_at"]
        eventually(lambda: track(agent)[-1] > known + 3, 20, what="positions from then on")
        agent.end(signal.SIGKILL)
        log = agent.state / "track.csv"
        head, *rows = log.read_text().splitlines(keepends=True)
        log.write_text(head + "".join(row for row in rows if float(row.split(",")[0]) > known))
        agent.start()
        state = agent.anchor("status")
        assert (state["state"], state["ringing"]) == ("alarm", None)


class Unread(WatchingAgent):
    """An agent whose reader goes away."""

    def __init__(self, *words):
        super().__init__(*words)
        self._left = threading.Event()

    def _read(self, output):
        while not self._left.is_set():
            if select.select([output], [], [], 0.1)[0] and not os.read(output.fileno(), 65_536):
                return
        output.close()

    def leave(self):
        self._left.set()
        self.reader.join(5)


def test_a_watch_goes_on_and_rings_when_nobody_reads_its_lines(tmp_path, gpsd):
    boat = {"east": 3.0}
    with Unread(tmp_path, None, "--gpsd", gpsd.address, "--audio", f"file:{tmp_path}/heard.wav") as agent, Ticking(
            gpsd, lambda: (boat["east"], 0.0), 0.2):
        dropped(agent, "--at", f"{ANCHOR[0]},{ANCHOR[1]}")
        eventually(lambda: agent.anchor("status")["state"] == "holding", 20)
        agent.leave()
        boat["east"] = 50.0
        eventually(lambda: agent.anchor("status")["ringing"] == "alarm", 30, what="the alarm")
        # The notification of its own that comes with it was read by nobody, and does not count as shown.
        eventually(lambda: flight(agent, "what=failed", "id=anchor"), 20, what="the notification")
        begun = heard(tmp_path)
        eventually(lambda: heard(tmp_path) > begun, 30, what="the alarm goes on")
        assert agent.process.poll() is None
        # When no anchor is watched any more, it ends as it always did.
        agent.anchor("weigh")
        agent.request("tea", {"content": {"title": "Tea"}, "trigger": {"type": "interval", "seconds": 60}})
        assert agent.process.wait(15) == 1
    assert "Standard output cannot be written" in agent.log


class Unheard(WatchingAgent):
    """An agent whose reader never reads."""

    def _read(self, output):
        pass


@pytest.mark.waits
def test_a_watch_waits_only_once_for_a_reader_that_does_not_read(tmp_path, gpsd):
    boat = {"east": 3.0}
    with Unheard(tmp_path, None, "--gpsd", gpsd.address, "--audio", f"file:{tmp_path}/heard.wav") as agent, Ticking(
            gpsd, lambda: (boat["east"], 0.0), 0.2):
        dropped(agent, "--at", f"{ANCHOR[0]},{ANCHOR[1]}")
        for number in range(12):
            agent.request(f"long-{number}", {"content": {"title": "Long", "user_info": {"x": "y" * 9_000}}})
        eventually(lambda: flight(agent, "output: Standard output is not read"), 30, what="a line that nobody reads")
        boat["east"] = 50.0
        eventually(lambda: agent.anchor("status")["ringing"] == "alarm", 30, what="the alarm")


def test_the_track_is_complete_to_the_last_fix_before_each_kill(tmp_path, gpsd):
    with alone(tmp_path, gpsd) as agent:
        known = []
        for number in range(6):
            eventually(lambda: gpsd.watching, 20, what="the agent watches")
            for step in range(40):
                known.append(round(time.time(), 3))
                assert gpsd.tell(step % 5, 0, at=known[-1]) >= 1
                time.sleep(0.003)  # the times of fixes differ
            eventually(lambda: len(track(agent)) == len(known), 20, what="the last fix in the log")
            agent.end(signal.SIGKILL)
            times = track(agent)
            assert len(times) == len(known), f"after kill {number}"
            gpsd.watching.clear()
            agent.start()
        assert all(abs(one - other) < 0.011 for one, other in zip(track(agent), known, strict=True))


@pytest.mark.waits
def test_a_silent_receiver_is_an_alarm_and_says_when_it_is_back(tmp_path, gpsd):
    with alone(tmp_path, gpsd) as agent, Ticking(gpsd, seconds=0.5) as ticking:
        dropped(agent)
        ticking.silent = True
        lost = agent.wait_told("anchor", 40, kind="position lost")
        eventually(lambda: agent.anchor("status")["ringing"] == "position lost", 10)
        assert lost["distance_m"] < 1
        eventually(lambda: heard(tmp_path), 10, what="the alarm")
        ticking.silent = False
        agent.wait_told("anchor", 30, kind="position back")
        # It was nobody's doing that it is back: the alarm is heard now and then until somebody acts.
        assert agent.anchor("status")["ringing"] == "position lost"
        assert agent.anchor("acknowledge")["ringing"] is None


@pytest.mark.waits
def test_a_boat_that_is_heard_again_outside_rings_on(tmp_path, gpsd):
    boat = {"east": 0.0}
    with alone(tmp_path, gpsd) as agent, Ticking(gpsd, lambda: (boat["east"], 0.0), 0.5) as ticking:
        dropped(agent)
        boat["east"] = 50.0
        agent.wait_told("anchor", 30, kind="alarm")
        ticking.silent = True
        agent.wait_told("anchor", 40, kind="position lost")
        ticking.silent = False
        agent.wait_told("anchor", 30, kind="position back")
        assert agent.anchor("status")["ringing"] == "alarm"
        assert not flight(agent, "rings=reminder")


def supply(folder, online, capacity=90):
    for name, files in {
            "AC": {"type": "Mains", "online": online},
            "BAT0": {"type": "Battery", "capacity": capacity, "voltage_now": 12_600_000,
                     "status": "Charging" if online else "Discharging"}}.items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        for file, text in files.items():
            (folder / name / file).write_text(f"{text}\n")


@pytest.mark.waits
def test_the_charger_decides_how_often_it_looks(tmp_path, gpsd):
    power = tmp_path / "power"
    supply(power, 1)
    with alone(tmp_path, gpsd, "--power", power) as agent, Ticking(gpsd, seconds=0.5):
        eventually(lambda: agent.anchor("status")["fix"], 20)
        state = agent.anchor("drop", "--radius", 40, "--still-watching", 10)
        assert (state["interval"], state["charging"]) == ("continuous", True)
        assert (state["battery"], state["volts"]) == (0.9, 12.6)
        supply(power, 0)
        agent.wait_told("anchor", 20, kind="no charger")
        eventually(lambda: not gpsd.watching, 20, what="the receiver may sleep")
        state = agent.anchor("status")
        assert state["why"] == "battery" and 20 <= float(state["interval"]) <= 60
        supply(power, 1)
        agent.wait_told("anchor", 20, kind="charger")
        eventually(lambda: gpsd.watching, 20, what="it looks all the time again")
        # All is well, and that is heard.
        eventually(lambda: flight(agent, "still watching spoken"), 30, what="the sign that it watches")
        assert heard(tmp_path)
        # A battery that gets empty says so, though it is pulled again.
        supply(power, 0, 19)
        eventually(lambda: agent.anchor("status")["ringing"] == "battery", 20)
        agent.wait_told("shown", 20, id="anchor-battery")
        assert flight(agent, "charger=pulled") and flight(agent, "why=battery", "battery=90%")


def test_orders_that_are_wrong_are_told_and_change_nothing(tmp_path, gpsd):
    def refused(*words):
        done = run("anchor", *words, "--state", tmp_path / "state")
        assert done.returncode != 0
        return done.stderr

    assert "is not there" in refused("status")
    with alone(tmp_path, gpsd) as agent:
        assert "No receiver has told a position" in refused("drop")
        assert "There is no anchor" in refused("set", "--radius", 30)
        assert "not 0, 0" in refused("drop", "--at", "0,0")
        assert "214.7483647" in refused("drop", "--at", "214.7483647,10")
        assert "radius_m" in refused("drop", "--at", "54,10", "--radius", -3)
        assert "LAT,LON" in refused("drop", "--at", "here")
        agent.anchor("drop", "--at", "0,10")  # latitude 0 is a legal place to anchor
        state = agent.anchor("move", "--at", "0,10.5")
        assert state["settings"]["anchor"] == {"lat": 0.0, "lon": 10.5} and state["state"] == "waiting"
        kept = json.loads((agent.state / "anchor.json").read_text())
        assert kept["armed"] and kept["settings"] == state["settings"]
    done = run("--gpsd", "boat:0")
    assert done.returncode == 2 and "--gpsd" in done.stderr
    assert "--hub is missing" in run("--json").stderr


def test_a_clock_that_is_ahead_of_the_receivers_hinders_no_drop_and_makes_no_silence(tmp_path, gpsd):
    with alone(tmp_path, gpsd) as agent:
        eventually(lambda: gpsd.tell(at=time.time() - 600), 20, what="a fix is told")
        eventually(lambda: agent.anchor("status")["fix"], 20, what="a fix")
        assert agent.anchor("drop", "--radius", 30)["armed"]
        assert gpsd.tell(at=time.time() - 600)
        eventually(lambda: agent.anchor("status")["state"] == "holding", 20)
        agent.end(signal.SIGKILL)
        agent.start()
        state = agent.anchor("status")
        # It is killed in any moment, perhaps before its track has that position: then it waits for one.
        assert state["state"] in ("holding", "waiting") and state["ringing"] is None


def sentence(east, north):
    """What a receiver says, with its checksum."""
    latitude, longitude = place(east, north)
    now = time.gmtime()
    words = ",".join([
        "GPRMC", time.strftime("%H%M%S", now) + f".{time.time_ns() // 10_000_000 % 100:02d}", "A",
        f"{int(latitude):02d}{latitude % 1 * 60:07.4f}", "N", f"{int(longitude):03d}{longitude % 1 * 60:07.4f}", "E",
        "0.1", "", time.strftime("%d%m%y", now), "", "", "A"])
    return f"${words}*{functools.reduce(operator.xor, words.encode()):02X}\r\n".encode()


class SignalK:
    """A server's deltas about its own boat, to everybody who connects."""

    def __enter__(self):
        self.place, self.asked, self._stop = (0.0, 0.0), [], threading.Event()
        self._server = serve(self._tell, "127.0.0.1", 0)
        self.port = self._server.socket.getsockname()[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._server.shutdown()

    def _tell(self, client):
        self.asked.append(client.request.path)
        with contextlib.suppress(ConnectionClosed):
            client.send('{"name":"signalk","version":"2.0.0","self":"vessels.self","roles":["master"]}')
            while not self._stop.wait(0.2):
                latitude, longitude = place(*self.place)
                stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime())
                stamp += f".{time.time_ns() // 1_000_000 % 1000:03d}Z"
                client.send(json.dumps({"context": "vessels.self", "updates": [{
                    "source": {"label": "n2k"}, "timestamp": stamp, "values": [
                        {"path": "navigation.position", "value": {"latitude": latitude, "longitude": longitude}}]}]}))


def test_several_sources_feed_one_watch_and_the_others_are_witnesses(tmp_path, gpsd):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with SignalK() as server, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out, alone(
            tmp_path, gpsd, "--nmea", f"udp://127.0.0.1:{port}", "--signalk", f"ws://127.0.0.1:{server.port}") as agent:
        def best():
            return next((one["name"].split()[0] for one in agent.anchor("status")["sources"] if one["best"]), None)

        # gpsd says nothing: the others do.
        eventually(lambda: best() == "signalk", 30, what="the Signal K server")
        assert server.asked[0].startswith("/signalk/v1/stream")
        out.sendto(b"$GPRMC,broken\r\n" + sentence(2, 0), ("127.0.0.1", port))
        eventually(lambda: any(one["name"].startswith("nmea") and one["age_s"] is not None
                               for one in agent.anchor("status")["sources"]), 20, what="a datagram")
        # Far better than what nobody vouches for.
        with Ticking(gpsd, seconds=0.1, eph=2.0):
            eventually(lambda: best() == "gpsd", 30, what="gpsd is the best")
            eventually(lambda: any(one["agrees"] and one["name"].startswith("signalk")
                                   for one in agent.anchor("status")["sources"]), 20, what="the server agrees")
