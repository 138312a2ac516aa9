"""Joining a full day of 96 announcements, from reading the parts on."""

import pathlib
import statistics
import subprocess

from figure import Figure

OURS = pathlib.Path(__file__).resolve().parent.parent / ".build/release/joinbench"
RUNS = 9
BAR = 100


def figures():
    runs = []
    for _ in range(RUNS):
        told = subprocess.run([OURS], capture_output=True, text=True, timeout=60, check=True).stdout
        runs.append({name: float(value) for name, value in (line.split() for line in told.splitlines())})
    first = runs[0]
    assert first["announcements"] == 96 and first["wrong"] == 0, first
    found = f"{first['sound']:.0f} s of sound, to the frame as long as the parts; from reading the parts on"
    middle = statistics.median(run["milliseconds"] for run in runs)
    yield Figure("talking clock, a day of 96 announcements joined", middle, "ms", BAR, found)
