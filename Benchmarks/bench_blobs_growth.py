"""A store with 1,000 blobs beside one with 10,000: the time of a start, its memory, and one more upload. None may grow.

Needs 3.5 GB of disk for a few minutes.
"""

import os
import pathlib
import statistics
import tempfile

from faults import run, TRIAL
from figure import Figure

FEW, MANY = 1_000, 10_000
BYTES = 300_000
STARTS = 25
UPLOAD_ROUNDS, UPLOADS = 8, 25
BAR = 1.2


def told(*words):
    answer = run(TRIAL, *words, seconds=900)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout.splitlines()


def figures():
    with tempfile.TemporaryDirectory(dir=os.environ.get("EIGHTBELLS_BENCH_FOLDER")) as name:
        stores = {count: pathlib.Path(name) / str(count) for count in (FEW, MANY)}
        for count, folder in stores.items():
            told("grow", folder, count, BYTES)
        starts = {count: [] for count in stores}
        for _ in range(STARTS):
            for count, folder in stores.items():
                starts[count].append([float(word) for word in told("start", folder)[0].split()])
        uploads = {count: [] for count in stores}
        for _ in range(UPLOAD_ROUNDS):
            for count, folder in stores.items():
                uploads[count] += [float(line) for line in told("grow", folder, UPLOADS, BYTES)]
        assert starts[MANY][0][2] >= MANY
        yield from compare("start", "ms", *([run[0] for run in starts[count]] for count in (FEW, MANY)))
        yield from compare("memory", "KB", *([run[1] for run in starts[count]] for count in (FEW, MANY)))
        yield from compare("upload", "ms", *(uploads[count] for count in (FEW, MANY)))


def compare(what, unit, few, many):
    few, many = statistics.median(few), statistics.median(many)
    yield Figure(f"blobs, {what}, {MANY:,} : {FEW:,} of 300 KB", many / few, "×", BAR,
                 f"{few:.3g} {unit} with {FEW:,}, {many:.3g} {unit} with {MANY:,}")
