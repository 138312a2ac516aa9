"""`eightbells clock run|say` with a real sound server: when the first sample is heard, by an independent recording."""

import contextlib
import json
import signal
import subprocess
import time
import wave

import pytest
from hub import BINARY, clean_environment, command, eventually
from shifted_zone import shifted_zone
from sound_server import first_sound

# It is heard in real time, so nothing else runs beside it.
pytestmark = pytest.mark.punctual
# Seconds by which an onset may be off on a busy machine; bin/bench measures.
LATENESS = 0.15


@contextlib.contextmanager
def running_clock(*options, **variables):
    """`clock run`, which is ended with the test whatever happens."""
    words = [str(BINARY), "clock", "run", *options]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=clean_environment(**variables)) as process:
        try:
            yield process
        finally:
            process.kill()


def test_a_clock_by_itself_is_heard_at_the_exact_second(tmp_path, sound):
    moment = int(time.time()) + 10
    env = shifted_zone(tmp_path / "zones", moment, 15, 30)
    assert command("clock", "say", "15:30", "--out", tmp_path / "said.wav").returncode == 0
    with sound.recording() as recording, running_clock("--volume", "100", **sound.env, **env) as process:
        assert process.stdout.readline().startswith("The next announcement is at ")
        recording.click_at(moment - 6)
        # Only the clicks' own player has the sink open: a clock that waits has no device.
        assert sound.streams() == 1
        recording.click_at(moment - 1.5)
        assert sound.streams() == 2
        line = process.stdout.readline()
        assert "3 30 PM" in line and "ms late" in line
        eventually(lambda: sound.streams() == 1, what="the device is closed")
        time.sleep(0.5)  # what was played is recorded
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0
        heard = recording.heard()
    late = heard[0] - moment - first_sound(tmp_path / "said.wav")
    print(f"{late * 1000:.1f} ms late; it says {line.split('  ')[-1]}")
    assert abs(late) < LATENESS
    assert abs(int(line.split("  ")[-1].split()[0])) < LATENESS * 1000


def test_a_clock_without_a_device_says_so_and_goes_on(tmp_path, sound):
    sound.stop()
    moment = int(time.time()) + 6
    env = shifted_zone(tmp_path / "zones", moment, 15, 30)
    with running_clock(**sound.env, **env) as process:
        process.stdout.readline()
        assert "not heard: The sound device default cannot be opened" in process.stdout.readline()
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 0


def test_a_device_that_is_not_there_is_told_at_once():
    words = [str(BINARY), "clock", "run", "--device", "nosuch"]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True, env=clean_environment()) as process:
        try:
            assert "The sound device nosuch cannot be opened" in process.stderr.readline()
            assert process.poll() is None
        finally:
            process.kill()


def test_a_time_is_written_as_a_sound(tmp_path):
    out = tmp_path / "time.wav"
    assert command("clock", "say", "0:00", "--language", "de", "--out", out).returncode == 0
    with wave.open(str(out)) as file:
        assert (file.getframerate(), file.getnchannels()) == (44_100, 1)
        assert 1 < file.getnframes() / file.getframerate() < 12
    assert command("clock", "say", "--out", out).returncode == 0


def test_the_time_is_said_by_a_device(sound):
    with sound.recording() as recording:
        recording.click()
        time.sleep(0.3)  # the click and the voice are apart
        told = command("clock", "say", "12:30", env=sound.env)
        assert told.returncode == 0, told.stderr
        time.sleep(0.3)  # what was played is recorded
        assert recording.heard()


@pytest.mark.parametrize(("words", "told"), [
    (["run", "--zone", "Europe/Bremen"], "--zone Europe/Bremen: names of the tz database are accepted"),
    (["say", "25:00"], "25:00: a time of day is accepted"),
    (["say", "half past"], "half past: a time of day is accepted"),
    (["run", "--every", "7"], "--every 7: "),
    (["run", "--volume", "101"], "--volume 101: 0 to 100 is accepted."),
    (["say", "--voice", "/nowhere"], "/nowhere"),
])
def test_what_is_wrong_is_named(words, told):
    answer = command("clock", *words)
    assert answer.returncode != 0 and told in answer.stderr


def pack(folder, parts):
    """A voice pack whose files are tones."""
    folder.mkdir()
    for number, name in enumerate(parts):
        with wave.open(str(folder / f"{name}.wav"), "wb") as file:
            file.setparams((1, 2, 44_100, 0, "NONE", ""))
            period = 60 + number
            tone = [9_000 if index % period < period // 2 else -9_000 for index in range(13_230)]
            file.writeframes(b"".join(one.to_bytes(2, "little", signed=True) for one in tone))
    files = {"name": "Tones", "language": "en", "parts": {name: f"{name}.wav" for name in parts}}
    (folder / "voice.json").write_text(json.dumps(files))
    return folder


def test_a_broken_part_of_a_pack_is_named_and_the_default_is_used(tmp_path):
    voice = pack(tmp_path / "voice", ["12", "30", "AM", "PM"])
    whole = command("clock", "say", "12:30", "--voice", voice, "--out", tmp_path / "a.wav")
    assert whole.returncode == 0 and whole.stderr == ""
    (voice / "30.wav").write_bytes(b"")
    broken = command("clock", "say", "12:30", "--voice", voice, "--out", tmp_path / "b.wav")
    assert broken.returncode == 0 and "30.wav" in broken.stderr and "The default is used." in broken.stderr
    assert first_sound(tmp_path / "b.wav") == first_sound(tmp_path / "a.wav")


def test_an_interval_that_a_pack_cannot_say_is_refused(tmp_path):
    voice = pack(tmp_path / "voice", [*map(str, range(1, 13)), "30", "AM", "PM"])
    answer = command("clock", "run", "--voice", voice, "--every", "15")
    assert answer.returncode == 2
    assert 'The voice "Tones" cannot say 15, 45, which --every 15 needs; with --every it can say 30, 60.' in (
        answer.stderr)
    answer = command("clock", "say", "12:15", "--voice", voice)
    assert answer.returncode != 0 and "cannot say 15" in answer.stderr
