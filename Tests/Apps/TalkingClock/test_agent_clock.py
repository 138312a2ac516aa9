"""The agent's clock against a double of the gateway, with a real sound server."""

import json
import shutil
import signal
import time

import pytest
from agent import Agent, run
from hub import command, eventually
from shifted_zone import shifted_zone
from sound_server import first_sound, wait_until

pytestmark = [pytest.mark.punctual, pytest.mark.timeout(150)]

LATENESS = 0.15
PARTS = ["3", "30", "PM"]
SETTINGS = {
    "every": 15, "hours": 12, "language": "en", "quarters": "past", "strokes": "one", "oclock": False,
    "style": "speech", "quiet": None, "voice": "english", "zone": "device"}


def push(gateway, **message):
    """A silent push to the clock; returns the notification's id."""
    clock = {"version": 1, "settings": SETTINGS, "voice": {"id": "english", "version": "built-in"}, "volume": 100,
             "on": True, "muted_until": 0} | message
    return gateway.show("", silent=True, user_info={"clock": clock})


def words_of(agent, text, seconds=20):
    return eventually(lambda: [line for line in agent.last_words().stdout.splitlines() if text in line], seconds,
                      what=f"\"{text}\" in {agent.last_words().stdout[-2000:]}")


def reports(agent):
    file = agent.state / "clock-reports.json"
    return json.loads(file.read_text()) if file.exists() else []


@pytest.fixture
def listener(tmp_path, gateway, sound):
    """An agent that plays into the sound server. Its own schedule has nothing for a quarter of an hour."""
    quiet = shifted_zone(tmp_path / "zones", int(time.time()), 3, 1)
    with Agent(tmp_path, gateway.url, env=sound.env | quiet) as agent:
        gateway.wait_connected()
        yield agent


def test_a_push_ahead_is_heard_at_its_second_once(tmp_path, gateway, sound):
    assert command("clock", "say", "15:30", "--out", tmp_path / "said.wav").returncode == 0
    moment = int(time.time()) + 12
    # Its own schedule has the same instant.
    env = sound.env | shifted_zone(tmp_path / "zones", moment, 15, 30)
    with Agent(tmp_path, gateway.url, env=env) as agent, sound.recording() as recording:
        gateway.wait_connected()
        for _ in range(2):
            gateway.wait_acknowledged(push(gateway, at=moment, parts=PARTS))
        recording.click_at(moment - 1)
        words_of(agent, f"clock at={moment} spoke")
        time.sleep(0.5)  # what was played is recorded
        heard = recording.heard()
        (report,) = reports(agent)
        assert report["at"] == moment and report["what"] == "spoke" and report["by"] == "push"
        assert abs(report["late_ms"]) < LATENESS * 1000
        assert abs(heard[0] - moment - first_sound(tmp_path / "said.wav")) < LATENESS
        assert len(heard) <= 3, "it spoke more than once"
        # After a kill it knows what it has said.
        agent.end(signal.SIGKILL)
        agent.start()
        assert json.loads((agent.state / "clock.json").read_text())["last"] == moment
        eventually(lambda: gateway.connections == 2)
        gateway.wait_connected()
        push(gateway, at=moment, parts=PARTS)
        time.sleep(1.5)  # nothing happens in this time
        assert len(reports(agent)) == 1


def test_without_a_network_its_own_schedule_goes_on(tmp_path, gateway, sound):
    moment = int(time.time()) + 14
    env = sound.env | shifted_zone(tmp_path / "zones", moment, 15, 30)
    agent = Agent(tmp_path, gateway.url, env=env)
    with agent, sound.recording() as recording:
        gateway.wait_connected()
        gateway.wait_acknowledged(push(gateway))
        agent.end(signal.SIGKILL)
        gateway.stop()
        agent.start()
        recording.click_at(moment - 1)
        words_of(agent, f"clock at={moment} spoke")
        assert reports(agent)[-1] | {"late_ms": 0} == {"at": moment, "what": "spoke", "late_ms": 0, "by": "own"}
        time.sleep(0.5)  # what was played is recorded
        assert abs(recording.heard()[0] - moment) < 0.3


def test_an_alarm_wins_and_the_clock_keeps_still(gateway, listener):
    alarm = gateway.show("The anchor drags", interruption_level="critical")
    gateway.wait_acknowledged(alarm)
    moment = int(time.time()) + 6
    gateway.wait_acknowledged(push(gateway, at=moment, parts=PARTS))
    words_of(listener, f"clock at={moment} alarm")
    gateway.withdraw(alarm, "answered_elsewhere")
    gateway.wait_acknowledged(alarm, "withdrawn")
    gateway.wait_acknowledged(push(gateway, at=moment + 8, parts=PARTS))
    words_of(listener, f"clock at={moment + 8} spoke")
    assert [one["what"] for one in reports(listener)] == ["alarm", "spoke"]


