"""Parsing 5,000 events, half of them recurring, and expanding five years: ours beside recurring-ical-events."""

import pathlib
import statistics
import subprocess
import sys
import tempfile

import make_calendar
from figure import Figure

HERE = pathlib.Path(__file__).resolve().parent
OURS = HERE.parent / ".build/release/calendarbench"
EVENTS = 5000
FROM, TO, ZONE = "2022-01-01", "2027-01-01", "Europe/Berlin"
# The peer is slow, and its runs hardly differ.
OUR_RUNS, PEER_RUNS = 5, 3
BAR = 0.25


def run(*words):
    """One run of either engine: its output, by name."""
    told = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=600, check=True).stdout
    return {name: float(value) for name, value in (line.split() for line in told.splitlines())}


def figures():
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "calendar.ics"
        file.write_text(make_calendar.calendar(EVENTS), newline="")
        ours, peer = [], []
        for number in range(OUR_RUNS):
            ours.append(run(OURS, file, FROM, TO, ZONE))
            if number < PEER_RUNS:
                peer.append(run(sys.executable, HERE / "calendar_peer.py", file, FROM, TO))
    seconds = {name: statistics.median(one["parse"] + one["expand"] for one in runs)
               for name, runs in (("ours", ours), ("peer", peer))}
    found = f"occurrences: {ours[0]['occurrences']:,.0f} ours, {peer[0]['occurrences']:,.0f} the peer's"
    yield Figure("calendar, parse and expand, ours", seconds["ours"], "s")
    yield Figure("calendar, parse and expand, recurring-ical-events", seconds["peer"], "s")
    yield Figure("calendar, ours : recurring-ical-events", seconds["ours"] / seconds["peer"], "×", BAR, found)
