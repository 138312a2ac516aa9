"""Lateness of the talking clock: the first sample of announcements against the wall clock, by an independent recording
of a sink that keeps time, calibrated by the clicks of another player; on an idle machine, under full CPU load, and
beside Debian's saytime under cron. And the cost of an agent that waits with its sound."""

import contextlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Tests/World"))

from agent import SECRET, Agent
from figure import Figure
from gateway import Gateway
from hub import command, eventually
from measure import cpu_seconds, needed, proportional
from sound_server import SoundServer, first_sound, wait_until

# Milliseconds of lateness, and the share of the peer's.
MEDIAN_BAR, PEER_SHARE = 20, 0.1
# The agent's memory (MB) and processor time (µs a second), and its wake-ups in the idle time besides the heartbeat's.
MEMORY_BAR, CPU_BAR = 20, 1_000
ANNOUNCEMENTS, PEER_CALLS = 10, 3
# Seconds between two announcements: the device is closed in between.
APART = 7
IDLE_SECONDS = 60
PARTS = ["3", "30", "PM"]


@contextlib.contextmanager
def load():
    """Every core is busy, twice."""
    workers = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2 * os.cpu_count())]
    try:
        yield
    finally:
        for worker in workers:
            worker.kill()
            worker.wait()


def push(gateway, moment):
    settings = {"every": 60, "language": "en", "quiet": None, "voice": "english", "zone": "UTC"}
    clock = {"version": 1, "at": moment, "parts": PARTS, "settings": settings, "volume": 100, "on": True,
             "voice": {"id": "english", "version": "built-in"}, "muted_until": 0}
    gateway.wait_acknowledged(gateway.show("", silent=True, user_info={"clock": clock}))


def nearest(heard, moments):
    """For each moment, the sound that began nearest to it."""
    return [min(heard, key=lambda begin: abs(begin - moment)) for moment in moments]


def lateness(gateway, sound, count, ahead):
    """Milliseconds of so many announcements, and what the agent itself said of them is not asked."""
    with sound.recording() as recording:
        start = int(time.time()) + 6
        moments = [start + index * APART for index in range(count)]
        for moment in moments:
            push(gateway, moment)
            recording.click_at(moment - 1)
        time.sleep(3)
        heard = recording.heard()
    return [(begin - moment - ahead) * 1000 for begin, moment in zip(nearest(heard, moments), moments, strict=True)]


def peer(folder, sound, count):
    """Milliseconds from full minutes to the first sample of saytime, which Debian's cron calls then. The cron has its
    own table alone, in folders that only it sees."""
    table = folder / "table"
    table.write_text("".join(f"{name}={value}\n" for name, value in sound.env.items())
                     + "* * * * * saytime -t alsa -o default >/dev/null 2>&1\n")
    words = ["mount -t tmpfs none /var/spool/cron", "mount -t tmpfs none /run", "mount -t tmpfs none /etc/cron.d",
             "mount --bind /dev/null /etc/crontab", "mkdir -m 1730 /var/spool/cron/crontabs",
             f"install -m 600 {table} /var/spool/cron/crontabs/root", "exec cron -f"]
    start = (int(time.time()) // 60 + 1) * 60
    start += 60 if start - time.time() < 5 else 0
    moments = [start + index * 60 for index in range(count)]
    with subprocess.Popen(["unshare", "-m", "sh", "-ec", "\n".join(words)]) as cron, sound.recording() as recording:
        try:
            for moment in moments:
                recording.click_at(moment - 1)
            wait_until(moments[-1] + 5)
        finally:
            cron.kill()
        heard = recording.heard()
    firsts = [min(begin for begin in heard if begin > moment - 0.5) for moment in moments]
    return [(begin - moment) * 1000 for begin, moment in zip(firsts, moments, strict=True)]


def wakeups(pid):
    """How often the threads of a process have gone to sleep by themselves."""
    total = 0
    for file in pathlib.Path(f"/proc/{pid}/task").glob("*/status"):
        lines = file.read_text().splitlines()
        total += next(int(line.split()[1]) for line in lines if line.startswith("voluntary_ctxt_switches"))
    return total


def figures():
    needed("pulseaudio", "parec", "pacat", "saytime", "cron", "unshare")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        said = folder / "said.wav"
        told = command("clock", "say", "15:30", "--out", said)
        assert told.returncode == 0, told.stderr
        ahead = first_sound(said)
        with SoundServer(folder / "sound") as sound, Gateway(SECRET) as gateway, \
                Agent(folder, gateway.url, env=sound.env) as agent:
            gateway.wait_connected()
            idle = lateness(gateway, sound, ANNOUNCEMENTS, ahead)
            with load():
                loaded = lateness(gateway, sound, ANNOUNCEMENTS, ahead)
            others = peer(folder, sound, PEER_CALLS)
            median = statistics.median(abs(one) for one in idle)
            yield Figure("talking clock, lateness of the first sample, median", median, "ms", MEDIAN_BAR, words(idle))
            yield Figure("… the largest (p95 of so few)", max(map(abs, idle)), "ms")
            yield Figure("… with every core busy twice, median", statistics.median(map(abs, loaded)), "ms",
                         notes=words(loaded))
            yield Figure("… with every core busy twice, the largest", max(map(abs, loaded)), "ms")
            yield Figure("saytime under cron, median", statistics.median(others), "ms", notes=words(others))
            yield Figure("… ours, as a share of it", median / statistics.median(others), "", PEER_SHARE)
            reports = json.loads((agent.state / "clock-reports.json").read_text())
            said_late = [abs(one["late_ms"]) for one in reports if one["what"] == "spoke"]
            yield Figure("… what the agent itself measured, median", statistics.median(said_late), "ms")
            eventually(lambda: sound.streams() == 0, what="the device is closed")
            pid = agent.process.pid
            pings, used, slept = len(gateway.heard("ping")), cpu_seconds(pid), wakeups(pid)
            # Not to wait for something: idle time is measured.
            time.sleep(IDLE_SECONDS)
            pings = len(gateway.heard("ping")) - pings
            slept, used = wakeups(pid) - slept, cpu_seconds(pid) - used
            yield Figure("agent with sound, idle, memory (Pss)", proportional(pid) / 1e6, "MB", MEMORY_BAR)
            yield Figure("… CPU", used / IDLE_SECONDS * 1e6, "µs/s", CPU_BAR)
            # A ping is two: the timer, and the answer.
            yield Figure("… wake-ups besides the heartbeat", max(0, slept - 2 * pings), "", 0,
                         f"{slept} in all, and {pings} pings, in {IDLE_SECONDS} s")


def words(values):
    return "each: " + ", ".join(f"{one:.1f}" for one in values) + " ms"


def main():
    found = list(figures())
    print(*found, sep="\n")
    sys.exit(any(figure.is_missed for figure in found))


if __name__ == "__main__":
    main()
