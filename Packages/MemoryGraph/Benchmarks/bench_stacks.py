"""A program that mostly allocates, under `memorygraph run --stacks` and by itself."""

import pathlib
import statistics
import subprocess

from figure import Figure

RELEASE = pathlib.Path(__file__).resolve().parent.parent / ".build/release"
# No look is taken: only the program's own time is measured.
RECORDED = [RELEASE / "memorygraph", "run", "--stacks", "--at-signal", "SIGUSR2", "--"]
# The depth of the allocating calls, and the number of rounds.
DEPTH, DEEP, ROUNDS = 10, 30, 60
RUNS = 9
# The bar at the usual depth, and what is wished for at the greater one.
BAR = 1.4


def seconds(words, depth):
    told = subprocess.run(
        [*words, RELEASE / "allocationbench", str(depth), str(ROUNDS)], stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True, timeout=600, check=False).stdout
    return float(told)


def figures():
    for depth, bar in ((DEPTH, BAR), (DEEP, None)):
        # Alternating, so that other load slows both alike.
        runs = [(seconds([], depth), seconds(RECORDED, depth)) for _ in range(RUNS)]
        alone, recorded = (statistics.median(one) for one in zip(*runs, strict=True))
        yield Figure(
            f"stacks of all allocations, {depth} calls deep", recorded / alone, "times", bar,
            f"{alone:.3f} s alone, {recorded:.3f} s recorded, of CPU; medians of {RUNS} runs in turns"
            + ("" if bar else f"; {BAR} times are wished for"))
