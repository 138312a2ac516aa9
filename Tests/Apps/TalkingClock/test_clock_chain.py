"""The whole chain, for real: the hub's schedule, its silent push, the agent, a recorded voice, and the sound that an
independent recording has of it."""

import json
import pathlib
import subprocess
import time

import pytest
from agent import Agent
from bell_device import make_device
from hub import command, eventually
from relay import Relay
from shifted_zone import shifted_zone
from sound_server import RATE, first_sound, onsets

pytestmark = [pytest.mark.punctual, pytest.mark.timeout(150)]

CLOCK = "/api/v1/clock"
LATENESS = 0.15
# Debian's recordings of somebody for telephone systems (asterisk-core-sounds-en-wav).
RECORDED = pathlib.Path("/usr/share/asterisk/sounds/en_US_f_Allison")
DIGITS = {**{str(number): f"digits/{number}" for number in (*range(1, 13), 15, 30)}, "AM": "digits/a-m",
          "PM": "digits/p-m"}


def recorded(name, path):
    """One of the recordings as the page would send it."""
    source = next(folder / f"{name}.wav" for folder in (RECORDED, *RECORDED.parent.iterdir())
                  if (folder / f"{name}.wav").exists())
    subprocess.run(["sox", str(source), "-r", "44100", "-b", "16", "-c", "1", str(path)], check=True, timeout=20)
    return path.read_bytes()


def record(hub, who, voice, part, body):
    answer = hub.request("PUT", f"{CLOCK}/voices/{voice}/parts/{part}", who | {"Content-Type": "audio/wav"}, body)
    assert answer.status == 200, answer.body


def tone(path, hertz, seconds=0.5):
    """Somebody who hums: one pitch, which is known again."""
    subprocess.run(["sox", "-r", str(RATE), "-n", "-b", "16", "-c", "1", str(path), "synth", str(seconds), "sine",
                    str(hertz), "gain", "-6"], check=True, timeout=20)
    return path.read_bytes()


