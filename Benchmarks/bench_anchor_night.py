"""A night at anchor in real time: the built agent and hub, a fix a second, kills included. Its memory, processor time
and gaps are drawn into Docs/pictures/anchor-night.svg: python3 bench_anchor_night.py [--hours 9] [--picture FILE]

Every so often the agent is killed (kill -9) and started again after three seconds, the hub is killed, or the receiver
is silent for a while. At the end the anchor drags. What was told to the agent while it ran has to be in its track.
"""

import argparse
import csv
import math
import pathlib
import random
import signal
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Tests/World"))

from agent import AGENT, Agent
from bell_device import make_device
from figure import Figure
from gpsd import ANCHOR, Gpsd, Ticking
from hub import Hub, eventually
from measure import cpu_seconds, proportional
from soak_plot import Panel, svg

PICTURE = HERE.parent / "Docs/pictures/anchor-night.svg"
RADIUS, GRACE, DRAG = 40, 30, 1.0  # metres, seconds, metres a second
# MB, and µs of processor time a second: 0.5 % of a core.
MEMORY_BAR, CPU_BAR = 20, 5_000
REPLAYED = 36_000  # fixes of ten hours


class Boat:
    """Swings at its anchor with the wind, seen through a receiver's noise; from a moment on it drags."""

    def __init__(self):
        self.chance = random.Random(1)
        self.began, self.dragging = time.monotonic(), None
        self.left = None  # when its true place left the zone
        self.noise = [0.0, 0.0]

    def __call__(self):
        now = time.monotonic()
        angle = 0.9 * math.sin((now - self.began) / 140)
        distance = 22 + 3 * math.sin((now - self.began) / 47)
        if self.dragging is not None:
            distance += DRAG * (now - self.dragging)
            if self.left is None and distance > RADIUS:
                self.left = time.time()
        self.noise = [0.95 * one + self.chance.gauss(0, 0.4) for one in self.noise]
        return distance * math.sin(angle) + self.noise[0], distance * math.cos(angle) + self.noise[1]


class Night:
    """The agent, the hub and the receiver, with what is done to them, and the samples."""

    def __init__(self, folder, seconds):
        self.folder, self.seconds = folder, seconds
        self.minutes, self.memory, self.cpu, self.age, self.wakeups = [], [], [], [], []
        self.kills, self.hub_kills, self.silences = 0, 0, 0
        self.alive = []  # [from, to] of the agent's runs
        self.delay = None

    def run(self, sample_seconds):
        hub = Hub(self.folder / "hub").start()
        hub.sign_in("owner", "Ada")
        made = make_device(hub, "boat", person="Ada")
        with Gpsd() as gpsd:
            agent = Agent(self.folder, hub.url, "--gpsd", gpsd.address, "--audio", "off", secret=made["secret"])
            boat = Boat()
            with Ticking(gpsd, boat) as ticking:
                self.begin(agent)
                try:
                    agent.anchor("drop", "--at", f"{ANCHOR[0]},{ANCHOR[1]}", "--radius", RADIUS)
                    self.watch(agent, hub, ticking, sample_seconds)
                    self.drag(agent, boat)
                finally:
                    self.alive[-1][1] = time.time()
                    agent.end()
                    hub.stop()
            return self.judge(agent, gpsd)

    def begin(self, agent):
        agent.start()
        eventually(lambda: (agent.state / "orders.socket").exists() and agent_answers(agent), 30, what="the agent")
        self.alive.append([time.time(), None])
        self.before = self.counts(agent)

    def counts(self, agent):
        return time.monotonic(), cpu_seconds(agent.process.pid), switches(agent.process.pid)

    def watch(self, agent, hub, ticking, sample_seconds):
        start = time.monotonic()
        faults = 0
        while (elapsed := time.monotonic() - start) < self.seconds:
            time.sleep(min(sample_seconds, self.seconds - elapsed + 0.1))
            self.sample(agent, (time.monotonic() - start) / 60)
            # More often in a short night: each kind of fault three times at least.
            if elapsed > (faults + 1) * self.seconds / max(10, min(90, self.seconds / 360)):
                self.fault(faults % 3, agent, hub, ticking)
                faults += 1

    def fault(self, kind, agent, hub, ticking):
        if kind == 0:
            self.alive[-1][1] = time.time()
            agent.end(signal.SIGKILL)
            time.sleep(3)
            self.begin(agent)
            self.kills += 1
        elif kind == 1:
            hub.kill()
            hub.start()
            self.hub_kills += 1
        else:
            ticking.silent = True
            time.sleep(20)
            ticking.silent = False
            self.silences += 1

    def sample(self, agent, minute):
        at, cpu, woken = self.counts(agent)
        took = max(at - self.before[0], 1e-9)
        self.minutes.append(minute)
        self.memory.append(proportional(agent.process.pid) / 1e6)
        self.cpu.append((cpu - self.before[1]) / took * 100)
        self.wakeups.append((woken - self.before[2]) / took * 60)
        self.age.append(max(0, time.time() - track(agent.state)[-1]))
        self.before = at, cpu, woken

    def drag(self, agent, boat):
        boat.dragging = time.monotonic()
        eventually(lambda: agent.told("anchor", kind="alarm"), 240, what="the alarm")
        self.delay = time.time() - boat.left
        agent.anchor("acknowledge")

    def judge(self, agent, gpsd):
        """What was told while the agent watched and is not in its track; the last second before a kill does not count,
        in which a fix may have been on its way."""
        kept = {round(one, 1) for one in track(agent.state)}
        known = [one for one in gpsd.told if any(since + 2 < one < until - 1 for since, until in self.alive)]
        missing = [one for one in known if not {round(one, 1), round(one + 0.05, 1), round(one - 0.05, 1)} & kept]
        times = sorted(track(agent.state))
        gaps = [later - earlier for earlier, later in zip(times, times[1:], strict=False)]
        return len(known), len(missing), max(gaps)