def test_a_device_that_goes_and_comes_back(gateway, sound, listener):
    sound.stop()
    moment = int(time.time()) + 5
    gateway.wait_acknowledged(push(gateway, at=moment, parts=PARTS))
    words_of(listener, f"clock at={moment} no_audio")
    assert "no sound" in listener.log and "cannot be opened" in listener.log
    sound.start()
    gateway.wait_acknowledged(push(gateway, at=moment + 9, parts=PARTS))
    words_of(listener, f"clock at={moment + 9} spoke")
    # Away in the middle of a word.
    gateway.wait_acknowledged(push(gateway, at=moment + 18, parts=PARTS * 4))
    wait_until(moment + 18.5)
    sound.stop()
    words_of(listener, f"clock at={moment + 18} no_audio")
    assert listener.process.poll() is None


def test_now_muted_and_off(gateway, listener):
    gateway.wait_acknowledged(push(gateway, now=True))
    words_of(listener, "now spoken")
    moment = int(time.time()) + 4
    gateway.wait_acknowledged(push(gateway, at=moment, parts=PARTS, muted_until=moment + 60))
    words_of(listener, f"clock at={moment} muted")
    gateway.wait_acknowledged(push(gateway, at=moment + 5, parts=PARTS, on=False))
    wait_until(moment + 8)  # nothing happens until then
    assert len(reports(listener)) == 1


def test_notifications_with_a_text_are_spoken(gateway, listener):
    assert shutil.which("espeak-ng"), "espeak-ng is not installed: bin/install build"
    gateway.wait_acknowledged(gateway.show("Open", speech="Der Space ist offen."))
    words_of(listener, "text spoken")
    gateway.wait_acknowledged(gateway.show("Half past three", speech="x", parts=PARTS))
    words_of(listener, "parts=3 spoken")


@pytest.mark.parametrize(("words", "speaks"), [(("--clock",), True), (("--gpsd", "127.0.0.1:9"), False)])
def test_alone_it_speaks_the_time_where_it_is_started_to(tmp_path, words, speaks):
    moment = int(time.time()) + 10
    env = shifted_zone(tmp_path / "zones", moment, 15, 30)
    agent = Agent(tmp_path, None, *words, "--audio", f"file:{tmp_path}/said.wav", env=env)
    # It was started with --clock before.
    agent.state.mkdir(mode=0o700)
    (agent.state / "clock.json").write_text(json.dumps({"on": True}))
    with agent:
        wait_until(moment + 3)
        assert (f"clock at={moment} spoke" in agent.last_words().stdout) == speaks


def test_the_longest_text_is_spoken_too(tmp_path, gateway):
    text = ("The space is open until ten this evening, and everybody is welcome. " * 20)[:1_000]
    with Agent(tmp_path, gateway.url, "--audio", f"file:{tmp_path}/said.wav") as agent:
        gateway.wait_connected()
        gateway.wait_acknowledged(gateway.show("Open", speech=text))
        words_of(agent, "text spoken", 80)


def test_news_is_said_where_the_clock_is_on_and_alarms_everywhere(gateway, listener):
    gateway.wait_acknowledged(push(gateway, on=False))
    quiet = gateway.show("Open", parts=["open"])
    alarm = gateway.show("The anchor drags", parts=["dragging"], interruption_level="critical")
    gateway.wait_acknowledged(alarm)
    words_of(listener, f"speech id={alarm} parts=1 spoken")
    gateway.withdraw(alarm, "answered_elsewhere")
    assert f"speech id={quiet}" not in listener.log
    gateway.wait_acknowledged(push(gateway, on=True))
    said = gateway.show("Closed", parts=["closed"])
    gateway.wait_acknowledged(said)
    words_of(listener, f"speech id={said} parts=1 spoken")


def test_what_is_wrong_in_a_message_changes_nothing_else(gateway, listener):
    wrong = SETTINGS | {"every": 7}
    gateway.wait_acknowledged(push(gateway, settings=wrong, volume=300, at="soon", parts=["3"]))
    kept = json.loads(eventually(lambda: (listener.state / "clock.json").exists() and
                                 (listener.state / "clock.json").read_text()))
    assert kept["volume"] == 80 and kept["on"] is True and kept["settings"]["every"] == 15
    for text in ("settings: every: 7", "volume: 300", "at: \"soon\""):
        words_of(listener, text)


def test_a_time_beyond_all_bounds_ends_no_agent(gateway, listener):
    for at in (-(1 << 63) + 1, (1 << 63) - 1):
        gateway.wait_acknowledged(push(gateway, at=at, parts=PARTS))
        words_of(listener, f"clock message: at: {at}")
    assert listener.process.poll() is None


@pytest.mark.parametrize("text", ["", "file:"])
def test_wrong_options(text):
    told = run("--hub", "http://127.0.0.1:1", "--token", "x", "--audio", text)
    assert told.returncode == 2 and "--audio" in told.stderr