def pitch(samples):
    """The pitch of the first sound, in hertz: how often it goes up through zero from its 100th to its 400th ms."""
    begin = onsets(samples)[0]
    piece = samples[begin + RATE // 10:begin + RATE * 4 // 10]
    return sum(one < 0 <= other for one, other in zip(piece, piece[1:])) / 0.3


def test_an_agent_says_in_ones_own_voice_that_the_space_is_open(make_hub, tmp_path, sound):
    # Its own schedule has nothing for half an hour.
    env = shifted_zone(tmp_path / "zones", int(time.time()), 3, 1)
    hub = make_hub(env=env)
    hub.configure()
    hub.turn(False)
    ada = hub.sign_in("owner", "Ada")
    voice = hub.post(f"{CLOCK}/voices", ada, {"name": "Ada", "language": "en"})[1]["id"]
    for part in DIGITS:
        record(hub, ada, voice, part, tone(tmp_path / "part.wav", 440))
    record(hub, ada, voice, "open", tone(tmp_path / "part.wav", 1_000))
    assert hub.patch(CLOCK, ada, {"settings": {"every": 30, "voice": voice}})[0] == 200
    made = make_device(hub, "kitchen", "space", person="Ada")
    folder = tmp_path / "agent"
    folder.mkdir()
    with Agent(folder, hub.url, secret=made["secret"], env=sound.env | env) as agent, sound.recording() as recording:
        agent.wait_told("connected")
        assert hub.put(f"{CLOCK}/devices/{made['id']}", ada, {"on": True, "volume": 100})[0] == 200
        eventually(lambda: (agent.state / "voice/voice.json").exists(), 20, what="the voice is fetched")
        hub.turn(True)
        eventually(lambda: "parts=1 spoken" in agent.last_words().stdout, 20, what="the news")
        time.sleep(0.5)  # what was played is recorded
        heard = pitch(recording.samples)
        assert abs(heard - 1_000) < 10, f"{heard} Hz: not what was recorded for it"
        # With another voice nothing of the recorded one stays on the agent.
        assert hub.patch(CLOCK, ada, {"settings": {"voice": "english"}})[0] == 200
        eventually(lambda: not list((agent.state / "voice").iterdir()), 20, what="the recorded voice is removed")


@pytest.mark.waits
def test_a_long_part_comes_over_a_line_that_takes_a_minute_for_it(make_hub, tmp_path):
    hub = make_hub()
    ada = hub.sign_in("owner", "Ada")
    voice = hub.post(f"{CLOCK}/voices", ada, {"name": "Ada", "language": "en"})[1]["id"]
    for part in DIGITS:
        record(hub, ada, voice, part, tone(tmp_path / "part.wav", 440))
    assert hub.patch(CLOCK, ada, {"settings": {"every": 30, "voice": voice}})[0] == 200
    made = make_device(hub, "kitchen", person="Ada")
    with Relay(hub.port) as line, Agent(tmp_path, f"http://127.0.0.1:{line.port}", "--audio", "off",
                                        secret=made["secret"]) as agent:
        assert hub.put(f"{CLOCK}/devices/{made['id']}", ada, {"on": True})[0] == 200
        eventually(lambda: (agent.state / "voice/voice.json").exists(), 20, what="the voice is fetched")
        line.delay = 3
        record(hub, ada, voice, "PM", tone(tmp_path / "part.wav", 440, 9.9))
        eventually(lambda: any(one.stat().st_size > 800_000 for one in (agent.state / "voice").iterdir()), 100,
                   what="the long part")


def test_a_recorded_voice_is_heard_at_the_second_that_the_hub_wakes_the_agent_for(make_hub, tmp_path, sound):
    if not RECORDED.parent.exists():
        pytest.fail("asterisk-core-sounds-en-wav is not installed: bin/install test")
    moment = int(time.time()) + 40
    env = shifted_zone(tmp_path / "zones", moment, 15, 30)
    hub = make_hub(env=env)
    ada = hub.sign_in("owner", "Ada")
    status, voice = hub.post(f"{CLOCK}/voices", ada, {"name": "Ada", "language": "en"})
    assert status == 201, voice
    parts = {}
    for part in DIGITS:
        parts[part] = f"{part}.wav"
        record(hub, ada, voice["id"], part, recorded(DIGITS[part], tmp_path / parts[part]))
    (tmp_path / "voice.json").write_text(json.dumps({"name": "Ada", "language": "en", "parts": parts}))
    said = command("clock", "say", "15:30", "--voice", tmp_path, "--out", tmp_path / "said.wav")
    assert said.returncode == 0 and said.stderr == "", said.stderr
    status, changed = hub.patch(CLOCK, ada, {"settings": {"every": 30, "voice": voice["id"]}})
    assert status == 200, changed
    made = make_device(hub, "kitchen", person="Ada")
    folder = tmp_path / "agent"
    folder.mkdir()
    with Agent(folder, hub.url, secret=made["secret"], env=sound.env | env) as agent, sound.recording() as recording:
        agent.wait_told("connected")
        assert hub.put(f"{CLOCK}/devices/{made['id']}", ada, {"on": True, "volume": 100})[0] == 200
        eventually(lambda: (agent.state / "voice/voice.json").exists(), 20, what="the voice is fetched")
        recording.click_at(moment - 1)
        reached = eventually(lambda: hub.get(CLOCK, token=ada)[1]["devices"][0]["last"], 20, what="the agent's report")
        time.sleep(0.5)  # what was played is recorded
        late = recording.heard()[0] - moment - first_sound(tmp_path / "said.wav")
        print(f"{late * 1000:.1f} ms late; the agent says {reached['late_ms']} ms")
        assert abs(late) < LATENESS
        assert reached["what"] == "spoke" and abs(reached["late_ms"]) < LATENESS * 1000
        day = time.strftime("%Y-%m-%d", time.gmtime(moment))
        [one] = [each for each in hub.get(f"{CLOCK}/history?device={made['id']}&day={day}", token=ada)[1][
            "announcements"] if each["what"] == "spoke"]
        assert one["by"] == "push", one
        # "Speak now".
        assert hub.post(f"{CLOCK}/speak", ada, {"device": made["id"]})[0] == 202
        eventually(lambda: "now spoken" in agent.last_words().stdout, 20, what="the time now")
        # The device is removed in the middle of the next one: the agent ends, and says why.
        heard = len(recording.heard())
        assert hub.post(f"{CLOCK}/speak", ada, {"device": made["id"]})[0] == 202
        eventually(lambda: len(recording.heard()) > heard, 20, what="the first sound of it")
        assert hub.delete(f"/api/v1/bells/devices/{made['id']}", ada)[0] == 204
        assert agent.process.wait(20) == 4 and "The hub has removed this device" in agent.log
        assert agent.last_words().stdout.count("now spoken") == 1
    assert hub.get(CLOCK, token=ada)[1]["devices"] == []