def agent_answers(agent):
    try:
        return agent.anchor("status")
    except AssertionError:
        return None


def track(state):
    with open(state / "track.csv", newline="") as file:
        return [float(row[0]) for row in list(csv.reader(file))[1:]]


def switches(pid):
    """How often its threads were woken."""
    total = 0
    for file in pathlib.Path(f"/proc/{pid}/task").glob("*/status"):
        total += next(int(line.split()[1]) for line in file.read_text().splitlines()
                      if line.startswith("voluntary_ctxt_switches"))
    return total


def median(values):
    return sorted(values)[len(values) // 2]


def figures(hours=1 / 30, picture=None):
    with tempfile.TemporaryDirectory() as name:
        night = Night(pathlib.Path(name), hours * 3600)
        known, missing, gap = night.run(sample_seconds=max(2, min(30, hours * 60)))
    words = f"{night.kills} kills of the agent, {night.hub_kills} of the hub, {night.silences} silences of the receiver"
    yield Figure(f"anchor night of {hours:.3g} h, agent's memory (Pss)", max(night.memory), "MB", MEMORY_BAR, words)
    yield Figure("… CPU, median", median(night.cpu) * 1e4, "µs/s", CPU_BAR)
    yield Figure("… wake-ups a minute, median", median(night.wakeups), "")
    yield Figure("… fixes told and not in the track", missing, "", 0, f"of {known:,} told while it ran")
    yield Figure("… longest gap in the track", gap, "s", 35)
    yield Figure("… alarm after the zone was left", night.delay, "s", GRACE + 25, f"{GRACE} s of it are the grace")
    if picture:
        panels = [
            Panel("Agent's memory (Pss), MB", {"memory": night.memory}),
            Panel("Processor time, % of a core", {"cpu": night.cpu}),
            Panel("Age of the track's last fix, s", {"age": night.age}),
            Panel("Wake-ups a minute", {"wake-ups": night.wakeups})]
        title = f"A night at anchor of {hours:.3g} hours, a fix a second"
        picture.write_text(svg(title, f"{words}; {missing} of {known:,} fixes missing", night.minutes, panels))
        print(f"drawn: {picture}")
    yield replayed()


def replayed():
    """The memory that ten hours of fixes leave behind, told as fast as the agent takes them."""
    with tempfile.TemporaryDirectory() as name, Gpsd() as gpsd:
        agent = Agent(name, None, "--gpsd", gpsd.address, "--audio", "off").start()
        try:
            eventually(lambda: gpsd.watching, 20, what="the agent watches")
            agent.anchor("drop", "--at", f"{ANCHOR[0]},{ANCHOR[1]}", "--radius", RADIUS)
            sizes = []
            start = time.time()
            for number in range(REPLAYED):
                gpsd.tell(5 * math.sin(number / 300), 0, at=start + number / 100)
                if number in (REPLAYED // 4, REPLAYED - 1):
                    last = number
                    eventually(lambda: agent.anchor("status")["fix"], 60)
                    eventually(lambda: len(track(agent.state)) > last, 120, what=f"{last} fixes in the track")
                    sizes.append(proportional(agent.process.pid) / 1e6)
        finally:
            agent.end()
    return Figure(f"agent, {REPLAYED:,} fixes in a row, memory that grows", sizes[1] - sizes[0], "MB", 1,
                  f"{sizes[1]:.1f} MB in the end")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hours", type=float, default=9)
    parser.add_argument("--picture", type=pathlib.Path, default=PICTURE)
    words = parser.parse_args()
    assert AGENT.exists(), f"{AGENT} is not there: bin/build eightbells-agent makes it."
    found = list(figures(words.hours, words.picture))
    print(*found, sep="\n")
    sys.exit(any(figure.is_missed for figure in found))


if __name__ == "__main__":
    main()
